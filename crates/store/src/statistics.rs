//! Numbers about the store, for metrics.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::Duration,
};

/// A snapshot of the store's counters since the database was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Statistics {
    /// Read operations running or waiting.
    pub reads_waiting: u64,
    /// Write operations running or waiting.
    pub writes_waiting: u64,
    /// Operations answered by a reader.
    pub reads: u64,
    /// Operations answered by a writer, successful or not.
    pub writes: u64,
    /// Transactions committed by writers. `writes / commits` is the mean size of a group.
    pub commits: u64,
    /// Operations that changed something and were committed by a thread of the store's own.
    pub committed: u64,
    /// From when each of those began to run in its transaction until that was committed, in sum. One that shares its
    /// commit with others waits for them.
    pub commit_time: Duration,
    /// The largest number of operations committed together.
    pub largest_batch: u64,
    /// Operations rejected because the queue was full.
    pub overloads: u64,
    /// Transactions run again because they collided with another connection.
    pub retries: u64,
    /// Transactions that failed as a whole: disk full, connection lost.
    pub failures: u64,
    /// Checkpoints of the write-ahead log (SQLite only).
    pub checkpoints: u64,
    /// Bytes in the write-ahead log after the last commit (SQLite only).
    pub log_bytes: u64,
}

/// A transaction that collided with another one, was undone and run again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retry {
    /// What it was for: `read` or `write`.
    pub access: &'static str,
    /// Which run of it collided, from 1.
    pub attempt: u32,
    /// How long that run took, without success.
    pub lost: Duration,
    /// How long ago it was.
    pub age: Duration,
}

/// The live counters.
#[derive(Debug, Default)]
pub(crate) struct Counters {
    pub(crate) reads_waiting: AtomicU64,
    pub(crate) writes_waiting: AtomicU64,
    pub(crate) reads: AtomicU64,
    pub(crate) writes: AtomicU64,
    pub(crate) commits: AtomicU64,
    pub(crate) committed: AtomicU64,
    pub(crate) commit_nanoseconds: AtomicU64,
    pub(crate) largest_batch: AtomicU64,
    pub(crate) overloads: AtomicU64,
    pub(crate) retries: AtomicU64,
    pub(crate) failures: AtomicU64,
    pub(crate) checkpoints: AtomicU64,
    pub(crate) log_bytes: AtomicU64,
}

impl Counters {
    /// Counts a transaction that was committed just now, with when its operations began that changed something.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn committed(&self, begun: &[std::time::Instant]) {
        let taken: Duration = begun.iter().map(std::time::Instant::elapsed).sum();
        self.committed.fetch_add(begun.len() as u64, Ordering::Relaxed);
        let nanoseconds = u64::try_from(taken.as_nanos()).unwrap_or(u64::MAX);
        self.commit_nanoseconds.fetch_add(nanoseconds, Ordering::Relaxed);
        increment(&self.commits);
    }

    pub(crate) fn snapshot(&self) -> Statistics {
        let get = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        Statistics {
            reads_waiting: get(&self.reads_waiting),
            writes_waiting: get(&self.writes_waiting),
            reads: get(&self.reads),
            writes: get(&self.writes),
            commits: get(&self.commits),
            committed: get(&self.committed),
            commit_time: Duration::from_nanos(get(&self.commit_nanoseconds)),
            largest_batch: get(&self.largest_batch),
            overloads: get(&self.overloads),
            retries: get(&self.retries),
            failures: get(&self.failures),
            checkpoints: get(&self.checkpoints),
            log_bytes: get(&self.log_bytes),
        }
    }
}

/// Adds one.
pub(crate) fn increment(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

/// Takes one away.
#[cfg(not(target_family = "wasm"))]
pub(crate) fn decrement(counter: &AtomicU64) {
    counter.fetch_sub(1, Ordering::Relaxed);
}
