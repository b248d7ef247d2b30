//! The lease of a database: one server at a time holds it.

use std::{sync::mpsc, thread, time::Duration};

use jiff::Timestamp;
use postgres::{Row, error::SqlState};

use super::{
    connection::{Connection, PostgresOptions},
    session::Failure,
};
use crate::{Fence, StoreError};

/// The advisory lock that the holder has: "CroftL".
const LEASE_LOCK: i64 = 0x4372_6f66_744c;

/// How long a server waits for its predecessor to let go. PostgreSQL notices within milliseconds that a program on a
/// host that runs has ended.
const PATIENCE: Duration = Duration::from_secs(3);

/// How often the holder makes sure that it still is the holder.
const HEARTBEAT: Duration = Duration::from_secs(1);

const CREATE: &str = "CREATE TABLE IF NOT EXISTS \"croft_lease\" (\"only\" BOOLEAN PRIMARY KEY CHECK (\"only\"), \
     \"term\" BIGINT NOT NULL, \"name\" TEXT NOT NULL, \"address\" TEXT NOT NULL, \"process\" BIGINT NOT NULL, \
     \"since\" BIGINT NOT NULL, \"backend\" BIGINT NOT NULL)";

/// Waits for transactions that carry the present term: they hold a lock on the row.
const CLAIM: &str = "INSERT INTO \"croft_lease\" VALUES (TRUE, 1, $1, $2, $3, \
     (extract(epoch FROM clock_timestamp()) * 1000000)::bigint, pg_backend_pid()) \
     ON CONFLICT (\"only\") DO UPDATE SET \"term\" = \"croft_lease\".\"term\" + 1, \"name\" = excluded.\"name\", \
     \"address\" = excluded.\"address\", \"process\" = excluded.\"process\", \"since\" = excluded.\"since\", \
     \"backend\" = excluded.\"backend\" RETURNING \"term\"";

const HOLDER: &str = "SELECT \"name\", \"address\", \"process\", \"since\", \"backend\" FROM \"croft_lease\"";

/// Whether this connection, and so nobody else, holds the lease under a term.
const CONFIRM: &str =
    "SELECT count(*) FROM \"croft_lease\" WHERE \"term\" = $1 AND \"backend\" = pg_backend_pid()";

/// Whether anybody holds the lease's lock.
const IS_HELD: &str = "SELECT EXISTS (SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND objsubid = 1 \
     AND database = (SELECT oid FROM pg_database WHERE datname = current_database()) \
     AND (classid::bigint << 32) | objid::bigint = $1)";

/// How a server that takes the lease identifies itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Holder {
    /// The name of its host.
    pub name: String,
    /// Where it answers, such as `http://127.0.0.1:12220`.
    pub address: String,
    /// The id of its process on that host.
    pub process: u32,
}

/// Who holds the lease now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeaseHolder {
    /// The server.
    pub holder: Holder,
    /// When it took the lease, by the clock of the database.
    pub since: Timestamp,
    /// The PostgreSQL process that serves the holder's lease connection.
    pub backend: i64,
}

