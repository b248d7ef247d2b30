//! The operations: their names, what each needs the caller to be allowed, and the status of success.

use crate::authz::{Kind, Permission};

/// One operation of the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operation {
    /// Its id in the contract, and in the audit log.
    pub id: &'static str,
    /// What it is done to.
    pub on: Kind,
    /// What the caller must be allowed to do there; none where being signed in is enough.
    pub permission: Option<Permission>,
    /// The status of a successful answer.
    pub success: u16,
    /// Whether it changes something, and so is written to the audit log.
    pub audited: bool,
}

const fn reads(id: &'static str, on: Kind, permission: Permission) -> Operation {
    Operation { id, on, permission: Some(permission), success: 200, audited: false }
}

const fn changes(id: &'static str, on: Kind, permission: Permission, success: u16) -> Operation {
    Operation { id, on, permission: Some(permission), success, audited: true }
}

macro_rules! operations {
    ($($name:ident = $operation:expr;)*) => {
        $(
            #[doc = concat!("`", stringify!($name), "`, in lower case.")]
            pub const $name: Operation = $operation;
        )*

        /// Every operation, in the order of their resources.
        pub const ALL: &[Operation] = &[$($name),*];
    };
}

operations! {
    LOGIN_LOCAL = Operation { id: "login_local", on: Kind::Silo, permission: None, success: 204, audited: true };
    LOGOUT = Operation { id: "logout", on: Kind::Silo, permission: None, success: 204, audited: false };
    CURRENT_USER_VIEW =
        Operation { id: "current_user_view", on: Kind::SiloUser, permission: None, success: 200, audited: false };
    CURRENT_USER_GROUPS =
        Operation { id: "current_user_groups", on: Kind::SiloUser, permission: None, success: 200, audited: false };
    SYSTEM_POLICY_VIEW = reads("system_policy_view", Kind::Fleet, Permission::Read);
    POLICY_VIEW = reads("policy_view", Kind::Silo, Permission::Read);
    PROJECT_LIST = reads("project_list", Kind::Silo, Permission::List);
    PROJECT_CREATE = changes("project_create", Kind::Silo, Permission::Create, 201);
    PROJECT_VIEW = reads("project_view", Kind::Project, Permission::Read);
    PROJECT_UPDATE = changes("project_update", Kind::Project, Permission::Modify, 200);
    PROJECT_DELETE = changes("project_delete", Kind::Project, Permission::Modify, 204);
    INSTANCE_LIST = reads("instance_list", Kind::Project, Permission::List);
    INSTANCE_CREATE = changes("instance_create", Kind::Project, Permission::Create, 201);
    INSTANCE_VIEW = reads("instance_view", Kind::Instance, Permission::Read);
    INSTANCE_UPDATE = changes("instance_update", Kind::Instance, Permission::Modify, 200);
    INSTANCE_DELETE = changes("instance_delete", Kind::Instance, Permission::Modify, 204);
    INSTANCE_START = changes("instance_start", Kind::Instance, Permission::Modify, 202);
    INSTANCE_STOP = changes("instance_stop", Kind::Instance, Permission::Modify, 202);
    INSTANCE_REBOOT = changes("instance_reboot", Kind::Instance, Permission::Modify, 202);
    INSTANCE_SERIAL_CONSOLE = reads("instance_serial_console", Kind::Instance, Permission::Read);
    INSTANCE_SERIAL_CONSOLE_STREAM = reads("instance_serial_console_stream", Kind::Instance, Permission::Modify);
    INSTANCE_DISK_LIST = reads("instance_disk_list", Kind::Instance, Permission::List);
    INSTANCE_DISK_ATTACH = changes("instance_disk_attach", Kind::Instance, Permission::Modify, 202);
    INSTANCE_DISK_DETACH = changes("instance_disk_detach", Kind::Instance, Permission::Modify, 202);
    DISK_LIST = reads("disk_list", Kind::Project, Permission::List);
    DISK_CREATE = changes("disk_create", Kind::Project, Permission::Create, 201);
    DISK_VIEW = reads("disk_view", Kind::Disk, Permission::Read);
    DISK_DELETE = changes("disk_delete", Kind::Disk, Permission::Modify, 204);
}
