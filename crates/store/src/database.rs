//! The handle through which everything runs.

use std::sync::Arc;

#[cfg(not(target_family = "wasm"))]
use futures_executor::block_on;

#[cfg(not(target_family = "wasm"))]
use crate::engine::queue::Workers;
use crate::{
    ChangeSignal, QueryPlan, Retry, Schema, Statistics, StoreError, Tx,
    change::ChangeSource,
    engine::{Access, inline::Inline},
    plan,
};
#[cfg(not(target_family = "wasm"))]
use crate::{Fence, job::Operation};

enum Engine {
    /// On the caller's thread.
    Inline(Inline),
    /// On the engine's threads.
    #[cfg(not(target_family = "wasm"))]
    Threads(Workers),
}

struct Shared {
    engine: Engine,
    changes: ChangeSource,
}

/// A database of one engine. Cheap to clone; the last clone closes it, after finishing what was accepted.
#[derive(Clone)]
pub struct Database {
    shared: Arc<Shared>,
    /// What operations by this handle carry.
    #[cfg(not(target_family = "wasm"))]
    fence: Option<Fence>,
}

impl Database {
    /// Opens or creates a SQLite file and brings it to the schema.
    #[cfg(not(target_family = "wasm"))]
    pub fn sqlite(options: &crate::SqliteOptions, schema: &'static Schema) -> Result<Self, StoreError> {
        let changes = ChangeSource::default();
        let workers = crate::engine::sqlite::open(options, schema, changes.clone())?;
        Ok(Self::new(Engine::Threads(workers), changes))
    }

    /// Connects to a PostgreSQL database and brings it to the schema.
    #[cfg(all(not(target_family = "wasm"), feature = "postgres"))]
    pub fn postgres(options: &crate::PostgresOptions, schema: &'static Schema) -> Result<Self, StoreError> {
        let changes = ChangeSource::default();
        let workers = crate::engine::postgres::open(options, schema, changes.clone())?;
        Ok(Self::new(Engine::Threads(workers), changes))
    }

    /// A database in memory, gone with its last handle. Operations run on the caller's thread, one at a time; an
    /// operation must not use the database itself.
    pub fn in_memory(schema: &'static Schema) -> Result<Self, StoreError> {
        let changes = ChangeSource::default();
        let engine = Engine::Inline(Inline::open(schema, changes.clone())?);
        Ok(Self::new(engine, changes))
    }

    fn new(engine: Engine, changes: ChangeSource) -> Self {
        Self {
            shared: Arc::new(Shared { engine, changes }),
            #[cfg(not(target_family = "wasm"))]
            fence: None,
        }
    }

    /// The same PostgreSQL database for whoever works under a lease: each write carries the lease's term and is refused
    /// in its own transaction with [`StoreError::Superseded`] if the database has seen a later one. Once the lease is
    /// known to be gone, reads are refused as well.
    #[cfg(not(target_family = "wasm"))]
    #[must_use]
    pub fn fenced(&self, fence: &Fence) -> Self {
        Self { fence: Some(fence.clone()), ..self.clone() }
    }

