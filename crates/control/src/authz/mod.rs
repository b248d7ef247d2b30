//! Authorization (`docs/rules/identity-and-system.md#authorization`).
//!
//! One table says what each role may do with each kind of resource. Its [rows](Row) are declared beside the rules of
//! their resources. A rule checks a permission on a [`ResourceScope`]: the kind, and the silo, project and owner that
//! decide which roles count. [`LookupResult::authorize`](crate::LookupResult::authorize) checks stored objects;
//! [`require`] checks collections, which are never hidden.

mod caller;
pub(crate) mod fleet;
mod kind;
pub(crate) mod operation;
mod roles;
pub(crate) mod viewing;

use croft_api::{Error, Result};
use croft_store::records::{AuditSubject, Silo};
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

/// A permission.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Permission {
    /// See the object.
    Read,
    /// List the objects inside it.
    List,
    /// Create an object inside it.
    Create,
    /// Change or delete it, or its policy.
    Modify,
}

impl Permission {
    /// Every permission, in the order of the table's letters.
    pub const ALL: [Self; 4] = [Self::Read, Self::List, Self::Create, Self::Modify];

    /// Whether it allows to create or change something.
    pub(crate) const fn is_change(self) -> bool {
        matches!(self, Self::Create | Self::Modify)
    }
}

impl From<&Operation> for Permission {
    /// Operations without a permission still require that the caller can see the object.
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

/// Whether the caller has this permission. Looks up as few roles as possible: those of the user before those of groups,
/// those of the silo before those of the project, and those of the fleet last.
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

/// Returns an error unless the caller has this permission on a collection, or on an object that is never hidden.
pub fn require(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    place: &ResourceScope,
    operation: &Operation,
) -> Result<()> {
    debug_assert_eq!(place.kind, operation.on, "{} is done to another kind of object", operation.id);
    if operation.is_change() {
        note_silo(cx, place)?;
    }
    if permits(cx, caller, place, operation.into())? { Ok(()) } else { Err(Error::Forbidden) }
}

/// Notes for the audit entry that something is done to a silo which was not looked up: the caller's own.
fn note_silo(cx: &mut Cx<'_, '_>, place: &ResourceScope) -> Result<()> {
    let silo = place.silo.filter(|_| place.kind == Kind::SILO);
    let silo: Option<Silo> = silo.map(|id| cx.tx.get(id)).transpose()?.flatten();
    cx.subjects.extend(silo.as_ref().map(AuditSubject::of));
    Ok(())
}

#[cfg(test)]
mod tests;
