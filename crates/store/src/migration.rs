//! Numbered steps that bring a database to the program's schema, forward only.

mod documents;

pub use documents::{Documents, NewRow, StoredRow};

use crate::{Schema, StoreError, Tx, ddl, key::Value, search, shape::Shape};

/// Which engine's SQL is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Dialect {
    /// SQLite, on disk and in memory.
    Sqlite,
    /// PostgreSQL.
    Postgres,
}

/// Changes what is stored, within a migration's transaction. It works on rows and JSON, not on the program's record
/// types: those go on changing, and an old migration must keep doing what it did.
pub type DataStep = fn(&mut Documents<'_, '_>) -> Result<(), StoreError>;

/// One step. First what is declared to exist `since` its number is created and what its number renames is renamed, then
/// `data` runs, then what its number drops is dropped. All missing migrations run in one transaction.
#[derive(Clone, Copy, Debug)]
pub struct Migration {
    /// From 1, without gaps.
    pub number: u32,
    /// What it is for, recorded in the database.
    pub name: &'static str,
    /// Changes what is stored: for instance fills the column of a lookup that was added.
    pub data: Option<DataStep>,
    /// Makes tables of the store's own, which hold no records.
    pub(crate) own_tables: Option<fn(Dialect) -> Vec<String>>,
    /// Whether the search finds something else than before, so that its index is to be made anew.
    pub(crate) reindexes: bool,
}

impl Migration {
    /// A migration that only changes tables, columns and indexes.
    pub const fn tables(number: u32, name: &'static str) -> Self {
        Self { number, name, data: None, own_tables: None, reindexes: false }
    }

    /// A migration that also changes what is stored.
    pub const fn with_data(number: u32, name: &'static str, data: DataStep) -> Self {
        Self { data: Some(data), ..Self::tables(number, name) }
    }

    /// Makes the tables of the search.
    pub(crate) const fn search(number: u32, name: &'static str) -> Self {
        Self { own_tables: Some(search::index::tables), ..Self::tables(number, name) }.reindexing()
    }

    /// Adds to the tables of the search what lists of its entries need.
    pub(crate) const fn lists(number: u32, name: &'static str) -> Self {
        Self { own_tables: Some(search::listed::tables), ..Self::tables(number, name) }.reindexing()
    }

    /// Has the index of the search made anew after all migrations: for those that change what is found of records.
    #[must_use]
    pub const fn reindexing(mut self) -> Self {
        self.reindexes = true;
        self
    }

    /// Runs the data step alone, on tables that already are as the step needs them.
    ///
    /// # Errors
    /// What is stored is not what the step expects.
    pub fn change_data(&self, tx: &mut Tx<'_>) -> Result<(), StoreError> {
        self.data.map_or(Ok(()), |step| step(&mut Documents::new(tx)))
    }
}

/// Makes the table that records migrations.
pub(crate) const CREATE_MIGRATION_TABLE: &str = "CREATE TABLE IF NOT EXISTS \"croft_migration\" \
     (\"number\" BIGINT PRIMARY KEY NOT NULL, \"name\" TEXT NOT NULL)";

/// Reads the newest recorded migration.
pub(crate) const READ_VERSION: &str = "SELECT coalesce(max(\"number\"), 0) FROM \"croft_migration\"";

/// Makes the table that records what the tables were at each version, as the program that migrated saw it. Databases
/// that were last opened before fingerprints existed lack it.
const CREATE_FINGERPRINT_TABLE: &str = "CREATE TABLE IF NOT EXISTS \"croft_fingerprint\" \
     (\"number\" BIGINT PRIMARY KEY NOT NULL, \"fingerprint\" TEXT NOT NULL)";

/// Reads the fingerprint of the newest recorded migration.
pub(crate) const READ_FINGERPRINT: &str = "SELECT \"fingerprint\" FROM \"croft_fingerprint\" \
     WHERE \"number\" = (SELECT max(\"number\") FROM \"croft_migration\")";

/// What a database says about itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct SchemaState {
    /// The newest recorded migration; 0 in an empty database.
    pub(crate) version: u32,
    /// The fingerprint of the tables at that version, if it was recorded.
    pub(crate) fingerprint: Option<String>,
}

impl SchemaState {
    /// Whether nothing is left to do.
    pub(crate) fn is_current(&self, schema: &Schema) -> bool {
        self.version == schema.version() && self.fingerprint.is_some()
    }

    /// Refuses a database that a newer program has migrated, and one whose tables are not what this program takes them
    /// for.
    pub(crate) fn check(&self, schema: &Schema) -> Result<(), StoreError> {
        let Self { version, fingerprint } = self;
        let (found, known) = (*version, schema.version());
        if found > known {
            return Err(StoreError::TooNew { found, known });
        }
        match fingerprint {
            Some(recorded) if *recorded != Shape::at(schema, found).fingerprint() => {
                Err(StoreError::SchemaDiffers { version: found })
            }
            _ => Ok(()),
        }
    }
}

/// Runs the migrations after what was found, within the caller's transaction.
pub(crate) fn run(
    tx: &mut Tx<'_>,
    schema: &Schema,
    dialect: Dialect,
    found: &SchemaState,
) -> Result<(), StoreError> {
    found.check(schema)?;
    if found.is_current(schema) {
        return Ok(());
    }
    tx.observe(schema.observer);
    tx.execute_script(CREATE_MIGRATION_TABLE)?;
    tx.execute_script(CREATE_FINGERPRINT_TABLE)?;
    if found.version > 0 && found.fingerprint.is_none() {
        record_fingerprint(tx, schema, found.version)?;
    }
    let missing = schema.migrations.iter().filter(|migration| migration.number > found.version);
    for migration in missing.clone() {
        if migration.number == 1 {
            for step in ddl::base_steps(dialect) {
                tx.execute_script(&step)?;
            }
        }
        let steps = ddl::table_steps(schema, dialect, migration.number);
        for step in &steps.before_data {
            tx.execute_script(step)?;
        }
        migration.change_data(tx)?;
        for step in &steps.after_data {
            tx.execute_script(step)?;
        }
        let sql = "INSERT INTO \"croft_migration\" (\"number\", \"name\") VALUES ($1, $2)";
        tx.execute(sql, &[Value::Int(migration.number.into()), Value::Text(migration.name)])?;
        record_fingerprint(tx, schema, migration.number)?;
    }
    // A new database has no records yet.
    if found.version > 0 && missing.into_iter().any(|migration| migration.reindexes) {
        search::index::rebuild(tx)?;
    }
    Ok(())
}

fn record_fingerprint(tx: &mut Tx<'_>, schema: &Schema, version: u32) -> Result<(), StoreError> {
    let fingerprint = Shape::at(schema, version).fingerprint();
    let sql = "INSERT INTO \"croft_fingerprint\" (\"number\", \"fingerprint\") VALUES ($1, $2)";
    tx.execute(sql, &[Value::Int(version.into()), Value::Text(&fingerprint)]).map(drop)
}
