//! Resources that requests address by kind and id, whatever they are: their labels, and what was done to them.

use std::collections::BTreeMap;

use croft_api::{Error, Result, label::Quoted};
use croft_store::search::SearchEntry;
use uuid::Uuid;

use crate::{Caller, Cx, event::AccessCache, resource::AddressedKind};

impl AddressedKind {
    /// The kind with this name, of those that have `what`, such as labels.
    pub(crate) fn named(text: &str, kinds: impl Iterator<Item = Self>, what: &str) -> Result<Self> {
        let mut kinds: BTreeMap<_, _> = kinds.map(|kind| (kind.name, kind)).collect();
        kinds.remove(text).ok_or_else(|| {
            let known = kinds.into_keys().collect::<Vec<_>>().join(", ");
            let text = format!("nothing of the kind {} has {what}; one of {known}", Quoted(text));
            Error::invalid_value("kind", text)
        })
    }

    /// The resource with this id, if the caller may read it.
    pub(crate) fn find(self, cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<SearchEntry> {
        let not_found = || Error::not_found(self.message, id);
        let entry = cx.tx.searched_as(self.name, id)?.ok_or_else(not_found)?;
        let mut access = AccessCache::new(caller.user_id, caller.silo_id);
        if access.can_view(cx, &entry)? { Ok(entry) } else { Err(not_found()) }
    }
}
