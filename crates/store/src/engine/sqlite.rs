//! SQLite: one file in write-ahead mode, one writer thread that commits many operations together, several readers.

#[cfg(not(target_family = "wasm"))]
mod connection;
#[cfg(not(target_family = "wasm"))]
mod reader;
mod session;
#[cfg(not(target_family = "wasm"))]
mod writer;

#[cfg(not(target_family = "wasm"))]
pub use connection::SqliteOptions;
#[cfg(not(target_family = "wasm"))]
pub(crate) use connection::open;
pub(crate) use session::{SqliteSession, store_error};

use rusqlite::{Connection, config::DbConfig};

use crate::{Dialect, Schema, StoreError, Tx, migration};

/// Distinct statements that a connection keeps prepared.
const PREPARED_STATEMENTS: usize = 256;

/// Marks the file as Croft's (`PRAGMA application_id`): "Crft".
const APPLICATION_ID: i32 = 0x4372_6674;

/// What a file says about itself before anything is changed in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Inspection {
    /// A new or empty file.
    Empty,
    /// One of ours at this version.
    Version(u32),
}

/// Looks into an open file without writing to it.
fn inspect(connection: &Connection) -> Result<Inspection, StoreError> {
    let query = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, i64>(0)).map_err(store_error);
    if query("SELECT count(*) FROM sqlite_schema")? == 0 {
        return Ok(Inspection::Empty);
    }
    if query("PRAGMA application_id")? != i64::from(APPLICATION_ID) {
        return Err(StoreError::Corrupt("the file is a database of another program".into()));
    }
    u32::try_from(query(migration::READ_VERSION)?).map(Inspection::Version).map_err(StoreError::internal)
}

/// Brings an open database to the schema, all or nothing.
fn migrate(connection: &Connection, schema: &Schema) -> Result<(), StoreError> {
    let found = match inspect(connection)? {
        Inspection::Version(found) if found == schema.version() => return Ok(()),
        Inspection::Version(found) => found,
        Inspection::Empty => 0,
    };
    migration::check_version(schema, found)?;
    connection.execute_batch("BEGIN IMMEDIATE").map_err(store_error)?;
    let result = (|| {
        connection.pragma_update(None, "application_id", APPLICATION_ID).map_err(store_error)?;
        connection.execute_batch(migration::CREATE_MIGRATION_TABLE).map_err(store_error)?;
        let mut session = SqliteSession::new(connection);
        let mut tx = Tx::new(&mut session, true);
        migration::run(&mut tx, schema, Dialect::Sqlite, found)?;
        tx.finish()?;
        connection.execute_batch("COMMIT").map_err(store_error)
    })();
    if result.is_err() && !connection.is_autocommit() {
        connection.execute_batch("ROLLBACK").map_err(store_error)?;
    }
    result
}

/// Sets what every connection has in common.
fn configure(connection: &Connection) -> Result<(), StoreError> {
    connection.set_prepared_statement_cache_capacity(PREPARED_STATEMENTS);
    // Plans never depend on the values bound: otherwise SQLite plans anew, at each run, every statement whose limit
    // is a parameter, and the plans that were reviewed are not those that are run.
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
