use std::{fmt, net::IpAddr};

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// The type of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldType {
    /// Text.
    String,
    /// Signed integer of 8 bits.
    I8,
    /// Unsigned integer of 8 bits.
    U8,
    /// Signed integer of 16 bits.
    I16,
    /// Unsigned integer of 16 bits.
    U16,
    /// Signed integer of 32 bits.
    I32,
    /// Unsigned integer of 32 bits.
    U32,
    /// Signed integer of 64 bits.
    I64,
    /// Unsigned integer of 64 bits.
    U64,
    /// IPv4 or IPv6 address.
    IpAddr,
    /// UUID.
    Uuid,
    /// True or false.
    Bool,
}

impl FieldType {
    /// Whether values are integers of any size.
    pub fn is_integer(self) -> bool {
        !matches!(self, Self::String | Self::IpAddr | Self::Uuid | Self::Bool)
    }
}

/// The value of a field.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(tag = "type", content = "value", rename_all = "snake_case")]
pub enum FieldValue {
    /// Text.
    String(String),
    /// Signed integer of 8 bits.
    I8(i8),
    /// Unsigned integer of 8 bits.
    U8(u8),
    /// Signed integer of 16 bits.
    I16(i16),
    /// Unsigned integer of 16 bits.
    U16(u16),
    /// Signed integer of 32 bits.
    I32(i32),
    /// Unsigned integer of 32 bits.
    U32(u32),
    /// Signed integer of 64 bits.
    I64(i64),
    /// Unsigned integer of 64 bits.
    U64(u64),
    /// IPv4 or IPv6 address.
    IpAddr(IpAddr),
    /// UUID.
    Uuid(Uuid),
    /// True or false.
    Bool(bool),
}

impl FieldValue {
    /// The type of the value.
    pub fn field_type(&self) -> FieldType {
        match self {
            Self::String(_) => FieldType::String,
            Self::I8(_) => FieldType::I8,
            Self::U8(_) => FieldType::U8,
            Self::I16(_) => FieldType::I16,
            Self::U16(_) => FieldType::U16,
            Self::I32(_) => FieldType::I32,
            Self::U32(_) => FieldType::U32,
            Self::I64(_) => FieldType::I64,
            Self::U64(_) => FieldType::U64,
            Self::IpAddr(_) => FieldType::IpAddr,
            Self::Uuid(_) => FieldType::Uuid,
            Self::Bool(_) => FieldType::Bool,
        }
    }

    /// The value as a wide integer, if it is an integer.
    pub fn as_integer(&self) -> Option<i128> {
        Some(match *self {
            Self::I8(value) => value.into(),
            Self::U8(value) => value.into(),
            Self::I16(value) => value.into(),
            Self::U16(value) => value.into(),
            Self::I32(value) => value.into(),
            Self::U32(value) => value.into(),
            Self::I64(value) => value.into(),
            Self::U64(value) => value.into(),
            Self::String(_) | Self::IpAddr(_) | Self::Uuid(_) | Self::Bool(_) => return None,
        })
    }

    /// An integer as a value of a field of this type; `None` if the type has no such value.
    pub fn from_integer(field_type: FieldType, value: i128) -> Option<Self> {
        Some(match field_type {
            FieldType::I8 => Self::I8(value.try_into().ok()?),
            FieldType::U8 => Self::U8(value.try_into().ok()?),
            FieldType::I16 => Self::I16(value.try_into().ok()?),
            FieldType::U16 => Self::U16(value.try_into().ok()?),
            FieldType::I32 => Self::I32(value.try_into().ok()?),
            FieldType::U32 => Self::U32(value.try_into().ok()?),
            FieldType::I64 => Self::I64(value.try_into().ok()?),
            FieldType::U64 => Self::U64(value.try_into().ok()?),
            FieldType::String | FieldType::IpAddr | FieldType::Uuid | FieldType::Bool => return None,
        })
    }
}

impl fmt::Display for FieldValue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::String(value) => value.fmt(formatter),
            Self::IpAddr(value) => value.fmt(formatter),
            Self::Uuid(value) => value.fmt(formatter),
            Self::Bool(value) => value.fmt(formatter),
            integer => integer.as_integer().unwrap_or_default().fmt(formatter),
        }
    }
}

macro_rules! field_value_from {
    ($($from:ty => $variant:ident),* $(,)?) => {$(
        impl From<$from> for FieldValue {
            fn from(value: $from) -> Self {
                Self::$variant(value.into())
            }
        }
    )*};
}

field_value_from! {
    &str => String, String => String, i8 => I8, u8 => U8, i16 => I16, u16 => U16, i32 => I32, u32 => U32,
    i64 => I64, u64 => U64, IpAddr => IpAddr, Uuid => Uuid, bool => Bool,
}

/// Whether a field belongs to the target or the metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum FieldSource {
    /// The target.
    Target,
    /// The metric.
    Metric,
}

/// The declaration of a field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldSchema {
    /// An identifier; unique in its schema.
    pub name: String,
    /// The type of its values.
    pub field_type: FieldType,
    /// The source.
    pub source: FieldSource,
    /// The description.
    pub description: String,
}
