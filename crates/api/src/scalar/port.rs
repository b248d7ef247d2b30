use std::{fmt, num::NonZeroU16, str::FromStr};

use utoipa::ToSchema;

use super::{ScalarError, text_scalar, text_schema};

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

impl FromStr for L4Port {
    type Err = ScalarError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        // `NonZeroU16::from_str` would take a sign.
        if !(1..=5).contains(&text.len()) || !text.bytes().all(|b| b.is_ascii_digit()) {
            return Err(ScalarError::new(format!("\"{text}\" is not a port number")));
        }
        text.parse()
            .map(Self)
            .map_err(|_| ScalarError::new(format!("\"{text}\" is not a port between 1 and 65535")))
    }
}

impl fmt::Display for L4Port {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// One port (`22`) or a range of ports with both ends included (`8000-8080`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct L4PortRange {
    first: L4Port,
    last: L4Port,
}

impl L4PortRange {
    /// A range with both ends included; an error when the end lies before the start.
    pub fn new(first: L4Port, last: L4Port) -> Result<Self, ScalarError> {
        if last < first {
            return Err(ScalarError::new(format!("port range ends ({last}) before it starts ({first})")));
        }
        Ok(Self { first, last })
    }

    /// The first and the last port.
    pub fn ends(self) -> (L4Port, L4Port) {
        (self.first, self.last)
    }

    /// Whether the port lies in the range.
    pub fn contains(self, port: u16) -> bool {
        (self.first.number()..=self.last.number()).contains(&port)
    }
}

impl FromStr for L4PortRange {
    type Err = ScalarError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text.split_once('-') {
            None => text.parse().map(|port| Self { first: port, last: port }),
            Some((first, last)) => Self::new(first.parse()?, last.parse()?),
        }
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
