//! What can go wrong in the store.

/// A failure of the store. The texts are for the log, except that [`StoreError::Exists`],
/// [`StoreError::Conflict`] and [`StoreError::Overloaded`] are expected in normal operation and are translated
/// by the caller.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// A live row already has this name under this parent, this value of a unique lookup, or this id.
    #[error("a record with this name or key already exists")]
    Exists,
    /// The record changed, or was deleted, since it was read; or concurrent operations kept colliding.
    #[error("the record was changed by another operation")]
    Conflict,
    /// The queue of waiting operations is full. Nothing was done; trying again later is safe.
    #[error("too many operations are waiting for the database")]
    Overloaded,
    /// The database cannot be reached or was shut down. A write answered so may or may not have been committed.
    #[error("the database is unavailable: {0}")]
    Unavailable(String),
    /// The writer no longer holds the lease of the database. Nothing was written.
    #[error("this server must no longer write: {0}")]
    Superseded(String),
    /// The file is not a Croft database, or its content is damaged. The store never writes to such a file.
    #[error("the database cannot be used: {0}")]
    Corrupt(String),
    /// The database was written by a newer version of this program.
    #[error(
        "the database has schema version {found}, but this program knows only versions up to {known}: \
         run the newer program, or restore a backup made before the upgrade"
    )]
    TooNew {
        /// The newest migration recorded in the database.
        found: u32,
        /// The newest migration in this program.
        known: u32,
    },
    /// The database is at a version that this program knows, but was brought there by a program that had other tables
    /// at that version.
    #[error(
        "the database has schema version {version}, but its tables differ from this program's at that \
         version, for example because a development build created them: run the program that created it, or \
         restore a backup. If you changed a table's declaration, undo that and add a migration instead"
    )]
    SchemaDiffers {
        /// The newest migration recorded in the database.
        version: u32,
    },
    /// The disk, or the space allowed to the database, is exhausted. Nothing was written.
    #[error("the database has no space left: {0}")]
    Full(String),
    /// A defect: a statement, a document or a declaration is wrong.
    #[error("internal store error: {0}")]
    Internal(String),
}

impl StoreError {
    /// Wraps the message of a defect.
    pub(crate) fn internal(error: impl std::fmt::Display) -> Self {
        Self::Internal(error.to_string())
    }
}

impl From<serde_json::Error> for StoreError {
    fn from(error: serde_json::Error) -> Self {
        Self::Internal(format!("a stored document does not match its type: {error}"))
    }
}

/// What the caller of an operation is told. Where a taken name has a message of its own, the operation gives that
/// before it comes to this.
impl From<StoreError> for croft_api::Error {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Conflict
            | StoreError::Overloaded
            | StoreError::Unavailable(_)
            | StoreError::Superseded(_)
            | StoreError::Full(_) => Self::unavailable(error),
            StoreError::Exists
            | StoreError::Corrupt(_)
            | StoreError::TooNew { .. }
            | StoreError::SchemaDiffers { .. }
            | StoreError::Internal(_) => Self::internal(error),
        }
    }
}
