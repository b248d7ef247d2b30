use std::{fmt, str::FromStr};

use utoipa::ToSchema;
use uuid::Uuid;

use super::{ScalarError, text_scalar};

/// Longest name, in bytes.
const MAX_LENGTH: usize = 63;

/// The name of a resource, unique among its siblings.
///
/// 1 to 63 bytes: a lower-case ASCII letter, then letters, digits and `-`, not ending in `-`, and nothing that
/// reads as a UUID, so that one path segment can hold a name or an id without doubt.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, ToSchema)]
#[schema(
    value_type = String,
    pattern = "^(?![0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$)^[a-z]([a-z0-9-]*[a-z0-9]+)?$",
    min_length = 1,
    max_length = 63
)]
pub struct Name(String);

impl Name {
    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A name known at compile time.
    ///
    /// # Panics
    /// When the text breaks the rules of a name: a mistake in the program, not in its input.
    pub fn literal(text: &'static str) -> Self {
        text.parse().expect("a literal name follows the rules of names")
    }
}

impl FromStr for Name {
    type Err = ScalarError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        check(text).map_err(ScalarError::new)?;
        Ok(Self(text.to_owned()))
    }
}

fn check(text: &str) -> Result<(), String> {
    if text.len() > MAX_LENGTH {
        return Err(format!("name may contain at most {MAX_LENGTH} characters"));
    }
    let Some(first) = text.chars().next() else {
        return Err("name requires at least one character".into());
    };
    if !first.is_ascii_lowercase() {
        return Err("name must begin with an ASCII lowercase character".into());
    }
    let allowed = |c: &char| c.is_ascii_lowercase() || c.is_ascii_digit() || *c == '-';
    if let Some(bad) = text.chars().find(|c| !allowed(c)) {
        return Err(format!(
            "name contains invalid character: \"{bad}\" (allowed characters are lowercase ASCII, digits, and \"-\")"
        ));
    }
    if text.ends_with('-') {
        return Err("name cannot end with \"-\"".into());
    }
    if Uuid::parse_str(text).is_ok() {
        return Err("name cannot be a UUID to avoid ambiguity with IDs".into());
    }
    Ok(())
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl AsRef<str> for Name {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

text_scalar!(Name);

/// The name by which a local user signs in. The rules are those of [`Name`].
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, ToSchema)]
#[schema(value_type = String, min_length = 1, max_length = 63)]
pub struct UserId(String);

impl UserId {
    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for UserId {
    type Err = ScalarError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        check(text).map_err(ScalarError::new)?;
        Ok(Self(text.to_owned()))
    }
}

impl fmt::Display for UserId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

text_scalar!(UserId);
