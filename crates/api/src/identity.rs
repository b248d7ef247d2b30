//! What every named resource has.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::scalar::{Description, Name};

/// Name and description of something to be created.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct IdentityCreate {
    /// The name, unique among its siblings.
    #[schema(inline = false)]
    pub name: Name,
    /// Free text; may be empty.
    pub description: Description,
}

/// A change of name or description; what is absent stays.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct IdentityUpdate {
    /// The new name.
    #[serde(default)]
    pub name: Option<Name>,
    /// The new description.
    #[serde(default)]
    pub description: Option<Description>,
}
