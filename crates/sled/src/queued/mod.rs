//! A call queue per sled, so that slow calls do not delay others.
//!
//! Slow calls run on a few threads per sled, one call per machine, disk, snapshot or VPC at a time. The caller waits
//! for a moment and gets [`HypervisorError::Pending`] if that is not enough. When the call has ended there is an event,
//! and the same call returns its outcome.

mod call;
mod state;
#[cfg(test)]
mod tests;

use std::{
    collections::HashMap,
    fmt,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use croft_network::Network;
use event_listener::EventListener;
use jiff::Timestamp;
use parking_lot::{Condvar, Mutex};
use uuid::Uuid;

use self::{
    call::{Answer, Call, Outcome, Subject},
    state::{CallState, State},
};
use crate::{
    Counted, DiskReport, DiskSpec, ExpectedMachine, Hypervisor, HypervisorError, HypervisorEvent,
    HypervisorInfo, Inventory, LinkCounters, MachineCounters, MachineIncident, MachineReport, MachineSpec,
    RoutingDaemon, Screen, SerialLine, SnapshotSpec,
};

/// The sled for calls about all sleds, or an unknown sled.
const SHARED: Uuid = Uuid::nil();

/// Whether this server may still act; checked before each call starts.
pub type LeaseCheck = Box<dyn Fn() -> bool + Send + Sync>;

/// How calls are queued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QueueOptions {
    /// Threads for each sled. At least 1.
    pub workers: usize,
    /// Maximum time that a caller waits for a call that starts immediately. It gets shorter the more calls of the sled
    /// take longer than that.
    pub moment: Duration,
    /// How long the end waits for calls that have been begun.
    pub end_limit: Duration,
}

impl Default for QueueOptions {
    fn default() -> Self {
        Self { workers: 8, moment: Duration::from_millis(250), end_limit: Duration::from_secs(30) }
    }
}

/// A hypervisor whose callers do not wait for slow calls.
pub struct Queued {
    shared: Arc<Shared>,
    places: Mutex<SledLocations>,
}

struct Shared {
    hypervisor: Arc<dyn Hypervisor>,
    options: QueueOptions,
    holds_lease: LeaseCheck,
    /// Held for moments only.
    state: Mutex<State>,
    /// Notified when a call with a waiting caller has ended, and when a thread has.
    ended: Condvar,
}

impl fmt::Debug for Queued {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Queued").field("options", &self.shared.options).finish_non_exhaustive()
    }
}

/// The sleds of machines, disks and snapshots, as far as known from calls.
#[derive(Debug, Default)]
struct SledLocations {
    /// The only sled, if there is only one.
    only: Option<Uuid>,
    pools: HashMap<Uuid, Uuid>,
    things: HashMap<Uuid, Uuid>,
}

impl SledLocations {
    fn refresh(&mut self, inventory: &Inventory) {
        self.only = match inventory.sleds.as_slice() {
            [sled] => Some(sled.id),
            _ => None,
        };
        let pools = inventory.sleds.iter().flat_map(|sled| sled.pools.iter().map(|pool| (pool.id, sled.id)));
        self.pools = pools.collect();
    }

    /// Where a machine, disk or snapshot is.
    fn of(&self, thing: Uuid) -> Uuid {
        self.things.get(&thing).copied().or(self.only).unwrap_or(SHARED)
    }

    /// Records the sled of an object.
    fn put(&mut self, thing: Uuid, sled: Uuid) -> Uuid {
        if Some(sled) != self.only && sled != SHARED {
            self.things.insert(thing, sled);
        }
        sled
    }
}

impl Shared {
    /// Wakes or starts a thread of a sled.
    fn wake(self: &Arc<Self>, state: &mut State, id: Uuid) {
        let Some(sled) = state.queues.get_mut(&id) else { return };
        if sled.idle > 0 {
            sled.idle -= 1;
            sled.bell.notify_one();
            return;
        }
        if sled.workers >= self.options.workers.max(1) {
            return;
        }
        let shared = Arc::clone(self);
        match thread::Builder::new().name("croft-host".into()).spawn(move || shared.work(id)) {
            Ok(thread) => {
                sled.workers += 1;
                state.alive += 1;
                state.threads.push(thread);
            }
            // Those that there are do it all, or the next call tries again.
            Err(error) => tracing::error!(%error, "cannot start a thread for requests to hosts"),
        }
    }

