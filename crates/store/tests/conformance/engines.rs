//! The databases of the cases.

use std::path::PathBuf;

use croft_store::{Database, PostgresOptions, Schema, SqliteOptions, StoreError};
use tempfile::TempDir;

use crate::postgres_server::PostgresServer;

/// One database, that can be opened several times.
pub trait Engine {
    /// Opens it; several handles opened by this share the data.
    fn open(&self, schema: &'static Schema) -> Result<Database, StoreError>;
    /// Opens it with this length of the queues and only one thread that writes.
    fn open_narrow(&self, schema: &'static Schema, queue_length: usize) -> Result<Database, StoreError>;
    /// Whether two handles can be open at a time, each with its own writers.
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

/// One database of a running server.
pub struct PostgresEngine {
    pub url: String,
}

impl PostgresEngine {
    pub fn options(&self) -> PostgresOptions {
        PostgresOptions::new(&self.url)
    }
}

impl PostgresServer {
    /// A new, empty database.
    pub fn engine(&self) -> PostgresEngine {
        self.existing(&self.create_database())
    }

    /// A database that exists.
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
