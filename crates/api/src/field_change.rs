//! Fields of updates that may be left out, and may be null.

use serde::{Deserialize, Deserializer};

/// What becomes of a field that can be empty. Goes with `#[serde(default)]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum FieldChange<T> {
    /// The field was left out: it stays as it is.
    #[default]
    Keep,
    /// The field was null: it is emptied.
    Clear,
    /// The field had a value.
    Set(T),
}

impl<T> FieldChange<T> {
    /// The new value, if there is one.
    pub fn as_set(&self) -> Option<&T> {
        match self {
            Self::Set(value) => Some(value),
            Self::Keep | Self::Clear => None,
        }
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for FieldChange<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Ok(Option::deserialize(deserializer)?.map_or(Self::Clear, Self::Set))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize)]
    struct Update {
        #[serde(default)]
        name: FieldChange<String>,
    }

    #[test]
    fn left_out_is_not_null() {
        let read = |text| serde_json::from_str::<Update>(text).unwrap().name;
        assert_eq!(read("{}"), FieldChange::Keep);
        assert_eq!(read(r#"{"name":null}"#), FieldChange::Clear);
        assert_eq!(read(r#"{"name":"a"}"#), FieldChange::Set("a".to_owned()));
        assert!(serde_json::from_str::<Update>(r#"{"name":5}"#).is_err());
    }
}