    /// Whether calls may start. Once this is false, it stays false.
    fn is_open(&self, state: &mut State) -> bool {
        if !state.is_closed && !(self.holds_lease)() {
            state.close();
            self.ended.notify_all();
        }
        !state.is_closed
    }

    /// The loop of a sled's thread.
    fn work(self: &Arc<Self>, id: Uuid) {
        let mut state = self.state.lock();
        while self.is_open(&mut state) {
            let Some(call) = state.begin(id) else {
                let Some(sled) = state.queues.get_mut(&id) else { break };
                sled.idle += 1;
                let bell = Arc::clone(&sled.bell);
                bell.wait(&mut state);
                continue;
            };
            if state.has_work(id) {
                self.wake(&mut state, id);
            }
            drop(state);
            let outcome = catch_unwind(AssertUnwindSafe(|| call.carry_out(&*self.hypervisor)));
            let outcome = outcome.unwrap_or_else(|_| {
                Err(HypervisorError::Failed("the request to the host panicked".to_owned()))
            });
            state = self.state.lock();
            if state.end(&call, outcome) {
                self.ended.notify_all();
            } else {
                self.hypervisor.ring();
            }
            // What waited for this call may be another sled's.
            let others: Vec<Uuid> = state.queues.keys().copied().filter(|sled| *sled != id).collect();
            for sled in others {
                if state.has_work(sled) {
                    self.wake(&mut state, sled);
                }
            }
        }
        state.alive -= 1;
        self.ended.notify_all();
    }

    /// Queues a call, waits for a moment, and returns its outcome, also that of an earlier identical call.
    fn ask(self: &Arc<Self>, sled: Uuid, call: Call) -> Outcome {
        let subject = call.subject();
        let mut state = self.state.lock();
        if !self.is_open(&mut state) {
            return Err(HypervisorError::Pending);
        }
        match state.find(&call) {
            CallState::Nothing => {}
            CallState::Underway => return Err(HypervisorError::Pending),
            CallState::Ended(outcome) => {
                drop(state);
                return self.as_of_now(&call, outcome);
            }
        }
        let number = state.put(sled, call);
        let begins = state.begins_at_once(sled, self.options.workers.max(1));
        if subject == Subject::Leftovers && !begins {
            // Nothing waits behind it but what was described before it, so it must not wait itself.
            state.forget(subject);
            return Err(HypervisorError::Pending);
        }
        let patience = self.options.moment / (1 + state.overdue(sled));
        let waits = begins && !patience.is_zero();
        if waits {
            state.wait_for(subject);
        }
        self.wake(&mut state, sled);
        if !waits {
            return Err(HypervisorError::Pending);
        }
        let end = Instant::now() + patience;
        loop {
            if let Some(outcome) = state.poll(subject, number) {
                return outcome;
            }
            if self.ended.wait_until(&mut state, end).timed_out() {
                let outcome = state.poll(subject, number);
                return outcome.unwrap_or_else(|| {
                    state.leave(subject, number);
                    Err(HypervisorError::Pending)
                });
            }
        }
    }

    /// An outcome that comes to its caller late: a machine may have gone on since, and its events may have been taken.
    fn as_of_now(&self, call: &Call, outcome: Outcome) -> Outcome {
        let (Call::EnsureMachine(spec), Ok(Answer::Machine(report))) = (call, &outcome) else {
            return outcome;
        };
        match self.hypervisor.observe_machine(spec.sled_id, spec.id) {
            Ok(now) if now.generation > report.generation => Ok(Answer::Machine(now)),
            _ => outcome,
        }
    }

    fn end(&self) {
        let mut state = self.state.lock();
        state.close();
        self.ended.notify_all();
        let end = Instant::now() + self.options.end_limit;
        while state.alive > 0 {
            if self.ended.wait_until(&mut state, end).timed_out() {
                break;
            }
        }
        let (threads, left) = (std::mem::take(&mut state.threads), state.alive);
        drop(state);
        if left > 0 {
            tracing::warn!(
                calls = left,
                "some requests to hosts have not finished; no longer waiting for them"
            );
            return;
        }
        for thread in threads {
            if thread.join().is_err() {
                tracing::error!("a thread for requests to hosts panicked");
            }
        }
    }
}

