use std::{fmt, ops::Add};

use serde::{Deserialize, Deserializer, Serialize};
use utoipa::ToSchema;

use super::ScalarError;

/// A number of bytes, 0 to 2^63 - 1.
///
/// Prints in the largest binary unit that divides it evenly: `1 GiB`, `1536 GiB`, `512 B`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = u64)]
pub struct ByteCount(u64);

impl ByteCount {
    /// One gibibyte.
    pub const GIB: Self = Self(1 << 30);
    /// The greatest count that the wire carries.
    pub const MAX: Self = Self(i64::MAX as u64);

    /// A count of gibibytes; `None` when it does not fit.
    pub fn from_gibibytes(count: u64) -> Option<Self> {
        count.checked_mul(Self::GIB.0).and_then(|bytes| Self::try_from(bytes).ok())
    }

    /// The number of bytes.
    pub const fn bytes(self) -> u64 {
        self.0
    }

    /// Whether this is a whole multiple of `unit`; false for a unit of zero.
    pub fn is_multiple_of(self, unit: Self) -> bool {
        unit.0 != 0 && self.0.is_multiple_of(unit.0)
    }
}

impl TryFrom<u64> for ByteCount {
    type Error = ScalarError;

    fn try_from(bytes: u64) -> Result<Self, Self::Error> {
        if bytes > Self::MAX.0 {
            return Err(ScalarError::new("value is too large for a byte count"));
        }
        Ok(Self(bytes))
    }
}

impl Add for ByteCount {
    type Output = Self;

    /// Saturates at [`ByteCount::MAX`].
    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0).min(Self::MAX.0))
    }
}

impl<'de> Deserialize<'de> for ByteCount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        u64::deserialize(deserializer)?.try_into().map_err(serde::de::Error::custom)
    }
}

impl fmt::Display for ByteCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNITS: [(&str, u32); 4] = [("TiB", 40), ("GiB", 30), ("MiB", 20), ("KiB", 10)];
        for (unit, shift) in UNITS {
            if self.0 != 0 && self.0.is_multiple_of(1 << shift) {
                return write!(f, "{} {unit}", self.0 >> shift);
            }
        }
        write!(f, "{} B", self.0)
    }
}

/// The block size of a disk, in bytes: 512, 2048 or 4096.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(into = "u32")]
pub struct BlockSize(u32);

impl BlockSize {
    /// Every block size there is.
    pub const ALL: [u32; 3] = [512, 2048, 4096];

    /// The block size as a count of bytes.
    pub fn byte_count(self) -> ByteCount {
        ByteCount(self.0.into())
    }
}

impl From<BlockSize> for u32 {
    fn from(size: BlockSize) -> Self {
        size.0
    }
}

impl TryFrom<u64> for BlockSize {
    type Error = ScalarError;

    fn try_from(bytes: u64) -> Result<Self, Self::Error> {
        Self::ALL
            .into_iter()
            .find(|known| u64::from(*known) == bytes)
            .map(Self)
            .ok_or_else(|| ScalarError::new(format!("invalid block size {bytes}")))
    }
}

impl<'de> Deserialize<'de> for BlockSize {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        u64::deserialize(deserializer)?.try_into().map_err(serde::de::Error::custom)
    }
}

impl fmt::Display for BlockSize {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl utoipa::PartialSchema for BlockSize {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        utoipa::openapi::ObjectBuilder::new()
            .schema_type(utoipa::openapi::schema::Type::Integer)
            .enum_values(Some(Self::ALL))
            .description(Some("The block size of a disk, in bytes."))
            .into()
    }
}

impl ToSchema for BlockSize {
    fn name() -> std::borrow::Cow<'static, str> {
        "BlockSize".into()
    }
}
