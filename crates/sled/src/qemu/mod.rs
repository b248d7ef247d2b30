//! The QEMU hypervisor: virtual machines on this host.
//!
//! All state is in one folder: `layers/`, `disks/` and `snapshots/` hold the `volumes`, `machines/` has a folder for
//! each machine, and `host.json` identifies the sled. Each machine is a QEMU process of its own, which keeps running
//! when the server ends; the next server finds it by its control socket.
//!
//! QEMU does not have the server's privileges. If the server is root, each QEMU process runs as a user of its own. It
//! may not gain privileges or start programs, and can access only the layers and its own folder.
//!
//! [`GuestNetwork`] says what guests can reach. If the host supports it, machines are in their VPCs. Otherwise each
//! interface is connected to QEMU's user-mode network, which assigns the interface's address and has no counters:
//! [`MachineCounters::interfaces`] stays empty. A running machine keeps the network that it was started with.

mod adoption;
mod arguments;
mod cidata;
mod control;
mod counters;
mod examination;
mod files;
#[cfg(test)]
mod golden;
mod hardware;
mod inventory;
mod keyed_locks;
mod links;
mod machine;
mod merge;
mod options;
mod probe;
mod process;
mod programs;
mod qcow2;
mod readers;
mod record;
mod registry;
mod runner;
mod screen;
mod serial_log;
mod snapshots;
mod volumes;
mod vpc;

use std::{collections::HashMap, io, path::PathBuf, sync::Arc, thread, time::Duration};

use croft_network::Network;
use event_listener::EventListener;
use jiff::Timestamp;
use parking_lot::Mutex;
use uuid::Uuid;

pub use examination::{Examination, FoundProgram, examine};
pub use options::{AccelerationChoice, GuestNetwork, Programs, QemuOptions};
pub use probe::Acceleration;
pub use vpc::InboundIcmp;

use crate::{
    Counted, DiskReport, DiskSpec, ExpectedMachine, Hypervisor, HypervisorError, HypervisorEvent,
    HypervisorInfo, Inventory, LinkCounters, MachineCounters, MachineIncident, MachineReport, MachineSpec,
    MachineState, RoutingDaemon, Screen, SerialBuffer, SerialLine, SledInventory, SnapshotSpec,
};
use files::Accounts;
use keyed_locks::KeyedLocks;
use machine::{Events, Machine, MachineRecord};
use merge::Merges;
use process::Launcher;
use registry::{Machines, Reserved};
use runner::{Runner, StartMode};
use serial_log::SerialLog;
use snapshots::SnapshotJob;
use volumes::{Volumes, failed, merge::Way};
use vpc::Vpcs;

/// A killed process is gone within milliseconds, unless the kernel is busy writing for it.
const KILL_LIMIT: Duration = Duration::from_secs(2);

/// Why QEMU cannot be used here.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unusable(String);

/// The acceleration in use, and why it is not faster; the reason is empty if there is no faster one.
#[derive(Clone, Debug)]
struct Running {
    acceleration: Acceleration,
    reason: String,
}

/// What all machines of this host share.
#[derive(Debug)]
struct Host {
    options: QemuOptions,
    launcher: Launcher,
    /// The acceleration of guests that start now.
    running: Mutex<Running>,
    /// The kind of machine that they are.
    machine_type: String,
    accounts: Option<Accounts>,
    volumes: Volumes,
    /// What guests that are started can reach.
    network: GuestNetwork,
    /// The VPCs that are set up here, if they can be.
    vpcs: Option<Vpcs>,
    events: Arc<Events>,
}

impl Host {
    fn machine_folder(&self, id: Uuid) -> PathBuf {
        self.options.folder.join("machines").join(id.to_string())
    }

    /// The acceleration of guests that start now.
    fn acceleration(&self) -> Acceleration {
        self.running.lock().acceleration
    }

    /// The launcher for this acceleration.
    fn launcher(&self, acceleration: Acceleration) -> Launcher {
        let group = self.launcher.acceleration_group.filter(|_| acceleration == Acceleration::Kvm);
        Launcher { acceleration_group: group, ..self.launcher.clone() }
    }

    /// Uses translation for guests that start from now on, for this reason.
    fn translate_from_now_on(&self, reason: &str) {
        let mut running = self.running.lock();
        if running.acceleration != Acceleration::Tcg {
            tracing::warn!(reason, "new guests run without hardware acceleration from now on, which is slow");
            *running = Running { acceleration: Acceleration::Tcg, reason: reason.to_owned() };
        }
    }

