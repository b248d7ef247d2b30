//! The engines: what runs operations on a real database.

use jiff::Timestamp;
use uuid::Uuid;

use crate::{Action, Change, StoreError, change::PendingChange, key::Value};

pub(crate) mod attempt;
pub(crate) mod inline;
#[cfg(all(not(target_family = "wasm"), feature = "postgres"))]
pub(crate) mod postgres;
#[cfg(not(target_family = "wasm"))]
pub(crate) mod queue;
#[cfg(not(target_family = "wasm"))]
pub(crate) mod retries;
pub(crate) mod sqlite;

/// What an operation may do. Reads and writes have queues of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    Read,
    Write,
}

/// One row of an answer.
pub(crate) trait Row {
    /// A text or document column that is not null. Checked as a whole, so that nobody who reads it need check its
    /// parts.
    fn text(&self, column: usize) -> Result<&str, StoreError>;
    /// An integer column that is not null.
    fn integer(&self, column: usize) -> Result<i64, StoreError>;
    /// An id column.
    fn id(&self, column: usize) -> Result<Option<Uuid>, StoreError>;
}

/// A connection within a transaction, as [`Tx`](crate::Tx) sees it.
pub(crate) trait Session {
    /// Runs a statement and tells how many rows it changed. A unique violation is [`StoreError::Exists`] and leaves
    /// the transaction usable.
    fn execute(&mut self, sql: &str, parameters: &[Value<'_>]) -> Result<usize, StoreError>;
    /// Like `execute`, for a statement that may violate a unique index.
    fn execute_checked(&mut self, sql: &str, parameters: &[Value<'_>]) -> Result<usize, StoreError>;
    /// Runs a query and hands out its rows.
    fn query(
        &mut self,
        sql: &str,
        parameters: &[Value<'_>],
        row: &mut dyn FnMut(&dyn Row) -> Result<(), StoreError>,
    ) -> Result<(), StoreError>;
    /// Runs a statement of a migration.
    fn script(&mut self, sql: &str) -> Result<(), StoreError>;
    /// Starts a nested transaction.
    fn begin_nested(&mut self) -> Result<(), StoreError>;
    /// Keeps the innermost nested transaction's effects.
    fn keep_nested(&mut self) -> Result<(), StoreError>;
    /// Undoes the innermost nested transaction's effects.
    fn undo_nested(&mut self) -> Result<(), StoreError>;
    /// Adds rows to the search's index: each term of an entry for each audience.
    fn write_terms(&mut self, entry: i64, audiences: &[i64], terms: &[String]) -> Result<(), StoreError>;
    /// Takes rows out of the search's index.
    fn erase_terms(&mut self, entry: i64, audiences: &[i64], terms: &[String]) -> Result<(), StoreError>;
    /// Appends to the change log.
    fn write_changes(&mut self, changes: &[PendingChange]) -> Result<(), StoreError>;
    /// Reads the change log.
    fn read_changes(&mut self, seq: i64, limit: i64) -> Result<Vec<Change>, StoreError>;
    /// Two sequence numbers: of the oldest change that is kept, and of the one that this many newer ones follow; 0
    /// where there is none.
    fn kept_changes(&mut self, newer: i64) -> Result<(i64, i64), StoreError> {
        let mut found = [0; 2];
        let oldest = "SELECT \"seq\" FROM \"change_log\" ORDER BY \"seq\" LIMIT 1";
        self.query(oldest, &[], &mut |row| {
            found[0] = row.integer(0)?;
            Ok(())
        })?;
        let earlier = "SELECT \"seq\" FROM \"change_log\" ORDER BY \"seq\" DESC LIMIT 1 OFFSET $1";
        self.query(earlier, &[Value::Int(newer)], &mut |row| {
            found[1] = row.integer(0)?;
            Ok(())
        })?;
        Ok((found[0], found[1]))
    }
    /// The sequence number up to which the change log can be read now.
    fn last_change(&mut self) -> Result<i64, StoreError>;
    /// What a check of the whole database finds wrong.
    fn problems(&mut self) -> Result<Vec<String>, StoreError>;
}

/// Reads a change from the columns seq, time, kind, id, parent, silo, project, action, generation.
pub(crate) fn change_from_row(row: &dyn Row) -> Result<Change, StoreError> {
    let missing = || StoreError::Corrupt("a row of the change log lacks an id".into());
    Ok(Change {
        seq: row.integer(0)?,
        time: Timestamp::from_microsecond(row.integer(1)?).map_err(StoreError::internal)?,
        kind: row.text(2)?.to_owned(),
        id: row.id(3)?.ok_or_else(missing)?,
        parent: row.id(4)?.ok_or_else(missing)?,
        silo: row.id(5)?,
        project: row.id(6)?,
        action: Action::from_number(row.integer(7)?)?,
        generation: u64::try_from(row.integer(8)?).map_err(StoreError::internal)?,
    })
}
