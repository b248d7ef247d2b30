use croft_api::scalar::{BlockSize, ByteCount, Description, Name};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{KeyKind, Lookup, Meta, Order, Scope, Table, record, search::Searched};

/// Where a disk's content came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DiskContent {
    /// Nothing: zeros.
    Blank,
    /// An image; it need not exist any more.
    Image(Uuid),
    /// A snapshot; it need not exist any more.
    Snapshot(Uuid),
    /// Blocks that a client writes.
    Imported,
}

/// How far an import is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ImportStage {
    /// Waiting for writes, or to be finished.
    Ready,
    /// Taking bulk writes.
    BulkWrites,
    /// Being finished.
    Finalizing,
}

/// What a disk is doing, apart from whether it is built yet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DiskStage {
    /// Idle.
    Detached,
    /// Attached to an instance.
    Attached {
        /// The instance.
        instance_id: Uuid,
        /// The slot, 0 to 7.
        slot: u8,
    },
    /// Being imported.
    Importing(ImportStage),
    /// Unusable.
    Faulted,
}

/// A virtual disk.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Disk {
    /// Bookkeeping.
    pub meta: Meta,
    /// The silo.
    pub silo_id: Uuid,
    /// The project.
    pub project_id: Uuid,
    /// Unique in the project.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// Size; what the quota is charged.
    pub size: ByteCount,
    /// Block size.
    pub block_size: BlockSize,
    /// Where its content came from.
    pub content: DiskContent,
    /// What it is doing.
    pub stage: DiskStage,
    /// Whether the storage behind it exists. A disk may be attached before that, but no machine starts with it.
    pub built: bool,
    /// The volume of a snapshot that its content is still to be taken from; none once it is built.
    pub begins_with: Option<Uuid>,
    /// The snapshot that is being taken of it: never two at a time.
    pub snapshotting: Option<Uuid>,
    /// The storage pools that hold its copies.
    pub pools: Vec<Uuid>,
    /// When the reconciler must process it next; `None` when there is nothing to do.
    #[serde(with = "jiff::fmt::serde::timestamp::microsecond::optional")]
    pub time_due: Option<Timestamp>,
}

impl Disk {
    /// Whether a machine may begin to use it: it is built, and no snapshot is being taken of it behind the machine's
    /// back.
    pub fn can_run(&self) -> bool {
        self.built && self.snapshotting.is_none()
    }

    /// Whether a host is still making it, or a snapshot of it.
    pub fn is_being_made(&self) -> bool {
        self.stage != DiskStage::Faulted && !self.can_run()
    }

    /// The instance it is attached to, and the slot.
    pub fn attachment(&self) -> Option<(Uuid, u8)> {
        match self.stage {
            DiskStage::Attached { instance_id, slot } => Some((instance_id, slot)),
            _ => None,
        }
    }
}

record! {
    Disk as disk {
        table: Table::named("disk").by_parent(&[Order::Name, Order::Id]);
        parent: disk.project_id;
        name: Some(disk.name.as_str());
        scope: Scope::project(disk.silo_id, disk.project_id);
        search: Searched::named(&disk.name, &disk.description);
        lookups: {
            /// The disks of an instance.
            INSTANCE: Lookup::new("instance_id", KeyKind::Id).orders(&[Order::Name, Order::Id]) =
                disk.attachment().map(|(instance, _)| instance);
            /// The disks that still take their content from a volume.
            BEGINS_WITH: Lookup::new("begins_with", KeyKind::Id) = disk.begins_with;
            /// Disks in the order in which the reconciler is to look at them.
            DUE: Lookup::new("time_due", KeyKind::Int) = disk.time_due;
        }
    }
}
