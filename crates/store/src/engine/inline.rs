//! SQLite in memory on the caller's thread: for the browser and for tests of rules.

use parking_lot::Mutex;
use rusqlite::Connection;

use super::{
    Access,
    attempt::{self, Body, Verdict},
    sqlite::{SqliteSession, open_in_memory, store_error},
};
use crate::{
    Schema, StoreError, Tx,
    change::ChangeSource,
    statistics::{Counters, increment},
};

pub(crate) struct Inline {
    connection: Mutex<Connection>,
    changes: ChangeSource,
    counters: Counters,
}

impl Inline {
    pub(crate) fn open(schema: &Schema, changes: ChangeSource) -> Result<Self, StoreError> {
        Ok(Self { connection: Mutex::new(open_in_memory(schema)?), changes, counters: Counters::default() })
    }

    pub(crate) fn counters(&self) -> &Counters {
        &self.counters
    }

    pub(crate) fn run<T, E: From<StoreError>>(
        &self,
        access: Access,
        operation: &mut impl FnMut(&mut Tx<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut result = None;
        self.run_body(access, &mut |tx| attempt::keep(operation, &mut result, tx))?;
        result.unwrap_or_else(|| Err(attempt::panicked().into()))
    }

    fn run_body(&self, access: Access, body: &mut Body<'_>) -> Result<(), StoreError> {
        let connection = self.connection.lock();
        let writable = access == Access::Write;
        increment(if writable { &self.counters.writes } else { &self.counters.reads });
        connection.execute_batch("BEGIN").map_err(store_error)?;
        let mut session = SqliteSession::new(&connection);
        let (verdict, finished) = attempt::run(body, &mut session, writable);
        let end = match verdict {
            Verdict::Keep { .. } => "COMMIT",
            Verdict::Undo | Verdict::Panicked => "ROLLBACK",
        };
        let failure = session.failure();
        let end = if failure.is_some() { "ROLLBACK" } else { end };
        // Some failures make SQLite roll back the whole transaction.
        if !connection.is_autocommit() {
            connection.execute_batch(end).map_err(store_error)?;
        }
        if let Some(failure) = failure {
            return Err(failure);
        }
        drop(connection);
        match verdict {
            Verdict::Keep { wrote: true } => {
                increment(&self.counters.commits);
                self.changes.announce();
            }
            Verdict::Panicked => return Err(attempt::panicked()),
            Verdict::Keep { wrote: false } | Verdict::Undo => {}
        }
        finished
    }
}
