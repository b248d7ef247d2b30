//! Snapshots: the content of a disk at one moment.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    identity::IdentityCreate,
    page::Listed,
    scalar::{ByteCount, Description, Name, NameOrId},
};

/// A snapshot of a disk.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Snapshot {
    /// The ID, which never changes.
    pub id: Uuid,
    /// The name, unique in the project.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// When it was asked for.
    pub time_created: Timestamp,
    /// When it was last changed by a person.
    pub time_modified: Timestamp,
    /// The project it belongs to, which is that of the disk.
    pub project_id: Uuid,
    /// The disk it was taken of, also after that disk is gone.
    pub disk_id: Uuid,
    /// Size in bytes, which is the disk's.
    pub size: ByteCount,
    /// Whether it has been taken.
    pub state: SnapshotState,
}

impl Listed for Snapshot {
    fn id(&self) -> Uuid {
        self.id
    }

    fn name(&self) -> &str {
        self.name.as_str()
    }
}

/// Whether a snapshot has been taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SnapshotState {
    /// Being taken.
    Creating,
    /// Taken.
    Ready,
    /// Could not be taken; can only be deleted.
    Faulted,
    /// Deleted.
    Destroyed,
}

impl SnapshotState {
    /// The state's word on the wire.
    pub const fn label(self) -> &'static str {
        match self {
            Self::Creating => "creating",
            Self::Ready => "ready",
            Self::Faulted => "faulted",
            Self::Destroyed => "destroyed",
        }
    }
}

/// A snapshot to be taken.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct SnapshotCreate {
    /// Name and description.
    #[serde(flatten)]
    pub identity: IdentityCreate,
    /// Name or id of the disk, which must be in the same project.
    pub disk: NameOrId,
}

/// The path of one snapshot.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct SnapshotPath {
    /// Name or id of the snapshot.
    pub snapshot: NameOrId,
}
