use std::{fmt, str::FromStr};

use super::{ScalarError, number_range, text_scalar, text_schema};

/// One number of ICMP (`8`), or a range of them with both ends included (`0-15`).
///
/// A range that ends before it starts can be read, because it is refused together with the rule that it is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IcmpParamRange {
    /// The first number.
    pub first: u8,
    /// The last number.
    pub last: u8,
}

impl FromStr for IcmpParamRange {
    type Err = ScalarError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (first, last) = number_range::ends(text)?;
        Ok(Self { first, last })
    }
}

impl fmt::Display for IcmpParamRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.first == self.last { self.first.fmt(f) } else { write!(f, "{}-{}", self.first, self.last) }
    }
}

text_scalar!(IcmpParamRange);
text_schema!(
    IcmpParamRange,
    "One number of ICMP, or a range of them with both ends included.",
    pattern = "^[0-9]{1,3}(-[0-9]{1,3})?$",
    length = 1..=7
);
