use std::net::IpAddr;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{KeyKind, Lookup, Meta, Order, Scope, Table, record};

/// Who caused an entry.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AuditActor {
    /// A user of a silo.
    SiloUser {
        /// The user.
        silo_user_id: Uuid,
        /// The user's silo.
        silo_id: Uuid,
    },
    /// A user built into the system.
    UserBuiltin {
        /// The user.
        user_builtin_id: Uuid,
    },
    /// Somebody who has not signed in.
    Unauthenticated,
}

/// How an audited operation ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AuditResult {
    /// As asked.
    Success {
        /// The status answered.
        http_status_code: u16,
    },
    /// With an error.
    Error {
        /// The status answered.
        http_status_code: u16,
        /// The catalogue's code, if the error has one.
        error_code: Option<String>,
        /// The message answered.
        error_message: String,
    },
    /// Unknown.
    Unknown,
}

/// Bytes that passed while an operation lasted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Transferred {
    /// What the client sent.
    pub from_client: u64,
    /// What was sent to it.
    pub to_client: u64,
}

/// One operation that somebody asked for. Never changes once written; the time of creation is that of completion.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditEntry {
    /// Bookkeeping; `time_created` is when the operation was completed.
    pub meta: Meta,
    /// The operation's id in the contract.
    pub operation_id: String,
    /// The request.
    pub request_id: Uuid,
    /// Path and query, cut to 512 bytes.
    pub request_uri: String,
    /// The peer's address.
    pub source_ip: Option<IpAddr>,
    /// What the client calls itself, cut to 256 bytes.
    pub user_agent: Option<String>,
    /// When the operation began.
    #[serde(with = "jiff::fmt::serde::timestamp::microsecond::required")]
    pub time_started: jiff::Timestamp,
    /// Who asked for it.
    pub actor: AuditActor,
    /// How the caller proved who they are: `session_cookie`, `token` or nothing.
    pub auth_method: Option<String>,
    /// How it ended.
    pub result: AuditResult,
    /// The instance that it was done to, if it was done to one that the caller could see.
    pub instance_id: Option<Uuid>,
    /// What passed, where that is worth knowing.
    pub transferred: Option<Transferred>,
    /// The user as whom the actor viewed Croft, or began or ceased to.
    #[serde(default)]
    pub viewed_as: Option<Uuid>,
}

record! {
    AuditEntry as entry {
        table: Table::new("audit_entry").by_all(&[Order::Time]).unlogged();
        scope: match entry.actor {
            AuditActor::SiloUser { silo_id, .. } => Scope::silo(silo_id),
            AuditActor::UserBuiltin { .. } | AuditActor::Unauthenticated => Scope::FLEET,
        };
        lookups: {
            /// What was done to an instance, in order of time.
            INSTANCE: Lookup::new("instance_id", KeyKind::Id).orders(&[Order::Time]) = entry.instance_id;
        }
    }
}
