//! Updates of the system: what is trusted, what was sent, what is wanted (`docs/rules/identity-and-system.md#updates`).
//! Nothing is installed from here.

mod repository;
mod target_release;
mod trust_root;

pub use repository::{Uploaded, repository_put, repository_view, trusted};
pub(crate) use target_release::open;
pub use target_release::{target_release_update, target_release_view};
pub use trust_root::{trust_root_create, trust_root_delete, trust_root_list, trust_root_view};

use crate::authz::{Kind, ResourceScope};

fn place() -> ResourceScope {
    ResourceScope::fleet(Kind::SystemUpdate)
}
