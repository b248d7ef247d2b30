//! The history of an instance: recorded events with their causes, merged with the operations that users requested.

mod note;
mod view;

pub(crate) use note::{delete_all, record, record_for};
pub use view::list;