/// Why the lease was not taken.
#[derive(Debug, thiserror::Error)]
pub enum LeaseError {
    /// Another server holds it. Who that is, is not known in the instant in which it takes it for the first time.
    #[error("another server holds the lease of the database")]
    Held(Option<LeaseHolder>),
    /// The database could not be reached.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The lease of a database, held until this is dropped or its connection is lost: a session-level advisory lock on a
/// connection of its own, and a row that names the holder. A thread makes sure every second that it is still held.
///
/// Such locks need a connection of their own: a pooler between must keep sessions.
#[derive(Debug)]
pub struct Lease {
    fence: Fence,
    end: Option<mpsc::Sender<()>>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Lease {
    /// Takes the lease with a term above all earlier ones. Touches nothing in the database but the table of the lease.
    ///
    /// # Errors
    /// [`LeaseError::Held`] if another server holds it and does not let go within three seconds.
    pub fn take(options: &PostgresOptions, holder: &Holder) -> Result<Self, LeaseError> {
        let (options, holder) = (options.clone(), holder.clone());
        let (taken, outcome) = mpsc::channel();
        let (end, ended) = mpsc::channel();
        // The client drives its own asynchronous runtime, so its connection stays on a thread of its own.
        let thread = thread::Builder::new()
            .name("croft-store-lease".into())
            .spawn(move || match acquire(&options, &holder) {
                Ok((connection, fence)) => {
                    if taken.send(Ok(fence.clone())).is_ok() {
                        watch(connection, &fence, &ended);
                    }
                }
                Err(error) => drop(taken.send(Err(error))),
            })
            .map_err(|error| {
                StoreError::Unavailable(format!("cannot start the thread of the lease: {error}"))
            })?;
        let fence =
            outcome.recv().map_err(|_| StoreError::Internal("taking the lease panicked".into()))??;
        Ok(Self { fence, end: Some(end), thread: Some(thread) })
    }

    /// What writes of the holder are to carry.
    pub fn fence(&self) -> &Fence {
        &self.fence
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        self.end = None;
        if self.thread.take().is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("the thread of the lease panicked");
        }
    }
}

fn acquire(options: &PostgresOptions, holder: &Holder) -> Result<(Connection, Fence), LeaseError> {
    let mut connection = Connection::open(&options.target()?)?;
    let failed = |error: postgres::Error| LeaseError::Store(Failure::from(&error).into_error());
    let client = &mut connection.client;
    let milliseconds = PATIENCE.as_millis();
    client.batch_execute(&format!("SET lock_timeout = {milliseconds}")).map_err(failed)?;
    if let Err(error) = client.execute("SELECT pg_advisory_lock($1)", &[&LEASE_LOCK]) {
        return Err(match error.code() {
            Some(code) if *code == SqlState::LOCK_NOT_AVAILABLE => {
                LeaseError::Held(held(&mut connection).map_err(failed)?)
            }
            _ => failed(error),
        });
    }
    client.batch_execute(CREATE).map_err(failed)?;
    let process = i64::from(holder.process);
    let row = client.query_one(CLAIM, &[&holder.name, &holder.address, &process]).map_err(failed)?;
    Ok((connection, Fence::new(row.get(0))))
}

fn held(connection: &mut Connection) -> Result<Option<LeaseHolder>, postgres::Error> {
    let known = connection.client.query_one("SELECT to_regclass('croft_lease') IS NOT NULL", &[])?;
    if !known.get::<_, bool>(0) {
        return Ok(None);
    }
    Ok(connection.client.query_opt(HOLDER, &[])?.map(|row| from_row(&row)))
}

/// Who holds the lease, without asking for it.
pub(super) fn look(connection: &mut Connection) -> Result<Option<LeaseHolder>, postgres::Error> {
    let is_held: bool = connection.client.query_one(IS_HELD, &[&LEASE_LOCK])?.get(0);
    if is_held { held(connection) } else { Ok(None) }
}

fn from_row(row: &Row) -> LeaseHolder {
    LeaseHolder {
        holder: Holder {
            name: row.get(0),
            address: row.get(1),
            process: u32::try_from(row.get::<_, i64>(2)).unwrap_or_default(),
        },
        since: Timestamp::from_microsecond(row.get(3)).unwrap_or_default(),
        backend: row.get(4),
    }
}

/// Makes sure again and again that the lease is held, until it is not or is no longer wanted.
fn watch(mut connection: Connection, fence: &Fence, ended: &mpsc::Receiver<()>) {
    while ended.recv_timeout(HEARTBEAT) == Err(mpsc::RecvTimeoutError::Timeout) {
        match connection.client.query_one(CONFIRM, &[&fence.term()]) {
            Ok(row) if row.get::<_, i64>(0) == 1 => {}
            Ok(_) => return fence.lose("another server has taken over the database".into()),
            Err(error) => {
                let detail = Failure::describe(&error);
                return fence
                    .lose(format!("the connection that held the lease of the database failed: {detail}"));
            }
        }
    }
}
