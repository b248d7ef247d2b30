use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{Meta, Scope, Table, record};

/// Amounts of what is limited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Resources {
    /// Virtual CPUs of instances that have a machine.
    pub cpus: u64,
    /// Memory of instances that have a machine, in bytes.
    pub memory: u64,
    /// Size of disks and snapshots, in bytes.
    pub storage: u64,
}

/// The limits of a silo. Zero means that nothing may be provisioned.
pub type Quota = Resources;

/// What is in use in one project, one silo or the fleet. Its id is that of the project, the silo or
/// [`FLEET`](super::FLEET); the three change together with what they count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Bookkeeping.
    pub meta: Meta,
    /// The silo; `None` for the fleet.
    pub silo_id: Option<Uuid>,
    /// The project, for a project's counters.
    pub project_id: Option<Uuid>,
    /// What is in use.
    pub used: Resources,
    /// When that last changed. Each change has a later time than the one before, whatever the clocks say.
    #[serde(with = "jiff::fmt::serde::timestamp::microsecond::required")]
    pub time_changed: Timestamp,
    /// The limits, for a silo's counters.
    pub quota: Option<Quota>,
}

impl Usage {
    /// The counters of something new, for its silo's or its own limits.
    pub fn none(meta: Meta, silo_id: Option<Uuid>, project_id: Option<Uuid>, quota: Option<Quota>) -> Self {
        let (used, time_changed) = (Resources::default(), meta.time_created);
        Self { meta, silo_id, project_id, used, time_changed, quota }
    }
}

record! {
    Usage as usage {
        table: Table::new("usage").unlogged();
        scope: Scope { silo: usage.silo_id, project: usage.project_id };
    }
}
