use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{Meta, Order, Scope, Table, record, search::Searched};

/// The shape of a disk, which says what it is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PhysicalDiskKind {
    /// M.2, inside of the sled.
    M2,
    /// U.2, to be changed from outside.
    U2,
}

/// A disk of a sled. What it does not tell is empty.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PhysicalDisk {
    /// Bookkeeping.
    pub meta: Meta,
    /// The sled that it is in.
    pub sled_id: Uuid,
    /// Who made it.
    pub vendor: String,
    /// Its model.
    pub model: String,
    /// Its serial number.
    pub serial: String,
    /// Its shape.
    pub form_factor: PhysicalDiskKind,
    /// Its size in bytes.
    pub size: u64,
    /// Whether it is out of the fleet for good, with its sled.
    pub expunged: bool,
}

record! {
    PhysicalDisk as disk {
        table: Table::new("physical_disk").by_parent(&[Order::Id]);
        parent: disk.sled_id;
        scope: Scope::FLEET;
        search: Searched::by_id()
            .name("serial", &disk.serial)
            .text("vendor", &disk.vendor)
            .text("model", &disk.model);
    }
}
