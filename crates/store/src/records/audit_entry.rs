use std::{collections::BTreeSet, net::IpAddr};

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{FLEET, Instance, Project};
use crate::{KeyKind, Lookup, Meta, Order, Record, Scope, Table, record, search::SearchEntry};

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

/// A resource that an operation was done to, or that it changed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditSubject {
    /// The name of the resource's table.
    pub kind: String,
    /// The resource.
    pub id: Uuid,
    /// Its name at the time, if it has one.
    pub name: Option<String>,
    /// What it is listed under; nil for a root.
    pub parent: Uuid,
    /// The silo that it belongs to.
    pub silo_id: Option<Uuid>,
    /// The project that it belongs to.
    pub project_id: Option<Uuid>,
}

impl AuditSubject {
    /// A record as it is now.
    pub fn of<R: Record>(record: &R) -> Self {
        let Scope { silo, project } = record.scope();
        Self {
            kind: R::TABLE.name.to_owned(),
            id: record.meta().id,
            name: record.name().map(str::to_owned),
            parent: record.parent(),
            silo_id: silo,
            project_id: project,
        }
    }

    /// A record that the search has found.
    pub fn found(entry: &SearchEntry) -> Self {
        Self {
            kind: entry.kind.clone(),
            id: entry.id,
            name: entry.name().map(str::to_owned),
            parent: entry.parent,
            silo_id: entry.scope.silo,
            project_id: entry.scope.project,
        }
    }
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
    /// The project that it was done to or in.
    #[serde(default)]
    pub project_id: Option<Uuid>,
    /// What it was done to and what it changed, as far as the caller could see it.
    #[serde(default)]
    pub subjects: Vec<AuditSubject>,
    /// What passed, where that is worth knowing.
    pub transferred: Option<Transferred>,
    /// The user as whom the actor viewed Croft, or began or ceased to.
    #[serde(default)]
    pub viewed_as: Option<Uuid>,
}

impl AuditEntry {
    /// The resources that find the entry by a [`ResourceActivity`](super::ResourceActivity): those it is about, and what they
    /// are part of. Instances, projects and what is in nothing else than a project or silo are found without.
    pub fn indexed(&self) -> BTreeSet<Uuid> {
        let mut indexed = BTreeSet::new();
        for subject in &self.subjects {
            let has_index = [Instance::TABLE.name, Project::TABLE.name].contains(&subject.kind.as_str());
            indexed.extend(Some(subject.id).filter(|_| !has_index));
            let places =
                [subject.silo_id, subject.project_id, self.instance_id, Some(FLEET), Some(Uuid::nil())];
            indexed.extend(Some(subject.parent).filter(|parent| !places.contains(&Some(*parent))));
        }
        indexed
    }
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
            /// What was done to a project and in it, in order of time.
            PROJECT: Lookup::new("project_id", KeyKind::Id).orders(&[Order::Time]).since(9) =
                entry.project_id;
        }
    }
}
