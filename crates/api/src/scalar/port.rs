use std::{fmt, num::NonZeroU16, str::FromStr};

use utoipa::ToSchema;

use super::{ScalarError, number_range, text_scalar, text_schema};

/// A TCP or UDP port, 1 to 65535.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, ToSchema)]
#[schema(value_type = u16)]
pub struct L4Port(NonZeroU16);

impl L4Port {
    /// The port number.
    pub fn number(self) -> u16 {
        self.0.get()
    }
}

impl fmt::Display for L4Port {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// One port (`22`) or a range of ports with both ends included (`8000-8080`).
///
/// A range that ends before it starts holds no port. It can be read, because it is refused together with the rule that
/// it is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct L4PortRange {
    /// The first port.
    pub first: L4Port,
    /// The last port.
    pub last: L4Port,
}

impl L4PortRange {
    /// Whether the port lies in the range.
    pub fn contains(self, port: u16) -> bool {
        (self.first.number()..=self.last.number()).contains(&port)
    }
}

impl FromStr for L4PortRange {
    type Err = ScalarError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (first, last) = number_range::ends(text)?;
        Ok(Self { first: L4Port(first), last: L4Port(last) })
    }
}

impl fmt::Display for L4PortRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.first == self.last { self.first.fmt(f) } else { write!(f, "{}-{}", self.first, self.last) }
    }
}

text_scalar!(L4PortRange);
text_schema!(
    L4PortRange,
    "One port, or a range of ports with both ends included.",
    pattern = "^[0-9]{1,5}(-[0-9]{1,5})?$",
    length = 1..=11
);
