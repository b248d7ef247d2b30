use serde::{Deserialize, Serialize};

use crate::{Meta, Scope, Table, record};

/// A host that runs machines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sled {
    /// Bookkeeping.
    pub meta: Meta,
    /// The serial number of its baseboard.
    pub serial: String,
    /// Whether new machines may be put on it.
    pub provisionable: bool,
    /// Whether it is out of the fleet for good, so that nothing runs on it any more.
    pub expunged: bool,
    /// Hardware threads for guests.
    pub threads: u64,
    /// Memory set aside for guests, in bytes.
    pub guest_memory: u64,
    /// Threads reserved by the machines on it.
    pub reserved_threads: u64,
    /// Memory reserved by the machines on it, in bytes.
    pub reserved_memory: u64,
}

record! {
    Sled as sled {
        table: Table::new("sled").unlogged();
        scope: Scope::FLEET;
    }
}
