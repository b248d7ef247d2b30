use std::{net::IpAddr, sync::Arc};

use croft_api::scalar::{IpNet, MacAddr};
use croft_network::Network;
use event_listener::EventListener;
use jiff::Timestamp;
use uuid::Uuid;

use crate::{
    Counted, Inventory, LinkCounters, MachineCounters, MachineIncident, RoutingDaemon, Screen, SerialLine,
    SledInventory,
};

/// A machine to be run.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "qemu", derive(serde::Serialize, serde::Deserialize))]
pub struct MachineSpec {
    /// The machine; each start of an instance makes a new one.
    pub id: Uuid,
    /// The instance.
    pub instance_id: Uuid,
    /// The sled it runs on.
    pub sled_id: Uuid,
    /// The instance's name, for people who look at the host.
    pub name: String,
    /// What the guest calls itself.
    pub hostname: String,
    /// Virtual CPUs.
    pub cpus: u16,
    /// Memory in bytes.
    pub memory: u64,
    /// Its disks, by slot.
    pub disks: Vec<MachineDisk>,
    /// Given to the guest at boot.
    pub user_data: Vec<u8>,
    /// The SSH public keys that the guest is to accept, each a line of an `authorized_keys` file.
    pub public_keys: Vec<String>,
    /// Its network interfaces, by slot.
    pub interfaces: Vec<MachineInterface>,
}

/// A network interface of a machine.
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "qemu", derive(serde::Serialize, serde::Deserialize))]
pub struct MachineInterface {
    /// The interface.
    pub id: Uuid,
    /// 0 to 7.
    pub slot: u8,
    /// The VPC it is in.
    pub vpc_id: Uuid,
    /// Its hardware address.
    pub mac: MacAddr,
    /// Its address in the subnet.
    pub ip: IpAddr,
    /// The subnet that the address is of.
    pub subnet: IpNet,
}

/// A disk of a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "qemu", derive(serde::Serialize, serde::Deserialize))]
pub struct MachineDisk {
    /// The disk.
    pub id: Uuid,
    /// 0 to 7.
    pub slot: u8,
    /// Whether the machine boots from it.
    pub boot: bool,
}

/// A machine that the server knows of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpectedMachine {
    /// The machine as requested.
    pub spec: MachineSpec,
    /// The last report taken over.
    pub last_report: MachineReport,
    /// Whether it is known to have been made; otherwise it may or may not have been.
    pub is_registered: bool,
}

/// A disk whose storage is to exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiskSpec {
    /// The disk.
    pub id: Uuid,
    /// Size in bytes.
    pub size: u64,
    /// Block size in bytes.
    pub block_size: u32,
    /// The pools that hold its copies.
    pub pools: Vec<Uuid>,
    /// The snapshot whose content it begins with; `None` for zeros. A disk greater than its snapshot ends in zeros.
    pub snapshot: Option<Uuid>,
}

/// A snapshot that is to exist: the content of a disk at one moment, which never changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SnapshotSpec {
    /// The snapshot.
    pub id: Uuid,
    /// The disk it is of. Once the snapshot is ready it does not need the disk any more.
    pub disk_id: Uuid,
    /// Size in bytes, which is the disk's.
    pub size: u64,
    /// The machine that has the disk, if one runs.
    pub machine_id: Option<Uuid>,
}

/// What a machine is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MachineState {
    /// On its way to running.
    Starting,
    /// Running.
    Running,
    /// Restarting.
    Rebooting,
    /// The guest is shutting down.
    Stopping,
    /// The guest has ended; the machine can be destroyed.
    Ended,
    /// The machine broke.
    Failed,
}

/// A host's word about a machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MachineReport {
    /// What it is doing.
    pub state: MachineState,
    /// Grows with every change of the state, so that an older report can be told from a newer one.
    pub generation: u64,
}

/// A host's word about a disk or a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DiskReport {
    /// It can be used.
    Ready,
    /// It is being built.
    Building,
}

/// Something changed by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HypervisorEvent {
    /// This machine has a new state.
    Machine(Uuid),
    /// This disk has been built, or could not be.
    Disk(Uuid),
    /// This snapshot has been taken, or could not be.
    Snapshot(Uuid),
    /// What was said of this VPC has been carried out, or could not be.
    Network(Uuid),
}

/// What a hypervisor is, for monitoring.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HypervisorInfo {
    /// `qemu` or `simulated`.
    pub kind: &'static str,
    /// What carries out the instructions of guests that start now: `kvm`, `tcg`, or `none` where nothing really runs.
    pub acceleration: &'static str,
    /// Why it is not faster, as text; empty if it is as fast as can be.
    pub reason: String,
}

/// Why a host did not do what it was told.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HypervisorError {
    /// It has no such machine: it forgot it, or never had it.
    #[error("the host does not know the machine")]
    UnknownMachine,
    /// It cannot be reached; whatever it runs may still be running.
    #[error("the host cannot be reached: {0}")]
    Unreachable(String),
    /// It understood and will not do it.
    #[error("the host refused: {0}")]
    Refused(String),
    /// It tried and failed.
    #[error("the host failed: {0}")]
    Failed(String),
    /// It is still at it, which is no trouble. There is an event when it is done, and the same call then answers what came
    /// of it.
    #[error("the host is still working on it")]
    Pending,
}

