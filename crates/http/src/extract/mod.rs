//! Extractors with the error texts of the contract (`docs/rules/compute-and-storage.md#request-parsing`).
//!
//! All of them run before authentication: a malformed request gets 400 even without credentials.

mod bulk_write;
mod content_type;
mod form;
mod json;
mod page;
mod path;
mod query;
mod raw;

pub use bulk_write::BulkWrite;
pub use form::Form;
pub use json::{Json, read_body};
pub use page::Page;
pub use path::Path;
pub use query::Query;
pub use raw::Raw;
