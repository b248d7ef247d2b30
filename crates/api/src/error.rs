//! The error catalogue: what a caller is told, and what only the log may know.
//!
//! Errors here know nothing of HTTP; `croft-http` gives each kind its status at one place.

use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    ResourceKind,
    scalar::{Name, NameOrId, ScalarError},
};

/// The result of an operation.
pub type Result<T, E = Error> = std::result::Result<T, E>;

/// How the caller pointed at an object; a not-found message echoes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// By name within a parent.
    Name(String),
    /// By id.
    Id(Uuid),
    /// By something else, in words.
    Other(String),
}

impl From<Uuid> for Lookup {
    fn from(id: Uuid) -> Self {
        Self::Id(id)
    }
}

impl From<&Name> for Lookup {
    fn from(name: &Name) -> Self {
        Self::Name(name.to_string())
    }
}

impl From<&NameOrId> for Lookup {
    fn from(selector: &NameOrId) -> Self {
        match selector {
            NameOrId::Id(id) => Self::Id(*id),
            NameOrId::Name(name) => name.into(),
        }
    }
}

/// Why an operation failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// No such object, or none that the caller may see.
    NotFound {
        /// What was looked for.
        kind: ResourceKind,
        /// How it was looked for.
        lookup: Lookup,
    },
    /// Not found, with a text of its own and no kind.
    NotFoundText(String),
    /// The name is taken.
    Exists {
        /// What it would have been.
        kind: ResourceKind,
        /// The name that is taken.
        name: String,
    },
    /// What can be there once is there, with a text of its own, for things that have no name.
    ExistsText(String),
    /// The request does not fit the state of things or breaks a rule.
    InvalidRequest(String),
    /// A named input holds a value that is not supported.
    InvalidValue {
        /// The input.
        label: String,
        /// What is wrong with it.
        text: String,
    },
    /// The request could not be read: path, query, headers or body.
    Parse(String),
    /// No valid credentials. The reason is for the log only.
    Unauthenticated {
        /// Why, for the log.
        detail: String,
    },
    /// The caller may see the object but not do this.
    Forbidden,
    /// The caller may not do this now or in this way; the text says what has to be done first.
    ForbiddenText(String),
    /// The caller may do this, but only shortly after signing in; the text says so.
    SignInAgain(String),
    /// The object changed or is in a state that forbids this now.
    Conflict(String),
    /// Gone for good.
    Gone,
    /// Not enough of something, or a quota reached.
    InsufficientCapacity(String),
    /// Cannot be answered now; worth another try.
    Unavailable {
        /// Why, for the log.
        detail: String,
    },
    /// Cannot be done now, for a reason that the caller may know; worth another try.
    NotNow(String),
    /// The machine of an instance vanished while its state was being changed.
    MachineLost {
        /// Why, for the log.
        detail: String,
    },
    /// A defect or a broken part. A human must look.
    Internal {
        /// What happened, for the log.
        detail: String,
    },
}

impl Error {
    /// An object that is not there, or not for the caller's eyes.
    pub fn not_found(kind: ResourceKind, lookup: impl Into<Lookup>) -> Self {
        Self::NotFound { kind, lookup: lookup.into() }
    }

    /// A name that is taken.
    pub fn exists(kind: ResourceKind, name: impl fmt::Display) -> Self {
        Self::Exists { kind, name: name.to_string() }
    }

    /// A request that breaks a rule or does not fit the state.
    pub fn invalid_request(text: impl Into<String>) -> Self {
        Self::InvalidRequest(text.into())
    }

    /// A named input with a value that is not supported.
    pub fn invalid_value(label: impl Into<String>, text: impl fmt::Display) -> Self {
        Self::InvalidValue { label: label.into(), text: text.to_string() }
    }

    /// Bad or missing credentials; `detail` goes to the log.
    pub fn unauthenticated(detail: impl Into<String>) -> Self {
        Self::Unauthenticated { detail: detail.into() }
    }

    /// Something that the caller may not do before what the text says was done.
    pub fn forbidden(text: impl Into<String>) -> Self {
        Self::ForbiddenText(text.into())
    }

