//! Opens the database that the configuration names.

use croft_store::{Database, PostgresOptions, SqliteOptions, schema::CROFT};

use crate::{
    data_directory::DataDirectory,
    failure::{ExitKind, Failure, Result},
};

/// The embedded database of a data directory, or the PostgreSQL database of a URL.
pub fn open(directory: &DataDirectory, url: Option<&str>, readers: usize) -> Result<Database> {
    match url {
        None => {
            let options = SqliteOptions { readers, ..SqliteOptions::new(directory.database()?) };
            Ok(Database::sqlite(&options, &CROFT)?)
        }
        Some(url) if url.starts_with("postgres://") || url.starts_with("postgresql://") => {
            Ok(Database::postgres(&PostgresOptions::new(url), &CROFT)?)
        }
        Some(_) => Err(Failure::new(ExitKind::Configuration, "database-url is not an address of PostgreSQL")
            .hint("it looks like postgresql://user:password@host/database; leave it out for SQLite")),
    }
}
