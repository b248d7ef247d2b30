//! SQLite: one file in write-ahead mode, one writer thread that commits many operations together, several readers.

#[cfg(not(target_family = "wasm"))]
mod connection;
#[cfg(not(target_family = "wasm"))]
mod look;
#[cfg(not(target_family = "wasm"))]
mod reader;
mod session;
#[cfg(not(target_family = "wasm"))]
mod writer;

#[cfg(not(target_family = "wasm"))]
pub use connection::SqliteOptions;
#[cfg(not(target_family = "wasm"))]
pub(crate) use connection::open;
#[cfg(not(target_family = "wasm"))]
pub(crate) use look::look;
#[cfg(not(target_family = "wasm"))]
pub(crate) use reader::{DirectReader, DirectReaders};
pub(crate) use session::{SqliteSession, store_error};

use rusqlite::{Connection, OptionalExtension as _, config::DbConfig};

use crate::{
    Dialect, Schema, StoreError, Tx,
    engine::Session,
    migration::{self, SchemaState},
};

/// Distinct statements that a connection keeps prepared.
const PREPARED_STATEMENTS: usize = 256;

/// Marks the file as Croft's (`PRAGMA application_id`): "Crft".
const APPLICATION_ID: i32 = 0x4372_6674;

/// Inspects an open file without writing to it.
fn inspect(connection: &Connection) -> Result<SchemaState, StoreError> {
    let query = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0)).map_err(store_error);
    if query("SELECT count(*) FROM sqlite_schema")? == 0 {
        return Ok(SchemaState::default());
    }
    if query("PRAGMA application_id")? != i64::from(APPLICATION_ID) {
        return Err(StoreError::Corrupt("the file is another program's database".into()));
    }
    let version = u32::try_from(query(migration::READ_VERSION)?).map_err(StoreError::internal)?;
    let keeps_fingerprints =
        query("SELECT count(*) FROM sqlite_schema WHERE name = 'croft_fingerprint'")? > 0;
    let read = || connection.query_row(migration::READ_FINGERPRINT, [], |row| row.get(0)).optional();
    let fingerprint = if keeps_fingerprints { read().map_err(store_error)? } else { None };
    Ok(SchemaState { version, fingerprint })
}

/// Migrates an open database, atomically.
fn migrate(connection: &Connection, schema: &Schema) -> Result<(), StoreError> {
    migrate_by(connection, schema, |session, found| {
        let mut tx = Tx::new(session, true);
        migration::run(&mut tx, schema, Dialect::Sqlite, found)?;
        tx.finish().map(drop)
    })
}

/// Runs what migrates within a transaction.
fn migrate_by(
    connection: &Connection,
    schema: &Schema,
    run: impl FnOnce(&mut dyn Session, &SchemaState) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let found = inspect(connection)?;
    found.check(schema)?;
    if found.is_current(schema) {
        return Ok(());
    }
    connection.execute_batch("BEGIN IMMEDIATE").map_err(store_error)?;
    let result = (|| {
        connection.pragma_update(None, "application_id", APPLICATION_ID).map_err(store_error)?;
        run(&mut SqliteSession::new(connection), &found)?;
        connection.execute_batch("COMMIT").map_err(store_error)
    })();
    if result.is_err() && !connection.is_autocommit() {
        connection.execute_batch("ROLLBACK").map_err(store_error)?;
    }
    result
}

/// Applies the settings common to all connections.
fn configure(connection: &Connection) -> Result<(), StoreError> {
    connection.set_prepared_statement_cache_capacity(PREPARED_STATEMENTS);
    // Plans must not depend on bound values: otherwise SQLite replans every statement whose limit is a parameter at
    // each run, and the reviewed plans would not be the ones in use.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true).map_err(store_error)?;
    connection.execute_batch("PRAGMA temp_store = MEMORY").map_err(store_error)
}

/// A database in memory at the schema's version.
pub(crate) fn open_in_memory(schema: &Schema) -> Result<Connection, StoreError> {
    let connection = Connection::open_in_memory().map_err(store_error)?;
    configure(&connection)?;
    migrate(&connection, schema)?;
    Ok(connection)
}
