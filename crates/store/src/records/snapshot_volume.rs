use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{KeyKind, Lookup, Meta, Scope, Table, record};

/// What a snapshot takes at the hosts. It outlives the snapshot for as long as images and unfinished disks read from
/// it; until its hosts have freed it, its pools keep the space reserved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SnapshotVolume {
    /// Bookkeeping; the id is that of the snapshot.
    pub meta: Meta,
    /// The silo whose quota it takes; `None` if that was deleted before volumes named theirs.
    pub silo_id: Option<Uuid>,
    /// The size of the snapshot, in bytes; what the quota is charged.
    pub size: u64,
    /// The storage pools that hold its copies.
    pub pools: Vec<Uuid>,
    /// When the reconciler is to try next to free it; none while something reads from it.
    #[serde(with = "jiff::fmt::serde::timestamp::microsecond::optional")]
    pub time_due: Option<Timestamp>,
    /// How often its host was asked without success to free it, since nothing reads from it.
    #[serde(default)]
    pub refusals: u32,
}

record! {
    SnapshotVolume as volume {
        table: Table::new("snapshot_volume").announced_only();
        scope: Scope::FLEET;
        lookups: {
            /// Volumes to be freed, in the order in which that is to be tried.
            DUE: Lookup::new("time_due", KeyKind::Int) = volume.time_due;
        }
    }
}
