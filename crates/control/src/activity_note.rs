//! Events of an instance that are recorded in its history.

use croft_store::records::{ActivityConstraint, ActivityKind};

/// An event of an instance, before it is recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActivityNote {
    /// What happened.
    pub kind: ActivityKind,
    /// The reason, as text.
    pub cause: String,
    /// What Croft did about it.
    pub action: Option<String>,
    /// What a person can do about it.
    pub advice: Option<String>,
    /// The single cause, if there is one.
    pub constraint: Option<ActivityConstraint>,
    /// Details for users who may see the hardware.
    pub operator_detail: Option<String>,
    /// The last lines of the serial console.
    pub serial_tail: Option<String>,
}

impl ActivityNote {
    /// Creates a note with a kind and a reason.
    pub fn new(kind: ActivityKind, cause: impl Into<String>) -> Self {
        Self {
            kind,
            cause: cause.into(),
            action: None,
            advice: None,
            constraint: None,
            operator_detail: None,
            serial_tail: None,
        }
    }

    /// Sets what Croft did about it.
    #[must_use]
    pub fn action(mut self, text: impl Into<String>) -> Self {
        self.action = Some(text.into());
        self
    }

    /// Sets what a person can do about it.
    #[must_use]
    pub fn advice(mut self, text: impl Into<String>) -> Self {
        self.advice = Some(text.into());
        self
    }
}
