use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{KeyKind, Lookup, Meta, Scope, Table, record};

/// Storage of a deleted disk that its host is still to free. Until then its pools keep the space reserved.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DiskRemoval {
    /// Bookkeeping; the id is that of the deleted disk.
    pub meta: Meta,
    /// The size of the disk, in bytes.
    pub size: u64,
    /// The storage pools that held its copies.
    pub pools: Vec<Uuid>,
    /// When the reconciler is to try next.
    #[serde(with = "jiff::fmt::serde::timestamp::microsecond::required")]
    pub time_due: Timestamp,
}

record! {
    DiskRemoval as removal {
        table: Table::new("disk_removal").unlogged();
        scope: Scope::FLEET;
        lookups: {
            /// Removals in the order in which they are to be tried.
            DUE: Lookup::new("time_due", KeyKind::Int) = removal.time_due;
        }
    }
}
