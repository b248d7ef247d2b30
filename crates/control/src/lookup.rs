use std::ops::{Deref, DerefMut};

use croft_api::{Error, Lookup, ResourceKind, Result, scalar::NameOrId};
use croft_store::{Record, Tx};
use uuid::Uuid;

use crate::{
    Caller, Cx, Resource,
    authz::{self, Permission, ResourceScope},
};

/// The record that is selected among those that are part of nothing else.
pub(crate) fn top_level<R: Record>(tx: &mut Tx<'_>, selector: &NameOrId) -> Result<Option<R>> {
    Ok(match selector {
        NameOrId::Id(id) => tx.get(*id)?,
        NameOrId::Name(name) => tx.get_by_name(Uuid::nil(), name.as_str())?,
    })
}

/// An object that permissions protect: each [`Resource`] that declares its kind in messages and its readers.
pub trait Protected {
    /// The kind in messages.
    const RESOURCE: ResourceKind;

    /// Where it stands.
    fn place(&self) -> ResourceScope;

    /// Its id, if it is an instance: the audit log keeps what was done to each instance.
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

/// An object that was looked up, and of which nothing is known yet: it may be missing, and the caller may not be
/// allowed to know of it. Only [`LookupResult::authorize`] gives the object out.
#[must_use]
pub struct LookupResult<T> {
    record: Option<T>,
    lookup: Lookup,
}

/// An object that the caller was allowed to do something with.
#[derive(Clone, Debug)]
pub struct Authorized<T>(T);

impl<T: Protected> LookupResult<T> {
    /// The outcome of looking something up.
    pub(crate) fn new(record: Option<T>, lookup: impl Into<Lookup>) -> Self {
        Self { record, lookup: lookup.into() }
    }

    /// The object, if it is there and the caller may do this with it. An object that the caller may not read is not
    /// found; one that the caller may read, but not do this with, is forbidden.
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
