//! Policies: who holds which role on a scope (`docs/rules/identity-and-system.md#policies`).

use std::collections::BTreeSet;

use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use utoipa::ToSchema;
use uuid::Uuid;

/// Most assignments that a policy may be set to.
pub const MAX_ASSIGNMENTS: usize = 64;

/// What kind of identity holds a role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum IdentityType {
    /// A user of a silo.
    SiloUser,
    /// A group of a silo, and through it each of its members.
    SiloGroup,
}

/// One identity's role, on whichever scope. Sorts by role name, then identity id.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Assignment<Role> {
    /// The role.
    pub role: Role,
    /// Whose role it is.
    pub identity_id: Uuid,
    /// What kind of identity that is.
    pub identity_type: IdentityType,
}

/// Every role on one scope.
pub trait RolePolicy: Sized {
    /// The roles that there are on such a scope. They sort by their names.
    type Role: Copy + Ord;

    /// The policy of these assignments, which it holds in their order.
    fn new(assignments: BTreeSet<Assignment<Self::Role>>) -> Self;

    /// The assignments in order, each once.
    fn assignments(&self) -> BTreeSet<Assignment<Self::Role>>;
}

fn at_most_64<'de, D: Deserializer<'de>, T: Deserialize<'de>>(deserializer: D) -> Result<Vec<T>, D::Error> {
    let assignments = Vec::deserialize(deserializer)?;
    if assignments.len() > MAX_ASSIGNMENTS {
        let expected = "a list of at most 64 role assignments";
        return Err(D::Error::invalid_length(assignments.len(), &expected));
    }
    Ok(assignments)
}

macro_rules! policy {
    ($scope:literal: $role:ident, $assignment:ident, $policy:ident) => {
        #[doc = concat!("A role on a ", $scope, ".")]
        #[derive(
            Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema,
        )]
        #[serde(rename_all = "snake_case")]
        pub enum $role {
            /// Everything, policy included.
            Admin,
            /// Everything but the scope itself and its policy.
            Collaborator,
            /// Reading.
            Viewer,
        }

        #[doc = concat!("One identity's role on a ", $scope, ".")]
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
        pub struct $assignment {
            /// Whose role it is.
            pub identity_id: Uuid,
            /// What kind of identity that is.
            pub identity_type: IdentityType,
            /// The role.
            pub role_name: $role,
        }

        #[doc = concat!("Every role on a ", $scope, ".")]
        #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
        pub struct $policy {
            /// The assignments, by role name, then identity id; at most 64 when they are set.
            #[serde(deserialize_with = "at_most_64")]
            pub role_assignments: Vec<$assignment>,
        }

        impl RolePolicy for $policy {
            type Role = $role;

            fn new(assignments: BTreeSet<Assignment<$role>>) -> Self {
                let assignments = assignments.into_iter().map(|assignment| $assignment {
                    identity_id: assignment.identity_id,
                    identity_type: assignment.identity_type,
                    role_name: assignment.role,
                });
                Self { role_assignments: assignments.collect() }
            }

            fn assignments(&self) -> BTreeSet<Assignment<$role>> {
                let assignments = self.role_assignments.iter().map(|assignment| Assignment {
                    role: assignment.role_name,
                    identity_id: assignment.identity_id,
                    identity_type: assignment.identity_type,
                });
                assignments.collect()
            }
        }
    };
}

policy!("fleet": FleetRole, FleetRoleRoleAssignment, FleetRolePolicy);
policy!("silo": SiloRole, SiloRoleRoleAssignment, SiloRolePolicy);
policy!("project": ProjectRole, ProjectRoleRoleAssignment, ProjectRolePolicy);

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn parsed(count: u128) -> Result<SiloRolePolicy, String> {
        let assignments: Vec<_> = (0..count)
            .map(|id| json!({ "identity_id": Uuid::from_u128(id), "identity_type": "silo_user", "role_name": "viewer" }))
            .collect();
        serde_json::from_value(json!({ "role_assignments": assignments })).map_err(|error| error.to_string())
    }

    #[test]
    fn sixty_four_assignments_and_no_more() {
        assert_eq!(parsed(64).unwrap().role_assignments.len(), 64);
        assert_eq!(
            parsed(65).unwrap_err(),
            "invalid length 65, expected a list of at most 64 role assignments"
        );
    }

    #[test]
    fn assignments_sort_by_role_name_then_identity_and_repeat_nothing() {
        let assignment = |id, role_name| ProjectRoleRoleAssignment {
            identity_id: Uuid::from_u128(id),
            identity_type: IdentityType::SiloUser,
            role_name,
        };
        let role_assignments = vec![
            assignment(2, ProjectRole::Viewer),
            assignment(3, ProjectRole::Admin),
            assignment(1, ProjectRole::Viewer),
            assignment(3, ProjectRole::Admin),
            assignment(1, ProjectRole::Collaborator),
        ];
        let policy = ProjectRolePolicy::new(ProjectRolePolicy { role_assignments }.assignments());
        let order = [
            assignment(3, ProjectRole::Admin),
            assignment(1, ProjectRole::Collaborator),
            assignment(1, ProjectRole::Viewer),
            assignment(2, ProjectRole::Viewer),
        ];
        assert_eq!(policy.role_assignments, order);
    }
}
