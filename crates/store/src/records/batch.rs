use std::net::IpAddr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{Key, KeyKind, Lookup, Meta, Order, Scope, Table, record};

/// The operation that a batch does to each of its targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BatchOperation {
    /// Start instances.
    InstanceStart,
    /// Stop instances.
    InstanceStop,
    /// Reboot instances.
    InstanceReboot,
    /// Delete instances.
    InstanceDelete,
    /// Delete disks.
    DiskDelete,
    /// Delete snapshots.
    SnapshotDelete,
    /// Delete images.
    ImageDelete,
    /// Delete floating IPs.
    FloatingIpDelete,
}

/// The request that queued the items of a batch, for the entries of the items in the audit log.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BatchRequest {
    /// Its id.
    pub id: Uuid,
    /// The peer's address.
    pub source_ip: Option<IpAddr>,
    /// What the client calls itself.
    pub user_agent: Option<String>,
    /// Whether the caller had a token rather than a session.
    pub by_token: bool,
}

/// One operation on many resources, which the reconciler works off on behalf of a user. Removed with its user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Batch {
    /// Bookkeeping.
    pub meta: Meta,
    /// Whose it is.
    pub user_id: Uuid,
    /// The user's silo.
    pub silo_id: Uuid,
    /// What the user calls it; unique among the user's batches.
    pub idempotency_key: String,
    /// SHA-256 of operation and targets: whether another request with the same key asks for the same.
    pub content_hash: Vec<u8>,
    /// What is done to each target.
    pub operation: BatchOperation,
    /// The request that queued its items.
    pub request: BatchRequest,
    /// The number of its items.
    pub total: u32,
    /// How many of them succeeded.
    pub succeeded: u32,
    /// How many of them failed.
    pub failed: u32,
    /// How many of them were canceled.
    pub canceled: u32,
    /// When the first of its items was begun, since they were queued.
    #[serde(with = "jiff::fmt::serde::timestamp::microsecond::optional")]
    pub time_started: Option<Timestamp>,
    /// When the last of its items ended; none while one is queued.
    #[serde(with = "jiff::fmt::serde::timestamp::microsecond::optional")]
    pub time_finished: Option<Timestamp>,
    /// Its place in the queue of batches that have an item to be begun: the lowest time is served first.
    #[serde(with = "jiff::fmt::serde::timestamp::microsecond::optional")]
    pub time_due: Option<Timestamp>,
}

impl Batch {
    /// What [`KEY`](Self::KEY) finds a batch by.
    pub fn key(user_id: Uuid, idempotency_key: &str) -> Key {
        Key::combined([user_id.into(), idempotency_key.into()])
    }

    /// How many of its items have not ended.
    pub fn queued(&self) -> u32 {
        self.total.saturating_sub(self.succeeded + self.failed + self.canceled)
    }
}

record! {
    Batch as batch {
        table: Table::new("batch").by_parent(&[Order::Time, Order::Id]).since(6);
        parent: batch.user_id;
        scope: Scope::silo(batch.silo_id);
        lookups: {
            /// The batch of a user with this idempotency key.
            KEY: Lookup::unique("user_key", KeyKind::Bytes).since(6) =
                Batch::key(batch.user_id, &batch.idempotency_key);
            /// The batches of a user that have not ended.
            UNFINISHED: Lookup::new("unfinished_user_id", KeyKind::Id).since(6) =
                batch.time_finished.is_none().then_some(batch.user_id);
            /// Batches with items to be begun, in the order in which they are served.
            DUE: Lookup::new("time_due", KeyKind::Int).since(6) = batch.time_due;
            /// Batches that have ended, in the order in which they did.
            FINISHED: Lookup::new("time_finished", KeyKind::Int).since(6) = batch.time_finished;
        }
    }
}

/// What has become of an item of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BatchItemState {
    /// It is to be done.
    Queued,
    /// The operation succeeded.
    Succeeded,
    /// The operation was refused.
    Failed,
    /// It was canceled before it was begun.
    Canceled,
}

/// Why an item of a batch failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BatchItemError {
    /// The HTTP status that the operation alone would have answered.
    pub http_status_code: u16,
    /// The catalogue's code, if the error has one.
    pub error_code: Option<String>,
    /// The message that the operation alone would have answered.
    pub message: String,
}

/// Between the attempts at an item whose target a host is still making.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BatchItemWait {
    /// When the item was first begun.
    #[serde(with = "jiff::fmt::serde::timestamp::microsecond::required")]
    pub since: Timestamp,
    /// When it is to be begun again; none if it may be begun at any time.
    #[serde(with = "jiff::fmt::serde::timestamp::microsecond::optional")]
    pub until: Option<Timestamp>,
}

/// The operation on one of the targets of a batch. Items of one batch were created at different times, in their order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BatchItem {
    /// Bookkeeping.
    pub meta: Meta,
    /// The batch.
    pub batch_id: Uuid,
    /// The silo of the batch.
    pub silo_id: Uuid,
    /// Its place in the batch, from 0.
    pub position: u32,
    /// What the operation is done to.
    pub target_id: Uuid,
    /// What has become of it.
    pub state: BatchItemState,
    /// Why it failed.
    pub error: Option<BatchItemError>,
    /// Whether it was begun and has to be begun again.
    pub wait: Option<BatchItemWait>,
    /// When it ended.
    #[serde(with = "jiff::fmt::serde::timestamp::microsecond::optional")]
    pub time_finished: Option<Timestamp>,
}

impl BatchItem {
    /// When it is to be begun again, if it has to wait until then.
    pub fn waits_until(&self) -> Option<Timestamp> {
        self.wait.filter(|_| self.state == BatchItemState::Queued)?.until
    }
}

record! {
    BatchItem as item {
        table: Table::new("batch_item").by_parent(&[Order::Time, Order::Id]).unlogged().since(6);
        parent: item.batch_id;
        scope: Scope::silo(item.silo_id);
        lookups: {
            /// The items of a batch that can be begun, in their order.
            READY: Lookup::new("ready_batch_id", KeyKind::Id).orders(&[Order::Time]).since(6) =
                (item.state == BatchItemState::Queued && item.waits_until().is_none()).then_some(item.batch_id);
            /// Items that wait, in the order in which they are to be begun again.
            DUE: Lookup::new("time_due", KeyKind::Int).since(6) = item.waits_until();
        }
    }
}
