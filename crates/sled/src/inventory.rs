use croft_api::{
    hardware::{Baseboard, PhysicalDiskKind},
    scalar::MacAddr,
};
use uuid::Uuid;

/// Everything that stands in the rack.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Inventory {
    /// The hosts, whether or not they are part of the fleet.
    pub sleds: Vec<SledInventory>,
    /// The switches before them.
    pub switches: Vec<SwitchInventory>,
}

/// A host and what it offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SledInventory {
    /// The same at every start.
    pub id: Uuid,
    /// What it calls itself.
    pub baseboard: Baseboard,
    /// Its place in the rack.
    pub cubby: u16,
    /// Whether it is no part of the fleet before somebody adds it.
    pub is_spare: bool,
    /// Hardware threads that it has.
    pub hardware_threads: u32,
    /// Memory that it has, in bytes.
    pub physical_memory: u64,
    /// Virtual CPUs for guests.
    pub threads: u64,
    /// Memory set aside for guests, in bytes.
    pub guest_memory: u64,
    /// Its disks.
    pub disks: Vec<PhysicalDiskInventory>,
    /// The space for guests' disks.
    pub pools: Vec<PoolInventory>,
    /// Its network links.
    pub links: Vec<LinkInventory>,
}

/// A disk of a host. What it does not tell is empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PhysicalDiskInventory {
    /// The same for as long as the disk is in the host.
    pub id: Uuid,
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
}

/// Space for guests' disks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PoolInventory {
    /// The same at every start.
    pub id: Uuid,
    /// Bytes that disks may take.
    pub size: u64,
}

/// A network link of a host.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkInventory {
    /// What the host calls it.
    pub name: String,
    /// Its hardware address.
    pub mac: Option<MacAddr>,
    /// Megabits a second, if it tells.
    pub speed: Option<u32>,
    /// Whether something is at its other end.
    pub is_up: bool,
}

/// A switch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SwitchInventory {
    /// The same at every start.
    pub id: Uuid,
    /// What it calls itself.
    pub baseboard: Baseboard,
}
