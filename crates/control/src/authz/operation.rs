// Declarations of operations see what is in scope here.
pub(crate) use croft_store::records::PendingStep;

pub(crate) use super::{Kind, Permission};

/// The message when a concurrent deletion wins (`docs/rules/networking.md#races`).
pub(crate) const DELETION_RACED: &str = "deletion failed due to concurrent modification";

/// The same for ranges of an IP pool.
pub(crate) const RANGE_DELETION_RACED: &str = "IP range deletion failed due to concurrent modification";

/// One operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operation {
    /// The operation id in the API document and in the audit log.
    pub id: &'static str,
    /// The kind of object that it operates on.
    pub on: Kind,
    /// The required permission; `None` if any signed-in user may call it.
    pub permission: Option<Permission>,
    /// The status of a successful answer.
    pub success: u16,
    /// Whether it can change something. Nothing does while an administrator views Croft as somebody else.
    pub has_effect: bool,
    /// Whether it shows what only the caller may see, and nobody who views Croft as the caller.
    pub is_personal: bool,
    /// Whether it is written to the audit log, because it changes or discloses something.
    pub audited: bool,
    /// The message when a concurrent deletion of the object wins (`docs/rules/networking.md#races`); `None` for the
    /// general message, which says to try again.
    pub lost_race: Option<&'static str>,
    /// The sign-in steps that it is part of. A session with one of these steps pending may call it.
    pub part_of: &'static [PendingStep],
}

impl Operation {
    const fn new(on: Kind, permission: Option<Permission>, success: u16, audited: bool) -> Self {
        Self {
            id: "",
            on,
            permission,
            success,
            has_effect: audited,
            is_personal: false,
            audited,
            lost_race: None,
            part_of: &[],
        }
    }

    /// Hides it from administrators who view Croft as the caller.
    pub(crate) const fn personal(mut self) -> Self {
        self.is_personal = true;
        self
    }

    /// Sets the message when a concurrent deletion wins.
    pub(crate) const fn lost_race(mut self, text: &'static str) -> Self {
        self.lost_race = Some(text);
        self
    }

    /// Makes it part of sign-in steps.
    pub(crate) const fn part_of(mut self, steps: &'static [PendingStep]) -> Self {
        self.part_of = steps;
        self
    }

    /// Excludes it from the audit log.
    pub(crate) const fn not_audited(mut self) -> Self {
        self.audited = false;
        self
    }

    /// Whether it only ever operates on objects of the caller.
    pub fn is_about_caller(&self) -> bool {
        ["current_user_", "account_", "batch_"].iter().any(|prefix| self.id.starts_with(prefix))
    }

    /// Whether it needs a permission to change or create.
    pub(crate) fn is_change(&self) -> bool {
        self.permission.is_some_and(Permission::is_change)
    }
}

/// Reads something.
pub(crate) const fn reads(on: Kind, permission: Permission) -> Operation {
    Operation::new(on, Some(permission), 200, false)
}

/// Reads data whose transfer is worth an audit entry.
pub(crate) const fn passes(on: Kind, permission: Permission, success: u16) -> Operation {
    let has_effect = matches!(permission, Permission::Create | Permission::Modify);
    Operation { has_effect, ..changes(on, permission, success) }
}

/// Changes something.
pub(crate) const fn changes(on: Kind, permission: Permission, success: u16) -> Operation {
    Operation::new(on, Some(permission), success, true)
}

/// Reads something without a permission.
pub(crate) const fn open_reads(on: Kind, success: u16) -> Operation {
    Operation::new(on, None, success, false)
}

/// Changes something without a permission.
pub(crate) const fn open_changes(on: Kind, success: u16) -> Operation {
    Operation::new(on, None, success, true)
}

/// The operations declared by one module.
pub(crate) struct Declared {
    /// Operations of the contract.
    pub(crate) contract: &'static [Operation],
    /// Extensions of the contract.
    pub(crate) extensions: &'static [Operation],
    /// Operations without a request.
    pub(crate) internal: &'static [Operation],
}

/// The id of an operation: the name of its constant in lower case.
macro_rules! id {
    ($name:ident) => {{
        const ID: [u8; stringify!($name).len()] = {
            let mut id = [0; stringify!($name).len()];
            id.copy_from_slice(stringify!($name).as_bytes());
            id.make_ascii_lowercase();
            id
        };
        match std::str::from_utf8(&ID) {
            Ok(id) => id,
            Err(_) => panic!("an identifier is text"),
        }
    }};
}
pub(crate) use id;

/// Declares the operations whose rules are in the module, as constants in a module `operation`: those of the contract,
/// extensions, which `openapi-croft.json` describes, and those without a request, which are only in the audit log.
/// [`crate::operation`] lists all of them.
macro_rules! operations {
    (
        $(contract { $($(#[$contract_doc:meta])* $contract:ident = $contract_operation:expr;)* })?
        $(extensions { $($(#[$extension_doc:meta])* $extension:ident = $extension_operation:expr;)* })?
        $(internal { $($(#[$internal_doc:meta])* $internal:ident = $internal_operation:expr;)* })?
    ) => {
        /// The operations declared in this module.
        pub(crate) mod operation {
            use $crate::authz::operation::*;

            $($($crate::authz::operation::operations! {
                @constant $(#[$contract_doc])* $contract = $contract_operation;
            })*)?
            $($($crate::authz::operation::operations! {
                @constant $(#[$extension_doc])* $extension = $extension_operation;
            })*)?
            $($($crate::authz::operation::operations! {
                @constant $(#[$internal_doc])* $internal = $internal_operation;
            })*)?
        }

        /// The operations declared in this module, as lists.
        pub(crate) const OPERATIONS: $crate::authz::operation::Declared = $crate::authz::operation::Declared {
            contract: &[$($(operation::$contract),*)?],
            extensions: &[$($(operation::$extension),*)?],
            internal: &[$($(operation::$internal),*)?],
        };
    };
    (@constant $(#[$doc:meta])* $name:ident = $operation:expr;) => {
        #[doc = concat!("`", stringify!($name), "`, in lower case.")]
        $(#[$doc])*
        pub const $name: Operation = Operation { id: $crate::authz::operation::id!($name), ..$operation };
    };
}
pub(crate) use operations;
