//! What happened to an instance and why: kept with it, and told with the operations that people asked for.

mod note;
mod view;

pub(crate) use note::{delete_all, record, record_for};
pub use view::list;
