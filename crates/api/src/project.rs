//! Projects: containers for resources within a silo.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    identity::{IdentityCreate, IdentityUpdate},
    page::Listed,
    scalar::{Description, Name, NameOrId},
};

/// A container for instances, disks, networks and everything else that a team runs.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Project {
    /// The ID, which never changes.
    pub id: Uuid,
    /// The name, unique in the silo.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// When it was created.
    pub time_created: Timestamp,
    /// When its name or description last changed.
    pub time_modified: Timestamp,
}

impl Listed for Project {
    fn id(&self) -> Uuid {
        self.id
    }

    fn name(&self) -> &str {
        self.name.as_str()
    }
}

/// A project to be created.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ProjectCreate {
    /// Name and description.
    #[serde(flatten)]
    pub identity: IdentityCreate,
}

/// A change to a project.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ProjectUpdate {
    /// Name and description.
    #[serde(flatten)]
    pub identity: IdentityUpdate,
}

/// The path of one project.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct ProjectPath {
    /// Name or id of the project.
    pub project: NameOrId,
}

/// The project that something new is put in, or that is listed.
#[derive(Clone, Debug, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct ProjectSelector {
    /// Name or id of the project.
    pub project: NameOrId,
}

/// The project within which a name in the path is meant. Required with a name, forbidden with an id.
#[derive(Clone, Debug, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct OptionalProjectSelector {
    /// Name or id of the project.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<NameOrId>,
}
