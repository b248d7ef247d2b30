//! Why a command failed.

use std::io;

/// Why a command failed, with what to do next.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The command line is wrong.
    #[error("{0}")]
    Usage(String),
    /// There is no server to call, or nobody is signed in.
    #[error("{0}")]
    SignedOut(String),
    /// The server refused the request.
    #[error("{message}{}", .code.as_ref().map(|code| format!(" ({code})")).unwrap_or_default())]
    Refused {
        /// The HTTP status.
        status: u16,
        /// `error_code` of the response.
        code: Option<String>,
        /// `message` of the response.
        message: String,
    },
    /// There was no response, or not one that Croft sends.
    #[error("{0}")]
    Unreachable(String),
    /// A file or the terminal cannot be used.
    #[error("{what}: {error}")]
    Io {
        /// What was tried.
        what: String,
        /// What the system said.
        error: io::Error,
    },
    /// What was waited for did not happen.
    #[error("{0}")]
    Ended(String),
}

/// What commands return.
pub type Result<T> = std::result::Result<T, Failure>;

impl Failure {
    /// The exit code: 2 for a wrong command line, 3 if nobody is signed in, 4 if the object does not exist, 5 if there
    /// was no response, and 1 for all others.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Usage(_) => 2,
            Self::SignedOut(_) | Self::Refused { status: 401, .. } => 3,
            Self::Refused { status: 404, .. } => 4,
            Self::Unreachable(_) => 5,
            Self::Refused { .. } | Self::Io { .. } | Self::Ended(_) => 1,
        }
    }

    /// A command that needs a project was given none.
    pub fn no_project() -> Self {
        let text = "which project? Name it with --project, or set one with `croft profile set project NAME`";
        Self::Usage(text.to_owned())
    }

    /// A failure of the system at something.
    pub fn io(what: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        let what = what.into();
        move |error| Self::Io { what, error }
    }
}
