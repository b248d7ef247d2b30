use std::fmt;

use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use super::ScalarError;

/// A virtual network identifier: 24 bits (RFC 7348, section 5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = u32)]
pub struct Vni(u32);

impl Vni {
    /// The greatest identifier.
    pub const MAX: u32 = (1 << 24) - 1;
}

impl TryFrom<u32> for Vni {
    type Error = ScalarError;

    fn try_from(value: u32) -> Result<Self, Self::Error> {
        if value > Self::MAX {
            return Err(ScalarError::new(format!("VNI must be at most {}", Self::MAX)));
        }
        Ok(Self(value))
    }
}

impl From<Vni> for u32 {
    fn from(vni: Vni) -> Self {
        vni.0
    }
}

impl<'de> Deserialize<'de> for Vni {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        u32::deserialize(deserializer)?.try_into().map_err(serde::de::Error::custom)
    }
}

impl fmt::Display for Vni {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
