use std::ops::{Deref, DerefMut};

use croft_api::{Error, Lookup, ResourceKind, Result, scalar::NameOrId};
use croft_store::{Record, Tx, records::AuditSubject};
use uuid::Uuid;

use crate::{
    Caller, Cx, Resource,
    authz::{self, Permission, ResourceScope},
};

/// Looks up a record that has no parent.
pub(crate) fn top_level<R: Record>(tx: &mut Tx<'_>, selector: &NameOrId) -> Result<Option<R>> {
    Ok(match selector {
        NameOrId::Id(id) => tx.get(*id)?,
        NameOrId::Name(name) => tx.get_by_name(Uuid::nil(), name.as_str())?,
    })
}

/// An object with access control: each [`Resource`] that declares its kind in messages and its readers.
pub trait Protected {
    /// The kind in messages.
    const RESOURCE: ResourceKind;

    /// The scope that decides which roles count.
    fn place(&self) -> ResourceScope;

    /// Its id, if it is an instance: the audit log records operations on instances by id.
    fn as_instance(&self) -> Option<Uuid> {
        None
    }

    /// How the audit log names it; `None` if nobody asks for what was done to it.
    fn audit_subject(&self) -> Option<AuditSubject> {
        None
    }
}

impl<R: Resource> Protected for R {
    const RESOURCE: ResourceKind = match R::DECLARATION.message {
        Some(kind) => kind,
        None => panic!("add `.message(ResourceKind::…)` to the Declaration of what is looked up"),
    };

    fn place(&self) -> ResourceScope {
        let read_scope = const {
            match R::DECLARATION.read_scope {
                Some(read_scope) => read_scope,
                None => panic!(
                    "declare what is looked up with `Declaration::in_project` or another that says who may read it"
                ),
            }
        };
        read_scope.needs(self.scope(), self.meta().id, self.parent()).own()
    }

    fn as_instance(&self) -> Option<Uuid> {
        Resource::as_instance(self)
    }

    fn audit_subject(&self) -> Option<AuditSubject> {
        R::SEARCHED.then(|| AuditSubject::of(self))
    }
}

/// The result of a lookup before authorization. The object may be missing, or the caller may not be allowed to know
/// that it exists. Only [`LookupResult::authorize`] returns the object.
#[must_use]
pub struct LookupResult<T> {
    record: Option<T>,
    lookup: Lookup,
}

/// An object for which the caller has been authorized.
#[derive(Clone, Debug)]
pub struct Authorized<T>(T);

impl<T: Protected> LookupResult<T> {
    /// Wraps the result of a lookup.
    pub(crate) fn new(record: Option<T>, lookup: impl Into<Lookup>) -> Self {
        Self { record, lookup: lookup.into() }
    }

    /// Returns the object if it exists and the caller has the permission. An object that the caller may not read is
    /// reported as not found; one that the caller may read is reported as forbidden.
    pub fn authorize(
        self,
        cx: &mut Cx<'_, '_>,
        caller: &Caller,
        permission: impl Into<Permission>,
    ) -> Result<Authorized<T>> {
        let Self { record, lookup } = self;
        let permission = permission.into();
        let Some(record) = record else { return Err(Error::not_found(T::RESOURCE, lookup)) };
        let place = record.place();
        let is_permitted = authz::permits(cx, caller, &place, permission)?;
        let is_readable = is_permitted
            || (permission != Permission::Read && authz::permits(cx, caller, &place, Permission::Read)?);
        if !is_readable {
            return Err(Error::not_found(T::RESOURCE, lookup));
        }
        note_for_audit(cx, &record, permission);
        if is_permitted { Ok(Authorized(record)) } else { Err(Error::Forbidden) }
    }
}

/// Notes for the audit entry what the caller, who may see it, does something to.
fn note_for_audit(cx: &mut Cx<'_, '_>, record: &impl Protected, permission: Permission) {
    cx.instance_id = record.as_instance().or(cx.instance_id);
    if permission.is_change() {
        cx.subjects.extend(record.audit_subject());
    }
}

impl<T: Protected> Authorized<T> {
    /// Notes for the audit entry that the operation is done to it, although the caller needs to read it only.
    pub(crate) fn noted_for_audit(self, cx: &mut Cx<'_, '_>) -> Self {
        cx.subjects.extend(self.0.audit_subject());
        self
    }
}

impl<T> Authorized<T> {
    /// The object itself.
    pub fn into_inner(self) -> T {
        self.0
    }
}

impl<T> Deref for Authorized<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Authorized<T> {
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}
