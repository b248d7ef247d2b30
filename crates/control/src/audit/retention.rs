//! Old entries leave the database for files, if an operator wants that: nothing is deleted that has not been kept elsewhere
//! before.

use std::io;

use croft_api::{Error, Result, audit::AuditLogEntry};
use croft_store::{Database, ListBy, Sort, StoreError, Tx, records::AuditEntry};
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use super::to_view;

/// Most entries in one export.
const BATCH: usize = 5000;
/// Entries deleted in one transaction.
const DELETED_AT_ONCE: usize = 500;

/// The destination of entries that leave the database.
///
/// Exported entries are *pending* until they are deleted from the database, so that after a crash nothing is lost or
/// exported twice.
pub trait Exports: Send + Sync {
    /// The ids of the entries that were [kept](Exports::keep) and may still be in the database; `None` if there are
    /// none.
    ///
    /// # Errors
    /// It is unknown.
    fn pending(&self) -> io::Result<Option<Vec<Uuid>>>;

    /// Exports entries durably and atomically, oldest first. They are pending until [`done`](Exports::done) is called.
    ///
    /// # Errors
    /// There is no room, or no place to keep them.
    fn keep(&self, entries: &[AuditLogEntry]) -> io::Result<()>;

    /// Called when the pending entries have been deleted.
    ///
    /// # Errors
    /// That cannot be noted; it is still pending.
    fn done(&self) -> io::Result<()>;
}

/// Moves the oldest of the entries that were completed longer than `retention` ago. Answers how many were moved; there
/// may be more as long as there were any.
///
/// # Errors
/// They cannot be kept, and so stay; or the database cannot be read or written.
pub fn step(
    database: &Database,
    exports: &dyn Exports,
    retention: SignedDuration,
    now: Timestamp,
) -> Result<usize> {
    let unkept = |error: io::Error| {
        Error::unavailable(format!(
            "old entries of the audit log stay in the database because they cannot be exported: {error}"
        ))
    };
    // Kept before the server ended, or before the database did not answer.
    if let Some(ids) = exports.pending().map_err(unkept)? {
        delete(database, &ids, now)?;
        exports.done().map_err(unkept)?;
    }
    let Ok(before) = now.checked_sub(retention) else { return Ok(0) };
    let old = database.read_blocking(move |tx: &mut Tx<'_>| {
        let mut old: Vec<AuditEntry> = tx.page(ListBy::All, Sort::TimeAsc, None, BATCH)?;
        old.retain(|entry| entry.meta.time_created < before);
        Ok::<_, StoreError>(old)
    })?;
    if old.is_empty() {
        return Ok(0);
    }
    let ids: Vec<Uuid> = old.iter().map(|entry| entry.meta.id).collect();
    let entries: Vec<AuditLogEntry> = old.into_iter().map(to_view).collect();
    exports.keep(&entries).map_err(unkept)?;
    delete(database, &ids, now)?;
    exports.done().map_err(unkept)?;
    Ok(ids.len())
}

fn delete(database: &Database, ids: &[Uuid], now: Timestamp) -> Result<()> {
    for ids in ids.chunks(DELETED_AT_ONCE) {
        let ids = ids.to_vec();
        database.write_blocking(move |tx: &mut Tx<'_>| {
            for id in &ids {
                tx.remove::<AuditEntry>(*id, now)?;
            }
            Ok::<_, StoreError>(())
        })?;
    }
    Ok(())
}
