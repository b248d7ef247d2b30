//! Connecting and migrating.

use std::{collections::HashMap, fmt, net::IpAddr, time::Duration};

use postgres::{Client, Config, Statement, config::Host};

use super::{
    encryption::{Connector, Encryption},
    session::{Failure, PostgresSession},
};
use crate::{
    Dialect, Schema, StoreError, Tx,
    engine::Session,
    migration::{self, SchemaState},
};

/// How to reach a PostgreSQL database.
#[derive(Clone)]
pub struct PostgresOptions {
    /// A connection string, such as `postgres://croft@localhost/croft` or `host=/run/postgresql dbname=croft`. Its
    /// `sslmode` does not count.
    pub url: String,
    /// Whether connections are encrypted.
    pub encryption: Encryption,
    /// Connections, and so operations that run at the same time; at least 1.
    pub connections: usize,
    /// Operations that may wait to read, and to write, before further ones are refused as overload.
    pub queue_length: usize,
}

impl PostgresOptions {
    /// Sensible values for a server.
    pub fn new(url: impl Into<String>) -> Self {
        Self { url: url.into(), encryption: Encryption::default(), connections: 8, queue_length: 1024 }
    }

    /// Whether the connection string names nothing but this host: socket files and loopback addresses.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn is_local(&self) -> Result<bool, StoreError> {
        let config = self.parse()?;
        let addresses = config.get_hostaddrs();
        if !addresses.is_empty() {
            return Ok(addresses.iter().all(IpAddr::is_loopback));
        }
        let is_local = |host: &Host| match host {
            Host::Unix(_) => true,
            Host::Tcp(name) => {
                name == "localhost" || name.parse().is_ok_and(|address: IpAddr| address.is_loopback())
            }
        };
        Ok(config.get_hosts().iter().all(is_local))
    }

    fn parse(&self) -> Result<Config, StoreError> {
        self.url
            .parse()
            .map_err(|error| StoreError::Unavailable(format!("the PostgreSQL URL is not valid: {error}")))
    }

    pub(super) fn target(&self) -> Result<Target, StoreError> {
        let mut config = self.parse()?;
        let connector = self.encryption.apply(&mut config)?;
        if config.get_application_name().is_none() {
            config.application_name("croft");
        }
        if config.get_connect_timeout().is_none() {
            config.connect_timeout(CONNECT_TIMEOUT);
        }
        if config.get_tcp_user_timeout().is_none() {
            config.tcp_user_timeout(UNANSWERED);
        }
        Ok(Target { config, connector })
    }
}

/// Leaves the address out, since it may hold a password.
impl fmt::Debug for PostgresOptions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("PostgresOptions")
            .field("connections", &self.connections)
            .finish_non_exhaustive()
    }
}

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// A connection without acknowledged packets for this long is lost.
const UNANSWERED: Duration = Duration::from_secs(15);

/// The advisory lock under which servers migrate one after the other: "Croft".
const MIGRATION_LOCK: i64 = 0x43_726f_6674;

/// Sequence numbers of the change log reserve this many bits for the changes of one transaction.
pub(super) const CHANGE_BITS: u32 = 20;

/// How the server is reached.
#[derive(Clone)]
pub(super) struct Target {
    config: Config,
    connector: Connector,
}

/// What every connection needs.
pub(super) struct Gate {
    pub(super) target: Target,
    /// Added to transaction ids to make sequence numbers of the change log: zero, unless the database was moved to
    /// another server, where transaction ids start again.
    pub(super) change_base: i64,
}

/// A connection and what is prepared on it.
pub(super) struct Connection {
    pub(super) client: Client,
    pub(super) statements: HashMap<String, Statement>,
}