    /// Stores what the next server needs to know about a machine.
    fn keep(&self, kept: &MachineRecord) -> io::Result<()> {
        files::replace(&self.machine_folder(kept.id).join("machine.json"), &record::write(kept)?)
    }

    /// Removes the files of a machine that has ended.
    fn forget(&self, id: Uuid) {
        if let Err(error) = files::remove_folder(&self.machine_folder(id)) {
            tracing::warn!(machine = %id, %error, "cannot remove the files of a machine");
        }
    }
}

/// The first of the requested networks that this host supports, with its state and a description.
fn network(
    options: &QemuOptions,
    sled: Uuid,
    accounts: Option<Accounts>,
) -> Result<(GuestNetwork, Option<Vpcs>, String), String> {
    let mut refused = String::new();
    let external = options.external_interface.as_deref();
    for network in &options.networks {
        let reach = match network {
            GuestNetwork::Isolated | GuestNetwork::Outbound if external.is_some() => {
                if refused.is_empty() {
                    refused.push_str("an external interface needs guests in VPCs");
                }
                continue;
            }
            GuestNetwork::Isolated => "guests have no network",
            GuestNetwork::Outbound => "guests can reach everything that this host can reach",
            GuestNetwork::Vpc => {
                match Vpcs::open(sled, accounts, external, &options.resolvers, &options.programs) {
                    Ok(vpcs) => {
                        let out = external.map(|name| format!(", and reach outside networks through {name}"));
                        let reach = format!("guests are in VPCs{}", out.unwrap_or_default());
                        return Ok((*network, Some(vpcs), reach));
                    }
                    Err(reason) => {
                        refused = format!("VPCs cannot be set up on this host: {reason}");
                        continue;
                    }
                }
            }
        };
        let why = if refused.is_empty() { String::new() } else { format!(" ({refused})") };
        return Ok((*network, None, format!("{reach}{why}")));
    }
    Err(refused)
}

/// The QEMU hypervisor.
#[derive(Debug)]
pub struct Qemu {
    host: Arc<Host>,
    sled: SledInventory,
    explanation: String,
    machines: Mutex<Machines>,
    snapshots: Arc<Mutex<HashMap<Uuid, SnapshotJob>>>,
    merges: Merges,
    /// Held while the layers of a disk are changed, or a machine starts to use it.
    disks: KeyedLocks<Uuid>,
}

impl Qemu {
    /// Finds out whether and how machines can run here, and reads the state in the folder. Running machines are adopted
    /// by [`Hypervisor::adopt`].
    pub fn open(options: QemuOptions) -> Result<Self, Unusable> {
        let accounts = Accounts::available();
        let opened = |error: io::Error| Unusable(format!("{}: {error}", options.folder.display()));
        files::passable_folder(&options.folder, accounts).map_err(opened)?;
        let found = probe::probe(&options, &options.folder.join("trial"), accounts).map_err(Unusable)?;
        files::passable_folder(&options.folder.join("machines"), accounts).map_err(opened)?;
        let volumes = Volumes::open(&options.folder, accounts).map_err(opened)?;
        let sled = inventory::sled(&options, &volumes).map_err(opened)?;
        let (network, vpcs, reach) = network(&options, sled.id, accounts).map_err(Unusable)?;
        let acceleration = match found.acceleration {
            Acceleration::Kvm => "with KVM".to_owned(),
            Acceleration::Tcg => format!("without acceleration, which is slow ({})", found.reason),
        };
        let explanation = format!("{acceleration}; {reach}");
        let host = Host {
            options,
            launcher: found.launcher,
            running: Mutex::new(Running { acceleration: found.acceleration, reason: found.reason }),
            machine_type: found.machine_type,
            accounts,
            volumes,
            network,
            vpcs,
            events: Arc::default(),
        };
        Merges::clean_up(&host)
            .map_err(|error| Unusable(format!("cannot end a process that merges layers: {error}")))?;
        let (host, machines, snapshots) = (Arc::new(host), Mutex::default(), Arc::default());
        let (merges, disks) = (Merges::default(), KeyedLocks::default());
        Ok(Self { host, sled, explanation, machines, snapshots, merges, disks })
    }

