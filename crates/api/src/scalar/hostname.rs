use std::{fmt, str::FromStr};

use utoipa::ToSchema;

use super::{ScalarError, text_scalar};

/// Longest host name on the wire, in bytes (RFC 1035, section 2.3.4, in text form).
const MAX_LENGTH: usize = 253;

/// The name that a guest calls itself: dot-separated labels of letters, digits and `-` (RFC 1035, section 2.3.1).
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, ToSchema)]
#[schema(value_type = String, min_length = 1, max_length = 253)]
pub struct Hostname(String);

impl Hostname {
    /// The host name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Hostname {
    type Err = ScalarError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.len() > MAX_LENGTH {
            return Err(ScalarError::new("Max hostname length is 253"));
        }
        if text.split('.').all(is_label) {
            Ok(Self(text.to_owned()))
        } else {
            Err(ScalarError::new("Hostnames must comply with RFC 1035"))
        }
    }
}

fn is_label(label: &str) -> bool {
    !label.is_empty()
        && !label.starts_with('-')
        && !label.ends_with('-')
        && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
}

impl fmt::Display for Hostname {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

text_scalar!(Hostname);
