//! The system's own users (`docs/rules/identity-and-system.md#first-start`).

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    page::Listed,
    scalar::{Description, Name, NameOrId},
};

/// A user that the system itself acts as. Nobody can sign in as one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct UserBuiltin {
    /// The id, the same in every fleet.
    pub id: Uuid,
    /// The name, unique among the built-in users.
    pub name: Name,
    /// What it does.
    pub description: Description,
    /// When it was created.
    pub time_created: Timestamp,
    /// When it was last changed.
    pub time_modified: Timestamp,
}

impl Listed for UserBuiltin {
    fn id(&self) -> Uuid {
        self.id
    }

    fn name(&self) -> &str {
        self.name.as_str()
    }
}

/// The path of one built-in user.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct UserBuiltinPath {
    /// Name or id of the user.
    pub user: NameOrId,
}
