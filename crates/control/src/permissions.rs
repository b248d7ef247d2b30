//! The permissions of the caller on an object.

use croft_api::{
    Error, Result,
    permission::{
        PermissionLevel, Permissions, PermissionsQuery, RefusedOperation, RoleName, SufficientRole,
    },
};
use croft_store::records::{Role, Silo, SiloUser};
use uuid::Uuid;

use crate::{
    Caller, Cx, LookupResult, Operation,
    authz::{self, Kind, Permission, ResourceScope},
    operation, project, second_factor, silo, user,
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
            refused.push(RefusedOperation { operation: operation.id.to_owned(), roles });
        }
    }
    Ok(Permissions { on: object.level, id: object.id, allowed, refused })
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
    Ok(())
}

/// Whether it changes roles on a silo that map to roles on the fleet.
fn decides_about_fleet(cx: &mut Cx<'_, '_>, object: &Object, operation: &Operation) -> Result<bool> {
    let Some(id) = object.id.filter(|_| DECIDE_ABOUT_ROLES.contains(&operation)) else { return Ok(false) };
    let silo: Option<Silo> = cx.tx.get(id)?;
    Ok(silo.is_some_and(|silo| authz::fleet::confers_roles(&silo)))
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
