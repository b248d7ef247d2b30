use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{Meta, Scope, Table, record};

/// The space of one data disk of a sled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoragePool {
    /// The pool.
    pub id: Uuid,
    /// The sled that has it.
    pub sled_id: Uuid,
    /// Bytes that disks may take, all told.
    pub size: u64,
    /// Bytes set aside for disks.
    pub used: u64,
    /// Whether it was there when the hosts were last looked at.
    pub is_present: bool,
    /// Whether new disks may be put on it: it is there, and its sled takes something new.
    pub provisionable: bool,
}

/// Every storage pool: one record, because each new disk looks at all of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoragePools {
    /// Bookkeeping; the id is [`FLEET`](super::FLEET).
    pub meta: Meta,
    /// The pools, by id.
    pub pools: Vec<StoragePool>,
}

record! {
    StoragePools as pools {
        table: Table::new("storage_pools").unlogged();
        scope: Scope::FLEET;
    }
}
