//! What runs machines: the [`Hypervisor`] trait, serial lines, the simulated hypervisor, and QEMU (feature `qemu`).
//!
//! A hypervisor keeps no wishes of its own: the reconciler tells it what should be, and asks what is. Every call may
//! be repeated.

mod counters;
mod hypervisor;
mod incident;
mod inventory;
#[cfg(feature = "qemu")]
pub mod qemu;
#[cfg(not(target_family = "wasm"))]
mod queued;
mod routing;
mod screen;
mod serial;
pub mod simulated;

pub use counters::{
    Counted, CountedHistogram, CpuCounters, DiskCounters, Incidents, InterfaceCounters, LinkCounters,
    MachineCounters, PerIo, Traffic,
};
pub use hypervisor::{
    DiskReport, DiskSpec, ExpectedMachine, Hypervisor, HypervisorError, HypervisorEvent, HypervisorInfo,
    MachineDisk, MachineInterface, MachineReport, MachineSpec, MachineState, SnapshotSpec,
};
pub use incident::{IncidentKind, MachineIncident, SERIAL_TAIL_BYTES, SERIAL_TAIL_LINES};
pub use inventory::{
    Inventory, LinkInventory, PhysicalDiskInventory, PoolInventory, SledInventory, SwitchInventory,
};
#[cfg(not(target_family = "wasm"))]
pub use queued::{LeaseCheck, QueueOptions, Queued};
pub use routing::RoutingDaemon;
pub use screen::Screen;
pub use serial::{SerialBuffer, SerialChunk, SerialError, SerialInput, SerialLine};
