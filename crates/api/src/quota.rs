//! Quotas: what silos may use at most (`docs/rules/identity-and-system.md#quotas-of-silos`).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{page::Listed, scalar::ByteCount};

/// What a silo may use at most.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SiloQuotas {
    /// The silo.
    pub silo_id: Uuid,
    /// Virtual CPUs of running instances.
    pub cpus: i64,
    /// Memory of running instances, in bytes.
    pub memory: ByteCount,
    /// Disks and snapshots, in bytes.
    pub storage: ByteCount,
}

impl Listed for SiloQuotas {
    fn id(&self) -> Uuid {
        self.silo_id
    }

    fn name(&self) -> &'static str {
        ""
    }
}

/// What a new silo may use at most. Zero means nothing.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct SiloQuotasCreate {
    /// Virtual CPUs of running instances; not negative.
    pub cpus: i64,
    /// Memory of running instances, in bytes.
    pub memory: ByteCount,
    /// Disks and snapshots, in bytes.
    pub storage: ByteCount,
}

/// A change of what a silo may use at most; what is absent stays.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct SiloQuotasUpdate {
    /// Virtual CPUs of running instances; not negative.
    #[serde(default)]
    pub cpus: Option<i64>,
    /// Memory of running instances, in bytes.
    #[serde(default)]
    pub memory: Option<ByteCount>,
    /// Disks and snapshots, in bytes.
    #[serde(default)]
    pub storage: Option<ByteCount>,
}
