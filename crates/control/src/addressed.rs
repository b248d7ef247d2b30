//! Resources that requests address by kind and id, whatever they are: their labels, and what was done to them.

use croft_api::{Error, ResourceKind, Result};
use croft_store::search::SearchEntry;
use uuid::Uuid;

use crate::{Caller, Cx, ReadScope, event::AccessCache, resource::RESOURCES};

/// A kind of resource.
#[derive(Clone, Copy)]
pub(crate) struct AddressedKind {
    /// The name of its table.
    pub(crate) name: &'static str,
    /// The kind in messages.
    pub(crate) message: ResourceKind,
    /// Who may read it.
    pub(crate) read_scope: ReadScope,
}

/// Every kind that is found by an id alone: those that are searched and looked up.
pub(crate) fn kinds() -> impl Iterator<Item = AddressedKind> {
    RESOURCES.iter().filter(|entry| entry.is_searched).filter_map(|entry| {
        Some(AddressedKind {
            name: entry.table.name,
            message: entry.declaration.message?,
            read_scope: entry.declaration.read_scope?,
        })
    })
}

impl AddressedKind {
    /// The resource with this id, if the caller may read it.
    pub(crate) fn find(self, cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<SearchEntry> {
        let not_found = || Error::not_found(self.message, id);
        let entry = cx.tx.searched_as(self.name, id)?.ok_or_else(not_found)?;
        let mut access = AccessCache::new(caller.user_id, caller.silo_id);
        if access.can_view(cx, &entry)? { Ok(entry) } else { Err(not_found()) }
    }
}
