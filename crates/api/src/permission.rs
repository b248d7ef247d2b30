//! What a caller may do: an extension, from the table by which permissions are checked.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{policy::IdentityType, scalar::NameOrId};

/// The kind of object that permissions are requested for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PermissionLevel {
    /// The fleet and everything that belongs to no silo.
    Fleet,
    /// A silo and what belongs to it, but for its projects and its users.
    Silo,
    /// A project and everything in it.
    Project,
    /// A user and what belongs to the user.
    User,
}

/// The object that permissions are asked about.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PermissionsQuery {
    /// The kind of object.
    #[param(inline)]
    pub on: PermissionLevel,
    /// Name or id of the silo; the caller's own when absent. Only with `on=silo`.
    #[serde(default)]
    pub silo: Option<NameOrId>,
    /// Name or id of the project. Required with `on=project`.
    #[serde(default)]
    pub project: Option<NameOrId>,
    /// Id of the user; the caller when absent. Only with `on=user`.
    #[serde(default)]
    pub user: Option<Uuid>,
}

/// The caller's permissions on one object and everything in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Permissions {
    /// What kind of object it is.
    pub on: PermissionLevel,
    /// Id of the object; null for the fleet.
    #[schema(required = true)]
    pub id: Option<Uuid>,
    /// IDs of the operations that the caller may call. One may still be refused for another reason, such as a quota.
    pub allowed: Vec<String>,
    /// The operations that the caller may not call.
    pub refused: Vec<RefusedOperation>,
    /// Who can give the caller the roles that are missing, from the object outwards. A level without administrators, and one whose
    /// policy the caller may not read, is left out. Empty if nothing is refused.
    pub administrators: Vec<Administrators>,
}

/// The administrators of one level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Administrators {
    /// What they are the administrators of: the project, its silo, or the fleet.
    pub on: PermissionLevel,
    /// How many users and groups have the admin role there.
    pub total: u32,
    /// The first of them, users before groups, by name. At most 5.
    pub first: Vec<Administrator>,
}

/// A user or a group with the admin role.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
pub struct Administrator {
    /// Whether it is a user or a group.
    pub identity_type: IdentityType,
    /// Display name.
    pub display_name: String,
    /// Id of the user or the group.
    pub id: Uuid,
}

/// An operation that the caller may not call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RefusedOperation {
    /// The operation's id.
    pub operation: String,
    /// The least roles of which any would allow it. Empty if only the object's owner may call it.
    pub roles: Vec<SufficientRole>,
}

/// A role that allows an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SufficientRole {
    /// Whether it is held on the fleet, the silo or the project.
    pub on: PermissionLevel,
    /// The role.
    pub role: RoleName,
}

/// A role, whatever it is held on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RoleName {
    /// May look.
    Viewer,
    /// May create and change.
    Collaborator,
    /// May do everything.
    Admin,
}
