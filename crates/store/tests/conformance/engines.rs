//! The databases that the cases run on.

use std::path::PathBuf;

use croft_store::{Database, PostgresOptions, Schema, SqliteOptions, StoreError};
use tempfile::TempDir;

use crate::postgres_server::PostgresServer;

/// A database that can be opened several times.
pub trait Engine {
    /// Opens the database. Several handles share the data.
    fn open(&self, schema: &'static Schema) -> Result<Database, StoreError>;
    /// Opens the database with this queue length and one writer thread.
    fn open_narrow(&self, schema: &'static Schema, queue_length: usize) -> Result<Database, StoreError>;
    /// Whether two handles with their own writers can be open at the same time.
    fn shared(&self) -> bool;
}

pub struct SqliteEngine {
    directory: TempDir,
}

impl SqliteEngine {
    pub fn new() -> Self {
        Self { directory: TempDir::new().unwrap() }
    }

    pub fn options(&self) -> SqliteOptions {
        SqliteOptions::new(self.path())
    }

    pub fn path(&self) -> PathBuf {
        self.directory.path().join("croft.db")
    }
}

impl Engine for SqliteEngine {
    fn open(&self, schema: &'static Schema) -> Result<Database, StoreError> {
        Database::sqlite(&self.options(), schema)
    }

    fn open_narrow(&self, schema: &'static Schema, queue_length: usize) -> Result<Database, StoreError> {
        let options = SqliteOptions { queue_length, readers: 1, direct_readers: 0, ..self.options() };
        Database::sqlite(&options, schema)
    }

    fn shared(&self) -> bool {
        false
    }
}

/// A database of a running server.
pub struct PostgresEngine {
    pub url: String,
}

impl PostgresEngine {
    pub fn options(&self) -> PostgresOptions {
        PostgresOptions::new(&self.url)
    }
}

impl PostgresServer {
    /// Creates a new, empty database.
    pub fn engine(&self) -> PostgresEngine {
        self.existing(&self.create_database())
    }

    /// An existing database.
    pub fn existing(&self, database: &str) -> PostgresEngine {
        PostgresEngine { url: self.url(database) }
    }
}

impl Engine for PostgresEngine {
    fn open(&self, schema: &'static Schema) -> Result<Database, StoreError> {
        Database::postgres(&self.options(), schema)
    }

    fn open_narrow(&self, schema: &'static Schema, queue_length: usize) -> Result<Database, StoreError> {
        let options = PostgresOptions { queue_length, connections: 1, ..self.options() };
        Database::postgres(&options, schema)
    }

    fn shared(&self) -> bool {
        true
    }
}
