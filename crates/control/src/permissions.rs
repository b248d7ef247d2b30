//! The permissions of the caller on an object.

use croft_api::{
    Error, Result,
    permission::{
        Administrator, Administrators, PermissionLevel, Permissions, PermissionsQuery, RefusedOperation,
        RoleName, SufficientRole,
    },
    policy::IdentityType,
};
use croft_store::records::{Role, RoleIdentity, RoleScope, Silo, SiloGroup, SiloUser};
use uuid::Uuid;

use crate::{
    Caller, Cx, LookupResult, Operation,
    authz::{self, Kind, Permission, ResourceScope},
    operation, project, role_assignment, second_factor, silo, user, view_as,
};

/// Operations on both a project and a silo.
const IN_BOTH: [&Operation; 3] = [&operation::IMAGE_LIST, &operation::IMAGE_SEARCH, &operation::IMAGE_CREATE];
/// Operations on images of a silo and on those of a project.
const TO_BOTH: [&Operation; 2] = [&operation::IMAGE_VIEW, &operation::IMAGE_DELETE];

/// Operations that change roles on a silo, which may map to roles on the fleet.
const DECIDE_ABOUT_ROLES: [&Operation; 3] =
    [&operation::POLICY_UPDATE, &operation::SILO_POLICY_UPDATE, &operation::SILO_DELETE];

/// Operations that determine who the users of a silo are.
const DECIDE_ABOUT_PROVIDERS: [&Operation; 3] = [
    &operation::SAML_IDENTITY_PROVIDER_CREATE,
    &operation::SAML_IDENTITY_PROVIDER_UPDATE,
    &operation::SAML_IDENTITY_PROVIDER_DELETE,
];

/// How many administrators of a level are named.
const MAX_NAMED_ADMINISTRATORS: usize = 5;

/// The object in question.
struct Object {
    level: PermissionLevel,
    id: Option<Uuid>,
    /// Its scope, of whichever kind.
    place: ResourceScope,
}

/// `current_user_permissions_view`: the operations that the caller may call on one object, from the table that rules
/// use. An object that the caller may not see is not found.
pub fn view(cx: &mut Cx<'_, '_>, caller: &Caller, query: &PermissionsQuery) -> Result<Permissions> {
    let object = find(cx, caller, query)?;
    let (mut allowed, mut refused) = (Vec::new(), Vec::new());
    for (operation, kind) in operations(object.level) {
        if operation.is_about_caller() && object.place.owner != Some(caller.user_id) {
            continue;
        }
        let Some(permission) = operation.permission else { continue };
        if permits(cx, caller, &object, operation, kind, permission)? {
            allowed.push(operation.id.to_owned());
        } else {
            let mut roles = sufficient(operation, kind, permission);
            if decides_about_fleet(cx, &object, operation)? {
                // These operations could raise lesser roles on the fleet, so none of them suffices.
                for role in roles.iter_mut().filter(|role| role.on == PermissionLevel::Fleet) {
                    role.role = RoleName::Admin;
                }
            }
            if *operation == operation::VIEW_AS_BEGIN {
                roles = sufficient_for_view(cx, caller, &object, roles)?;
            }
            refused.push(RefusedOperation { operation: operation.id.to_owned(), roles });
        }
    }
    let administrators = if refused.is_empty() { Vec::new() } else { administrators(cx, caller, &object)? };
    Ok(Permissions { on: object.level, id: object.id, allowed, refused, administrators })
}

/// Ids of the operations that are possible while an administrator views Croft as another user. Signing out is that of the
/// session's own user.
pub fn possible_in_view() -> Vec<String> {
    let all = operation::ALL.iter().chain(operation::EXTENSIONS);
    let possible = all.filter(|known| !view_as::is_change(known) || **known == operation::LOGOUT);
    possible.map(|known| known.id.to_owned()).collect()
}