    /// How machines run and why, as text that follows "Machines run on this host with QEMU".
    pub fn explanation(&self) -> &str {
        &self.explanation
    }

    /// The acceleration of guests that start now.
    pub fn acceleration(&self) -> Acceleration {
        self.host.acceleration()
    }

    fn machine(&self, id: Uuid) -> Result<Arc<Machine>, HypervisorError> {
        let machines = self.machines.lock();
        machines.known.get(&id).cloned().ok_or_else(|| machines.why_unknown(id))
    }

    /// The machine that uses a disk, unless it has ended.
    fn machine_with(&self, disk: Uuid) -> Option<(Arc<Machine>, u8)> {
        let machines = self.machines.lock();
        let mut running = machines.known.values().filter(|machine| !machine.is_gone());
        running.find_map(|machine| Some((Arc::clone(machine), machine.slot_of(disk)?)))
    }

    /// Starts the thread that follows a machine.
    fn follow(
        &self,
        machines: &mut Machines,
        kept: MachineRecord,
        report: MachineReport,
        beginning: StartMode,
    ) -> io::Result<Arc<Machine>> {
        let id = kept.id;
        let (log, logged) = SerialLog::open(&self.host.machine_folder(id))?;
        let buffer = SerialBuffer::restored(logged.head, logged.tail, logged.total);
        let (machine, heard) = Machine::new(kept, report, buffer, &self.host.events)?;
        let machine = Arc::new(machine);
        let runner = Runner { host: Arc::clone(&self.host), machine: Arc::clone(&machine), heard, log };
        let thread = thread::Builder::new().name("croft-machine".into()).spawn(|| runner.run(beginning))?;
        machines.threads.retain(|thread| !thread.is_finished());
        machines.threads.push(thread);
        machines.known.insert(id, Arc::clone(&machine));
        Ok(machine)
    }

    /// Reserves the exclusive resources of a machine, and returns the user that it runs as.
    fn reserve(&self, machines: &mut Machines, spec: &MachineSpec) -> Result<Option<u32>, HypervisorError> {
        if let Some(disk) = spec.disks.iter().find(|disk| machines.use_disk(disk.id)) {
            return Err(HypervisorError::Refused(format!("another machine uses disk {}", disk.id)));
        }
        // Earlier failures do not matter once there is a new machine.
        machines.known.retain(|_, old| {
            !(old.kept.instance_id == spec.instance_id && old.report().state == MachineState::Failed)
        });
        let full = || HypervisorError::Failed("there are too many machines on this host".to_owned());
        let user = match self.host.accounts {
            None => None,
            Some(accounts) => Some(accounts.choose(&machines.users()).ok_or_else(full)?),
        };
        let disks = spec.disks.iter().map(|disk| disk.id).collect();
        machines.starting.insert(spec.id, Reserved { disks, user });
        Ok(user)
    }

    /// Prepares the disks, network and folder of a machine whose resources are reserved.
    fn prepare(&self, spec: &MachineSpec, user: Option<u32>) -> Result<MachineRecord, HypervisorError> {
        for disk in &spec.disks {
            // A change in progress checked for machines before this one was reserved, and is done once this lock is
            // acquired.
            let turn = self.disks.of(disk.id);
            let _turn = turn.lock();
            self.merges.interrupt(Some(disk.id));
        }
        let mut kept = MachineRecord::new(spec, user, &self.host.machine_type, self.host.acceleration());
        if let (GuestNetwork::Vpc, Some(vpcs), Some(user)) = (self.host.network, &self.host.vpcs, user) {
            // The reconciler describes a VPC before it starts machines in it, and retries the start if that failed.
            let unready =
                |error| HypervisorError::Unreachable(format!("no network for the machine: {error}"));
            kept.namespace = vpcs.plug(&spec.interfaces, user).map_err(unready)?;
        }
        files::passable_folder(&self.host.machine_folder(spec.id), self.host.accounts)
            .and_then(|()| self.host.keep(&kept))
            .map_err(|error| failed("cannot start a machine", error))?;
        Ok(kept)
    }
}

impl Drop for Qemu {
    /// Leaves the machines running.
    fn drop(&mut self) {
        self.merges.interrupt(None);
        let machines = self.machines.get_mut();
        for machine in machines.known.values() {
            machine.mailbox.ask(machine::Request::Leave);
        }
        for thread in machines.threads.drain(..) {
            if thread.join().is_err() {
                tracing::error!("the thread of a machine panicked");
            }
        }
    }
}

