//! System updates: trust roots, repositories and the target release (`docs/rules/identity-and-system.md#updates`).
//! Nothing is installed from here.

mod repository;
mod target_release;
mod trust_root;

pub use repository::{VerifiedUpload, repository_put, repository_view, trusted};
pub(crate) use target_release::open;
pub use target_release::{target_release_update, target_release_view};
pub use trust_root::{trust_root_create, trust_root_delete, trust_root_list, trust_root_view};

use crate::authz::{Kind, ResourceScope};

crate::authz::kinds! {
    /// System updates: trust roots, repositories and the target release.
    SYSTEM_UPDATE = Row::in_fleet().fleet(["rl", "rl", "rlcm"]);
}

crate::authz::operations! {
    contract {
        SYSTEM_UPDATE_TRUST_ROOT_LIST = reads(Kind::SYSTEM_UPDATE, Permission::List);
        SYSTEM_UPDATE_TRUST_ROOT_CREATE = changes(Kind::SYSTEM_UPDATE, Permission::Create, 201);
        SYSTEM_UPDATE_TRUST_ROOT_VIEW = reads(Kind::SYSTEM_UPDATE, Permission::Read);
        SYSTEM_UPDATE_TRUST_ROOT_DELETE = changes(Kind::SYSTEM_UPDATE, Permission::Modify, 204);
        SYSTEM_UPDATE_PUT_REPOSITORY = changes(Kind::SYSTEM_UPDATE, Permission::Create, 200);
        SYSTEM_UPDATE_GET_REPOSITORY = reads(Kind::SYSTEM_UPDATE, Permission::Read);
        TARGET_RELEASE_VIEW = reads(Kind::SYSTEM_UPDATE, Permission::Read);
        TARGET_RELEASE_UPDATE = changes(Kind::SYSTEM_UPDATE, Permission::Modify, 201);
    }
}

fn place() -> ResourceScope {
    ResourceScope::fleet(Kind::SYSTEM_UPDATE)
}
