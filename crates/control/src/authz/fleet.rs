//! Roles on the fleet, and operations by which a caller could gain them indirectly.
//!
//! The [table](super::TABLE) says what a role permits. It does not cover changes that grant roles indirectly: a role on
//! a silo may map to a role on the fleet, and whoever sets a user's password, or configures the identity provider of a
//! silo, can act as those users. The functions here refuse such changes to callers who would gain rights by them.

use croft_api::{Error, Result};
use croft_store::{
    ListBy, Marker, Sort, Tx,
    records::{
        FLEET, IdentityMode, Role, RoleAssignment, RoleIdentity, RoleScope, SamlIdentityProvider, Silo,
        SiloGroup, SiloGroupMembership, SiloUser,
    },
};
use uuid::Uuid;

use super::{
    Caller, Kind, Permission, ResourceScope, permits,
    roles::{mapped, strongest_of},
};
use crate::{Cx, paging};

/// Refuses operations by which the caller could act as this user, such as setting the user's password. Unless the user
/// is the caller, the caller needs at least the user's role on the fleet.
pub(crate) fn require_as_strong_as(cx: &mut Cx<'_, '_>, caller: &Caller, user: &SiloUser) -> Result<()> {
    if user.meta.id == caller.user_id {
        return Ok(());
    }
    let needed = role_beyond(cx, caller, user)?;
    if needed.is_none() { Ok(()) } else { Err(Error::Forbidden) }
}

/// The user's role on the fleet, if it goes beyond the caller's.
pub(crate) fn role_beyond(cx: &mut Cx<'_, '_>, caller: &Caller, user: &SiloUser) -> Result<Option<Role>> {
    let role = role_of(cx.tx, user.meta.id, user.silo_id)?;
    if role.is_none() || role_of(cx.tx, caller.user_id, caller.silo_id)? >= role {
        return Ok(None);
    }
    Ok(role)
}

/// Refuses operations by which the caller could act as any user of this silo, such as configuring an identity provider.
/// The caller needs at least the strongest role on the fleet that a user of the silo has, or could get through a role
/// on the silo.
pub(crate) fn require_as_strong_as_all(cx: &mut Cx<'_, '_>, caller: &Caller, silo: &Silo) -> Result<()> {
    let mut needed = mapped(silo, Role::Admin);
    for assignment in paging::all::<RoleAssignment>(cx.tx, &ListBy::Parent(FLEET))? {
        if silo_of(cx.tx, assignment.identity)? == Some(silo.meta.id) {
            needed = needed.max(Some(assignment.role));
        }
    }
    require_role(cx, caller, needed)
}

/// Whether roles on this silo map to roles on the fleet.
pub(crate) fn confers_roles(silo: &Silo) -> bool {
    mapped(silo, Role::Admin).is_some()
}

/// Refuses changes of roles on a silo whose roles map to roles on the fleet, except by administrators of the fleet, and
/// by those of the silo, who have all of these roles already.
pub(crate) fn require_for_mapping(cx: &mut Cx<'_, '_>, caller: &Caller, silo: &Silo) -> Result<()> {
    if !confers_roles(silo)
        || role_in(cx.tx, caller, RoleScope::Silo(silo.meta.id))? == Some(Role::Admin)
        || administers_fleet(cx, caller)?
    {
        return Ok(());
    }
    Err(Error::Forbidden)
}

/// Whether the caller is administrator of the fleet.
pub(crate) fn administers_fleet(cx: &mut Cx<'_, '_>, caller: &Caller) -> Result<bool> {
    permits(cx, caller, &ResourceScope::fleet(Kind::FLEET), Permission::Modify)
}

/// The caller's strongest role on their own silo or on another scope, read from the database.
pub(crate) fn role_in(tx: &mut Tx<'_>, caller: &Caller, scope: RoleScope) -> Result<Option<Role>> {
    if scope.id() == caller.silo_id || !matches!(scope, RoleScope::Silo(_)) {
        return strongest_of(tx, caller.user_id, scope);
    }
    // Roles on a silo have an effect for its own users only.
    Ok(None)
}

fn require_role(cx: &mut Cx<'_, '_>, caller: &Caller, needed: Option<Role>) -> Result<()> {
    if needed.is_none() || role_of(cx.tx, caller.user_id, caller.silo_id)? >= needed {
        return Ok(());
    }
    Err(Error::Forbidden)
}

