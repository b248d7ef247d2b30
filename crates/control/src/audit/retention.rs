//! Export of old audit entries to files. Entries are deleted from the database only after they have been exported.

use std::io;

use croft_api::{Error, Result, audit::AuditLogEntry};
use croft_store::{Database, ListBy, Sort, StoreError, Tx, records::AuditEntry};
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use super::to_view;

/// Most entries in one export.
const BATCH: usize = 5000;
/// Maximum number of entries deleted in one transaction.
const DELETED_AT_ONCE: usize = 500;

/// The destination of entries that leave the database.
///
/// Exported entries are *pending* until they are deleted from the database, so that a crash neither loses entries nor
/// exports them twice.
pub trait Exports: Send + Sync {
    /// The ids of the entries that were [exported](Exports::keep) and may still be in the database; `None` if there are
    /// none.
    ///
    /// # Errors
    /// It is unknown.
    fn pending(&self) -> io::Result<Option<Vec<Uuid>>>;

    /// Exports entries durably and atomically, oldest first. They are pending until [`done`](Exports::done) is called.
    ///
    /// # Errors
    /// The entries could not be written.
    fn keep(&self, entries: &[AuditLogEntry]) -> io::Result<()>;

    /// Called when the pending entries have been deleted from the database.
    ///
    /// # Errors
    /// That could not be recorded. The entries are still pending.
    fn done(&self) -> io::Result<()>;
}

/// Exports and deletes the oldest of the entries that were completed longer than `retention` ago. Returns the number of
/// entries. Call it again until it returns zero.
///
/// # Errors
/// The entries could not be exported, and remain; or the database cannot be read or written.
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
    // Exported before the server was stopped or the database failed.
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
                tx.remove_audit_entry(*id, now)?;
            }
            Ok::<_, StoreError>(())
        })?;
    }
    Ok(())
}
