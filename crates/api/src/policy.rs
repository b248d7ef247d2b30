//! Policies: who holds which role on a scope.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

macro_rules! role {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
        #[serde(rename_all = "snake_case")]
        pub enum $name {
            /// Everything, policy included.
            Admin,
            /// Everything but the scope itself and its policy.
            Collaborator,
            /// Reading.
            Viewer,
        }
    };
}

role! {
    /// A role on the fleet.
    FleetRole
}
role! {
    /// A role on a silo.
    SiloRole
}
role! {
    /// A role on a project.
    ProjectRole
}

/// What kind of identity holds a role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum IdentityType {
    /// A user of a silo.
    SiloUser,
    /// A group of a silo, and through it each of its members.
    SiloGroup,
}

/// One identity's role on the fleet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FleetRoleRoleAssignment {
    /// Whose role it is.
    pub identity_id: Uuid,
    /// What kind of identity that is.
    pub identity_type: IdentityType,
    /// The role.
    pub role_name: FleetRole,
}

/// One identity's role on a silo.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SiloRoleRoleAssignment {
    /// Whose role it is.
    pub identity_id: Uuid,
    /// What kind of identity that is.
    pub identity_type: IdentityType,
    /// The role.
    pub role_name: SiloRole,
}

/// Every role on the fleet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FleetRolePolicy {
    /// The assignments, by role name, then identity id.
    pub role_assignments: Vec<FleetRoleRoleAssignment>,
}

/// Every role on a silo.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SiloRolePolicy {
    /// The assignments, by role name, then identity id.
    pub role_assignments: Vec<SiloRoleRoleAssignment>,
}
