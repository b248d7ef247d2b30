//! Policies (`docs/rules/identity-and-system.md#policies`).

use std::collections::BTreeSet;

use croft_api::{
    Error, ResourceKind, Result,
    policy::{Assignment, FleetRolePolicy, IdentityType, ProjectRolePolicy, RolePolicy, SiloRolePolicy},
    scalar::NameOrId,
};
use croft_store::records::{Role, RoleIdentity, RoleScope, Silo, SiloGroup, SiloUser};
use uuid::Uuid;

use crate::{
    Caller, Cx,
    authz::{self, Kind, ResourceScope, StoredRole},
    project,
    role_assignment::{assign, stored},
    silo,
};

crate::authz::kinds! {
    /// The fleet and its policy.
    FLEET = Row::in_fleet().fleet(["rl", "rlc", "rlcm"]);
}

crate::authz::operations! {
    contract {
        SYSTEM_POLICY_VIEW = reads(Kind::FLEET, Permission::Read);
        SYSTEM_POLICY_UPDATE = changes(Kind::FLEET, Permission::Modify, 200);
        POLICY_VIEW = reads(Kind::SILO, Permission::Read);
        POLICY_UPDATE = changes(Kind::SILO, Permission::Modify, 200);
        SILO_POLICY_VIEW = reads(Kind::SILO, Permission::Read);
        SILO_POLICY_UPDATE = changes(Kind::SILO, Permission::Modify, 200);
        PROJECT_POLICY_VIEW = reads(Kind::PROJECT, Permission::Read);
        PROJECT_POLICY_UPDATE = changes(Kind::PROJECT, Permission::Modify, 200);
    }
}

/// `system_policy_view`: the roles on the fleet.
pub fn fleet_view(cx: &mut Cx<'_, '_>, caller: &Caller) -> Result<FleetRolePolicy> {
    authz::require(cx, caller, &ResourceScope::fleet(Kind::FLEET), &operation::SYSTEM_POLICY_VIEW)?;
    show(cx, RoleScope::Fleet)
}

/// `system_policy_update`.
///
/// # Errors
/// An added identity does not exist; no administrator of the fleet who can sign in would be left.
pub fn fleet_update(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    policy: &FleetRolePolicy,
) -> Result<FleetRolePolicy> {
    authz::require(cx, caller, &ResourceScope::fleet(Kind::FLEET), &operation::SYSTEM_POLICY_UPDATE)?;
    check_identities(cx, policy)?;
    let policy = replace(cx, RoleScope::Fleet, None, policy)?;
    authz::fleet::require_administrator(cx)?;
    Ok(policy)
}

/// `policy_view`: the roles on the caller's silo.
pub fn own_silo_view(cx: &mut Cx<'_, '_>, caller: &Caller) -> Result<SiloRolePolicy> {
    let silo = caller.silo_id;
    authz::require(cx, caller, &ResourceScope::silo(Kind::SILO, silo), &operation::POLICY_VIEW)?;
    show(cx, RoleScope::Silo(silo))
}

/// `policy_update`.
pub fn own_silo_update(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    policy: &SiloRolePolicy,
) -> Result<SiloRolePolicy> {
    let id = caller.silo_id;
    authz::require(cx, caller, &ResourceScope::silo(Kind::SILO, id), &operation::POLICY_UPDATE)?;
    let silo: Option<Silo> = cx.tx.get(id)?;
    let silo = silo.ok_or_else(|| Error::not_found(ResourceKind::Silo, id))?;
    replace_on_silo(cx, caller, &silo, policy)
}

/// `silo_policy_view`: the roles on any silo that the caller may see.
pub fn silo_view(cx: &mut Cx<'_, '_>, caller: &Caller, silo: &NameOrId) -> Result<SiloRolePolicy> {
    let silo = silo::find(cx, silo)?.authorize(cx, caller, &operation::SILO_POLICY_VIEW)?;
    show(cx, RoleScope::Silo(silo.meta.id))
}

/// `silo_policy_update`.
pub fn silo_update(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    silo: &NameOrId,
    policy: &SiloRolePolicy,
) -> Result<SiloRolePolicy> {
    let silo = silo::find(cx, silo)?.authorize(cx, caller, &operation::SILO_POLICY_UPDATE)?;
    replace_on_silo(cx, caller, &silo, policy)
}

