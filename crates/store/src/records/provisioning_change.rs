use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{Meta, Table, record};

/// A change of what is in use that has yet to reach the telemetry: written in the transaction of the change, removed
/// once the samples are stored. Storing them twice leaves one of each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProvisioningChange {
    /// Bookkeeping.
    pub meta: Meta,
    /// What became of the counters, each of which has its own time.
    pub samples: Vec<ProvisioningSample>,
}

/// What was in use in one collection after a change; what did not change is left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProvisioningSample {
    /// The project, the silo or the [fleet](super::FLEET).
    pub collection: Uuid,
    /// The time of the change.
    #[serde(with = "jiff::fmt::serde::timestamp::microsecond::required")]
    pub time: Timestamp,
    /// Virtual CPUs.
    pub cpus: Option<u64>,
    /// Memory in bytes.
    pub memory: Option<u64>,
    /// Size of disks and snapshots in bytes.
    pub storage: Option<u64>,
}

record! {
    ProvisioningChange as change {
        table: Table::new("provisioning_change").unlogged();
    }
}