/// A user's strongest role on the fleet, assigned directly or mapped from a role on the user's silo.
fn role_of(tx: &mut Tx<'_>, user: Uuid, silo: Uuid) -> Result<Option<Role>> {
    let assigned = strongest_of(tx, user, RoleScope::Fleet)?;
    let Some(on_silo) = strongest_of(tx, user, RoleScope::Silo(silo))? else { return Ok(assigned) };
    let silo: Option<Silo> = tx.get(silo)?;
    Ok(assigned.max(silo.and_then(|silo| mapped(&silo, on_silo))))
}

fn silo_of(tx: &mut Tx<'_>, identity: RoleIdentity) -> Result<Option<Uuid>> {
    Ok(match identity {
        RoleIdentity::User(id) => tx.get::<SiloUser>(id)?.map(|user| user.silo_id),
        RoleIdentity::Group(id) => tx.get::<SiloGroup>(id)?.map(|group| group.silo_id),
        RoleIdentity::BuiltIn(_) => None,
    })
}

/// Refuses a change that leaves no administrator of the fleet who can sign in, because nobody could undo it.
pub(crate) fn require_administrator(cx: &mut Cx<'_, '_>) -> Result<()> {
    if has_administrator(cx.tx)? {
        return Ok(());
    }
    Err(Error::invalid_request(
        "this would leave no fleet administrator who can sign in; assign the role admin on the fleet to \
         another user who can sign in first",
    ))
}

/// Whether a user is administrator of the fleet.
pub(crate) fn is_administrator(tx: &mut Tx<'_>, user: &SiloUser) -> Result<bool> {
    Ok(role_of(tx, user.meta.id, user.silo_id)? == Some(Role::Admin))
}

/// Whether any administrator of the fleet can sign in.
pub(crate) fn has_administrator(tx: &mut Tx<'_>) -> Result<bool> {
    if is_held(tx, RoleScope::Fleet, Role::Admin)? {
        return Ok(true);
    }
    for silo in paging::all::<Silo>(tx, &ListBy::Parent(Uuid::nil()))? {
        let confers = |role: Role| mapped(&silo, role) == Some(Role::Admin);
        let least = [Role::Viewer, Role::Collaborator, Role::Admin].into_iter().find(|role| confers(*role));
        if let Some(least) = least
            && is_held(tx, RoleScope::Silo(silo.meta.id), least)?
        {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether anybody who can sign in holds this role, or a stronger one, on a scope.
fn is_held(tx: &mut Tx<'_>, scope: RoleScope, least: Role) -> Result<bool> {
    for assignment in paging::all::<RoleAssignment>(tx, &ListBy::Parent(scope.id()))? {
        if assignment.role < least {
            continue;
        }
        let holds = match assignment.identity {
            RoleIdentity::User(user) => can_use(tx, user, scope)?,
            RoleIdentity::Group(group) => {
                let members = paging::all::<SiloGroupMembership>(tx, &ListBy::Parent(group))?;
                let mut holds = false;
                for member in members {
                    holds = holds || can_use(tx, member.user_id, scope)?;
                }
                holds
            }
            RoleIdentity::BuiltIn(_) => false,
        };
        if holds {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether a user can sign in and roles on the scope have an effect for them.
fn can_use(tx: &mut Tx<'_>, user: Uuid, scope: RoleScope) -> Result<bool> {
    let Some(user) = tx.get::<SiloUser>(user)? else { return Ok(false) };
    if let RoleScope::Silo(silo) = scope
        && silo != user.silo_id
    {
        return Ok(false);
    }
    let Some(silo) = tx.get::<Silo>(user.silo_id)? else { return Ok(false) };
    Ok(match silo.identity_mode {
        IdentityMode::LocalOnly => user.password_hash.is_some(),
        IdentityMode::SamlJit => enabled_provider(tx, silo.meta.id)?.is_some(),
    })
}

/// The first provider of a silo, by name, that is enabled for sign-in.
pub(crate) fn enabled_provider(tx: &mut Tx<'_>, silo: Uuid) -> Result<Option<SamlIdentityProvider>> {
    let mut after = None;
    loop {
        // One at a time: the metadata of a provider may have a megabyte.
        let page: Vec<SamlIdentityProvider> = tx.page(ListBy::Parent(silo), Sort::NameAsc, after, 1)?;
        match page.into_iter().next() {
            Some(provider) if provider.is_disabled => after = Some(Marker::after(&provider, Sort::NameAsc)),
            found => return Ok(found),
        }
    }
}
