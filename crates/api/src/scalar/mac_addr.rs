use std::{fmt, str::FromStr};

use utoipa::ToSchema;

use super::{ScalarError, text_scalar};

/// A MAC address; prints as six pairs of upper-case hexadecimal digits joined by `:`.
///
/// A group may be written with one digit or none (`A8:40:25:F:0:1`), which counts as leading zeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, ToSchema)]
#[schema(value_type = String, min_length = 5, max_length = 17, pattern = "^([0-9a-fA-F]{0,2}:){5}[0-9a-fA-F]{0,2}$")]
pub struct MacAddr(pub [u8; 6]);

impl FromStr for MacAddr {
    type Err = ScalarError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let mut groups = text.split(':');
        let mut bytes = [0; 6];
        for byte in &mut bytes {
            *byte = groups.next().and_then(parse_group).ok_or_else(|| invalid(text))?;
        }
        if groups.next().is_some() {
            return Err(invalid(text));
        }
        Ok(Self(bytes))
    }
}

fn parse_group(group: &str) -> Option<u8> {
    match group.len() {
        0 => Some(0),
        // `from_str_radix` would take a sign.
        1 | 2 if group.bytes().all(|b| b.is_ascii_hexdigit()) => u8::from_str_radix(group, 16).ok(),
        _ => None,
    }
}

fn invalid(text: &str) -> ScalarError {
    ScalarError::new(format!(
        "\"{text}\" is not a MAC address: six groups of two hexadecimal digits joined by \":\""
    ))
}

impl fmt::Display for MacAddr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, rest @ ..] = self.0;
        write!(f, "{first:02X}")?;
        rest.iter().try_for_each(|byte| write!(f, ":{byte:02X}"))
    }
}

text_scalar!(MacAddr);
