//! What runs machines: the [`Hypervisor`] trait, serial lines, and the simulated hypervisor.
//!
//! A hypervisor keeps no wishes of its own: the reconciler tells it what should be, and asks what is. Every call may
//! be repeated.

mod hypervisor;
mod serial;
pub mod simulated;

pub use hypervisor::{
    DiskReport, DiskSpec, ExpectedMachine, Hypervisor, HypervisorError, HypervisorEvent, MachineDisk,
    MachineInterface, MachineReport, MachineSpec, MachineState, PoolInventory, SledInventory, SnapshotSpec,
};
pub use serial::{SerialBuffer, SerialChunk, SerialError, SerialInput, SerialLine};
