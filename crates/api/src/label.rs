//! Labels of resources: pairs of a key and a value (`docs/rules/identity-and-system.md#labels`). An extension.

use std::{collections::BTreeMap, fmt};

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    Error, Result,
    page::{Listed, Marker, SortMode},
    scalar::NameOrId,
};

/// Most labels of a resource.
pub const MAX_LABELS: usize = 64;
/// Longest value, and longest key after its prefix, in characters.
pub const MAX_TEXT: usize = 63;
/// Longest prefix of a key, in characters.
pub const MAX_PREFIX: usize = 253;
/// Most characters of a text that a message quotes.
const QUOTED: usize = 80;

/// A label of a resource.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
pub struct ResourceLabel {
    /// The key: 1 to 63 letters, digits, `-`, `_` and `.`, with a letter or digit at both ends. A DNS name of at most 253
    /// characters and a `/` may stand before it.
    #[schema(min_length = 1, max_length = 317)]
    pub key: String,
    /// The value: at most 63 letters, digits, `-`, `_` and `.`, with a letter or digit at both ends. It may be empty.
    #[schema(max_length = 63)]
    pub value: String,
}

/// The labels of a resource.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Labels {
    /// The kind of resource, as events have it.
    pub kind: String,
    /// The resource.
    pub id: Uuid,
    /// Its name.
    pub name: Option<String>,
    /// How often the labels were changed: what a change names. 0 if the resource never had any.
    pub revision: u64,
    /// The labels, by their keys.
    pub labels: Vec<ResourceLabel>,
}

/// The labels that a resource is to have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LabelsUpdate {
    /// The revision that is changed. If somebody else has changed the labels since, the request is refused with 409.
    pub revision: u64,
    /// All labels that the resource is to have, each key once; at most 64.
    #[schema(max_items = 64)]
    pub labels: Vec<ResourceLabel>,
}

/// The path of the labels of one resource.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct LabelsPath {
    /// The kind of resource, as events have it, such as `instance`.
    pub kind: String,
    /// ID of the resource.
    pub id: Uuid,
}

/// Which resources' labels are listed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct LabelsSelector {
    /// The kind of resource, as events have it, such as `instance`.
    pub kind: String,
    /// Name or ID of the project; for kinds of resources that are in projects.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<NameOrId>,
    /// Name or ID of the silo, for kinds of resources that are in silos. The caller's own if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub silo: Option<NameOrId>,
    /// Only resources that fit all of these requirements, with commas between them: `key=value`, `key!=value`, `key` (has
    /// the key), `!key` (lacks it), `key in (value,value)`, `key notin (value,value)`. At least one must ask for a label that
    /// is there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub selector: Option<String>,
    /// Only these resources, with commas between their IDs: at most 100. Those without labels are left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ids: Option<String>,
}

/// The order of lists of labelled resources.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LabelsSortMode {
    /// In no meaningful order, always the same.
    #[default]
    Fixed,
}

impl SortMode for LabelsSortMode {
    // The selector and the ids stand in the token.
    const MAX_TOKEN_LENGTH: usize = 8192;

    fn marker<T: Listed>(self, item: &T) -> Marker {
        Marker::Id(item.id())
    }

    fn accepts(self, marker: &Marker) -> bool {
        matches!(marker, Marker::Id(_))
    }
}

/// Which labels in use are listed.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct LabelsInUseSelector {
    /// Name or ID of the project.
    pub project: Option<NameOrId>,
    /// Name or ID of the silo. The caller's own if neither this nor a project is given.
    pub silo: Option<NameOrId>,
    /// Only labels of this kind of resource. What belongs to the fleet or to the caller is found by its kind alone.
    pub kind: Option<String>,
    /// List the values of this key instead of keys.
    pub key: Option<String>,
    /// Only texts that begin with this.
    pub prefix: Option<String>,
    /// Most texts of the answer; 20 when absent, at most 100.
    #[param(minimum = 1, maximum = 100)]
    pub limit: Option<u32>,
}

/// Keys or values of labels that are in use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LabelsInUse {
    /// The texts, sorted.
    pub items: Vec<String>,
    /// Whether these are all.
    pub is_complete: bool,
}

/// Checks the labels that a resource is to have.
///
/// # Errors
/// `InvalidValue` that names the first label that breaks a rule.
pub fn check(labels: &[ResourceLabel]) -> Result<BTreeMap<String, String>> {
    let invalid = |text: String| Error::invalid_value("labels", text);
    if labels.len() > MAX_LABELS {
        let text = format!("a resource has at most {MAX_LABELS} labels; these are {}", labels.len());
        return Err(invalid(text));
    }
    let mut checked = BTreeMap::new();
    for (position, ResourceLabel { key, value }) in labels.iter().enumerate() {
        let label = Quoted(&format!("{key}={value}")).to_string();
        check_key(key).map_err(|text| invalid(format!("label {position} ({label}): {text}")))?;
        check_value(value).map_err(|text| invalid(format!("label {position} ({label}): {text}")))?;
        if checked.insert(key.clone(), value.clone()).is_some() {
            return Err(invalid(format!("label {position} ({label}): another label has this key")));
        }
    }
    Ok(checked)
}

