//! The caller's own account: password, sessions and tokens. All of it is beside the contract.

use std::net::IpAddr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    page::Listed,
    scalar::{Label, Password},
};

/// How the caller signs in, and the pending sign-in steps.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Account {
    /// The user's id.
    pub id: Uuid,
    /// Whether the user has a local password, which they can change.
    pub has_password: bool,
    /// What the caller has to do before the session is good for anything else; null if there is nothing.
    pub pending_step: Option<PendingStep>,
    /// Whether the user has a second factor.
    pub has_second_factor: bool,
    /// Whether the user's silo requires a second factor.
    pub second_factor_required: bool,
}

/// A step that is required before the session can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PendingStep {
    /// Show a second factor.
    VerifySecondFactor,
    /// Choose another password.
    ChoosePassword,
    /// Set up a second factor, which the silo requires.
    SetUpSecondFactor,
}

/// The parameters of a change of the caller's password.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct PasswordChange {
    /// The current password.
    pub current_password: Password,
    /// The new password: at least 12 characters, and not easily guessed.
    pub new_password: Password,
}

/// One of the caller's sessions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OwnSession {
    /// The session's ID, which is not secret.
    pub id: Uuid,
    /// When the user signed in.
    pub time_created: Timestamp,
    /// When it was last used, with a precision of a minute.
    pub time_last_used: Timestamp,
    /// The address from which the user signed in; null if unknown.
    #[schema(value_type = Option<String>)]
    pub source_ip: Option<IpAddr>,
    /// The user agent of the browser that signed in; null if it sent none.
    pub user_agent: Option<String>,
    /// Whether it is the session of this request.
    pub is_current: bool,
}

impl Listed for OwnSession {
    fn id(&self) -> Uuid {
        self.id
    }

    fn name(&self) -> &'static str {
        ""
    }
}

/// The path of one session.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct SessionPath {
    /// Id of the session.
    pub session_id: Uuid,
}

/// One of the caller's bearer tokens, without its secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OwnToken {
    /// The token's ID, which is not secret.
    pub id: Uuid,
    /// Its name. Names need not be unique.
    pub name: String,
    /// When it was created.
    pub time_created: Timestamp,
    /// When it expires; null means never.
    pub time_expires: Option<Timestamp>,
    /// When it was last used, with a precision of ten minutes; null if it was never used.
    pub time_last_used: Option<Timestamp>,
}

impl Listed for OwnToken {
    fn id(&self) -> Uuid {
        self.id
    }

    fn name(&self) -> &'static str {
        ""
    }
}

/// The parameters of an update of one of the caller's tokens.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct OwnTokenUpdate {
    /// The new name: 1 to 63 characters.
    #[schema(inline = false)]
    pub name: Label,
}
