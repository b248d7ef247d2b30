//! The writer thread: runs queued operations, each in a savepoint, and commits them together, so that many
//! requests share one sync to the disk.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU32, Ordering},
    },
    time::Instant,
};

use rusqlite::Connection;

use super::{SqliteSession, store_error};
use crate::{
    StoreError,
    change::ChangeSource,
    engine::{Session as _, attempt::Verdict, queue::JobReceiver},
    job::Job,
    statistics::{Counters, decrement, increment},
};

/// Frames of the write-ahead log after which it is copied into the database: 8 MiB.
const CHECKPOINT_FRAMES: u32 = 2000;

/// Bytes of one frame: a page and its header.
const FRAME_BYTES: u64 = 4096 + 24;

/// The multiple of the usual checkpoint distance at which the writer waits for readers to let go of the log.
const PATIENCE: u32 = 8;

pub(super) struct Writer {
    connection: Connection,
    /// Frames in the write-ahead log after the last commit.
    frames: Arc<AtomicU32>,
    changes: ChangeSource,
    counters: Arc<Counters>,
    batch_limit: usize,
    /// The log's length at which the next checkpoint is tried.
    next_checkpoint: u32,
}

impl Writer {
    pub(super) fn new(
        mut connection: Connection,
        changes: ChangeSource,
        counters: Arc<Counters>,
        batch_limit: usize,
    ) -> Result<Self, StoreError> {
        let frames = Arc::new(AtomicU32::new(0));
        let counted = Arc::clone(&frames);
        // The hook replaces SQLite's own automatic checkpoint, which would run before the answers are given.
        connection
            .wal_hook(Some(move |_: &mut rusqlite::hooks::Wal, pages: std::ffi::c_int| {
                counted.store(u32::try_from(pages).unwrap_or(0), Ordering::Relaxed);
                Ok(())
            }))
            .map_err(store_error)?;
        Ok(Self {
            connection,
            frames,
            changes,
            counters,
            batch_limit: batch_limit.max(1),
            next_checkpoint: CHECKPOINT_FRAMES,
        })
    }

    /// Runs operations until the queue is closed, then leaves an empty log behind.
    pub(super) fn run(mut self, writes: &JobReceiver) {
        while let Ok(first) = writes.recv() {
            self.run_group(first, writes);
            self.checkpoint_when_due();
        }
        self.checkpoint("TRUNCATE");
    }

    fn run_group(&mut self, first: Box<dyn Job>, writes: &JobReceiver) {
        let mut jobs = Vec::with_capacity(16);
        match self.try_group(first, || writes.try_recv().ok(), &mut jobs) {
            Ok(wrote) => self.answer(jobs, wrote),
            Err(failure) if jobs.len() == 1 => self.fail(jobs, &failure),
            Err(failure) => {
                tracing::warn!(%failure, operations = jobs.len(), "group failed, running its operations one by one");
                for job in jobs {
                    self.run_alone(job);
                }
            }
        }
    }

    /// Runs one operation in a transaction of its own, so that it alone bears its failure.
    fn run_alone(&mut self, job: Box<dyn Job>) {
        let mut jobs = Vec::with_capacity(1);
        match self.try_group(job, || None, &mut jobs) {
            Ok(wrote) => self.answer(jobs, wrote),
            Err(failure) => self.fail(jobs, &failure),
        }
    }

    /// Runs the first operation and what else waits, and commits. All that ran stand in `jobs` in any case. Returns
    /// whether anything was written.
    fn try_group(
        &self,
        first: Box<dyn Job>,
        mut next: impl FnMut() -> Option<Box<dyn Job>>,
        jobs: &mut Vec<Box<dyn Job>>,
    ) -> Result<bool, StoreError> {
        jobs.push(first);
        self.control("BEGIN IMMEDIATE")?;
        let result = self.run_jobs(&mut next, jobs).and_then(|wrote| {
            self.control("COMMIT")?;
            if !wrote.is_empty() {
                self.counters.committed(&wrote);
            }
            Ok(!wrote.is_empty())
        });
        if result.is_err() && !self.connection.is_autocommit() {
            self.control("ROLLBACK")?;
        }
        result
    }