/// Checks a key. The error says what is wrong with it.
pub fn check_key(key: &str) -> Result<(), String> {
    let name = match key.split_once('/') {
        None => key,
        Some((prefix, name)) => {
            if !is_dns_name(prefix) {
                return Err(format!(
                    "what is before the \"/\" of a key must be a DNS name of at most {MAX_PREFIX} characters, such as \
                     example.com"
                ));
            }
            name
        }
    };
    if !name.is_empty() && is_text(name) {
        return Ok(());
    }
    Err(format!(
        "a key must have 1 to {MAX_TEXT} letters, digits, \"-\", \"_\" and \".\", and begin and end with a letter or digit"
    ))
}

/// Checks a value. The error says what is wrong with it.
pub fn check_value(value: &str) -> Result<(), String> {
    if is_text(value) {
        return Ok(());
    }
    Err(format!(
        "a value must have at most {MAX_TEXT} letters, digits, \"-\", \"_\" and \".\", and begin and end with a letter or \
         digit"
    ))
}

fn is_text(text: &str) -> bool {
    let is_inner = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    let is_end = |byte: Option<&u8>| byte.is_none_or(u8::is_ascii_alphanumeric);
    let bytes = text.as_bytes();
    bytes.len() <= MAX_TEXT
        && bytes.iter().copied().all(is_inner)
        && is_end(bytes.first())
        && is_end(bytes.last())
}

fn is_dns_name(text: &str) -> bool {
    let is_end =
        |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit());
    let is_part = |part: &str| {
        let bytes = part.as_bytes();
        let is_inner = |byte: &u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || *byte == b'-';
        bytes.iter().all(is_inner) && is_end(bytes.first()) && is_end(bytes.last())
    };
    text.len() <= MAX_PREFIX && text.split('.').all(is_part)
}

/// A text of a request as messages quote it: cut, and without control characters.
pub struct Quoted<'t>(pub &'t str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cut: String = self.0.chars().take(QUOTED).collect();
        let rest = if cut.len() < self.0.len() { "\u{2026}" } else { "" };
        write!(formatter, "{cut:?}{rest}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_and_values_are_as_in_kubernetes() {
        for key in ["a", "A-b_c.9", "example.com/tier", "a.b-c.d/Name", &"k".repeat(63)] {
            assert_eq!(check_key(key), Ok(()), "{key:?}");
        }
        let prefix = format!("{}aa", "a.".repeat(126));
        let long_prefix = format!("{prefix}/k");
        for key in [
            "",
            "-a",
            "a-",
            "a b",
            "a=b",
            "ä",
            "a/",
            "/a",
            "a/b/c",
            "Example.com/a",
            "a..b/c",
            "-a/b",
            "a\0",
            "a\n",
            &"k".repeat(64),
            &long_prefix,
        ] {
            assert!(check_key(key).is_err(), "{key:?}");
        }
        assert_eq!(check_key(&format!("{}/k", &prefix[1..])), Err(check_key("/k").unwrap_err()));
        assert_eq!(check_key(&format!("{}/k", &prefix[2..])), Ok(()));
        for value in ["", "prod", "1.2.3", "A_b-c", &"v".repeat(63)] {
            assert_eq!(check_value(value), Ok(()), "{value:?}");
        }
        for value in ["-", "a ", "a,b", "a/b", "\u{202e}", &"v".repeat(64)] {
            assert!(check_value(value).is_err(), "{value:?}");
        }
    }

    #[test]
    fn errors_name_the_label() {
        let label = |key: &str, value: &str| ResourceLabel { key: key.to_owned(), value: value.to_owned() };
        let message = |labels: &[ResourceLabel]| check(labels).unwrap_err().message();
        assert_eq!(
            message(&[label("env", "prod"), label("tier!", "web")]),
            "unsupported value for \"labels\": label 1 (\"tier!=web\"): a key must have 1 to 63 letters, digits, \"-\", \
             \"_\" and \".\", and begin and end with a letter or digit"
        );
        assert!(
            message(&[label("env", "a"), label("env", "b")]).contains("label 1 (\"env=b\"): another label")
        );
        let many: Vec<ResourceLabel> = (0..10_000).map(|number| label(&format!("k{number}"), "v")).collect();
        assert!(message(&many).ends_with("a resource has at most 64 labels; these are 10000"));
        assert!(message(&[label(&"x".repeat(100_000), "\u{0}")]).len() < 400);
    }
}
