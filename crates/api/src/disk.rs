//! Disks: block storage that outlives the instances it is attached to.

use std::borrow::Cow;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    identity::IdentityCreate,
    page::Listed,
    scalar::{BlockSize, ByteCount, Description, Name, NameOrId},
};

/// A virtual disk.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Disk {
    /// The ID, which never changes.
    pub id: Uuid,
    /// The name, unique in the project.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// When it was created.
    pub time_created: Timestamp,
    /// When it was last changed by a person.
    pub time_modified: Timestamp,
    /// The project it belongs to.
    pub project_id: Uuid,
    /// Size in bytes.
    pub size: ByteCount,
    /// Block size in bytes.
    pub block_size: ByteCount,
    /// Where the guest sees it.
    pub device_path: String,
    /// The image it was made from, also after that image is gone.
    pub image_id: Option<Uuid>,
    /// The snapshot it was made from, also after that snapshot is gone.
    pub snapshot_id: Option<Uuid>,
    /// What it is doing.
    pub state: DiskState,
}

impl Listed for Disk {
    fn id(&self) -> Uuid {
        self.id
    }

    fn name(&self) -> &str {
        self.name.as_str()
    }
}

/// What a disk is doing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "state", rename_all = "snake_case")]
pub enum DiskState {
    /// Being built.
    Creating,
    /// Idle.
    Detached,
    /// Waiting for an import to begin or to be finished.
    ImportReady,
    /// Being imported from a URL.
    ImportingFromUrl,
    /// Taking bulk writes.
    ImportingFromBulkWrites,
    /// An import is being finished.
    Finalizing,
    /// A snapshot is being taken of the detached disk.
    Maintenance,
    /// On its way to an instance.
    Attaching {
        /// That instance.
        instance: Uuid,
    },
    /// Attached to an instance, running or not.
    Attached {
        /// That instance.
        instance: Uuid,
    },
    /// On its way from an instance.
    Detaching {
        /// That instance.
        instance: Uuid,
    },
    /// Deleted.
    Destroyed,
    /// Unusable; can only be deleted.
    Faulted,
}

impl DiskState {
    /// The state's word on the wire.
    pub fn label(&self) -> &'static str {
        match self {
            Self::Creating => "creating",
            Self::Detached => "detached",
            Self::ImportReady => "import_ready",
            Self::ImportingFromUrl => "importing_from_url",
            Self::ImportingFromBulkWrites => "importing_from_bulk_writes",
            Self::Finalizing => "finalizing",
            Self::Maintenance => "maintenance",
            Self::Attaching { .. } => "attaching",
            Self::Attached { .. } => "attached",
            Self::Detaching { .. } => "detaching",
            Self::Destroyed => "destroyed",
            Self::Faulted => "faulted",
        }
    }

    /// The state as the messages about imports spell it, in camel case.
    pub fn debug_label(&self) -> String {
        match self {
            Self::Attaching { instance } => format!("Attaching({instance})"),
            Self::Attached { instance } => format!("Attached({instance})"),
            Self::Detaching { instance } => format!("Detaching({instance})"),
            other => format!("{other:?}"),
        }
    }

    /// The instance that the disk is attached to, or is on its way to or from.
    pub fn instance(&self) -> Option<Uuid> {
        match self {
            Self::Attaching { instance } | Self::Attached { instance } | Self::Detaching { instance } => {
                Some(*instance)
            }
            _ => None,
        }
    }
}

/// What a new disk holds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum DiskSource {
    /// Nothing: zeros.
    Blank {
        /// Block size of the disk.
        block_size: BlockSize,
    },
    /// The content of a snapshot.
    Snapshot {
        /// That snapshot.
        snapshot_id: Uuid,
    },
    /// The content of an image.
    Image {
        /// That image.
        image_id: Uuid,
    },
    /// Blocks that the client will write before the disk can be used.
    ImportingBlocks {
        /// Block size of the disk.
        block_size: BlockSize,
    },
}

/// A disk to be created.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct DiskCreate {
    /// Name and description.
    #[serde(flatten)]
    pub identity: IdentityCreate,
    /// What it holds.
    pub disk_source: DiskSource,
    /// Size in bytes: a multiple of 1 GiB, from 1 GiB to 1023 GiB.
    pub size: ByteCount,
}

/// Blocks of a disk that is being imported.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ImportBlocksBulkWrite<'a> {
    /// Where they go, in bytes: a multiple of the disk's block size.
    pub offset: u64,
    /// The blocks in base64, with the standard alphabet and padding; borrowed from the request where it can be.
    #[serde(borrow)]
    #[schema(value_type = String)]
    pub base64_encoded_data: Cow<'a, str>,
}

/// How an import is to be finished.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct FinalizeDisk {
    /// The name of a snapshot to be taken of the imported disk; none for no snapshot.
    #[serde(default)]
    pub snapshot_name: Option<Name>,
}

/// Points at a disk in a body.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct DiskPath {
    /// Name or id of the disk.
    pub disk: NameOrId,
}

/// The path of one disk.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct DiskPathParam {
    /// Name or id of the disk.
    pub disk: NameOrId,
}
