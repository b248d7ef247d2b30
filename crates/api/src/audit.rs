//! The audit log (`docs/rules/identity-and-system.md#audit-log`).

use std::net::IpAddr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::page::Listed;

/// One operation that somebody asked for. Never changes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AuditLogEntry {
    /// The entry's id.
    pub id: Uuid,
    /// The id of the request, as in the header `x-request-id` of its answer.
    pub request_id: String,
    /// Path and query, cut to 512 bytes. The bytes that passed follow as a fragment, where they are worth knowing:
    /// `#from_client=12&to_client=3456`. Of an item of a batch, the batch follows: `#batch=` and its id.
    pub request_uri: String,
    /// The operation's id in this document.
    pub operation_id: String,
    /// The peer's address; the unspecified one if it is not known.
    #[schema(value_type = String, format = "ip")]
    pub source_ip: IpAddr,
    /// What the client calls itself, cut to 256 bytes.
    pub user_agent: Option<String>,
    /// Who asked for it.
    pub actor: AuditLogEntryActor,
    /// How the caller proved who they are: `session_cookie` or `token`. Nothing for sign-ins.
    pub auth_method: Option<String>,
    /// When the request arrived.
    pub time_started: Timestamp,
    /// When the operation was completed.
    pub time_completed: Timestamp,
    /// Its result.
    pub result: AuditLogEntryResult,
}

/// Who asked for an operation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum AuditLogEntryActor {
    /// One of the system's own users.
    UserBuiltin {
        /// The user.
        user_builtin_id: Uuid,
    },
    /// A user of a silo.
    SiloUser {
        /// The user.
        silo_user_id: Uuid,
        /// The user's silo.
        silo_id: Uuid,
    },
    /// Somebody who has not signed in.
    Unauthenticated,
}

/// How an operation ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum AuditLogEntryResult {
    /// As asked.
    Success {
        /// The status answered.
        http_status_code: u16,
    },
    /// With an error.
    Error {
        /// The status answered.
        http_status_code: u16,
        /// The error's code, if it has one.
        error_code: Option<String>,
        /// The message answered.
        error_message: String,
    },
    /// Nobody knows.
    Unknown,
}

impl Listed for AuditLogEntry {
    fn id(&self) -> Uuid {
        self.id
    }

    fn name(&self) -> &'static str {
        ""
    }

    fn time(&self) -> Timestamp {
        self.time_completed
    }
}

/// Which entries are listed: those that were completed within a time.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AuditLogSelector {
    /// At this time or later.
    pub start_time: Timestamp,
    /// Before this time; without it up to the latest.
    pub end_time: Option<Timestamp>,
}
