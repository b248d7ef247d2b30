use croft_api::scalar::{BlockSize, ByteCount, Description, Name};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{KeyKind, Lookup, Meta, Order, Scope, Table, record, search::Searched};

/// Whether a snapshot has been taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SnapshotStage {
    /// It is still to be taken.
    Creating,
    /// Taken.
    Ready,
    /// It could not be taken.
    Faulted,
}

/// The content of a disk at one moment. Its storage is the [volume](super::SnapshotVolume) of the same id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshot {
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
    /// The disk it is of; it need not exist any more once the snapshot has been taken.
    pub disk_id: Uuid,
    /// Size, which its [volume](super::SnapshotVolume) takes of the quota.
    pub size: ByteCount,
    /// Block size of the disk.
    pub block_size: BlockSize,
    /// Whether it has been taken.
    pub stage: SnapshotStage,
    /// When the reconciler must process it next; `None` when there is nothing to do.
    #[serde(with = "jiff::fmt::serde::timestamp::microsecond::optional")]
    pub time_due: Option<Timestamp>,
}

record! {
    Snapshot as snapshot {
        table: Table::named("snapshot").by_parent(&[Order::Name, Order::Id]);
        parent: snapshot.project_id;
        name: Some(snapshot.name.as_str());
        scope: Scope::project(snapshot.silo_id, snapshot.project_id);
        search: Searched::named(&snapshot.name, &snapshot.description);
        lookups: {
            /// Snapshots in the order in which the reconciler is to look at them.
            DUE: Lookup::new("time_due", KeyKind::Int) = snapshot.time_due;
        }
    }
}
