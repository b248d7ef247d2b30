//! Reading: one operation at a time on each connection, each on a snapshot.

use std::{
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant},
};

use parking_lot::Mutex;
use rusqlite::Connection;

use super::{SqliteSession, store_error};
use crate::{
    StoreError, Tx,
    engine::{attempt, queue::JobReceiver},
    statistics::{Counters, decrement, increment},
};

/// Runs the operations of a queue until it is closed: a thread's work.
pub(super) fn run(connection: &Connection, reads: &JobReceiver, counters: &Arc<Counters>) {
    for mut job in reads {
        let outcome = in_snapshot(connection, |session| {
            job.run(session, false);
        });
        increment(&counters.reads);
        decrement(&counters.reads_waiting);
        job.answer(outcome);
    }
}

/// Runs something in a transaction that writes nothing.
fn in_snapshot<T>(
    connection: &Connection,
    read: impl FnOnce(&mut SqliteSession<'_>) -> T,
) -> Result<T, StoreError> {
    let control = |sql: &str| {
        connection.prepare_cached(sql).and_then(|mut statement| statement.execute([])).map_err(store_error)
    };
    control("BEGIN")?;
    let read = read(&mut SqliteSession::new(connection));
    if !connection.is_autocommit() {
        control("ROLLBACK")?;
    }
    Ok(read)
}

/// Connections on which operations read on the thread of whoever asks. A read takes some microseconds; handing it to
/// another thread and its answer back costs several times as much.
pub(crate) struct DirectReaders {
    idle: Mutex<Vec<Connection>>,
    version: Mutex<KnownVersion>,
    counters: Arc<Counters>,
}

/// How long the version is taken to be the same while this process commits nothing: other processes, such as
/// `croft admin`, may.
const VERSION_AGE: Duration = Duration::from_millis(10);

/// The database's version when it was last read.
struct KnownVersion {
    /// Always the same connection, because each counts the commits of others from its own beginning.
    connection: Connection,
    /// None if it could not be read.
    number: Option<i64>,
    /// What this process had committed before it was read.
    committed: u64,
    read: Instant,
}

impl KnownVersion {
    fn read(&mut self, committed: u64) {
        self.committed = committed;
        self.read = Instant::now();
        let statement = self.connection.prepare_cached("PRAGMA data_version");
        self.number = statement.and_then(|mut statement| statement.query_row([], |row| row.get(0))).ok();
    }
}

impl DirectReaders {
    pub(super) fn new(idle: Vec<Connection>, version: Connection, counters: Arc<Counters>) -> Self {
        let version = KnownVersion { connection: version, number: None, committed: 0, read: Instant::now() };
        Self { idle: Mutex::new(idle), version: Mutex::new(version), counters }
    }

    /// A number that changes with each commit; `None` if it cannot be read now.
    pub(crate) fn version(&self) -> Option<i64> {
        // Counted before the commit is answered, so whoever knows of it gets another number.
        let committed = self.counters.committed.load(Ordering::Acquire);
        let mut known = self.version.lock();
        if known.number.is_none() || known.committed != committed || known.read.elapsed() >= VERSION_AGE {
            known.read(committed);
        }
        known.number
    }

    /// An idle connection, if there is one.
    pub(crate) fn take(&self) -> Option<DirectReader<'_>> {
        // The one that was used last, whose pages are in memory.
        let connection = self.idle.lock().pop()?;
        Some(DirectReader { connection: Some(connection), readers: self })
    }
}

/// A connection in use; dropping it returns it to the pool.
pub(crate) struct DirectReader<'a> {
    connection: Option<Connection>,
    readers: &'a DirectReaders,
}

impl DirectReader<'_> {
    /// Runs an operation.
    pub(crate) fn run<T, E: From<StoreError>>(
        &self,
        operation: &mut impl FnMut(&mut Tx<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut result = None;
        self.run_body(&mut |tx| attempt::keep(operation, &mut result, tx))?;
        result.unwrap_or_else(|| Err(attempt::panicked().into()))
    }

    fn run_body(&self, body: &mut attempt::Body<'_>) -> Result<(), StoreError> {
        let Some(connection) = &self.connection else { return Err(attempt::panicked()) };
        increment(&self.readers.counters.reads);
        match in_snapshot(connection, |session| attempt::run(body, session, false))? {
            (attempt::Verdict::Panicked, _) => Err(attempt::panicked()),
            (_, finished) => finished,
        }
    }
}

impl Drop for DirectReader<'_> {
    fn drop(&mut self) {
        self.readers.idle.lock().extend(self.connection.take());
    }
}
