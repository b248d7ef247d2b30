//! Utilization: what silos use of what they may use (`docs/rules/identity-and-system.md#utilization-of-silos`).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    page::Listed,
    scalar::{ByteCount, Name},
};

/// Amounts of what is limited.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct VirtualResourceCounts {
    /// Virtual CPUs.
    pub cpus: i64,
    /// Memory in bytes.
    pub memory: ByteCount,
    /// Disks and snapshots, in bytes.
    pub storage: ByteCount,
}

/// What the caller's silo uses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Utilization {
    /// In use: CPUs and memory of running instances, size of disks and snapshots.
    pub provisioned: VirtualResourceCounts,
    /// What the silo may use at most.
    pub capacity: VirtualResourceCounts,
}

/// What one silo uses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SiloUtilization {
    /// The silo's id.
    pub silo_id: Uuid,
    /// The silo's name.
    #[schema(inline = false)]
    pub silo_name: Name,
    /// In use: CPUs and memory of running instances, size of disks and snapshots.
    pub provisioned: VirtualResourceCounts,
    /// What the silo may use at most.
    pub allocated: VirtualResourceCounts,
}

impl Listed for SiloUtilization {
    fn id(&self) -> Uuid {
        self.silo_id
    }

    fn name(&self) -> &str {
        self.silo_name.as_str()
    }
}
