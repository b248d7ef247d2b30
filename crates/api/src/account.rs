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

/// How the caller signs in, and what is still to be done first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Account {
    /// The user's id.
    pub id: Uuid,
    /// Whether the user signs in with a password that is kept here, and so can change it.
    pub has_password: bool,
    /// What the caller has to do before the session is good for anything else; null if there is nothing.
    pub pending_step: Option<PendingStep>,
    /// Whether the user has a second factor.
    pub has_second_factor: bool,
    /// Whether the user's silo requires one.
    pub second_factor_required: bool,
}

/// What stands between signing in and doing anything else.
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

/// A change of the caller's own password.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct PasswordChange {
    /// The present password.
    pub current_password: Password,
    /// The password to have from now on: at least 12 characters, and none that is easily guessed.
    pub new_password: Password,
}

/// One of the caller's sessions.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct OwnSession {
    /// The session's id, which is no secret.
    pub id: Uuid,
    /// When the user signed in.
    pub time_created: Timestamp,
    /// When a request last used it, to within a minute.
    pub time_last_used: Timestamp,
    /// The address from which the user signed in; null if it is not known.
    #[schema(value_type = Option<String>)]
    pub source_ip: Option<IpAddr>,
    /// What the browser called itself then; null if it said nothing.
    pub user_agent: Option<String>,
    /// Whether it is the session with which this is asked.
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
    /// The token's id, which is no secret.
    pub id: Uuid,
    /// What it is called. Names need not differ.
    pub name: String,
    /// When it was made.
    pub time_created: Timestamp,
    /// After this time it is of no use; null means never.
    pub time_expires: Option<Timestamp>,
    /// When a request last used it, to within ten minutes; null if none did.
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

/// A change of one of the caller's tokens.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub struct OwnTokenUpdate {
    /// What it is to be called: 1 to 63 characters.
    #[schema(inline = false)]
    pub name: Label,
}
