//! The wire of Croft: every value that crosses the HTTP boundary.
//!
//! Views (what the server answers), params (what it is asked), scalars with their rules and messages, the error
//! catalogue and pagination. This crate knows no storage, no rule and no transport.

pub mod disk;
pub mod error;
pub mod identity;
pub mod instance;
pub mod page;
pub mod policy;
pub mod project;
pub mod scalar;
pub mod serial;
pub mod session;
pub mod status;

pub use error::{Error, ErrorBody, Lookup, ResourceKind, Result};
pub use jiff::Timestamp;
pub use uuid::Uuid;
