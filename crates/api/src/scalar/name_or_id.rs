use std::{fmt, str::FromStr};

use uuid::Uuid;

use super::{Name, ScalarError, either_schema, text_scalar};

/// What a caller may use to point at a resource: its id, or its name within a parent.
///
/// Text that reads as a UUID is always an id.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum NameOrId {
    /// The resource with this id, wherever it is.
    Id(Uuid),
    /// The resource of this name within the parent given beside it.
    Name(Name),
}

impl FromStr for NameOrId {
    type Err = ScalarError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if let Ok(id) = Uuid::parse_str(text) {
            return Ok(Self::Id(id));
        }
        text.parse()
            .map(Self::Name)
            .map_err(|_| ScalarError::new("data did not match any variant of untagged enum NameOrId"))
    }
}

impl fmt::Display for NameOrId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Id(id) => id.fmt(f),
            Self::Name(name) => name.fmt(f),
        }
    }
}

impl From<Uuid> for NameOrId {
    fn from(id: Uuid) -> Self {
        Self::Id(id)
    }
}

impl From<Name> for NameOrId {
    fn from(name: Name) -> Self {
        Self::Name(name)
    }
}

text_scalar!(NameOrId);
fn id_schema() -> utoipa::openapi::ObjectBuilder {
    use utoipa::openapi::schema::{KnownFormat, SchemaFormat, Type};
    utoipa::openapi::ObjectBuilder::new()
        .schema_type(Type::String)
        .format(Some(SchemaFormat::KnownFormat(KnownFormat::Uuid)))
}

either_schema!(
    NameOrId = id_schema(), Name::schema();
    "A resource's id, or its name within the parent given beside it."
);