/// What runs machines and keeps disks, for all the sleds it manages.
pub trait Hypervisor: Send + Sync {
    /// What stands in the rack.
    fn inventory(&self) -> Inventory;

    /// The hosts that stand in the rack.
    fn sleds(&self) -> Vec<SledInventory> {
        self.inventory().sleds
    }

    /// What it is, now: how guests are run may change while the server runs.
    fn info(&self) -> HypervisorInfo;

    /// Takes over what ran before this server started. Machines that survived are left alone, if they are expected; one
    /// that nobody knows of any more is ended, since nobody could ever end it.
    fn adopt(&self, expected: &[ExpectedMachine], now: Timestamp) -> Result<(), HypervisorError>;

    /// Lets time pass for what has no clock of its own.
    fn advance(&self, now: Timestamp);

    /// When something will change by itself, if that is known.
    fn next_event(&self) -> Option<Timestamp>;

    /// What changed by itself since the last call.
    fn take_events(&self) -> Vec<HypervisorEvent>;

    /// What happened to machines since the last call, oldest first. An incident can be taken no later than the event
    /// that tells of the machine's new state.
    fn take_incidents(&self) -> Vec<MachineIncident>;

    /// Wakes when there may be events or incidents to take, or time to pass.
    fn listen(&self) -> EventListener;

    /// Wakes whoever listens.
    fn ring(&self);

    /// Makes a machine and runs it; does nothing if it exists.
    fn ensure_machine(&self, spec: &MachineSpec) -> Result<MachineReport, HypervisorError>;

    /// Asks the guest to shut down. Nothing happens if it is shutting down or has ended.
    fn stop_machine(&self, id: Uuid) -> Result<MachineReport, HypervisorError>;

    /// Restarts the machine. Nothing happens if it is restarting.
    fn reboot_machine(&self, id: Uuid) -> Result<MachineReport, HypervisorError>;

    /// Ends a machine immediately and forgets it; does nothing if there is none.
    fn destroy_machine(&self, sled_id: Uuid, id: Uuid) -> Result<(), HypervisorError>;

    /// What a machine is doing. `sled_id` says where it should be.
    fn observe_machine(&self, sled_id: Uuid, id: Uuid) -> Result<MachineReport, HypervisorError>;

    /// Creates a disk; does nothing if it exists.
    fn ensure_disk(&self, spec: &DiskSpec) -> Result<DiskReport, HypervisorError>;

    /// Frees the storage of a disk; does nothing if there is none. Snapshots of it stay.
    fn delete_disk(&self, id: Uuid) -> Result<(), HypervisorError>;

    /// Writes into a disk that exists and that no machine has. The bytes may be lost in a crash until
    /// [`Hypervisor::sync_disk`] has answered.
    fn write_disk(&self, id: Uuid, offset: u64, bytes: &[u8]) -> Result<(), HypervisorError>;

    /// Makes everything durable that was written into a disk.
    fn sync_disk(&self, id: Uuid) -> Result<(), HypervisorError>;

    /// Takes a snapshot of a disk; does nothing if it exists.
    fn ensure_snapshot(&self, spec: &SnapshotSpec) -> Result<DiskReport, HypervisorError>;

    /// Frees the storage of a snapshot; does nothing if there is none. Disks that began with it stay.
    fn delete_snapshot(&self, id: Uuid) -> Result<(), HypervisorError>;

    /// Has a VPC be as it is described, for the machines in it; does nothing if it is.
    fn ensure_network(&self, network: &Network) -> Result<(), HypervisorError>;

    /// Removes a VPC; does nothing if there is none.
    fn delete_network(&self, id: Uuid) -> Result<(), HypervisorError>;

    /// Removes all VPCs but these, each of which has been described: what an earlier server left behind.
    fn retain_networks(&self, ids: &[Uuid]) -> Result<(), HypervisorError>;

    /// Puts right what has broken by itself in the VPCs that have been described; to be called from time to time.
    fn watch_networks(&self) -> Result<(), HypervisorError>;

    /// The serial line of a machine that exists.
    fn serial(&self, id: Uuid) -> Option<Arc<SerialLine>>;

    /// A new connection to the screen of a machine that exists. A machine may have any number of them. May wait for the
    /// host for a moment.
    fn screen(&self, id: Uuid) -> Result<Screen, HypervisorError>;

    /// What the screen of a machine shows, as a PNG file. May wait for the host for some seconds.
    fn picture(&self, id: Uuid) -> Result<Vec<u8>, HypervisorError>;

    /// What a machine has used until now. May wait for the host for some seconds.
    fn counters(
        &self,
        id: Uuid,
        counted: Counted,
        now: Timestamp,
    ) -> Result<MachineCounters, HypervisorError>;

    /// What went through the links between this host's machines and the world, by link.
    fn link_counters(&self) -> Vec<LinkCounters>;

    /// What speaks routing protocols for the switches before the sleds; empty where there are no such switches.
    fn routing_daemons(&self) -> Vec<Arc<dyn RoutingDaemon>>;
}
