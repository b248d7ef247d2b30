//! The simulated hypervisor: machine states with durations, an interactive serial console, and injected failures.
//!
//! No thread and no clock: time moves when [`Hypervisor::advance`] is called, and typed input is answered immediately.

mod console;
mod faults;
#[cfg(not(target_family = "wasm"))]
mod held_calls;
mod load;
mod machine;
mod options;
mod screen;
mod shell;

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
};

use croft_network::Network;
use event_listener::{Event, EventListener};
use jiff::Timestamp;
use parking_lot::Mutex;
use uuid::Uuid;

pub use faults::Call;
pub use options::{SimulatedOptions, SimulatedSled, Timing};
pub use screen::SimulatedScreen;

use crate::{
    Counted, DiskReport, DiskSpec, ExpectedMachine, Hypervisor, HypervisorError, HypervisorEvent,
    HypervisorInfo, IncidentKind, Inventory, LinkCounters, MachineCounters, MachineIncident,
    MachineInterface, MachineReport, MachineSpec, RoutingDaemon, Screen, SerialLine, SnapshotSpec,
};
use faults::Faults;
use machine::Machine;

/// What machines and their consoles share with the hypervisor: the time, and a notification.
#[derive(Debug, Default)]
struct SimulationContext {
    now: AtomicI64,
    bell: Event,
    greeting: String,
}

impl SimulationContext {
    fn now(&self) -> Timestamp {
        // Only times that were timestamps before are stored.
        Timestamp::from_microsecond(self.now.load(Ordering::Acquire)).unwrap_or_default()
    }

    fn ring(&self) {
        self.bell.notify(usize::MAX);
    }
}

/// A disk or a snapshot. What is written into it is checked and then forgotten: nothing in a simulation reads it.
/// Volumes of before a restart are not known; they are taken to exist.
#[derive(Debug)]
struct Volume {
    size: u64,
    /// When it is built; none once it is.
    ready_at: Option<Timestamp>,
    /// Whether something was written that a crash could take away.
    is_dirty: bool,
}

impl Volume {
    fn report(&self) -> DiskReport {
        if self.ready_at.is_none() { DiskReport::Ready } else { DiskReport::Building }
    }

    /// Whether it has just become ready.
    fn advance(&mut self, now: Timestamp) -> bool {
        let is_due = self.ready_at.is_some_and(|ready_at| ready_at <= now);
        if is_due {
            self.ready_at = None;
        }
        is_due
    }
}

#[derive(Debug, Default)]
struct State {
    machines: BTreeMap<Uuid, Machine>,
    /// The instances that have had a machine.
    begun: BTreeSet<Uuid>,
    disks: BTreeMap<Uuid, Volume>,
    snapshots: BTreeMap<Uuid, Volume>,
    networks: BTreeMap<Uuid, Network>,
    events: Vec<HypervisorEvent>,
    incidents: Vec<MachineIncident>,
    faults: Faults,
}

/// A hypervisor whose machines are simulated.
#[derive(Debug)]
pub struct Simulated {
    options: SimulatedOptions,
    context: Arc<SimulationContext>,
    state: Mutex<State>,
    #[cfg(not(target_family = "wasm"))]
    held_calls: held_calls::HeldCalls,
}

impl Simulated {
    /// A hypervisor without machines.
    pub fn new(options: SimulatedOptions) -> Self {
        let greeting = options.greeting.clone();
        let context = Arc::new(SimulationContext { greeting, ..SimulationContext::default() });
        Self {
            options,
            context,
            state: Mutex::default(),
            #[cfg(not(target_family = "wasm"))]
            held_calls: held_calls::HeldCalls::default(),
        }
    }

    /// The next call of this kind fails with this error. Several are used up in order.
    pub fn fail_next(&self, call: Call, error: HypervisorError) {
        self.state.lock().faults.fail_next(call, error);
    }

