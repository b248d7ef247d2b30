//! What a job reports when it cannot go on.

use std::fmt;

/// A sentence for the person at the terminal, with the next step in it wherever one is known.
#[derive(Debug)]
pub struct Failure(String);

/// What a job answers.
pub type Outcome<T = ()> = Result<T, Failure>;

impl Failure {
    /// A failure that says `text`.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Self(error.to_string())
    }
}

impl From<serde_json::Error> for Failure {
    fn from(error: serde_json::Error) -> Self {
        Self(error.to_string())
    }
}

/// Adds what was being done to an error that only says what went wrong.
pub trait Context<T> {
    /// Puts `doing` before the error's own text.
    fn context(self, doing: impl fmt::Display) -> Outcome<T>;
}

impl<T, E: fmt::Display> Context<T> for Result<T, E> {
    fn context(self, doing: impl fmt::Display) -> Outcome<T> {
        self.map_err(|error| Failure(format!("{doing}: {error}")))
    }
}
