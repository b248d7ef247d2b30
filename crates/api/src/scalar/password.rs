use std::{fmt, str::FromStr};

use utoipa::ToSchema;

use super::ScalarError;

/// Longest password, in bytes of UTF-8.
const MAX_LENGTH: usize = 512;

/// A password as it was typed: at most 512 bytes, compared byte for byte, never printed.
#[derive(Clone, PartialEq, Eq, ToSchema)]
#[schema(value_type = String, max_length = 512)]
pub struct Password(String);

impl Password {
    /// The secret itself; for the hash function alone.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl FromStr for Password {
    type Err = ScalarError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.len() > MAX_LENGTH {
            return Err(ScalarError::new(
                "unsupported password: the password provided was too long (at most 512 bytes)",
            ));
        }
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Debug for Password {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Password(..)")
    }
}

impl<'de> serde::Deserialize<'de> for Password {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}
