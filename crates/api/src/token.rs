//! Tokens and sessions of users, as lists show them.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::page::Listed;

/// A bearer token, without its secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DeviceAccessToken {
    /// The token's ID, which is not secret.
    pub id: Uuid,
    /// When it was created.
    pub time_created: Timestamp,
    /// When it expires; null means never.
    pub time_expires: Option<Timestamp>,
}

impl Listed for DeviceAccessToken {
    fn id(&self) -> Uuid {
        self.id
    }

    fn name(&self) -> &'static str {
        ""
    }
}

/// A session of a browser, without its secret.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ConsoleSession {
    /// The session's ID, which is not secret.
    pub id: Uuid,
    /// When the user signed in.
    pub time_created: Timestamp,
    /// When it was last used, with a precision of a minute.
    pub time_last_used: Timestamp,
}

impl Listed for ConsoleSession {
    fn id(&self) -> Uuid {
        self.id
    }

    fn name(&self) -> &'static str {
        ""
    }
}

/// The path of one token.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct TokenPath {
    /// Id of the token.
    pub token_id: Uuid,
}