    /// Runs an operation that only reads, on a snapshot that holds every write answered before.
    ///
    /// With SQLite it runs on the caller's thread if it can, so it is to be short. [`read_on_engine`](Self::read_on_engine) is for
    /// what takes long.
    pub async fn read<T, E, F>(&self, mut operation: F) -> Result<T, E>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        #[cfg(not(target_family = "wasm"))]
        if let (Engine::Threads(workers), None) = (&self.shared.engine, &self.fence)
            && let Some(reader) = workers.direct_reader()
        {
            return reader.run(&mut operation);
        }
        self.read_on_engine(operation).await
    }

    /// Like [`read`](Self::read), on a thread of the engine: for an operation that may take longer than some
    /// milliseconds, for which the caller's thread is not to be kept from others.
    pub async fn read_on_engine<T, E, F>(&self, operation: F) -> Result<T, E>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        self.run(Access::Read, operation).await
    }

    /// Runs an operation that may write. Success means committed and synced to the disk. The operation may run more
    /// than once, so it has no side effects; an error it returns undoes all it did.
    pub async fn write<T, E, F>(&self, operation: F) -> Result<T, E>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        self.run(Access::Write, operation).await
    }

    /// Like [`Database::read`], blocking the thread: never call it from asynchronous code.
    pub fn read_blocking<T, E, F>(&self, mut operation: F) -> Result<T, E>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        match &self.shared.engine {
            Engine::Inline(inline) => inline.run(Access::Read, &mut operation),
            #[cfg(not(target_family = "wasm"))]
            Engine::Threads(_) => block_on(self.read(operation)),
        }
    }

    /// Like [`Database::write`], blocking the thread: never call it from asynchronous code.
    pub fn write_blocking<T, E, F>(&self, mut operation: F) -> Result<T, E>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        match &self.shared.engine {
            Engine::Inline(inline) => inline.run(Access::Write, &mut operation),
            #[cfg(not(target_family = "wasm"))]
            Engine::Threads(_) => block_on(self.write(operation)),
        }
    }

    /// A number that differs from an earlier one if anything was committed in between, and otherwise is the same. What
    /// other processes commit is seen within some milliseconds. `None` where the engine cannot tell immediately: with
    /// PostgreSQL, and in memory.
    pub fn version(&self) -> Option<i64> {
        match &self.shared.engine {
            Engine::Inline(_) => None,
            #[cfg(not(target_family = "wasm"))]
            Engine::Threads(workers) => workers.version(),
        }
    }

    /// A signal that wakes after each commit that wrote, from now on.
    pub fn changes(&self) -> ChangeSignal {
        self.shared.changes.subscribe()
    }

    /// The engine's numbers.
    pub fn statistics(&self) -> Statistics {
        match &self.shared.engine {
            Engine::Inline(inline) => inline.counters().snapshot(),
            #[cfg(not(target_family = "wasm"))]
            Engine::Threads(workers) => workers.counters().snapshot(),
        }
    }

    /// The transactions that were run again since the last call, the oldest first; only the latest if there were many.
    pub fn take_retries(&self) -> Vec<Retry> {
        match &self.shared.engine {
            // One operation at a time collides with nothing.
            Engine::Inline(_) => Vec::new(),
            #[cfg(not(target_family = "wasm"))]
            Engine::Threads(workers) => workers.retries().take(),
        }
    }

    /// Checks the structure of the whole database and tells what is damaged; takes time in proportion to its size.
    /// PostgreSQL guards its own pages, so there is nothing to check there.
    pub async fn problems(&self) -> Result<Vec<String>, StoreError> {
        #[expect(
            clippy::redundant_closure_for_method_calls,
            reason = "the method's type is not general enough"
        )]
        self.read_on_engine(|tx| tx.problems()).await
    }

    #[cfg_attr(target_family = "wasm", expect(clippy::unused_async, reason = "only threads are waited for"))]
    async fn run<T, E, F>(&self, access: Access, mut operation: F) -> Result<T, E>
    where
        F: FnMut(&mut Tx<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<StoreError> + Send + 'static,
    {
        match &self.shared.engine {
            Engine::Inline(inline) => inline.run(access, &mut operation),
            #[cfg(not(target_family = "wasm"))]
            Engine::Threads(workers) => {
                let fence = self.fence.clone();
                let carrying = move |tx: &mut Tx<'_>| {
                    if let Some(fence) = &fence {
                        match access {
                            Access::Read => fence.check()?,
                            Access::Write => fence.verify(tx)?,
                        }
                    }
                    operation(tx)
                };
                let (sender, receiver) = futures_channel::oneshot::channel();
                // A caller that no longer listens has given up on the answer, not on the operation.
                let answer = move |result| drop(sender.send(result));
                workers.submit(access, Box::new(Operation::new(carrying, answer)))?;
                receiver.await.unwrap_or_else(|_| Err(unanswered().into()))
            }
        }
    }

    /// How SQLite will run every statement of every table of a schema.
    pub fn query_plans(schema: &'static Schema) -> Result<Vec<QueryPlan>, StoreError> {
        plan::explain(schema)
    }
}

impl std::fmt::Debug for Database {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Database").field("statistics", &self.statistics()).finish_non_exhaustive()
    }
}

#[cfg(not(target_family = "wasm"))]
fn unanswered() -> StoreError {
    StoreError::Unavailable("the database was closed before it answered".into())
}
