//! A reader thread: one operation at a time, each on a snapshot.

use std::sync::Arc;

use rusqlite::Connection;

use super::{SqliteSession, store_error};
use crate::{
    StoreError,
    engine::queue::JobReceiver,
    job::Job,
    statistics::{Counters, decrement, increment},
};

/// Runs operations until the queue is closed.
pub(super) fn run(connection: &Connection, reads: &JobReceiver, counters: &Arc<Counters>) {
    for mut job in reads {
        let outcome = run_one(connection, job.as_mut());
        increment(&counters.reads);
        decrement(&counters.reads_waiting);
        job.answer(outcome);
    }
}

fn run_one(connection: &Connection, job: &mut dyn Job) -> Result<(), StoreError> {
    let control = |sql: &str| {
        connection.prepare_cached(sql).and_then(|mut statement| statement.execute([])).map_err(store_error)
    };
    control("BEGIN")?;
    let mut session = SqliteSession::new(connection);
    job.run(&mut session, false);
    if !connection.is_autocommit() {
        control("ROLLBACK")?;
    }
    Ok(())
}