    /// The next call of this kind is carried out, but its answer does not arrive.
    pub fn lose_next_answer(&self, call: Call) {
        self.state.lock().faults.lose_next_answer(call);
    }

    /// Has calls take until [`release`](Self::release): those about a machine, disk, snapshot or VPC with this id, and
    /// those that make or end machines or make disks on a sled with this id. Removing what nobody needs of networks goes
    /// by the nil id.
    #[cfg(not(target_family = "wasm"))]
    pub fn hold(&self, id: Uuid) {
        self.held_calls.hold(id);
    }

    /// Releases held calls.
    #[cfg(not(target_family = "wasm"))]
    pub fn release(&self, id: Uuid) {
        self.held_calls.release(id);
    }

    /// Waits until as many calls are held up.
    #[cfg(not(target_family = "wasm"))]
    pub fn wait_until_held(&self, id: Uuid, calls: usize) {
        self.held_calls.wait_until_held(id, calls);
    }

    /// Continues once nothing of this is held.
    #[cfg(not(target_family = "wasm"))]
    fn pass(&self, ids: impl IntoIterator<Item = Uuid>) {
        self.held_calls.wait_until_released(ids);
    }

    /// Where there are no threads nothing is held up.
    #[cfg(target_family = "wasm")]
    fn pass(&self, _: impl IntoIterator<Item = Uuid>) {}

    /// Forgets a machine, as a host does that crashed and came back.
    pub fn forget_machine(&self, id: Uuid) {
        let mut state = self.state.lock();
        if let Some(machine) = state.machines.remove(&id) {
            machine.close();
            state.events.push(HypervisorEvent::Machine(id));
        }
        self.context.ring();
    }

    /// Makes a sled unreachable, or reachable again. Its machines keep running.
    pub fn set_reachable(&self, sled: Uuid, reachable: bool) {
        self.state.lock().faults.set_reachable(sled, reachable);
        self.context.ring();
    }

    /// Makes the guest of a machine ignore shutdown requests.
    pub fn hang_machine(&self, id: Uuid) {
        if let Some(machine) = self.state.lock().machines.get_mut(&id) {
            machine.hang();
        }
    }

    /// Prints on a machine's serial line, as its guest does.
    pub fn print(&self, id: Uuid, bytes: &[u8]) {
        if let Some(machine) = self.state.lock().machines.get(&id) {
            machine.print(bytes);
        }
    }

    /// Adds an incident, as if it had happened.
    pub fn push_incident(&self, incident: MachineIncident) {
        self.state.lock().incidents.push(incident);
        self.context.ring();
    }

    /// Makes a machine fail; its host still knows it and reports the failure.
    pub fn break_machine(&self, id: Uuid) {
        let now = self.context.now();
        let mut state = self.state.lock();
        let State { machines, events, incidents, .. } = &mut *state;
        if let Some(machine) = machines.get_mut(&id) {
            incidents.push(machine.incident(
                id,
                now,
                IncidentKind::Broke,
                "The simulated machine was told to fail.",
            ));
            machine.fail(now);
            events.push(HypervisorEvent::Machine(id));
        }
        drop(state);
        self.context.ring();
    }

    /// The machines that exist, by id.
    pub fn machines(&self) -> Vec<Uuid> {
        self.state.lock().machines.keys().copied().collect()
    }

    /// The network interfaces of a machine; `None` if it does not exist.
    pub fn interfaces(&self, machine: Uuid) -> Vec<MachineInterface> {
        self.state.lock().machines.get(&machine).map(|machine| machine.interfaces.clone()).unwrap_or_default()
    }

    /// The disks that exist, by id, built or not.
    pub fn disks(&self) -> Vec<Uuid> {
        self.state.lock().disks.keys().copied().collect()
    }

    /// The disks with bytes that were written and not synced since, by id.
    pub fn unsynced_disks(&self) -> Vec<Uuid> {
        let state = self.state.lock();
        state.disks.iter().filter(|(_, disk)| disk.is_dirty).map(|(id, _)| *id).collect()
    }