/// Replaces the assignments on a silo by those of the policy. A silo may have no administrators, because those of the
/// fleet can appoint new ones. But if roles on the silo map to roles on the fleet, the fleet must keep an
/// administrator.
fn replace_on_silo(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    silo: &Silo,
    policy: &SiloRolePolicy,
) -> Result<SiloRolePolicy> {
    authz::fleet::require_for_mapping(cx, caller, silo)?;
    let scope = RoleScope::Silo(silo.meta.id);
    let before = authz::fleet::role_in(cx.tx, caller, scope)?;
    let policy = replace(cx, scope, Some(silo.meta.id), policy)?;
    // A lesser role on the fleet allows changes of policies, but must not bring the caller more rights inside their
    // own silo.
    if authz::fleet::role_in(cx.tx, caller, scope)? > before && !authz::fleet::administers_fleet(cx, caller)?
    {
        return Err(Error::Forbidden);
    }
    if !silo.mapped_fleet_roles.is_empty() {
        authz::fleet::require_administrator(cx)?;
    }
    Ok(policy)
}

/// `project_policy_view`: the roles on a project, without those on its silo.
pub fn project_view(cx: &mut Cx<'_, '_>, caller: &Caller, project: &NameOrId) -> Result<ProjectRolePolicy> {
    let project =
        project::find(cx, caller, project)?.authorize(cx, caller, &operation::PROJECT_POLICY_VIEW)?;
    show(cx, RoleScope::Project(project.meta.id))
}

/// `project_policy_update`.
pub fn project_update(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    project: &NameOrId,
    policy: &ProjectRolePolicy,
) -> Result<ProjectRolePolicy> {
    let project =
        project::find(cx, caller, project)?.authorize(cx, caller, &operation::PROJECT_POLICY_UPDATE)?;
    replace(cx, RoleScope::Project(project.meta.id), Some(project.silo_id), policy)
}

/// Refuses a policy that adds a role for a user or group that does not exist. Identities that were already in the
/// policy may have been deleted since: clients send back what they were shown.
fn check_identities(cx: &mut Cx<'_, '_>, policy: &FleetRolePolicy) -> Result<()> {
    let known: BTreeSet<_> =
        stored(cx, RoleScope::Fleet)?.into_iter().map(|assignment| assignment.identity).collect();
    for assignment in policy.assignments() {
        let id = assignment.identity_id;
        let (kind, exists) = match assignment.identity_type {
            IdentityType::SiloUser => ("user", cx.tx.get::<SiloUser>(id)?.is_some()),
            IdentityType::SiloGroup => ("group", cx.tx.get::<SiloGroup>(id)?.is_some()),
        };
        if !exists && !known.contains(&stored_identity(&assignment)) {
            return Err(Error::invalid_request(format!(
                "the policy names a {kind} that does not exist: {id}"
            )));
        }
    }
    Ok(())
}

fn show<P>(cx: &mut Cx<'_, '_>, scope: RoleScope) -> Result<P>
where
    P: RolePolicy<Role: StoredRole>,
{
    let assignments = stored(cx, scope)?.into_iter().filter_map(|stored| {
        Some(Assignment {
            role: P::Role::shown(stored.role),
            identity_id: stored.identity.id(),
            identity_type: shown_type(stored.identity)?,
        })
    });
    Ok(P::new(assignments.collect()))
}

/// Replaces the visible assignments by those of the policy. Those of built-in users are kept.
fn replace<P>(cx: &mut Cx<'_, '_>, scope: RoleScope, silo: Option<Uuid>, policy: &P) -> Result<P>
where
    P: RolePolicy<Role: StoredRole>,
{
    let wanted = policy.assignments();
    let mut missing: BTreeSet<(RoleIdentity, Role)> =
        wanted.iter().map(|assignment| (stored_identity(assignment), assignment.role.stored())).collect();
    for mut assignment in stored(cx, scope)? {
        let stays = shown_type(assignment.identity).is_none()
            || missing.remove(&(assignment.identity, assignment.role));
        if !stays {
            // Soft deletion, because live events need the former owner.
            cx.tx.delete(&mut assignment, cx.now)?;
        }
    }
    for (identity, role) in missing {
        assign(cx, scope, silo, identity, role)?;
    }
    Ok(P::new(wanted))
}

/// The identity type in policies; `None` for identities that policies hide.
fn shown_type(identity: RoleIdentity) -> Option<IdentityType> {
    match identity {
        RoleIdentity::User(_) => Some(IdentityType::SiloUser),
        RoleIdentity::Group(_) => Some(IdentityType::SiloGroup),
        RoleIdentity::BuiltIn(_) => None,
    }
}

fn stored_identity<R>(assignment: &Assignment<R>) -> RoleIdentity {
    match assignment.identity_type {
        IdentityType::SiloUser => RoleIdentity::User(assignment.identity_id),
        IdentityType::SiloGroup => RoleIdentity::Group(assignment.identity_id),
    }
}
