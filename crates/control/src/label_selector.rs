//! Selectors: what is asked of the labels of a resource (`docs/rules/identity-and-system.md#labels`).

use std::collections::BTreeMap;

use croft_api::{
    Error, Result,
    label::{self, Quoted},
};
use croft_store::{
    ListBy, Tx,
    records::{Label, LabelUse},
};
use uuid::Uuid;

/// Longest selector, in bytes.
const MAX_BYTES: usize = 2048;
/// Most requirements of a selector.
const MAX_REQUIREMENTS: usize = 32;

/// All of these requirements.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Selector(Vec<Requirement>);

/// One requirement.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Requirement {
    /// The key that is asked for.
    key: String,
    /// The values, one of which is asked for; none if any will do.
    values: Option<Vec<String>>,
    /// Whether such a label has to be there, or must not be.
    is_wanted: bool,
}

/// Where resources stand that fit a selector.
pub(crate) enum LabelIndex {
    /// Nowhere: no resource has a label that is asked for.
    Nothing,
    /// Among those with this label.
    Labels(ListBy),
    /// In no index: no label is asked for that has to be there.
    All,
}

impl Selector {
    /// Reads a selector, which a parameter has.
    ///
    /// # Errors
    /// `InvalidValue` that names the requirement that cannot be read.
    pub(crate) fn parse(parameter: &str, text: &str) -> Result<Self> {
        let invalid = |text: String| Error::invalid_value(parameter, text);
        if text.len() > MAX_BYTES {
            return Err(invalid(format!("must be no longer than {MAX_BYTES} bytes")));
        }
        let parts = parts(text);
        if parts.len() > MAX_REQUIREMENTS {
            return Err(invalid(format!("has at most {MAX_REQUIREMENTS} requirements")));
        }
        let read = |part: &str| {
            Requirement::parse(part.trim())
                .map_err(|text| invalid(format!("{}: {text}", Quoted(part.trim()))))
        };
        Ok(Self(parts.into_iter().map(read).collect::<Result<Vec<_>>>()?))
    }

    /// The index that holds the fewest resources of a kind in a place for what is asked.
    pub(crate) fn index(&self, tx: &mut Tx<'_>, place: Uuid, kind: &str) -> Result<LabelIndex> {
        let (mut best, mut any_key) = (None, None);
        for Requirement { key, values, .. } in self.0.iter().filter(|requirement| requirement.is_wanted) {
            let Some([value]) = values.as_deref() else {
                any_key = any_key.or(Some(key));
                continue;
            };
            let text = LabelUse::text(kind, key, value);
            let Some(in_use) = tx.get_by_name::<LabelUse>(place, &text)? else {
                return Ok(LabelIndex::Nothing);
            };
            if best.as_ref().is_none_or(|(fewest, _)| in_use.resources < *fewest) {
                best = Some((in_use.resources, Label::pair(place, kind, key, value)));
            }
        }
        Ok(match (best, any_key) {
            (Some((_, pair)), _) => LabelIndex::Labels(ListBy::lookup(Label::PAIR, pair)),
            (None, Some(key)) => {
                LabelIndex::Labels(ListBy::lookup(Label::KEY, Label::label_key(place, kind, key)))
            }
            (None, None) => LabelIndex::All,
        })
    }

    /// Whether labels fit.
    pub(crate) fn fits(&self, labels: &BTreeMap<String, String>) -> bool {
        self.0.iter().all(|Requirement { key, values, is_wanted }| {
            let value = labels.get(key);
            let is_there = value.is_some_and(|value| values.as_ref().is_none_or(|all| all.contains(value)));
            is_there == *is_wanted
        })
    }
}

impl Requirement {
    fn parse(text: &str) -> Result<Self, String> {
        if let Some((key, value)) = text.split_once("!=") {
            return Self::of(key, Some(vec![value]), false);
        }
        if let Some((key, value)) = text.split_once('=') {
            return Self::of(key, Some(vec![value.strip_prefix('=').unwrap_or(value)]), true);
        }
        if let Some(list) = text.strip_suffix(')') {
            let (before, list) = list.split_once('(').ok_or("a \"(\" is missing")?;
            let values = list.split(',').collect();
            let mut words = before.split_whitespace();
            return match (words.next(), words.next(), words.next()) {
                (Some(key), Some("in"), None) => Self::of(key, Some(values), true),
                (Some(key), Some("notin"), None) => Self::of(key, Some(values), false),
                _ => Err("before a list of values stand a key and \"in\" or \"notin\"".to_owned()),
            };
        }
        match text.strip_prefix('!') {
            Some(key) => Self::of(key, None, false),
            None => Self::of(text, None, true),
        }
    }

    fn of(key: &str, values: Option<Vec<&str>>, is_wanted: bool) -> Result<Self, String> {
        let key = key.trim();
        label::check_key(key)?;
        let check = |value: &str| label::check_value(value.trim()).map(|()| value.trim().to_owned());
        let values = values.map(|values| values.into_iter().map(check).collect()).transpose()?;
        Ok(Self { key: key.to_owned(), values, is_wanted })
    }
}

/// The texts between commas that are not within parentheses.
fn parts(text: &str) -> Vec<&str> {
    let mut is_inside = false;
    text.split(|character| {
        match character {
            '(' => is_inside = true,
            ')' => is_inside = false,
            _ => {}
        }
        character == ',' && !is_inside
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fits(selector: &str, labels: &[(&str, &str)]) -> bool {
        let labels = labels.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        Selector::parse("label", selector).unwrap().fits(&labels)
    }

    #[test]
    fn every_form_is_parsed() {
        let prod = [("env", "prod"), ("tier", "web")];
        for selector in [
            "env=prod",
            "env==prod",
            " env = prod , tier",
            "env,tier!=db",
            "env in (test, prod),tier notin (db,cache)",
            "!zone",
            "env,!zone",
            "env=prod,zone!=a",
        ] {
            assert!(fits(selector, &prod), "{selector}");
        }
        for selector in ["env=test", "zone", "env,!tier", "env in (test)", "tier,env notin (prod)", "env="] {
            assert!(!fits(selector, &prod), "{selector}");
        }
        assert!(fits("env=", &[("env", "")]));
    }

    #[test]
    fn errors_name_the_requirement() {
        let message = |text: &str| Selector::parse("label", text).unwrap_err().message();
        assert!(message("env=prod,a b=c").contains("\"a b=c\": a key must have"));
        assert!(message("env=a/b").contains("\"env=a/b\": a value must have"));
        assert!(message("env inn (a)").contains("\"in\" or \"notin\""));
        assert!(message("env=prod,").contains("\"\": a key must have"));
        assert!(message(&"a,".repeat(33)).contains("at most 32 requirements"));
        assert!(message(&"a".repeat(3_000)).contains("no longer than"));
        assert!(message("env in (a").contains("a key must have"));
    }
}
