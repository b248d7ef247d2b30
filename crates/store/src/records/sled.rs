use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::Baseboard;
use crate::{KeyKind, Lookup, Meta, Scope, Table, record};

/// A host that runs machines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Sled {
    /// Bookkeeping.
    pub meta: Meta,
    /// The rack that it is in.
    pub rack_id: Uuid,
    /// What it calls itself.
    pub baseboard: Baseboard,
    /// Whether it was there when the hosts were last looked at.
    pub is_present: bool,
    /// Whether new machines and disks may be put on it, as far as the operator decides.
    pub provisionable: bool,
    /// Whether it is out of the fleet for good, so that nothing runs on it any more.
    pub expunged: bool,
    /// Hardware threads that it has.
    pub hardware_threads: u32,
    /// Memory that it has, in bytes.
    pub physical_memory: u64,
    /// Virtual CPUs for guests.
    pub threads: u64,
    /// Memory set aside for guests, in bytes.
    pub guest_memory: u64,
    /// Virtual CPUs reserved by the machines on it.
    pub reserved_threads: u64,
    /// Memory reserved by the machines on it, in bytes.
    pub reserved_memory: u64,
}

impl Sled {
    /// Whether new machines and disks may be put on it.
    pub fn takes_new(&self) -> bool {
        self.is_present && self.provisionable && !self.expunged
    }
}

record! {
    Sled as sled {
        table: Table::new("sled").announced_only();
        scope: Scope::FLEET;
        search: sled.baseboard.searched();
    }
}

/// A host that was seen in a rack and is not part of the fleet. It becomes a [`Sled`] of the same id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UninitializedSled {
    /// Bookkeeping.
    pub meta: Meta,
    /// The rack that it is in.
    pub rack_id: Uuid,
    /// What it calls itself.
    pub baseboard: Baseboard,
    /// Its place in the rack.
    pub cubby: u16,
    /// When somebody asked for it to become part of the fleet.
    #[serde(with = "jiff::fmt::serde::timestamp::microsecond::optional")]
    pub time_added: Option<Timestamp>,
}

record! {
    UninitializedSled as sled {
        table: Table::new("uninitialized_sled");
        scope: Scope::FLEET;
        lookups: {
            /// Those that are to become part of the fleet.
            ADDED: Lookup::new("time_added", KeyKind::Int) = sled.time_added;
        }
    }
}
