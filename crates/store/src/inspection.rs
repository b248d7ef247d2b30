//! Looks at a database without creating, migrating or changing it, also while a server uses it.

use std::path::Path;

use crate::{Schema, StoreError, Tx, migration::SchemaState};

/// What was found in a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inspection<T> {
    /// The newest migration recorded in the database; 0 if it is empty.
    pub version: u32,
    /// The newest migration in this program.
    pub known: u32,
    /// What was read from it, if its tables are those of this program.
    pub content: Option<T>,
    /// The server that holds its lease. A SQLite database has none.
    #[cfg(feature = "postgres")]
    pub holder: Option<crate::LeaseHolder>,
}

impl<T> Inspection<T> {
    pub(crate) fn new(state: &SchemaState, schema: &Schema, content: Option<T>) -> Self {
        Self {
            version: state.version,
            known: schema.version(),
            content,
            #[cfg(feature = "postgres")]
            holder: None,
        }
    }

    /// Looks at a SQLite file, and reads from it if its tables are those of the schema; `None` if there is no file.
    ///
    /// # Errors
    /// The file cannot be read, or this program cannot use it.
    pub fn of_sqlite(
        path: &Path,
        schema: &Schema,
        read: impl FnOnce(&mut Tx<'_>) -> T,
    ) -> Result<Option<Self>, StoreError> {
        crate::engine::sqlite::look(path, schema, read)
    }

    /// Looks at a PostgreSQL database, and reads from it if its tables are those of the schema.
    ///
    /// # Errors
    /// The database cannot be reached, or this program cannot use it.
    #[cfg(feature = "postgres")]
    pub fn of_postgres(
        options: &crate::PostgresOptions,
        schema: &Schema,
        read: impl FnOnce(&mut Tx<'_>) -> T + Send,
    ) -> Result<Self, StoreError>
    where
        T: Send,
    {
        crate::engine::postgres::look(options, schema, read)
    }
}