    /// The snapshots that exist, by id, taken or not.
    pub fn snapshots(&self) -> Vec<Uuid> {
        self.state.lock().snapshots.keys().copied().collect()
    }

    /// A VPC as it was last described; `None` if it is not there.
    pub fn network(&self, id: Uuid) -> Option<Network> {
        self.state.lock().networks.get(&id).cloned()
    }

    /// The VPCs that have been described, by id.
    pub fn networks(&self) -> Vec<Uuid> {
        self.state.lock().networks.keys().copied().collect()
    }

    /// A volume that takes as long as a disk takes.
    fn new_volume(&self, size: u64) -> Volume {
        let ready_at = self.context.now().saturating_add(self.options.timing.scaled().disk);
        Volume { size, ready_at: Some(ready_at.unwrap_or(Timestamp::MAX)), is_dirty: false }
    }

    fn with_machine(
        &self,
        call: Call,
        id: Uuid,
        act: impl FnOnce(&mut Machine, Timestamp) -> Result<(), HypervisorError>,
    ) -> Result<MachineReport, HypervisorError> {
        self.pass([id]);
        let now = self.context.now();
        let mut state = self.state.lock();
        let State { machines, faults, .. } = &mut *state;
        let machine = machines.get_mut(&id);
        faults.check(call, machine.as_ref().map(|machine| machine.sled_id()).as_slice())?;
        let machine = machine.ok_or(HypervisorError::UnknownMachine)?;
        act(machine, now)?;
        let report = machine.report();
        faults.answer(call)?;
        drop(state);
        self.context.ring();
        Ok(report)
    }

    /// Looks at the screen of a machine.
    fn look<T>(&self, id: Uuid, look: impl FnOnce(&Machine) -> T) -> Result<T, HypervisorError> {
        let mut state = self.state.lock();
        let State { machines, faults, .. } = &mut *state;
        let machine = machines.get(&id).ok_or(HypervisorError::UnknownMachine)?;
        faults.check(Call::Screen, &[machine.sled_id()])?;
        Ok(look(machine))
    }

    fn sleds_of_pools(&self, pools: &[Uuid]) -> Vec<Uuid> {
        let has = |sled: &&SimulatedSled| sled.pools.iter().any(|pool| pools.contains(&pool.id));
        self.options.sleds.iter().filter(has).map(|sled| sled.id).collect()
    }
}

impl Hypervisor for Simulated {
    fn inventory(&self) -> Inventory {
        self.options.inventory()
    }

    fn info(&self) -> HypervisorInfo {
        HypervisorInfo { kind: "simulated", acceleration: "none", reason: String::new() }
    }

    fn adopt(&self, expected: &[ExpectedMachine], now: Timestamp) -> Result<(), HypervisorError> {
        self.context.now.store(now.as_microsecond(), Ordering::Release);
        let mut state = self.state.lock();
        for expected in expected.iter().filter(|expected| expected.is_registered) {
            let spec = &expected.spec;
            state.begun.insert(spec.instance_id);
            state.machines.entry(spec.id).or_insert_with(|| {
                let timing = self.options.timing_of(&spec.name, false);
                Machine::adopted(expected, timing, &self.context, now)
            });
        }
        Ok(())
    }

    fn advance(&self, now: Timestamp) {
        let now = now.max(self.context.now());
        self.context.now.store(now.as_microsecond(), Ordering::Release);
        let mut state = self.state.lock();
        let State { machines, disks, snapshots, events, .. } = &mut *state;
        for (id, machine) in machines {
            if machine.advance(now) {
                events.push(HypervisorEvent::Machine(*id));
            }
        }
        for (id, disk) in disks {
            if disk.advance(now) {
                events.push(HypervisorEvent::Disk(*id));
            }
        }
        for (id, snapshot) in snapshots {
            if snapshot.advance(now) {
                events.push(HypervisorEvent::Snapshot(*id));
            }
        }
    }