impl Queued {
    /// Queues for the sleds of a hypervisor.
    pub fn new(hypervisor: Arc<dyn Hypervisor>, options: QueueOptions) -> Self {
        Self::while_allowed(hypervisor, options, Box::new(|| true))
    }

    /// Queues for the sleds of a hypervisor, which begin calls only as long as this server may act.
    pub fn while_allowed(
        hypervisor: Arc<dyn Hypervisor>,
        options: QueueOptions,
        holds_lease: LeaseCheck,
    ) -> Self {
        let mut places = SledLocations::default();
        places.refresh(&hypervisor.inventory());
        let (state, ended) = (Mutex::default(), Condvar::new());
        let shared = Arc::new(Shared { hypervisor, options, holds_lease, state, ended });
        Self { shared, places: Mutex::new(places) }
    }

    /// Drops calls that have not started, and starts no more: every further call returns pending.
    pub fn close(&self) {
        self.shared.state.lock().close();
        self.shared.ended.notify_all();
    }

    /// Closes the queues, and waits until started calls are done and all threads have ended, or for as long as the
    /// options say.
    pub fn end(&self) {
        self.shared.end();
    }

    /// Threads that have not ended.
    pub fn threads(&self) -> usize {
        self.shared.state.lock().alive
    }

    fn machine(&self, sled: Uuid, call: Call) -> Result<MachineReport, HypervisorError> {
        match self.shared.ask(sled, call)? {
            Answer::Machine(report) => Ok(report),
            other => Err(unexpected_answer(other)),
        }
    }

    fn volume(&self, sled: Uuid, call: Call) -> Result<DiskReport, HypervisorError> {
        match self.shared.ask(sled, call)? {
            Answer::Volume(report) => Ok(report),
            other => Err(unexpected_answer(other)),
        }
    }

    fn done(&self, sled: Uuid, call: Call) -> Result<(), HypervisorError> {
        self.shared.ask(sled, call).map(drop)
    }

    /// The sled of a disk that is to be in these pools.
    fn of_pools(&self, disk: Uuid, pools: &[Uuid]) -> Uuid {
        let mut places = self.places.lock();
        if let Some(only) = places.only {
            return only;
        }
        if pools.iter().any(|pool| !places.pools.contains_key(pool)) {
            places.refresh(&self.shared.hypervisor.inventory());
        }
        let sled = pools.iter().find_map(|pool| places.pools.get(pool)).copied();
        places.put(disk, sled.unwrap_or(SHARED))
    }

    fn gone<T>(&self, thing: Uuid, answer: Result<T, HypervisorError>) -> Result<T, HypervisorError> {
        if answer.is_ok() {
            self.places.lock().things.remove(&thing);
        }
        answer
    }
}

fn unexpected_answer(answer: Answer) -> HypervisorError {
    HypervisorError::Failed(format!("the host sent an unexpected answer: {answer:?}"))
}

impl Drop for Queued {
    fn drop(&mut self) {
        self.end();
    }
}

impl Hypervisor for Queued {
    fn inventory(&self) -> Inventory {
        self.shared.hypervisor.inventory()
    }

    fn info(&self) -> HypervisorInfo {
        self.shared.hypervisor.info()
    }

    fn adopt(&self, expected: &[ExpectedMachine], now: Timestamp) -> Result<(), HypervisorError> {
        {
            let mut places = self.places.lock();
            for ExpectedMachine { spec, .. } in expected {
                places.put(spec.id, spec.sled_id);
            }
        }
        self.shared.hypervisor.adopt(expected, now)
    }

    fn advance(&self, now: Timestamp) {
        self.shared.hypervisor.advance(now);
    }

    fn next_event(&self) -> Option<Timestamp> {
        self.shared.hypervisor.next_event()
    }

    fn take_events(&self) -> Vec<HypervisorEvent> {
        // Own ones last: what a call has brought about is told before its end.
        let mut events = self.shared.hypervisor.take_events();
        events.extend(self.shared.state.lock().take_events());
        events
    }

    fn take_incidents(&self) -> Vec<MachineIncident> {
        self.shared.hypervisor.take_incidents()
    }

    fn listen(&self) -> EventListener {
        self.shared.hypervisor.listen()
    }

    fn ring(&self) {
        self.shared.hypervisor.ring();
    }