    /// A state that forbids the operation now.
    pub fn conflict(text: impl Into<String>) -> Self {
        Self::Conflict(text.into())
    }

    /// Something for a human to look at; `detail` goes to the log.
    pub fn internal(detail: impl fmt::Display) -> Self {
        Self::Internal { detail: detail.to_string() }
    }

    /// Worth another try; `detail` goes to the log.
    pub fn unavailable(detail: impl fmt::Display) -> Self {
        Self::Unavailable { detail: detail.to_string() }
    }

    /// The code of the catalogue (`docs/rules/compute-and-storage.md#error-catalogue`); none for unreadable requests.
    pub fn code(&self) -> Option<&'static str> {
        Some(match self {
            Self::NotFound { .. } => "ObjectNotFound",
            Self::NotFoundText(_) => "Not Found",
            Self::Exists { .. } | Self::ExistsText(_) => "ObjectAlreadyExists",
            Self::InvalidRequest(_) => "InvalidRequest",
            Self::InvalidValue { .. } => "InvalidValue",
            Self::Parse(_) | Self::MachineLost { .. } => return None,
            Self::Unauthenticated { .. } => "Unauthorized",
            Self::Forbidden | Self::ForbiddenText(_) => "Forbidden",
            Self::SignInAgain(_) => "SignInAgain",
            Self::Conflict(_) => "Conflict",
            Self::Gone => "Gone",
            Self::InsufficientCapacity(_) => "InsufficientCapacity",
            Self::Unavailable { .. } | Self::NotNow(_) => "ServiceNotAvailable",
            Self::Internal { .. } => "Internal",
        })
    }

    /// What the caller is told. Never holds internals.
    pub fn message(&self) -> String {
        match self {
            Self::NotFound { kind, lookup: Lookup::Name(name) } => {
                format!("not found: {kind} with name \"{name}\"")
            }
            Self::NotFound { kind, lookup: Lookup::Id(id) } => format!("not found: {kind} with id \"{id}\""),
            Self::NotFound { lookup: Lookup::Other(text), .. } => format!("not found: {text}"),
            Self::Exists { kind, name } => format!("already exists: {kind} \"{name}\""),
            Self::ExistsText(text) => format!("already exists: {text}"),
            Self::NotFoundText(text)
            | Self::InvalidRequest(text)
            | Self::ForbiddenText(text)
            | Self::SignInAgain(text)
            | Self::Conflict(text)
            | Self::Parse(text) => text.clone(),
            Self::InvalidValue { label, text } => format!("unsupported value for \"{label}\": {text}"),
            Self::Unauthenticated { .. } => "credentials missing or invalid".into(),
            Self::Forbidden => "Forbidden".into(),
            Self::Gone => "Gone".into(),
            Self::InsufficientCapacity(text) => format!("Insufficient capacity: {text}"),
            Self::Unavailable { .. } => "Service Unavailable".into(),
            Self::NotNow(text) => format!("Service Unavailable: {text}"),
            Self::MachineLost { .. } => "The instance was running but is no longer reachable. \
                                         It is being moved to the Failed state."
                .into(),
            Self::Internal { .. } => "Internal Server Error".into(),
        }
    }

    /// What only the log may know.
    pub fn detail(&self) -> Option<&str> {
        match self {
            Self::Unauthenticated { detail }
            | Self::Unavailable { detail }
            | Self::MachineLost { detail }
            | Self::Internal { detail } => Some(detail),
            _ => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message())?;
        if let Some(detail) = self.detail() {
            write!(f, " ({detail})")?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}

impl From<ScalarError> for Error {
    fn from(error: ScalarError) -> Self {
        Self::InvalidRequest(error.0)
    }
}

/// The body of every error answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[schema(as = Error)]
pub struct ErrorBody {
    /// The code of the catalogue; absent when there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub error_code: Option<String>,
    /// What went wrong, for people.
    pub message: String,
    /// Names this request in the server's log; equals the header `x-request-id`.
    pub request_id: String,
}
