use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{KeyKind, Lookup, Meta, Scope, Table, record};

/// A machine that was given up with its sled although the sled could not be told to end it. It is to be ended if the sled
/// ever answers again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MachineRemoval {
    /// Bookkeeping; the id is the machine's.
    pub meta: Meta,
    /// The sled.
    pub sled_id: Uuid,
    /// How many requests to the sled have failed, 1 or more.
    pub attempts: u32,
    /// When to tell the sled next.
    #[serde(with = "jiff::fmt::serde::timestamp::microsecond::required")]
    pub time_due: Timestamp,
}

record! {
    MachineRemoval as removal {
        table: Table::new("machine_removal").unlogged();
        scope: Scope::FLEET;
        lookups: {
            /// Removals in the order in which they are due.
            DUE: Lookup::new("time_due", KeyKind::Int) = removal.time_due;
        }
    }
}
