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
    /// Its id in the document that describes it, and in the audit log.
    pub id: &'static str,
    /// What it is done to.
    pub on: Kind,
    /// What the caller must be allowed to do there; `None` where being signed in is enough.
    pub permission: Option<Permission>,
    /// The status of a successful answer.
    pub success: u16,
    /// Whether it changes or discloses something, and so is written to the audit log.
    pub audited: bool,
    /// The message when a concurrent deletion of the object wins (`docs/rules/networking.md#races`); `None` where
    /// trying again is all there is to say.
    pub lost_race: Option<&'static str>,
    /// The steps between signing in and the rest that it is part of: a session is good for it while one of them is pending.
    pub part_of: &'static [PendingStep],
}

impl Operation {
    const fn new(on: Kind, permission: Option<Permission>, success: u16, audited: bool) -> Self {
        Self { id: "", on, permission, success, audited, lost_race: None, part_of: &[] }
    }

    /// Sets the message when a concurrent deletion wins.
    pub(crate) const fn lost_race(mut self, text: &'static str) -> Self {
        self.lost_race = Some(text);
        self
    }

    /// Makes it part of steps between signing in and the rest.
    pub(crate) const fn part_of(mut self, steps: &'static [PendingStep]) -> Self {
        self.part_of = steps;
        self
    }

    /// Keeps it out of the audit log.
    pub(crate) const fn not_audited(mut self) -> Self {
        self.audited = false;
        self
    }

    /// Whether it is done to what belongs to whoever asks, and never to what is somebody else's.
    pub fn is_about_caller(&self) -> bool {
        ["current_user_", "account_"].iter().any(|prefix| self.id.starts_with(prefix))
    }

    /// Whether its permission is one for changing something, or beginning to.
    pub(crate) fn is_change(&self) -> bool {
        matches!(self.permission, Some(Permission::Create | Permission::Modify))
    }
}

/// Reads something.
pub(crate) const fn reads(on: Kind, permission: Permission) -> Operation {
    Operation::new(on, Some(permission), 200, false)
}

/// Changes nothing, but transfers data that is worth an audit entry.
pub(crate) const fn passes(on: Kind, permission: Permission, success: u16) -> Operation {
    changes(on, permission, success)
}

/// Changes something.
pub(crate) const fn changes(on: Kind, permission: Permission, success: u16) -> Operation {
    Operation::new(on, Some(permission), success, true)
}

/// Reads something for which no permission is needed.
pub(crate) const fn open_reads(on: Kind, success: u16) -> Operation {
    Operation::new(on, None, success, false)
}

/// Changes something for which no permission is needed.
pub(crate) const fn open_changes(on: Kind, success: u16) -> Operation {
    Operation::new(on, None, success, true)
}

/// The operations that one module declares.
pub(crate) struct Declared {
    /// Those of the contract.
    pub(crate) contract: &'static [Operation],
    /// Those that extend the contract.
    pub(crate) extensions: &'static [Operation],
    /// Those that are not requests.
    pub(crate) internal: &'static [Operation],
}

/// The id of the operation that a constant declares: its name in lower case.
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

/// Declares the operations whose rules stand in the module, as constants in a module `operation`: those of the contract, those
/// beside it, which `openapi-croft.json` describes, and those that nobody asks for by a request but that are in the audit log
/// like the others. [`crate::operation`] has them all.
macro_rules! operations {
    (
        $(contract { $($(#[$contract_doc:meta])* $contract:ident = $contract_operation:expr;)* })?
        $(extensions { $($(#[$extension_doc:meta])* $extension:ident = $extension_operation:expr;)* })?
        $(internal { $($(#[$internal_doc:meta])* $internal:ident = $internal_operation:expr;)* })?
    ) => {
        /// The operations whose rules stand here.
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

        /// The operations whose rules stand here, as lists.
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
