use std::{fmt, str::FromStr};

use utoipa::{
    PartialSchema, ToSchema,
    openapi::{
        ObjectBuilder, RefOr,
        schema::{Schema, Type},
    },
};

use super::{ScalarError, text_scalar};

/// One of the two places of a rack where a switch stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SwitchLocation {
    /// The upper one.
    Switch0,
    /// The lower one.
    Switch1,
}

impl SwitchLocation {
    /// Its name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Switch0 => "switch0",
            Self::Switch1 => "switch1",
        }
    }
}

impl FromStr for SwitchLocation {
    type Err = ScalarError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "switch0" => Ok(Self::Switch0),
            "switch1" => Ok(Self::Switch1),
            _ => Err(ScalarError::new(format!("not a valid location: {text}"))),
        }
    }
}

impl fmt::Display for SwitchLocation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

text_scalar!(SwitchLocation);

impl PartialSchema for SwitchLocation {
    fn schema() -> RefOr<Schema> {
        ObjectBuilder::new()
            .schema_type(Type::String)
            .description(Some("A switch, by its place in the rack."))
            .enum_values(Some(["switch0", "switch1"]))
            .into()
    }
}

impl ToSchema for SwitchLocation {
    fn name() -> std::borrow::Cow<'static, str> {
        "SwitchLocation".into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_two_locations() {
        for text in ["switch0", "switch1"] {
            assert_eq!(text.parse::<SwitchLocation>().unwrap().to_string(), text);
        }
        for text in ["", "switch2", "Switch0", "switch00"] {
            let error = text.parse::<SwitchLocation>().unwrap_err();
            assert_eq!(error.0, format!("not a valid location: {text}"));
        }
    }
}