impl Hypervisor for Qemu {
    /// This host, and no switches: Croft does not manage those.
    fn inventory(&self) -> Inventory {
        Inventory { sleds: vec![self.sled.clone()], switches: Vec::new() }
    }

    fn info(&self) -> HypervisorInfo {
        let Running { acceleration, reason } = self.host.running.lock().clone();
        HypervisorInfo { kind: "qemu", acceleration: acceleration.name(), reason }
    }

    fn adopt(&self, expected: &[ExpectedMachine], now: Timestamp) -> Result<(), HypervisorError> {
        self.take_over(expected, now).map_err(|error| failed("cannot adopt running machines", error))
    }

    /// Real machines have their own clock.
    fn advance(&self, _: Timestamp) {}

    fn next_event(&self) -> Option<Timestamp> {
        None
    }

    fn take_events(&self) -> Vec<HypervisorEvent> {
        self.host.events.take()
    }

    fn take_incidents(&self) -> Vec<MachineIncident> {
        self.host.events.take_incidents()
    }

    fn listen(&self) -> EventListener {
        self.host.events.bell.listen()
    }

    fn ring(&self) {
        self.host.events.bell.notify(usize::MAX);
    }

    fn ensure_machine(&self, spec: &MachineSpec) -> Result<MachineReport, HypervisorError> {
        let user = {
            let mut machines = self.machines.lock();
            if let Some(machine) = machines.known.get(&spec.id) {
                return Ok(machine.report());
            }
            match machines.why_unknown(spec.id) {
                HypervisorError::UnknownMachine => self.reserve(&mut machines, spec)?,
                error => return Err(error),
            }
        };
        let prepared = self.prepare(spec, user);
        let mut machines = self.machines.lock();
        machines.starting.remove(&spec.id);
        let report = MachineReport { state: MachineState::Starting, generation: 1 };
        self.follow(&mut machines, prepared?, report, StartMode::Start)
            .map_err(|error| failed("cannot start a machine", error))?;
        Ok(report)
    }

    fn stop_machine(&self, id: Uuid) -> Result<MachineReport, HypervisorError> {
        Ok(self.machine(id)?.stop())
    }

    fn reboot_machine(&self, id: Uuid) -> Result<MachineReport, HypervisorError> {
        self.machine(id)?.reboot()
    }

    fn destroy_machine(&self, _: Uuid, id: Uuid) -> Result<(), HypervisorError> {
        let machine = match self.machine(id) {
            Err(HypervisorError::UnknownMachine) => return Ok(()),
            other => other?,
        };
        if !machine.kill(KILL_LIMIT) {
            return Err(HypervisorError::Failed("the machine is still shutting down".to_owned()));
        }
        self.host.forget(id);
        self.machines.lock().known.remove(&id);
        Ok(())
    }

    fn observe_machine(&self, _: Uuid, id: Uuid) -> Result<MachineReport, HypervisorError> {
        Ok(self.machine(id)?.report())
    }

    fn ensure_disk(&self, spec: &DiskSpec) -> Result<DiskReport, HypervisorError> {
        self.host.volumes.ensure_disk(spec).map(|()| DiskReport::Ready)
    }

    fn delete_disk(&self, id: Uuid) -> Result<(), HypervisorError> {
        let turn = self.disks.of(id);
        {
            let _turn = turn.lock();
            self.not_in_use(id)?;
            self.merges.interrupt(Some(id));
            self.host.volumes.delete_disk(id)?;
        }
        drop(turn);
        self.disks.forget(&id);
        Ok(())
    }

    fn write_disk(&self, id: Uuid, offset: u64, bytes: &[u8]) -> Result<(), HypervisorError> {
        self.not_in_use(id)?;
        self.host.volumes.write(id, offset, bytes)
    }

    fn sync_disk(&self, id: Uuid) -> Result<(), HypervisorError> {
        self.host.volumes.sync(id)
    }

