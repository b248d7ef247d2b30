//! Entries of the audit log with what finds them by the resources that they are about.

use jiff::Timestamp;
use uuid::Uuid;

use crate::{
    StoreError, Tx,
    records::{AuditEntry, ResourceActivity},
};

impl Tx<'_> {
    /// Stores a new entry.
    pub fn insert_audit_entry(&mut self, entry: &AuditEntry) -> Result<(), StoreError> {
        self.insert(entry)?;
        entry.indexed().iter().try_for_each(|resource| self.insert(&ResourceActivity::new(entry, *resource)))
    }

    /// Removes an entry for good. Returns whether it was there.
    pub fn remove_audit_entry(&mut self, id: Uuid, now: Timestamp) -> Result<bool, StoreError> {
        let Some(entry) = self.get::<AuditEntry>(id)? else { return Ok(false) };
        for resource in entry.indexed() {
            self.remove::<ResourceActivity>(ResourceActivity::id(id, resource), now)?;
        }
        self.remove::<AuditEntry>(id, now)
    }
}
