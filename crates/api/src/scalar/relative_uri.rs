use std::{fmt, str::FromStr};

use super::{ScalarError, text_scalar, text_schema};

/// An address on this server, as path, query and fragment: where people are sent after signing in.
///
/// Links that hold one were perhaps put there by somebody else, so it must not be able to lead to another host
/// (`docs/rules/identity-and-system.md#redirect-addresses`).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RelativeUri(String);

impl RelativeUri {
    /// The address as it was given.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Browsers read a backslash as a slash, so that `/\host` would be another host, and skip tabs and line ends; the
/// other characters that are refused stand in no URI.
fn is_relative(text: &str) -> bool {
    let foreign = |c: char| c.is_control() || c.is_whitespace() || matches!(c, '\\' | '<' | '>' | '"' | '`');
    text.starts_with('/') && !text.starts_with("//") && !text.contains(foreign)
}

impl FromStr for RelativeUri {
    type Err = ScalarError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if is_relative(text) {
            return Ok(Self(text.to_owned()));
        }
        Err(ScalarError::new(format!("\"{text}\" is not a relative URI")))
    }
}

impl fmt::Display for RelativeUri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

text_scalar!(RelativeUri);
text_schema!(RelativeUri, "A path on this server, with query and fragment.", pattern = "^/(?![/\\\\])");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn relative_addresses() {
        for text in ["/", "/projects", "/projects?x=http://a/", "/a//b", "/a?b#c", "/a%20b"] {
            assert_eq!(text.parse::<RelativeUri>().unwrap().as_str(), text);
        }
    }

    #[test]
    fn what_could_lead_elsewhere_is_refused_and_quoted() {
        let others =
            ["", "foo", "http://x/y", "//x", "/\\x", "/\t/x", "javascript:alert(1)", "?a", "/a b", "/\r\n"];
        for text in others {
            let error = text.parse::<RelativeUri>().unwrap_err();
            assert_eq!(error.0, format!("\"{text}\" is not a relative URI"));
        }
    }
}