/// Who can give roles on the object and on what contains it, as far as the caller may read the policies.
fn administrators(cx: &mut Cx<'_, '_>, caller: &Caller, object: &Object) -> Result<Vec<Administrators>> {
    let place = object.place;
    let project = place.project.map(|id| (PermissionLevel::Project, RoleScope::Project(id)));
    let silo = place.silo.map(|id| (PermissionLevel::Silo, RoleScope::Silo(id)));
    let reads_fleet = authz::permits(cx, caller, &ResourceScope::fleet(Kind::FLEET), Permission::Read)?;
    let fleet = reads_fleet.then_some((PermissionLevel::Fleet, RoleScope::Fleet));
    let mut levels = Vec::new();
    for (on, scope) in [project, silo, fleet].into_iter().flatten() {
        let mut all = Vec::new();
        for assignment in role_assignment::stored(cx, scope)? {
            if assignment.role == Role::Admin {
                all.extend(administrator(cx, assignment.identity, assignment.silo_id)?);
            }
        }
        if all.is_empty() {
            continue;
        }
        all.sort();
        let total = u32::try_from(all.len()).unwrap_or(u32::MAX);
        all.truncate(MAX_NAMED_ADMINISTRATORS);
        levels.push(Administrators { on, total, first: all });
    }
    Ok(levels)
}

/// A holder of a role in a silo, or on the fleet, with its name. `None` if it was deleted, is built in, or is of another
/// silo, where the role has no effect.
fn administrator(
    cx: &mut Cx<'_, '_>,
    identity: RoleIdentity,
    silo: Option<Uuid>,
) -> Result<Option<Administrator>> {
    let (identity_type, id, found) = match identity {
        RoleIdentity::User(id) => {
            let user: Option<SiloUser> = cx.tx.get(id)?;
            (IdentityType::SiloUser, id, user.map(|user| (user.silo_id, user.external_id)))
        }
        RoleIdentity::Group(id) => {
            let group: Option<SiloGroup> = cx.tx.get(id)?;
            (IdentityType::SiloGroup, id, group.map(|group| (group.silo_id, group.external_id)))
        }
        RoleIdentity::BuiltIn(_) => return Ok(None),
    };
    let found = found.filter(|(own, _)| silo.is_none_or(|silo| *own == silo));
    Ok(found.map(|(_, display_name)| Administrator { identity_type, display_name, id }))
}

fn find(cx: &mut Cx<'_, '_>, caller: &Caller, query: &PermissionsQuery) -> Result<Object> {
    let level = query.on;
    let (id, place) = match (level, &query.silo, &query.project, query.user) {
        (PermissionLevel::Fleet, None, None, None) => (None, ResourceScope::fleet(Kind::FLEET)),
        (PermissionLevel::Silo, selected, None, None) => {
            let id = match selected {
                None => caller.silo_id,
                Some(selected) => silo::enter(cx, caller, selected)?.meta.id,
            };
            (Some(id), ResourceScope::silo(Kind::SILO, id))
        }
        (PermissionLevel::Project, None, Some(selected), None) => {
            let project = project::enter(cx, caller, selected)?;
            let place = ResourceScope::project(Kind::PROJECT, project.silo_id, project.meta.id);
            (Some(project.meta.id), place)
        }
        (PermissionLevel::User, None, None, selected) => {
            let id = selected.unwrap_or(caller.user_id);
            let user =
                LookupResult::<SiloUser>::new(cx.tx.get(id)?, id).authorize(cx, caller, Permission::Read)?;
            (Some(id), ResourceScope::user(Kind::SILO_USER, user.silo_id, id))
        }
        (PermissionLevel::Project, None, None, None) => {
            return Err(Error::invalid_request("project is required with on=project"));
        }
        _ => {
            let text = "give only the parameter that names the object in question: silo, project or user";
            return Err(Error::invalid_request(text));
        }
    };
    Ok(Object { level, id, place })
}

/// The operations on a level, each with the kind of its object.
fn operations(level: PermissionLevel) -> impl Iterator<Item = (&'static Operation, Kind)> {
    let all = operation::ALL.iter().chain(operation::EXTENSIONS);
    let own = all.filter(move |operation| operation.on.level() == level);
    let (in_both, to_both): (&[_], &[_]) = match level {
        PermissionLevel::Project => (&IN_BOTH, &[]),
        PermissionLevel::Silo => (&[], &TO_BOTH),
        PermissionLevel::Fleet | PermissionLevel::User => (&[], &[]),
    };
    own.map(|operation| (operation, operation.on))
        .chain(in_both.iter().map(|operation| (*operation, Kind::PROJECT)))
        .chain(to_both.iter().map(|operation| (*operation, Kind::SILO_IMAGE)))
}