    fn ensure_machine(&self, spec: &MachineSpec) -> Result<MachineReport, HypervisorError> {
        let sled = self.places.lock().put(spec.id, spec.sled_id);
        self.machine(sled, Call::EnsureMachine(Arc::new(spec.clone())))
    }

    fn stop_machine(&self, id: Uuid) -> Result<MachineReport, HypervisorError> {
        let sled = self.places.lock().of(id);
        self.machine(sled, Call::StopMachine(id))
    }

    fn reboot_machine(&self, id: Uuid) -> Result<MachineReport, HypervisorError> {
        let sled = self.places.lock().of(id);
        self.machine(sled, Call::RebootMachine(id))
    }

    fn destroy_machine(&self, sled_id: Uuid, id: Uuid) -> Result<(), HypervisorError> {
        self.gone(id, self.done(sled_id, Call::DestroyMachine { sled_id, id }))
    }

    /// Asked directly, as hosts answer immediately. A machine that was ended is not told to be unknown to whoever has
    /// not heard yet that it is gone as it should be.
    fn observe_machine(&self, sled_id: Uuid, id: Uuid) -> Result<MachineReport, HypervisorError> {
        match self.shared.hypervisor.observe_machine(sled_id, id) {
            Err(HypervisorError::UnknownMachine) if self.shared.state.lock().is_ending(id) => {
                Err(HypervisorError::Pending)
            }
            other => other,
        }
    }

    fn ensure_disk(&self, spec: &DiskSpec) -> Result<DiskReport, HypervisorError> {
        let sled = self.of_pools(spec.id, &spec.pools);
        self.volume(sled, Call::EnsureDisk(spec.clone()))
    }

    fn delete_disk(&self, id: Uuid) -> Result<(), HypervisorError> {
        let sled = self.places.lock().of(id);
        self.gone(id, self.done(sled, Call::DeleteDisk(id)))
    }

    fn write_disk(&self, id: Uuid, offset: u64, bytes: &[u8]) -> Result<(), HypervisorError> {
        self.shared.hypervisor.write_disk(id, offset, bytes)
    }

    fn sync_disk(&self, id: Uuid) -> Result<(), HypervisorError> {
        self.shared.hypervisor.sync_disk(id)
    }

    fn ensure_snapshot(&self, spec: &SnapshotSpec) -> Result<DiskReport, HypervisorError> {
        let sled = {
            let mut places = self.places.lock();
            let sled = places.of(spec.disk_id);
            places.put(spec.id, sled)
        };
        self.volume(sled, Call::EnsureSnapshot(spec.clone()))
    }

    fn delete_snapshot(&self, id: Uuid) -> Result<(), HypervisorError> {
        let sled = self.places.lock().of(id);
        self.gone(id, self.done(sled, Call::DeleteSnapshot(id)))
    }

    fn ensure_network(&self, network: &Network) -> Result<(), HypervisorError> {
        self.done(SHARED, Call::EnsureNetwork(Arc::new(network.clone())))
    }

    fn delete_network(&self, id: Uuid) -> Result<(), HypervisorError> {
        self.done(SHARED, Call::DeleteNetwork(id))
    }

    fn retain_networks(&self, ids: &[Uuid]) -> Result<(), HypervisorError> {
        self.done(SHARED, Call::RetainNetworks(ids.into()))
    }

    fn watch_networks(&self) -> Result<(), HypervisorError> {
        self.done(SHARED, Call::WatchNetworks)
    }

    fn serial(&self, id: Uuid) -> Option<Arc<SerialLine>> {
        self.shared.hypervisor.serial(id)
    }

    fn screen(&self, id: Uuid) -> Result<Screen, HypervisorError> {
        self.shared.hypervisor.screen(id)
    }

    fn picture(&self, id: Uuid) -> Result<Vec<u8>, HypervisorError> {
        self.shared.hypervisor.picture(id)
    }

    fn counters(
        &self,
        id: Uuid,
        counted: Counted,
        now: Timestamp,
    ) -> Result<MachineCounters, HypervisorError> {
        self.shared.hypervisor.counters(id, counted, now)
    }

    fn link_counters(&self) -> Vec<LinkCounters> {
        self.shared.hypervisor.link_counters()
    }

    fn routing_daemons(&self) -> Vec<Arc<dyn RoutingDaemon>> {
        self.shared.hypervisor.routing_daemons()
    }
}
