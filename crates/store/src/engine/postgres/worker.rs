//! The threads of the pool.

use std::{
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use crossbeam_channel::{Receiver, RecvTimeoutError, select};
use parking_lot::Mutex;

use super::{
    connection::{Connection, Gate},
    session::{Failure, PostgresSession},
};
use crate::{
    StoreError,
    change::ChangeSource,
    engine::{Access, Session as _, attempt::Verdict, queue::Receivers, retries::Retries},
    job::Job,
    statistics::{Counters, decrement, increment},
};

/// Runs of one operation before its collisions are answered as a conflict.
const ATTEMPTS: u32 = 50;

/// Collisions of one operation after which this server runs such operations one at a time.
const PATIENCE: u32 = 2;

/// How often the watcher looks for changes committed by other programs, such as `croft admin`.
const WATCH_INTERVAL: Duration = Duration::from_millis(500);

/// A thread with one connection, made when first needed and again after it was lost.
pub(super) struct Worker {
    pub(super) gate: Arc<Gate>,
    pub(super) connection: Option<Connection>,
    /// Held by an operation that collided repeatedly.
    pub(super) contention: Arc<Mutex<()>>,
    pub(super) changes: ChangeSource,
    pub(super) counters: Arc<Counters>,
    pub(super) retries: Arc<Retries>,
}

impl Worker {
    /// Runs operations until the queues are closed.
    pub(super) fn run(mut self, receivers: &Receivers) {
        loop {
            select! {
                recv(receivers.reads) -> job => match job {
                    Ok(job) => self.handle(job, Access::Read),
                    Err(_) => break,
                },
                recv(receivers.writes) -> job => match job {
                    Ok(job) => self.handle(job, Access::Write),
                    Err(_) => break,
                },
            }
        }
        // Both queues are closed together; what was accepted is still done.
        for job in &receivers.reads {
            self.handle(job, Access::Read);
        }
        for job in &receivers.writes {
            self.handle(job, Access::Write);
        }
    }

    fn handle(&mut self, mut job: Box<dyn Job>, access: Access) {
        let outcome = self.complete(job.as_mut(), access);
        if let Err(error) = &outcome {
            increment(&self.counters.failures);
            tracing::error!(%error, "operation failed in the database");
        }
        let (done, waiting) = match access {
            Access::Read => (&self.counters.reads, &self.counters.reads_waiting),
            Access::Write => (&self.counters.writes, &self.counters.writes_waiting),
        };
        increment(done);
        decrement(waiting);
        job.answer(outcome);
    }

    /// Runs the operation until it is committed, rolled back or given up.
    fn complete(&mut self, job: &mut dyn Job, access: Access) -> Result<(), StoreError> {
        let contention = Arc::clone(&self.contention);
        let mut alone = None;
        let mut reconnected = false;
        for attempt in 0..ATTEMPTS {
            let begun = Instant::now();
            match self.attempt(job, access) {
                Ok(()) => return Ok(()),
                Err(Failure::Collision) => {
                    increment(&self.counters.retries);
                    self.retries.add(access, attempt + 1, begun);
                    if attempt >= PATIENCE && alone.is_none() {
                        alone = Some(contention.lock());
                    } else {
                        thread::sleep(Duration::from_micros(500) * attempt.min(20));
                    }
                }
                Err(failure @ Failure::Lost(_)) => {
                    self.connection = None;
                    // A restarted server closes idle connections: a fresh connection shows whether it is back.
                    if reconnected {
                        return Err(failure.into_error());
                    }
                    reconnected = true;
                }
                Err(Failure::Error(error)) => return Err(error),
            }
        }
        Err(StoreError::Conflict)
    }

    /// Runs the operation in one transaction. [`Failure::Lost`] means that nothing was committed.
    fn attempt(&mut self, job: &mut dyn Job, access: Access) -> Result<(), Failure> {
        let connection = match &mut self.connection {
            Some(connection) => connection,
            none => none.insert(Connection::open(&self.gate.target).map_err(Failure::Error)?),
        };
        let writable = access == Access::Write;
        let statement = if writable {
            "BEGIN ISOLATION LEVEL SERIALIZABLE"
        } else {
            "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        };
        control(connection, statement)?;
        let begun = Instant::now();
        let mut session = PostgresSession::new(connection, self.gate.change_base);
        let verdict = job.run(&mut session, writable);
        if let Some(failure) = session.failure() {
            if !matches!(failure, Failure::Lost(_)) {
                control(connection, "ROLLBACK")?;
            }
            return Err(failure);
        }
        let Verdict::Keep { wrote } = verdict else { return control(connection, "ROLLBACK") };
        match control(connection, "COMMIT") {
            Ok(()) => {}
            Err(Failure::Lost(detail)) if wrote => {
                self.connection = None;
                return Err(Failure::Error(StoreError::Unavailable(format!(
                    "the connection to PostgreSQL was lost while committing, so the outcome is unknown: {detail}"
                ))));
            }
            Err(failure) => return Err(failure),
        }
        if wrote {
            self.counters.committed(&[begun]);
            self.changes.announce();
        }
        Ok(())
    }
}

fn control(connection: &mut Connection, sql: &str) -> Result<(), Failure> {
    connection.client.batch_execute(sql).map_err(|error| Failure::from(&error))
}

/// A thread that announces the changes of other programs, and those of this server that became readable only when
/// an older transaction ended.
pub(super) struct Watcher {
    pub(super) gate: Arc<Gate>,
    pub(super) changes: ChangeSource,
}

impl Watcher {
    /// Watches until the queues are closed.
    pub(super) fn run(self, closed: &Receiver<()>) {
        let mut connection = None;
        let mut seen = None;
        while closed.recv_timeout(WATCH_INTERVAL) == Err(RecvTimeoutError::Timeout) {
            match self.read_position(&mut connection) {
                Ok(last) => {
                    if seen.replace(last) != Some(last) {
                        self.changes.announce();
                    }
                }
                Err(error) => {
                    connection = None;
                    tracing::warn!(%error, "cannot watch for changes by other programs");
                }
            }
        }
    }

    fn read_position(&self, connection: &mut Option<Connection>) -> Result<i64, StoreError> {
        let connection = match connection {
            Some(connection) => connection,
            none => none.insert(Connection::open(&self.gate.target)?),
        };
        PostgresSession::new(connection, self.gate.change_base).last_change()
    }
}
