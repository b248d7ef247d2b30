//! PostgreSQL: a pool of connections, one thread each; every operation is one transaction, run again when it
//! collides with another. One server at a time works on the database, which its [`Lease`] makes sure of; programs beside
//! it may read and write.

mod connection;
mod encryption;
mod lease;
mod look;
mod session;
mod worker;

pub use connection::PostgresOptions;
pub use encryption::Encryption;
pub use lease::{Holder, Lease, LeaseError, LeaseHolder};
pub(crate) use look::look;

use std::{sync::Arc, thread};

use parking_lot::Mutex;

use self::{
    connection::Gate,
    worker::{Watcher, Worker},
};
use crate::{Schema, StoreError, change::ChangeSource, engine::queue::Workers};

/// Connects, migrates the database and starts the threads.
pub(crate) fn open(
    options: &PostgresOptions,
    schema: &'static Schema,
    changes: ChangeSource,
) -> Result<Workers, StoreError> {
    let target = options.target()?;
    // The client drives its own asynchronous runtime, which must not happen on a thread that already drives one.
    let migrated = thread::scope(|scope| scope.spawn(|| connection::migrate(&target, schema)).join());
    let change_base = migrated.map_err(|_| StoreError::Internal("the migration panicked".into()))??;

    let gate = Arc::new(Gate { target, change_base });
    let (mut workers, receivers) = Workers::new(options.queue_length);
    let contention = Arc::new(Mutex::new(()));
    for _ in 0..options.connections.max(1) {
        let worker = Worker {
            gate: Arc::clone(&gate),
            connection: None,
            contention: Arc::clone(&contention),
            changes: changes.clone(),
            counters: workers.counters(),
            retries: Arc::clone(workers.retries()),
        };
        let receivers = receivers.clone();
        workers.spawn("croft-store-postgres", move || worker.run(&receivers))?;
    }
    let watcher = Watcher { gate, changes };
    workers.spawn("croft-store-watcher", move || watcher.run(&receivers.closed))?;
    Ok(workers)
}
