//! Bounded queues of operations and the threads that work on them.

use std::{
    sync::Arc,
    thread::{self, JoinHandle},
};

use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};

use super::{
    Access,
    retries::Retries,
    sqlite::{DirectReader, DirectReaders},
};
use crate::{
    StoreError,
    job::Job,
    statistics::{Counters, decrement, increment},
};

pub(crate) type JobReceiver = Receiver<Box<dyn Job>>;

/// Two queues and their threads. Dropping it lets the threads finish what was accepted, and waits for them.
pub(crate) struct Workers {
    reads: Option<Sender<Box<dyn Job>>>,
    writes: Option<Sender<Box<dyn Job>>>,
    /// Never sent to: its end tells threads that do not take operations to stop.
    open: Option<Sender<()>>,
    direct_readers: Option<DirectReaders>,
    counters: Arc<Counters>,
    retries: Arc<Retries>,
    threads: Vec<JoinHandle<()>>,
}

/// The ends of the queues that threads take operations from.
#[derive(Clone)]
pub(crate) struct Receivers {
    pub(crate) reads: JobReceiver,
    pub(crate) writes: JobReceiver,
    /// Disconnected once the queues are closed.
    #[cfg_attr(
        not(feature = "postgres"),
        expect(dead_code, reason = "only PostgreSQL has a thread that watches")
    )]
    pub(crate) closed: Receiver<()>,
}

impl Workers {
    pub(crate) fn new(queue_length: usize) -> (Self, Receivers) {
        let (reads, reads_receiver) = bounded(queue_length.max(1));
        let (writes, writes_receiver) = bounded(queue_length.max(1));
        let (open, closed) = bounded(0);
        let workers = Self {
            reads: Some(reads),
            writes: Some(writes),
            open: Some(open),
            direct_readers: None,
            counters: Arc::default(),
            retries: Arc::default(),
            threads: Vec::new(),
        };
        (workers, Receivers { reads: reads_receiver, writes: writes_receiver, closed })
    }

    pub(crate) fn counters(&self) -> Arc<Counters> {
        Arc::clone(&self.counters)
    }

    pub(crate) fn retries(&self) -> &Arc<Retries> {
        &self.retries
    }

    /// Gives out connections for operations that read on the thread of whoever asks.
    pub(crate) fn read_directly(&mut self, readers: DirectReaders) {
        self.direct_readers = Some(readers);
    }

    /// A connection for an operation that reads immediately, if there is one that nobody uses.
    pub(crate) fn direct_reader(&self) -> Option<DirectReader<'_>> {
        self.direct_readers.as_ref()?.take()
    }

    /// The number that [`Database::version`](crate::Database::version) tells.
    pub(crate) fn version(&self) -> Option<i64> {
        self.direct_readers.as_ref()?.version()
    }

    /// Starts a thread that ends once the queues are closed.
    pub(crate) fn spawn(
        &mut self,
        name: &str,
        body: impl FnOnce() + Send + 'static,
    ) -> Result<(), StoreError> {
        let thread = thread::Builder::new()
            .name(name.to_owned())
            .spawn(body)
            .map_err(|error| StoreError::Unavailable(format!("cannot start a database thread: {error}")))?;
        self.threads.push(thread);
        Ok(())
    }

    /// Queues an operation, or refuses it when too many wait.
    pub(crate) fn submit(&self, access: Access, job: Box<dyn Job>) -> Result<(), StoreError> {
        let (queue, waiting) = match access {
            Access::Read => (&self.reads, &self.counters.reads_waiting),
            Access::Write => (&self.writes, &self.counters.writes_waiting),
        };
        let closed = || StoreError::Unavailable("the database was closed".into());
        let queue = queue.as_ref().ok_or_else(closed)?;
        increment(waiting);
        let refusal = match queue.try_send(job) {
            Ok(()) => return Ok(()),
            Err(TrySendError::Full(_)) => {
                increment(&self.counters.overloads);
                StoreError::Overloaded
            }
            Err(TrySendError::Disconnected(_)) => closed(),
        };
        decrement(waiting);
        Err(refusal)
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        // The last connection to be closed is the writer's, which leaves an empty log behind.
        self.direct_readers = None;
        self.reads = None;
        self.writes = None;
        self.open = None;
        let current = thread::current().id();
        for thread in self.threads.drain(..) {
            // The last handle may be dropped by an operation, on one of these threads.
            if thread.thread().id() != current && thread.join().is_err() {
                tracing::error!("a database thread panicked");
            }
        }
    }
}