    fn next_event(&self) -> Option<Timestamp> {
        let state = self.state.lock();
        let machines = state.machines.values().filter_map(Machine::next_event);
        let volumes = state.disks.values().chain(state.snapshots.values());
        machines.chain(volumes.filter_map(|volume| volume.ready_at)).min()
    }

    fn take_events(&self) -> Vec<HypervisorEvent> {
        std::mem::take(&mut self.state.lock().events)
    }

    fn take_incidents(&self) -> Vec<MachineIncident> {
        std::mem::take(&mut self.state.lock().incidents)
    }

    fn listen(&self) -> EventListener {
        self.context.bell.listen()
    }

    fn ring(&self) {
        self.context.ring();
    }

    fn ensure_machine(&self, spec: &MachineSpec) -> Result<MachineReport, HypervisorError> {
        self.pass([spec.id, spec.sled_id]);
        let now = self.context.now();
        let mut state = self.state.lock();
        state.faults.check(Call::EnsureMachine, &[spec.sled_id])?;
        let State { machines, begun, .. } = &mut *state;
        let machine = machines.entry(spec.id).or_insert_with(|| {
            let timing = self.options.timing_of(&spec.name, begun.insert(spec.instance_id));
            Machine::new(spec, timing, &self.context, now)
        });
        let report = machine.report();
        state.faults.answer(Call::EnsureMachine)?;
        drop(state);
        self.context.ring();
        Ok(report)
    }

    fn stop_machine(&self, id: Uuid) -> Result<MachineReport, HypervisorError> {
        self.with_machine(Call::StopMachine, id, |machine, now| {
            machine.stop(now);
            Ok(())
        })
    }

    fn reboot_machine(&self, id: Uuid) -> Result<MachineReport, HypervisorError> {
        self.with_machine(Call::RebootMachine, id, Machine::reboot)
    }

    fn destroy_machine(&self, sled_id: Uuid, id: Uuid) -> Result<(), HypervisorError> {
        self.pass([id, sled_id]);
        let mut state = self.state.lock();
        state.faults.check(Call::DestroyMachine, &[sled_id])?;
        if let Some(machine) = state.machines.remove(&id) {
            machine.close();
        }
        state.faults.answer(Call::DestroyMachine)
    }

    fn observe_machine(&self, sled_id: Uuid, id: Uuid) -> Result<MachineReport, HypervisorError> {
        let mut state = self.state.lock();
        state.faults.check(Call::ObserveMachine, &[sled_id])?;
        state.machines.get(&id).map(Machine::report).ok_or(HypervisorError::UnknownMachine)
    }

    fn ensure_disk(&self, spec: &DiskSpec) -> Result<DiskReport, HypervisorError> {
        let sleds = self.sleds_of_pools(&spec.pools);
        self.pass(sleds.iter().copied().chain([spec.id]));
        let now = self.context.now();
        let mut state = self.state.lock();
        state.faults.check(Call::EnsureDisk, &sleds)?;
        let disk = state.disks.entry(spec.id).or_insert_with(|| self.new_volume(spec.size));
        disk.advance(now);
        let report = disk.report();
        state.faults.answer(Call::EnsureDisk)?;
        Ok(report)
    }

    fn delete_disk(&self, id: Uuid) -> Result<(), HypervisorError> {
        self.pass([id]);
        let mut state = self.state.lock();
        state.faults.check(Call::DeleteDisk, &[])?;
        state.disks.remove(&id);
        state.faults.answer(Call::DeleteDisk)
    }