    /// Answers when those began that wrote something.
    fn run_jobs(
        &self,
        next: &mut impl FnMut() -> Option<Box<dyn Job>>,
        jobs: &mut Vec<Box<dyn Job>>,
    ) -> Result<Vec<Instant>, StoreError> {
        let mut wrote = Vec::new();
        let mut run = |job: &mut dyn Job| {
            let begun = Instant::now();
            self.run_job(job).map(|job_wrote| wrote.extend(job_wrote.then_some(begun)))
        };
        run(jobs[0].as_mut())?;
        while jobs.len() < self.batch_limit {
            let Some(mut job) = next() else { break };
            let outcome = run(job.as_mut());
            jobs.push(job);
            outcome?;
        }
        Ok(wrote)
    }

    /// Runs one operation within a savepoint. An error means that the whole transaction is lost.
    fn run_job(&self, job: &mut dyn Job) -> Result<bool, StoreError> {
        let mut session = SqliteSession::new(&self.connection);
        session.begin_nested()?;
        let verdict = job.run(&mut session, true);
        if let Some(failure) = session.failure() {
            return Err(failure);
        }
        if let Verdict::Keep { wrote } = verdict {
            session.keep_nested()?;
            Ok(wrote)
        } else {
            session.undo_nested()?;
            Ok(false)
        }
    }

    fn answer(&self, jobs: Vec<Box<dyn Job>>, wrote: bool) {
        if wrote {
            self.counters.largest_batch.fetch_max(jobs.len() as u64, Ordering::Relaxed);
            let frames = u64::from(self.frames.load(Ordering::Relaxed));
            self.counters.log_bytes.store(frames * FRAME_BYTES, Ordering::Relaxed);
            self.changes.announce();
        }
        for job in jobs {
            increment(&self.counters.writes);
            decrement(&self.counters.writes_waiting);
            job.answer(Ok(()));
        }
    }

    fn fail(&self, jobs: Vec<Box<dyn Job>>, failure: &StoreError) {
        increment(&self.counters.failures);
        tracing::error!(%failure, "operation failed in the database");
        for job in jobs {
            increment(&self.counters.writes);
            decrement(&self.counters.writes_waiting);
            job.answer(Err(failure.clone()));
        }
    }

    fn checkpoint_when_due(&mut self) {
        let frames = self.frames.load(Ordering::Relaxed);
        if frames < self.next_checkpoint {
            return;
        }
        let patient = frames < CHECKPOINT_FRAMES * PATIENCE;
        let complete = self.checkpoint(if patient { "PASSIVE" } else { "TRUNCATE" });
        self.next_checkpoint = if complete { CHECKPOINT_FRAMES } else { frames + CHECKPOINT_FRAMES / 4 };
    }

    /// Copies the log into the database. Returns whether all of it could be copied.
    fn checkpoint(&self, mode: &str) -> bool {
        increment(&self.counters.checkpoints);
        let result = self.connection.query_row(&format!("PRAGMA wal_checkpoint({mode})"), [], |row| {
            Ok((row.get::<_, i64>(0)?, row.get::<_, i64>(1)?, row.get::<_, i64>(2)?))
        });
        match result {
            Ok((busy, frames, copied)) => {
                let complete = busy == 0 && frames == copied;
                if complete {
                    self.frames.store(0, Ordering::Relaxed);
                }
                complete
            }
            Err(error) => {
                // Committed operations are safe in the log; the next checkpoint tries again.
                tracing::warn!(%error, "checkpoint failed");
                false
            }
        }
    }

    fn control(&self, sql: &str) -> Result<(), StoreError> {
        let mut statement = self.connection.prepare_cached(sql).map_err(store_error)?;
        statement.execute([]).map_err(store_error)?;
        Ok(())
    }
}
