use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Longest description, in characters.
const MAX_LENGTH: usize = 512;

/// Free text about a resource. May be empty.
///
/// The wire accepts any text; what is longer than 512 characters is refused by [`Description::check`] when it is
/// about to be stored, so that the answer names the field.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = String, max_length = 512)]
pub struct Description(pub String);

/// A text is longer than what is stored.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("must be no longer than {max} characters")]
pub struct TooLong {
    /// Greatest number of characters that is stored.
    pub max: usize,
}

impl Description {
    /// Whether the text is short enough to be stored.
    pub fn check(&self) -> Result<(), TooLong> {
        if self.0.chars().count() > MAX_LENGTH { Err(TooLong { max: MAX_LENGTH }) } else { Ok(()) }
    }

    /// The description as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl From<&str> for Description {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
    }
}

impl From<String> for Description {
    fn from(text: String) -> Self {
        Self(text)
    }
}
