//! Policies (`domain/identity-and-system.md`, section 8).

use croft_api::{
    Result,
    policy::{
        FleetRole, FleetRolePolicy, FleetRoleRoleAssignment, IdentityType, SiloRole, SiloRolePolicy,
        SiloRoleRoleAssignment,
    },
};
use croft_store::{
    ListBy,
    records::{FLEET, Role, RoleAssignment, RoleIdentity},
};
use uuid::Uuid;

use crate::{
    Caller, Cx,
    authz::{self, Kind, Place},
    operation, paging,
};

/// `system_policy_view`: the roles on the fleet.
pub fn fleet_view(cx: &mut Cx<'_, '_>, caller: &Caller) -> Result<FleetRolePolicy> {
    authz::require(cx, caller, &Place::fleet(Kind::Fleet), &operation::SYSTEM_POLICY_VIEW)?;
    let mut role_assignments: Vec<FleetRoleRoleAssignment> = assignments(cx, FLEET)?
        .iter()
        .map(|assignment| FleetRoleRoleAssignment {
            identity_id: assignment.identity.id(),
            identity_type: identity_type(assignment.identity),
            role_name: match assignment.role {
                Role::Viewer => FleetRole::Viewer,
                Role::Collaborator => FleetRole::Collaborator,
                Role::Admin => FleetRole::Admin,
            },
        })
        .collect();
    role_assignments.sort_by_key(|assignment| (assignment.role_name, assignment.identity_id));
    Ok(FleetRolePolicy { role_assignments })
}

/// `policy_view`: the roles on the caller's silo.
pub fn silo_view(cx: &mut Cx<'_, '_>, caller: &Caller) -> Result<SiloRolePolicy> {
    authz::require(cx, caller, &Place::silo(Kind::Silo, caller.silo_id), &operation::POLICY_VIEW)?;
    let mut role_assignments: Vec<SiloRoleRoleAssignment> = assignments(cx, caller.silo_id)?
        .iter()
        .map(|assignment| SiloRoleRoleAssignment {
            identity_id: assignment.identity.id(),
            identity_type: identity_type(assignment.identity),
            role_name: match assignment.role {
                Role::Viewer => SiloRole::Viewer,
                Role::Collaborator => SiloRole::Collaborator,
                Role::Admin => SiloRole::Admin,
            },
        })
        .collect();
    role_assignments.sort_by_key(|assignment| (assignment.role_name, assignment.identity_id));
    Ok(SiloRolePolicy { role_assignments })
}

fn assignments(cx: &mut Cx<'_, '_>, scope: Uuid) -> Result<Vec<RoleAssignment>> {
    paging::all(cx.tx, &ListBy::Parent(scope))
}

fn identity_type(identity: RoleIdentity) -> IdentityType {
    match identity {
        RoleIdentity::User(_) => IdentityType::SiloUser,
        RoleIdentity::Group(_) => IdentityType::SiloGroup,
    }
}