    fn ensure_snapshot(&self, spec: &SnapshotSpec) -> Result<DiskReport, HypervisorError> {
        if self.host.volumes.has_snapshot(spec.id) {
            return Ok(DiskReport::Ready);
        }
        let mut jobs = self.snapshots.lock();
        match jobs.get(&spec.id) {
            Some(SnapshotJob::Running) => return Ok(DiskReport::Building),
            Some(SnapshotJob::Failed(error)) => {
                let error = error.clone();
                jobs.remove(&spec.id);
                return Err(error);
            }
            None => drop(jobs),
        }
        let turn = self.disks.of(spec.disk_id);
        let _turn = turn.lock();
        self.merges.interrupt(Some(spec.disk_id));
        match self.machine_with(spec.disk_id) {
            None if self.machines.lock().use_disk(spec.disk_id) => Err(HypervisorError::Unreachable(
                "the machine that uses the disk cannot be reached now".to_owned(),
            )),
            None => self.host.volumes.take_snapshot(spec).map(|()| DiskReport::Ready),
            Some((machine, slot)) => {
                let begun = self.snapshot_running(spec, machine, slot);
                begun.map(|()| DiskReport::Building).map_err(|error| failed("cannot start a snapshot", error))
            }
        }
    }

    fn delete_snapshot(&self, id: Uuid) -> Result<(), HypervisorError> {
        if matches!(self.snapshots.lock().get(&id), Some(SnapshotJob::Running)) {
            return Err(HypervisorError::Refused("the snapshot is being taken".to_owned()));
        }
        match self.host.volumes.way_to_free(id)? {
            Way::Free => self.host.volumes.delete_snapshot(id),
            // Nothing would be freed, and the storage in use must stay accounted for.
            Way::Shared => Err(HypervisorError::Refused("other volumes depend on its layer".to_owned())),
            Way::Merge(merge) => {
                let turn = self.disks.of(merge.disk);
                let Some(_turn) = turn.try_lock() else {
                    return Err(HypervisorError::Refused(
                        "its disk is in use by another operation".to_owned(),
                    ));
                };
                let user = self.machine_with(merge.disk);
                if user.is_none() {
                    self.not_in_use(merge.disk)?;
                }
                let starts =
                    user.as_ref().map(|(machine, _)| machine.report().state == MachineState::Starting);
                // A layer that is being written to cannot be merged in a crash-safe way.
                if starts == Some(true) || starts.is_some() && merge.above.is_none() {
                    return Err(HypervisorError::Refused(
                        "a machine writes into the layer over it".to_owned(),
                    ));
                }
                self.merges.begin(&self.host, &merge, user)?;
                Err(HypervisorError::Refused("its layer is being merged with the next one".to_owned()))
            }
        }
    }

    fn serial(&self, id: Uuid) -> Option<Arc<SerialLine>> {
        self.machine(id).ok().map(|machine| machine.line())
    }

    fn screen(&self, id: Uuid) -> Result<Screen, HypervisorError> {
        screen::connect(&self.host, &*self.machine(id)?).map(Screen::Socket)
    }

    fn picture(&self, id: Uuid) -> Result<Vec<u8>, HypervisorError> {
        screen::picture(&self.host, &*self.machine(id)?)
    }

    fn counters(&self, id: Uuid, counted: Counted, _: Timestamp) -> Result<MachineCounters, HypervisorError> {
        counters::of(&*self.machine(id)?, self.host.vpcs.as_ref(), counted)
    }

    fn link_counters(&self) -> Vec<LinkCounters> {
        links::counters(self.sled.id)
    }

    fn ensure_network(&self, network: &Network) -> Result<(), HypervisorError> {
        self.host.vpcs.as_ref().map_or(Ok(()), |vpcs| vpcs.ensure(network))
    }

    fn delete_network(&self, id: Uuid) -> Result<(), HypervisorError> {
        self.host.vpcs.as_ref().map_or(Ok(()), |vpcs| vpcs.delete(id))
    }

    fn retain_networks(&self, ids: &[Uuid]) -> Result<(), HypervisorError> {
        self.host.vpcs.as_ref().map_or(Ok(()), |vpcs| vpcs.retain(ids))
    }

    fn watch_networks(&self) -> Result<(), HypervisorError> {
        self.host.vpcs.as_ref().map_or(Ok(()), Vpcs::watch)
    }

    /// None: Croft does not manage the switches in front of this host.
    fn routing_daemons(&self) -> Vec<Arc<dyn RoutingDaemon>> {
        Vec::new()
    }
}

impl Qemu {
    fn not_in_use(&self, disk: Uuid) -> Result<(), HypervisorError> {
        if self.machines.lock().use_disk(disk) {
            return Err(HypervisorError::Refused(format!("a machine uses disk {disk}")));
        }
        Ok(())
    }
}
