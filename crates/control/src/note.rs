//! What is to be recorded about an instance.

use croft_store::records::{ActivityConstraint, ActivityKind};

/// What is to be recorded about an instance.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// What happened.
    pub kind: ActivityKind,
    /// Why, in words.
    pub cause: String,
    /// What Croft did about it.
    pub action: Option<String>,
    /// What a person can do about it.
    pub advice: Option<String>,
    /// What causes it, if that is one thing.
    pub constraint: Option<ActivityConstraint>,
    /// Details for those alone who may see the hardware.
    pub operator_detail: Option<String>,
    /// The last lines of the serial console.
    pub serial_tail: Option<String>,
}

impl Note {
    /// That this happened, for this reason.
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

    /// Says what Croft did about it.
    #[must_use]
    pub fn action(mut self, text: impl Into<String>) -> Self {
        self.action = Some(text.into());
        self
    }

    /// Says what a person can do about it.
    #[must_use]
    pub fn advice(mut self, text: impl Into<String>) -> Self {
        self.advice = Some(text.into());
        self
    }
}
