use std::collections::BTreeSet;

use croft_api::{Result, policy as api};
use croft_store::{
    ListBy, Sort, Tx,
    records::{Role, RoleAssignment, RoleIdentity, RoleScope, Silo, SiloGroupMembership},
};
use uuid::Uuid;

use super::{Caller, Permission, ResourceScope, Row};
use crate::{Cx, paging};

/// Maximum number of roles that one identity can hold on one scope.
const ROLES: usize = 3;

/// The strongest role on a scope, or the fact that there is none.
#[derive(Clone, Copy, Debug)]
struct StrongestRole {
    scope: RoleScope,
    role: Option<Role>,
}

/// The roles of a caller that were looked up so far. They do not change within a request.
#[derive(Debug, Default)]
pub(crate) struct RoleCache {
    direct: Vec<StrongestRole>,
    groups: Option<Vec<Uuid>>,
    through_groups: Vec<StrongestRole>,
}

/// A role of the API, with conversions to and from the stored form.
pub(crate) trait StoredRole: Copy + Ord {
    /// Converts to the stored form.
    fn stored(self) -> Role;

    /// Converts from the stored form.
    fn shown(role: Role) -> Self;
}

macro_rules! stored_roles {
    ($($role:ident),*) => {$(
        impl StoredRole for api::$role {
            fn stored(self) -> Role {
                match self {
                    Self::Viewer => Role::Viewer,
                    Self::Collaborator => Role::Collaborator,
                    Self::Admin => Role::Admin,
                }
            }

            fn shown(role: Role) -> Self {
                match role {
                    Role::Viewer => Self::Viewer,
                    Role::Collaborator => Self::Collaborator,
                    Role::Admin => Self::Admin,
                }
            }
        }
    )*};
}

stored_roles!(FleetRole, SiloRole, ProjectRole);

/// Whether roles on the object's silo or project grant this.
pub(super) fn within_silo(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    row: Row,
    place: &ResourceScope,
    permission: Permission,
) -> Result<bool> {
    let silo = RoleScope::Silo(caller.silo_id);
    let scopes = [
        row.silo.any(permission).then_some((silo, row.silo)),
        place
            .project
            .filter(|_| row.project.any(permission))
            .map(|project| (RoleScope::Project(project), row.project)),
    ];
    for role in [direct_role, group_role] {
        for (scope, permissions) in scopes.into_iter().flatten() {
            let held = role(cx.tx, caller, scope)?;
            if held.is_some_and(|held| permissions.of(held).allow(permission)) {
                return Ok(true);
            }
        }
    }
    Ok(false)
}

/// Whether roles on the fleet grant this: those assigned directly, and those mapped from roles on the caller's silo.
pub(super) fn in_fleet(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    row: Row,
    permission: Permission,
) -> Result<bool> {
    if !row.fleet.any(permission) {
        return Ok(false);
    }
    let mut held = strongest(cx.tx, caller, RoleScope::Fleet)?;
    if let Some(silo_role) = strongest(cx.tx, caller, RoleScope::Silo(caller.silo_id))? {
        let silo: Option<Silo> = cx.tx.get(caller.silo_id)?;
        held = held.max(silo.and_then(|silo| mapped(&silo, silo_role)));
    }
    Ok(held.is_some_and(|held| row.fleet.of(held).allow(permission)))
}

/// The strongest fleet role that is mapped from the role on the silo, or from a lesser one that it includes.
pub(super) fn mapped(silo: &Silo, held: Role) -> Option<Role> {
    let included = silo.mapped_fleet_roles.iter().filter(|(role, _)| held >= Role::from(**role));
    included.flat_map(|(_, fleet)| fleet.iter().copied().map(Role::from)).max()
}

fn strongest(tx: &mut Tx<'_>, caller: &Caller, scope: RoleScope) -> Result<Option<Role>> {
    Ok(direct_role(tx, caller, scope)?.max(group_role(tx, caller, scope)?))
}

/// A user's strongest role on a scope, read from the database.
pub(super) fn strongest_of(tx: &mut Tx<'_>, user: Uuid, scope: RoleScope) -> Result<Option<Role>> {
    let mut role = assigned(tx, RoleIdentity::User(user), scope)?;
    for group in group_ids(tx, user)? {
        role = role.max(assigned(tx, RoleIdentity::Group(group), scope)?);
    }
    Ok(role)
}

fn direct_role(tx: &mut Tx<'_>, caller: &Caller, scope: RoleScope) -> Result<Option<Role>> {
    if let Some(known) = known(&caller.roles.borrow().direct, scope) {
        return Ok(known.role);
    }
    let role = assigned(tx, RoleIdentity::User(caller.user_id), scope)?;
    caller.roles.borrow_mut().direct.push(StrongestRole { scope, role });
    Ok(role)
}

fn group_role(tx: &mut Tx<'_>, caller: &Caller, scope: RoleScope) -> Result<Option<Role>> {
    if let Some(known) = known(&caller.roles.borrow().through_groups, scope) {
        return Ok(known.role);
    }
    let mut role = None;
    for group in groups(tx, caller)? {
        role = role.max(assigned(tx, RoleIdentity::Group(group), scope)?);
    }
    caller.roles.borrow_mut().through_groups.push(StrongestRole { scope, role });
    Ok(role)
}

/// The projects on which the caller holds a role, directly or through a group, sorted by id.
pub(crate) fn projects_with_a_role(cx: &mut Cx<'_, '_>, caller: &Caller) -> Result<BTreeSet<Uuid>> {
    let groups = groups(cx.tx, caller)?.into_iter().map(RoleIdentity::Group);
    let mut projects = BTreeSet::new();
    for identity in groups.chain([RoleIdentity::User(caller.user_id)]) {
        let by = ListBy::lookup(RoleAssignment::IDENTITY, identity.id());
        projects.extend(paging::all::<RoleAssignment>(cx.tx, &by)?.into_iter().filter_map(|assignment| {
            match assignment.scope {
                RoleScope::Project(id) if assignment.identity == identity => Some(id),
                RoleScope::Fleet | RoleScope::Silo(_) | RoleScope::Project(_) => None,
            }
        }));
    }
    Ok(projects)
}

fn known(roles: &[StrongestRole], scope: RoleScope) -> Option<StrongestRole> {
    roles.iter().copied().find(|known| known.scope == scope)
}

fn groups(tx: &mut Tx<'_>, caller: &Caller) -> Result<Vec<Uuid>> {
    if let Some(groups) = &caller.roles.borrow().groups {
        return Ok(groups.clone());
    }
    let groups = group_ids(tx, caller.user_id)?;
    caller.roles.borrow_mut().groups = Some(groups.clone());
    Ok(groups)
}

fn group_ids(tx: &mut Tx<'_>, user: Uuid) -> Result<Vec<Uuid>> {
    let memberships: Vec<SiloGroupMembership> =
        paging::all(tx, &ListBy::lookup(SiloGroupMembership::USER, user))?;
    Ok(memberships.iter().map(|membership| membership.group_id).collect())
}

fn assigned(tx: &mut Tx<'_>, identity: RoleIdentity, scope: RoleScope) -> Result<Option<Role>> {
    let by = ListBy::lookup(RoleAssignment::HOLDER, RoleAssignment::holder(identity, scope));
    let assignments: Vec<RoleAssignment> = tx.page(by, Sort::IdAsc, None, ROLES)?;
    Ok(assignments.iter().map(|assignment| assignment.role).max())
}
