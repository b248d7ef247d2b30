//! Resources that requests address by kind and id, whatever they are: their labels, and what was done to them.

use croft_api::{Error, Result};
use croft_store::search::SearchEntry;
use uuid::Uuid;

use crate::{Caller, Cx, event::AccessCache, resource::AddressedKind};

impl AddressedKind {
    /// The resource with this id, if the caller may read it.
    pub(crate) fn find(self, cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<SearchEntry> {
        let not_found = || Error::not_found(self.message, id);
        let entry = cx.tx.searched_as(self.name, id)?.ok_or_else(not_found)?;
        let mut access = AccessCache::new(caller.user_id, caller.silo_id);
        if access.can_view(cx, &entry)? { Ok(entry) } else { Err(not_found()) }
    }
}