    fn write_disk(&self, id: Uuid, offset: u64, bytes: &[u8]) -> Result<(), HypervisorError> {
        let mut state = self.state.lock();
        state.faults.check(Call::WriteDisk, &[])?;
        let disk = state.disks.get_mut(&id);
        let size = disk.as_ref().map_or(u64::MAX, |disk| disk.size);
        let end = u64::try_from(bytes.len()).ok().and_then(|length| offset.checked_add(length));
        if end.is_none_or(|end| end > size) {
            return Err(HypervisorError::Refused(format!("disk {id} ends before the bytes at {offset}")));
        }
        if let Some(disk) = disk {
            disk.is_dirty = true;
        }
        state.faults.answer(Call::WriteDisk)
    }

    fn sync_disk(&self, id: Uuid) -> Result<(), HypervisorError> {
        let mut state = self.state.lock();
        state.faults.check(Call::SyncDisk, &[])?;
        if let Some(disk) = state.disks.get_mut(&id) {
            disk.is_dirty = false;
        }
        state.faults.answer(Call::SyncDisk)
    }

    fn ensure_snapshot(&self, spec: &SnapshotSpec) -> Result<DiskReport, HypervisorError> {
        self.pass([spec.id]);
        let now = self.context.now();
        let mut state = self.state.lock();
        state.faults.check(Call::EnsureSnapshot, &[])?;
        let snapshot = state.snapshots.entry(spec.id).or_insert_with(|| self.new_volume(spec.size));
        snapshot.advance(now);
        let report = snapshot.report();
        state.faults.answer(Call::EnsureSnapshot)?;
        Ok(report)
    }

    fn delete_snapshot(&self, id: Uuid) -> Result<(), HypervisorError> {
        self.pass([id]);
        let mut state = self.state.lock();
        state.faults.check(Call::DeleteSnapshot, &[])?;
        state.snapshots.remove(&id);
        state.faults.answer(Call::DeleteSnapshot)
    }

    fn ensure_network(&self, network: &Network) -> Result<(), HypervisorError> {
        self.pass([network.id]);
        let mut state = self.state.lock();
        state.faults.check(Call::EnsureNetwork, &[])?;
        state.networks.insert(network.id, network.clone());
        state.faults.answer(Call::EnsureNetwork)
    }

    fn delete_network(&self, id: Uuid) -> Result<(), HypervisorError> {
        self.pass([id]);
        let mut state = self.state.lock();
        state.faults.check(Call::DeleteNetwork, &[])?;
        state.networks.remove(&id);
        state.faults.answer(Call::DeleteNetwork)
    }

    fn retain_networks(&self, ids: &[Uuid]) -> Result<(), HypervisorError> {
        self.pass([Uuid::nil()]);
        let mut state = self.state.lock();
        state.faults.check(Call::DeleteNetwork, &[])?;
        state.networks.retain(|id, _| ids.contains(id));
        state.faults.answer(Call::DeleteNetwork)
    }

    /// Simulated networks need no repair.
    fn watch_networks(&self) -> Result<(), HypervisorError> {
        Ok(())
    }

    fn serial(&self, id: Uuid) -> Option<Arc<SerialLine>> {
        self.state.lock().machines.get(&id).map(Machine::line)
    }

    fn screen(&self, id: Uuid) -> Result<Screen, HypervisorError> {
        self.look(id, |machine| Screen::Simulated(Box::new(machine.screen())))
    }

    fn picture(&self, id: Uuid) -> Result<Vec<u8>, HypervisorError> {
        self.look(id, Machine::picture)
    }

    fn counters(
        &self,
        id: Uuid,
        counted: Counted,
        now: Timestamp,
    ) -> Result<MachineCounters, HypervisorError> {
        let state = self.state.lock();
        let machine = state.machines.get(&id).ok_or(HypervisorError::UnknownMachine)?;
        Ok(machine.counters(counted, now))
    }

    /// None: links are not pretended.
    fn link_counters(&self) -> Vec<LinkCounters> {
        Vec::new()
    }

    /// None: switches are not pretended.
    fn routing_daemons(&self) -> Vec<Arc<dyn RoutingDaemon>> {
        Vec::new()
    }
}

#[cfg(test)]
mod tests;