impl Connection {
    pub(super) fn open(target: &Target) -> Result<Self, StoreError> {
        let refused = |error: postgres::Error| {
            StoreError::Unavailable(format!("cannot connect to PostgreSQL: {}", Failure::describe(&error)))
        };
        let mut client = target.config.connect(target.connector.clone()).map_err(refused)?;
        // Commits are always synced, whatever the server's default; stronger settings than `on` are kept. The lease and
        // locks of a failed host are released within half a minute.
        client
            .batch_execute(
                "SELECT set_config('synchronous_commit', 'on', false) \
                 WHERE current_setting('synchronous_commit') = 'off'; \
                 SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3",
            )
            .map_err(refused)?;
        Ok(Self { client, statements: HashMap::new() })
    }
}

/// Brings the database to the schema. Returns the base of the change log's sequence numbers.
pub(super) fn migrate(target: &Target, schema: &Schema) -> Result<i64, StoreError> {
    migrate_by(target, |session, found| {
        let mut tx = Tx::new(session, true);
        migration::run(&mut tx, schema, Dialect::Postgres, found)?;
        tx.finish()?;
        change_base(&mut tx)
    })
}

/// Runs what migrates within a transaction, while no other server does.
fn migrate_by<T>(
    target: &Target,
    run: impl FnOnce(&mut dyn Session, &SchemaState) -> Result<T, StoreError>,
) -> Result<T, StoreError> {
    let mut connection = Connection::open(target)?;
    let failed = |error: postgres::Error| Failure::from(&error).into_error();
    let encoding: String = connection.client.query_one("SHOW server_encoding", &[]).map_err(failed)?.get(0);
    if encoding != "UTF8" {
        return Err(StoreError::Corrupt(format!(
            "the database's encoding is {encoding}, but UTF8 is needed"
        )));
    }
    // Read committed, so that what the previous holder of the lock did is seen.
    connection.client.batch_execute("BEGIN ISOLATION LEVEL READ COMMITTED").map_err(failed)?;
    connection.client.execute("SELECT pg_advisory_xact_lock($1)", &[&MIGRATION_LOCK]).map_err(failed)?;
    let found = inspect(&mut connection.client)?;
    // A foreign table of the same name makes the creation fail, and with it the whole transaction.
    let result = run(&mut PostgresSession::new(&mut connection, 0), &found)?;
    connection.client.batch_execute("COMMIT").map_err(failed)?;
    Ok(result)
}

/// What a database says about itself.
pub(super) fn inspect(client: &mut Client) -> Result<SchemaState, StoreError> {
    let failed = |error: postgres::Error| Failure::from(&error).into_error();
    let mut exists = |table: &str| -> Result<bool, StoreError> {
        Ok(client.query_one("SELECT to_regclass($1) IS NOT NULL", &[&table]).map_err(failed)?.get(0))
    };
    let (keeps_versions, keeps_fingerprints) = (exists("croft_migration")?, exists("croft_fingerprint")?);
    if !keeps_versions {
        return Ok(SchemaState::default());
    }
    let version: i64 = client.query_one(migration::READ_VERSION, &[]).map_err(failed)?.get(0);
    let fingerprint = if keeps_fingerprints {
        client.query_opt(migration::READ_FINGERPRINT, &[]).map_err(failed)?.map(|row| row.get(0))
    } else {
        None
    };
    Ok(SchemaState { version: u32::try_from(version).map_err(StoreError::internal)?, fingerprint })
}

/// Raises the base if the change log holds numbers above those that transactions would give out now.
fn change_base(tx: &mut Tx<'_>) -> Result<i64, StoreError> {
    let base = tx.integer("SELECT \"value\" FROM \"croft_setting\" WHERE \"key\" = 'change_base'", &[])?;
    let last = tx.integer("SELECT coalesce(max(\"seq\"), 0) FROM \"change_log\"", &[])?;
    let next = tx.integer(
        &format!("SELECT pg_snapshot_xmax(pg_current_snapshot())::text::bigint << {CHANGE_BITS}"),
        &[],
    )?;
    if last < base + next {
        return Ok(base);
    }
    let raised = last - next + (1 << CHANGE_BITS);
    tx.execute_script(&format!(
        "UPDATE \"croft_setting\" SET \"value\" = {raised} WHERE \"key\" = 'change_base'"
    ))?;
    Ok(raised)
}
