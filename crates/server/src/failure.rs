//! Errors that end the program: one line about the problem, one about the solution, and an exit code.

use std::fmt;

/// Exit codes, as `croft --help` lists them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExitKind {
    /// A failure without its own code.
    Failed = 1,
    /// The command line, the environment or the configuration file is wrong.
    Configuration = 2,
    /// The data directory is in use by another server, or unusable.
    DataDirectory = 3,
    /// The database cannot be used.
    Database = 4,
    /// The address cannot be listened on.
    Address = 5,
    /// Another server works on the database, or has taken it over.
    Lease = 6,
}

/// Why the program ends, and what the operator can do.
#[derive(Debug)]
pub struct Failure {
    /// The exit code.
    pub kind: ExitKind,
    message: String,
    hint: Option<String>,
}

/// The result of a command.
pub type Result<T, E = Failure> = std::result::Result<T, E>;

impl Failure {
    /// Creates a failure with one line about it.
    pub fn new(kind: ExitKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), hint: None }
    }

    /// The line about the problem.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The line about what to do, if there is one.
    pub fn advice(&self) -> Option<&str> {
        self.hint.as_deref()
    }

    /// Adds what to do.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "error: {}", self.message)?;
        if let Some(hint) = &self.hint {
            write!(f, "\nhint: {hint}")?;
        }
        Ok(())
    }
}

impl From<croft_store::StoreError> for Failure {
    fn from(error: croft_store::StoreError) -> Self {
        use croft_store::StoreError;
        let hint = match &error {
            StoreError::TooNew { .. } | StoreError::SchemaDiffers { .. } | StoreError::Internal(_) => None,
            StoreError::Corrupt(_) => Some(
                "nothing was written; restore a backup into the data directory, or point --data-dir elsewhere",
            ),
            StoreError::Superseded(_) => Some("another server uses the database now: stop one of the two"),
            StoreError::Full(_) => {
                Some("free some space on the disk that holds the database and start again")
            }
            StoreError::Unavailable(_) => Some("check that the database can be reached from this host"),
            _ => Some("try again in a moment"),
        };
        let kind = match error {
            StoreError::Superseded(_) => ExitKind::Lease,
            _ => ExitKind::Database,
        };
        let failure = Self::new(kind, error.to_string());
        match hint {
            Some(hint) => failure.hint(hint),
            None => failure,
        }
    }
}

impl From<croft_api::Error> for Failure {
    fn from(error: croft_api::Error) -> Self {
        Self::new(ExitKind::Failed, error.to_string())
    }
}
