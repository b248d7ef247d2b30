//! Numbered steps that bring a database to the program's schema, forward only.

use crate::{Schema, StoreError, Tx, ddl};

/// Which engine's SQL is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// SQLite, on disk and in memory.
    Sqlite,
    /// PostgreSQL.
    Postgres,
}

/// Changes what is stored, within a migration's transaction.
pub type DataStep = fn(&mut Tx<'_>) -> Result<(), StoreError>;

/// One step. First the tables and lookups that exist `since` its number are created, then `data` runs; all
/// missing migrations run in one transaction.
#[derive(Clone, Copy, Debug)]
pub struct Migration {
    /// From 1, without gaps.
    pub number: u32,
    /// What it is for, recorded in the database.
    pub name: &'static str,
    /// Changes what is stored: for instance [`Tx::refresh_lookups`] after a lookup was added.
    pub data: Option<DataStep>,
}

impl Migration {
    /// A migration that only creates tables and lookups.
    pub const fn tables(number: u32, name: &'static str) -> Self {
        Self { number, name, data: None }
    }

    /// A migration that also changes what is stored.
    pub const fn with_data(number: u32, name: &'static str, data: DataStep) -> Self {
        Self { number, name, data: Some(data) }
    }
}

/// Makes the table that records migrations.
pub(crate) const CREATE_MIGRATION_TABLE: &str = "CREATE TABLE IF NOT EXISTS \"croft_migration\" \
     (\"number\" BIGINT PRIMARY KEY NOT NULL, \"name\" TEXT NOT NULL)";

/// Reads the newest recorded migration.
pub(crate) const READ_VERSION: &str = "SELECT coalesce(max(\"number\"), 0) FROM \"croft_migration\"";

/// Refuses a database that a newer program has migrated.
pub(crate) fn check_version(schema: &Schema, found: u32) -> Result<(), StoreError> {
    let known = schema.version();
    if found > known { Err(StoreError::TooNew { found, known }) } else { Ok(()) }
}

/// Runs the migrations after `found` within the caller's transaction.
pub(crate) fn run(tx: &mut Tx<'_>, schema: &Schema, dialect: Dialect, found: u32) -> Result<(), StoreError> {
    check_version(schema, found)?;
    for migration in schema.migrations.iter().filter(|migration| migration.number > found) {
        if migration.number == 1 {
            for step in ddl::base_steps(dialect) {
                tx.execute_script(&step)?;
            }
        }
        for step in ddl::table_steps(schema, dialect, migration.number) {
            tx.execute_script(&step)?;
        }
        if let Some(data) = migration.data {
            data(tx)?;
        }
        tx.record_migration(migration.number, migration.name)?;
    }
    Ok(())
}
