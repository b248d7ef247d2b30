use std::{fmt, str::FromStr, sync::Arc};

use serde::{Deserialize, Serialize};

/// The name of a timeseries: `<target>:<metric>`, both of them identifiers.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct TimeseriesName {
    text: Arc<str>,
    colon: usize,
}

/// The error for an invalid timeseries name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "a timeseries name is two lower-case identifiers with a colon between them, such as virtual_disk:bytes_read"
)]
pub struct InvalidName;

impl TimeseriesName {
    /// The target.
    pub fn target(&self) -> &str {
        &self.text[..self.colon]
    }

    /// The metric.
    pub fn metric(&self) -> &str {
        &self.text[self.colon + 1..]
    }

    /// The full name.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl FromStr for TimeseriesName {
    type Err = InvalidName;

    fn from_str(text: &str) -> Result<Self, InvalidName> {
        let (target, metric) = text.split_once(':').ok_or(InvalidName)?;
        if !is_identifier(target) || !is_identifier(metric) {
            return Err(InvalidName);
        }
        Ok(Self { text: text.into(), colon: target.len() })
    }
}

impl TryFrom<String> for TimeseriesName {
    type Error = InvalidName;

    fn try_from(text: String) -> Result<Self, InvalidName> {
        text.parse()
    }
}

impl From<TimeseriesName> for String {
    fn from(name: TimeseriesName) -> Self {
        (*name.text).into()
    }
}

impl fmt::Display for TimeseriesName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

/// Whether a text is an identifier: parts of lower-case letters and digits, joined by single underscores, starting with
/// a letter.
pub fn is_identifier(text: &str) -> bool {
    let part = |part: &str| {
        !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    text.starts_with(|first: char| first.is_ascii_lowercase()) && text.split('_').all(part)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_two_identifiers() {
        let name: TimeseriesName = "virtual_disk:bytes_read".parse().unwrap();
        assert_eq!((name.target(), name.metric()), ("virtual_disk", "bytes_read"));
        for wrong in
            ["", "a", ":", "a:", ":b", "a:b:c", "A:b", "a:_b", "a_:b", "a__c:b", "1a:b", "a:b ", "ä:b"]
        {
            assert_eq!(wrong.parse::<TimeseriesName>(), Err(InvalidName), "{wrong}");
        }
        for right in ["a:b", "a1:b_2", "a1b_2_c:d9"] {
            assert!(right.parse::<TimeseriesName>().is_ok(), "{right}");
        }
    }
}