fn permits(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    object: &Object,
    operation: &Operation,
    kind: Kind,
    permission: Permission,
) -> Result<bool> {
    let place = ResourceScope { kind, ..object.place };
    if !authz::permits(cx, caller, &place, permission)? {
        return Ok(false);
    }
    // It also creates something in the silo.
    if *operation == operation::IMAGE_PROMOTE {
        let silo = ResourceScope { kind: Kind::SILO, project: None, ..object.place };
        return authz::permits(cx, caller, &silo, Permission::Create);
    }
    match require_beyond_table(cx, caller, object, operation) {
        Err(Error::Forbidden | Error::ForbiddenText(_)) => Ok(false),
        // The caller may be asked to sign in again, and can call it then.
        Err(Error::SignInAgain(_)) => Ok(true),
        decided => decided.map(|()| true),
    }
}

/// Restrictions beyond the table: changes by which the caller could gain rights.
fn require_beyond_table(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    object: &Object,
    operation: &Operation,
) -> Result<()> {
    let Some(id) = object.id else { return Ok(()) };
    if DECIDE_ABOUT_ROLES.contains(&operation) {
        let silo: Option<Silo> = cx.tx.get(id)?;
        return silo.map_or(Ok(()), |silo| authz::fleet::require_for_mapping(cx, caller, &silo));
    }
    if DECIDE_ABOUT_PROVIDERS.contains(&operation) {
        let silo: Option<Silo> = cx.tx.get(id)?;
        return silo.map_or(Ok(()), |silo| authz::fleet::require_as_strong_as_all(cx, caller, &silo));
    }
    if operation.on == Kind::SECOND_FACTOR && operation.is_change() {
        return caller.session().map(drop);
    }
    if *operation == user::local::operation::LOCAL_IDP_USER_RESET_SECOND_FACTOR {
        let user: Option<SiloUser> = cx.tx.get(id)?;
        return user.map_or(Ok(()), |user| second_factor::require_may_reset(cx, caller, &user));
    }
    if *operation == user::local::operation::LOCAL_IDP_USER_SET_PASSWORD {
        let user: Option<SiloUser> = cx.tx.get(id)?;
        return user.map_or(Ok(()), |user| user::require_may_sign_in_as(cx, caller, &user));
    }
    if *operation == operation::VIEW_AS_BEGIN {
        caller.session()?;
        let user: Option<SiloUser> = cx.tx.get(id)?;
        return user.map_or(Ok(()), |user| authz::viewing::require_beyond_table(cx, caller, &user));
    }
    Ok(())
}

/// Whether it changes roles on a silo that map to roles on the fleet.
fn decides_about_fleet(cx: &mut Cx<'_, '_>, object: &Object, operation: &Operation) -> Result<bool> {
    let Some(id) = object.id.filter(|_| DECIDE_ABOUT_ROLES.contains(&operation)) else { return Ok(false) };
    let silo: Option<Silo> = cx.tx.get(id)?;
    Ok(silo.is_some_and(|silo| authz::fleet::confers_roles(&silo)))
}

/// Whoever has the role that views take, and is refused one, lacks a role on the fleet that the user has.
fn sufficient_for_view(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    object: &Object,
    roles: Vec<SufficientRole>,
) -> Result<Vec<SufficientRole>> {
    let place = ResourceScope { kind: Kind::VIEW_AS, ..object.place };
    let Some(id) = object.id.filter(|id| *id != caller.user_id) else { return Ok(Vec::new()) };
    if !authz::permits(cx, caller, &place, Permission::Modify)? {
        return Ok(roles);
    }
    let user: Option<SiloUser> = cx.tx.get(id)?;
    let needed = user.map(|user| authz::fleet::role_beyond(cx, caller, &user)).transpose()?.flatten();
    let needed = needed.map(|role| SufficientRole { on: PermissionLevel::Fleet, role: shown(role) });
    Ok(needed.into_iter().collect())
}

fn sufficient(operation: &Operation, kind: Kind, permission: Permission) -> Vec<SufficientRole> {
    let (kind, permission) = if *operation == operation::IMAGE_PROMOTE {
        (Kind::SILO, Permission::Create)
    } else {
        (kind, permission)
    };
    let roles = kind.row().sufficient(permission).into_iter();
    roles.map(|(on, role)| SufficientRole { on, role: shown(role) }).collect()
}

fn shown(role: Role) -> RoleName {
    match role {
        Role::Viewer => RoleName::Viewer,
        Role::Collaborator => RoleName::Collaborator,
        Role::Admin => RoleName::Admin,
    }
}
