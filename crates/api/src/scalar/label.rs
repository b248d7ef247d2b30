use std::{fmt, str::FromStr};

use utoipa::ToSchema;

use super::{ScalarError, text_scalar};

/// Most characters of a label.
const MAX_LENGTH: usize = 63;

/// A user's name for one of their own objects, such as a bearer token: 1 to 63 characters without control characters.
#[derive(Clone, Debug, PartialEq, Eq, ToSchema)]
#[schema(value_type = String, min_length = 1, max_length = 63)]
pub struct Label(String);

impl Label {
    /// The nearest name to what a program calls itself; none if nothing is left of it.
    pub fn nearest(text: &str) -> Option<Self> {
        let kept: String =
            text.chars().filter(|character| !character.is_control()).take(MAX_LENGTH).collect();
        kept.parse().ok()
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Label {
    type Err = ScalarError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        if text.is_empty() || text.chars().count() > MAX_LENGTH || text.chars().any(char::is_control) {
            return Err(ScalarError::new(
                "a name has 1 to 63 characters, without line breaks and other control characters",
            ));
        }
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

text_scalar!(Label);
