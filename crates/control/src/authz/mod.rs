//! Who may do what (`docs/rules/identity-and-system.md#authorization`).
//!
//! What each role may do on each kind of resource is one table, whose [rows](Row) are declared beside the rules of their resources. A rule asks about a [`ResourceScope`]: the kind, and
//! the silo, project and owner that say which roles count. [`LookupResult::authorize`](crate::LookupResult::authorize) asks for
//! stored objects; [`require`] asks for collections, which are never hidden.

mod caller;
pub(crate) mod fleet;
mod kind;
pub(crate) mod operation;
mod roles;

use croft_api::{Error, Result};
use uuid::Uuid;

pub use caller::{AuthMethod, Caller};
pub(crate) use kind::kinds;
pub use kind::{Kind, Permissions, Row};
pub use operation::Operation;
pub(crate) use operation::operations;
pub(crate) use roles::{StoredRole, projects_with_a_role};

use crate::Cx;

macro_rules! list {
    ($($kind:ident)*) => { &[$(Kind::$kind),*] };
}

/// Every kind of object.
pub const KINDS: &[Kind] = for_each_kind!(list);

/// What can be permitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Permission {
    /// Seeing the object.
    Read,
    /// Listing what is inside it.
    List,
    /// Creating something inside it.
    Create,
    /// Changing or deleting it, or its policy.
    Modify,
}

impl Permission {
    /// Every permission, in the order of the table's letters.
    pub const ALL: [Self; 4] = [Self::Read, Self::List, Self::Create, Self::Modify];
}

impl From<&Operation> for Permission {
    /// Operations that need no permission need at least to see what they are done to.
    fn from(operation: &Operation) -> Self {
        operation.permission.unwrap_or(Self::Read)
    }
}

/// The scope of an object, which decides which roles count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ResourceScope {
    /// The kind of object.
    pub kind: Kind,
    /// The silo it belongs to; `None` for the fleet's own.
    pub silo: Option<Uuid>,
    /// The project it belongs to, or is.
    pub project: Option<Uuid>,
    /// The user it belongs to, or is.
    pub owner: Option<Uuid>,
}

impl ResourceScope {
    /// Something of the fleet.
    pub const fn fleet(kind: Kind) -> Self {
        Self { kind, silo: None, project: None, owner: None }
    }

    /// Something of a silo.
    pub const fn silo(kind: Kind, silo: Uuid) -> Self {
        Self { kind, silo: Some(silo), project: None, owner: None }
    }

    /// Something of a user, or the user.
    pub const fn user(kind: Kind, silo: Uuid, user: Uuid) -> Self {
        Self { kind, silo: Some(silo), project: None, owner: Some(user) }
    }

    /// Something of a project, or the project itself.
    pub const fn project(kind: Kind, silo: Uuid, project: Uuid) -> Self {
        Self { kind, silo: Some(silo), project: Some(project), owner: None }
    }
}

/// Whether the caller may do this there. Asks for as few roles as decide it: those of the user before those of the
/// user's groups, those of the silo before those of the project, and those of the fleet last.
pub fn permits(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    place: &ResourceScope,
    permission: Permission,
) -> Result<bool> {
    let row = *place.kind.row();
    if place.owner == Some(caller.user_id) && row.owner.allow(permission) {
        return Ok(true);
    }
    if place.silo == Some(caller.silo_id) {
        if row.member.allow(permission) {
            return Ok(true);
        }
        if roles::within_silo(cx, caller, row, place, permission)? {
            return Ok(true);
        }
    }
    roles::in_fleet(cx, caller, row, permission)
}

/// Refuses what the caller may not do to a collection or to something that is never hidden.
pub fn require(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    place: &ResourceScope,
    operation: &Operation,
) -> Result<()> {
    debug_assert_eq!(place.kind, operation.on, "{} is done to another kind of object", operation.id);
    if permits(cx, caller, place, operation.into())? { Ok(()) } else { Err(Error::Forbidden) }
}

#[cfg(test)]
mod tests;
