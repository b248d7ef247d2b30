use std::{fmt, str::FromStr};

use super::{ScalarError, text_scalar, text_schema};

/// The classes of alerts that are meant: the name of one, or a pattern.
///
/// Segments separated by dots. `*` stands for exactly one segment, `**` for one or more; any other segment stands for
/// itself and consists of letters, digits and `_`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AlertSubscription(String);

impl AlertSubscription {
    /// The pattern as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it may mean several classes, now or later.
    pub fn is_glob(&self) -> bool {
        self.0.contains('*')
    }

    /// Whether the class of this name is meant.
    pub fn matches(&self, class: &str) -> bool {
        let pattern: Vec<&str> = self.0.split('.').collect();
        let name: Vec<&str> = class.split('.').collect();
        // Which ends of the name the pattern up to here can have reached: no pattern takes longer than the product of
        // the two lengths.
        let mut reached = vec![false; name.len() + 1];
        reached[0] = true;
        for segment in pattern {
            let mut next = vec![false; name.len() + 1];
            for (position, text) in name.iter().enumerate() {
                next[position + 1] = match segment {
                    "*" => reached[position],
                    "**" => reached[position] || next[position],
                    exact => reached[position] && exact == *text,
                };
            }
            reached = next;
        }
        reached[name.len()]
    }
}

impl FromStr for AlertSubscription {
    type Err = ScalarError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let is_segment = |segment: &str| {
            matches!(segment, "*" | "**") || (!segment.is_empty() && segment.chars().all(plain))
        };
        if text.split('.').all(is_segment) {
            return Ok(Self(text.to_owned()));
        }
        Err(ScalarError::new(format!("alert subscription \"{text}\" does not match the pattern {PATTERN}")))
    }
}

impl fmt::Display for AlertSubscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

const PATTERN: &str = r"^([a-zA-Z0-9_]+|\*|\*\*)(\.([a-zA-Z0-9_]+|\*|\*\*))*$";

text_scalar!(AlertSubscription);
text_schema!(
    AlertSubscription,
    "Classes of alerts: the name of one, or a pattern in which `*` stands for one segment and `**` for one or more.",
    pattern = r"^([a-zA-Z0-9_]+|\*|\*\*)(\.([a-zA-Z0-9_]+|\*|\*\*))*$"
);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn subscription(text: &str) -> AlertSubscription {
        text.parse().unwrap()
    }

    #[test]
    fn what_is_a_pattern() {
        for text in ["probe", "a.b_2.C", "*", "**", "a.*", "*.b", "a.**.b", "*.**"] {
            assert_eq!(subscription(text).to_string(), text);
            assert_eq!(subscription(text).is_glob(), text.contains('*'));
        }
        for text in ["", ".", "a.", ".a", "a..b", "foo*", "*foo", "***", "a.b*", "a-b", "a b", "ä", "a.*b.c"]
        {
            let error = text.parse::<AlertSubscription>().unwrap_err().to_string();
            let expected = format!("alert subscription \"{text}\" does not match the pattern");
            assert!(error.starts_with(&expected), "{error}");
        }
    }

    #[test]
    fn what_a_pattern_means() {
        let cases = [
            ("a.b", "a.b", true),
            ("a.b", "a.b.c", false),
            ("a.b", "a", false),
            ("*", "a", true),
            ("*", "a.b", false),
            ("a.*", "a.b", true),
            ("a.*", "a", false),
            ("a.*", "a.b.c", false),
            ("*.b", "a.b", true),
            ("*.b", "b", false),
            ("**", "a", true),
            ("**", "a.b.c", true),
            ("a.**", "a", false),
            ("a.**", "a.b.c", true),
            ("a.**.c", "a.c", false),
            ("a.**.c", "a.b.c", true),
            ("a.**.c", "a.c.c.c", true),
            ("**.**", "a", false),
            ("**.**", "a.b", true),
            ("**.*.b", "x.y.b", true),
        ];
        for (pattern, class, expected) in cases {
            assert_eq!(subscription(pattern).matches(class), expected, "{pattern} on {class}");
        }
    }

    /// A naive matcher for comparison: one segment after the other, trying every length for `**`.
    fn naive(pattern: &[String], name: &[String]) -> bool {
        match pattern.split_first() {
            None => name.is_empty(),
            Some((first, rest)) if first == "**" => (1..=name.len()).any(|taken| naive(rest, &name[taken..])),
            Some((first, rest)) => name
                .split_first()
                .is_some_and(|(text, others)| (first == "*" || first == text) && naive(rest, others)),
        }
    }

    proptest! {
        #[test]
        fn matching_means_what_it_says(
            pattern in proptest::collection::vec("a|b|\\*|\\*\\*", 1..6),
            name in proptest::collection::vec("a|b", 1..7),
        ) {
            let meant = subscription(&pattern.join(".")).matches(&name.join("."));
            prop_assert_eq!(meant, naive(&pattern, &name));
        }
    }
}
