use std::ops::{Deref, DerefMut};

use croft_api::{Error, Lookup, ResourceKind, Result, scalar::NameOrId};
use croft_store::{Record, Tx};
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
        if authz::permits(cx, caller, &place, permission)? {
            cx.instance_id = record.as_instance().or(cx.instance_id);
            return Ok(Authorized(record));
        }
        if permission != Permission::Read && authz::permits(cx, caller, &place, Permission::Read)? {
            cx.instance_id = record.as_instance().or(cx.instance_id);
            return Err(Error::Forbidden);
        }
        Err(Error::not_found(T::RESOURCE, lookup))
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
