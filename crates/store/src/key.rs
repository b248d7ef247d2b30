//! Values of indexed columns.

use std::net::IpAddr;

use jiff::Timestamp;
use uuid::Uuid;

/// The type of a lookup's column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyKind {
    /// A UUID.
    Id,
    /// Text, compared byte by byte.
    Text,
    /// A signed integer; also times, in microseconds since 1970.
    Int,
    /// Bytes, compared as unsigned numbers; also addresses and combined keys.
    Bytes,
}

/// The value of one lookup for one record.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Key {
    /// No value: the record is not found by this lookup, and a unique lookup does not restrict it.
    Null,
    /// See [`KeyKind::Id`].
    Id(Uuid),
    /// See [`KeyKind::Text`].
    Text(String),
    /// See [`KeyKind::Int`].
    Int(i64),
    /// See [`KeyKind::Bytes`].
    Bytes(Vec<u8>),
}

impl Key {
    /// Combines several values into one key of kind [`KeyKind::Bytes`], for look-ups by more than one field.
    /// Different lists of values never give the same key. A list with a null gives a null.
    pub fn combined(parts: impl IntoIterator<Item = Key>) -> Self {
        let mut bytes = Vec::with_capacity(48);
        for part in parts {
            match part {
                Self::Null => return Self::Null,
                Self::Id(id) => push_part(&mut bytes, b'i', id.as_bytes()),
                Self::Text(text) => push_part(&mut bytes, b't', text.as_bytes()),
                Self::Int(number) => push_part(&mut bytes, b'n', &number.to_be_bytes()),
                Self::Bytes(inner) => push_part(&mut bytes, b'b', &inner),
            }
        }
        Self::Bytes(bytes)
    }

    pub(crate) fn as_value(&self) -> Value<'_> {
        match self {
            Self::Null => Value::Null,
            Self::Id(id) => Value::Id(*id),
            Self::Text(text) => Value::Text(text),
            Self::Int(number) => Value::Int(*number),
            Self::Bytes(bytes) => Value::Bytes(bytes),
        }
    }

    /// Whether the value may stand in a column of this kind.
    pub(crate) fn fits(&self, kind: KeyKind) -> bool {
        matches!(
            (self, kind),
            (Self::Null, _)
                | (Self::Id(_), KeyKind::Id)
                | (Self::Text(_), KeyKind::Text)
                | (Self::Int(_), KeyKind::Int)
                | (Self::Bytes(_), KeyKind::Bytes)
        )
    }
}

fn push_part(bytes: &mut Vec<u8>, tag: u8, part: &[u8]) {
    bytes.push(tag);
    bytes.extend_from_slice(&(part.len() as u64).to_be_bytes());
    bytes.extend_from_slice(part);
}

impl From<Uuid> for Key {
    fn from(id: Uuid) -> Self {
        Self::Id(id)
    }
}

impl From<&str> for Key {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Key {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<i64> for Key {
    fn from(number: i64) -> Self {
        Self::Int(number)
    }
}

impl From<u32> for Key {
    fn from(number: u32) -> Self {
        Self::Int(number.into())
    }
}

impl From<bool> for Key {
    fn from(flag: bool) -> Self {
        Self::Int(flag.into())
    }
}

impl From<Timestamp> for Key {
    fn from(time: Timestamp) -> Self {
        Self::Int(time.as_microsecond())
    }
}

impl From<Vec<u8>> for Key {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Bytes(bytes)
    }
}

impl From<&[u8]> for Key {
    fn from(bytes: &[u8]) -> Self {
        Self::Bytes(bytes.to_vec())
    }
}

/// Four or sixteen bytes in network order, so that addresses of one family sort by number.
impl From<IpAddr> for Key {
    fn from(address: IpAddr) -> Self {
        match address {
            IpAddr::V4(address) => Self::Bytes(address.octets().to_vec()),
            IpAddr::V6(address) => Self::Bytes(address.octets().to_vec()),
        }
    }
}

impl<K: Into<Key>> From<Option<K>> for Key {
    fn from(value: Option<K>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// A parameter of a statement, borrowed from the record or key being written.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Value<'a> {
    Null,
    Id(Uuid),
    Text(&'a str),
    Int(i64),
    Bytes(&'a [u8]),
    /// A JSON document.
    Document(&'a str),
}

impl<'a> From<Option<&'a str>> for Value<'a> {
    fn from(text: Option<&'a str>) -> Self {
        text.map_or(Self::Null, Self::Text)
    }
}

impl From<Option<Uuid>> for Value<'_> {
    fn from(id: Option<Uuid>) -> Self {
        id.map_or(Self::Null, Self::Id)
    }
}

impl From<Option<Timestamp>> for Value<'_> {
    fn from(time: Option<Timestamp>) -> Self {
        time.map_or(Self::Null, |time| Self::Int(time.as_microsecond()))
    }
}
