//! Batches: one operation on many resources (`docs/rules/identity-and-system.md#batches`). An extension.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::page::Listed;

/// The operation that a batch does to each of its targets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
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

/// The state of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BatchState {
    /// Nothing of it has been done since it was created or retried.
    Queued,
    /// Some of its items have been done, others are queued.
    Running,
    /// All its items succeeded.
    Succeeded,
    /// Every item has ended, and at least one failed. None was canceled.
    Failed,
    /// Every item has ended, and at least one was canceled.
    Canceled,
}

/// One operation on many resources, carried out in the background with the rights that its owner has at that moment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Batch {
    /// The ID, which never changes.
    pub id: Uuid,
    /// The key that its creator gave it.
    pub idempotency_key: String,
    /// What is done to each target.
    pub operation: BatchOperation,
    /// The state.
    pub state: BatchState,
    /// The number of items.
    pub total: u32,
    /// How many of them succeeded.
    pub succeeded: u32,
    /// How many of them failed.
    pub failed: u32,
    /// How many of them were canceled.
    pub canceled: u32,
    /// When it was created.
    pub time_created: Timestamp,
    /// When its first item was begun, since it was created or last retried.
    pub time_started: Option<Timestamp>,
    /// When its last item ended. It is removed 7 days later.
    pub time_finished: Option<Timestamp>,
}

impl Listed for Batch {
    fn id(&self) -> Uuid {
        self.id
    }

    fn name(&self) -> &'static str {
        ""
    }

    fn time(&self) -> Timestamp {
        self.time_created
    }
}

/// A batch to be created.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BatchCreate {
    /// A text of the caller's choice, which no other batch of the caller has. A request with the key of an existing batch,
    /// the same operation and the same items creates nothing and answers with that batch.
    #[schema(min_length = 1, max_length = 128)]
    pub idempotency_key: String,
    /// What to do to each target.
    pub operation: BatchOperation,
    /// The targets, each of which must be named once only. They are worked off in this order.
    #[schema(min_items = 1, max_items = 1000)]
    pub items: Vec<BatchItemCreate>,
}

/// An item of a batch to be created.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BatchItemCreate {
    /// The ID of the resource that the operation is done to.
    pub target_id: Uuid,
}

/// The state of an item of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BatchItemState {
    /// It is to be done.
    Queued,
    /// The operation succeeded: what the operation alone would have answered is a success.
    Succeeded,
    /// The operation was refused; `error` says why.
    Failed,
    /// It was canceled before it was begun.
    Canceled,
}

/// Why an item of a batch failed: what the operation alone would have answered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BatchItemError {
    /// The HTTP status of the answer.
    pub http_status_code: u16,
    /// The code of the error, if it has one.
    pub error_code: Option<String>,
    /// What went wrong, for people.
    pub message: String,
}

/// The operation on one of the targets of a batch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BatchItem {
    /// The ID, which never changes.
    pub id: Uuid,
    /// Its place in the batch, from 0.
    pub position: u32,
    /// The ID of the resource that the operation is done to.
    pub target_id: Uuid,
    /// The state.
    pub state: BatchItemState,
    /// Why it failed, if it failed.
    pub error: Option<BatchItemError>,
    /// When it ended.
    pub time_finished: Option<Timestamp>,
}

/// The path of one batch.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct BatchPath {
    /// ID of the batch.
    pub batch: Uuid,
}
