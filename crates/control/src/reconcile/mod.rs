//! Brings hosts into the state that the database describes (`docs/rules/compute-and-storage.md#reconciler`).
//!
//! [`Reconciler::step`] finds due work by index, calls the hypervisor outside of any transaction, and records the
//! outcomes. Every part is idempotent: after a crash the next step repeats it. Nothing here waits or reads a clock; the
//! caller runs a step when the database has changed, when the hypervisor has events, and at the time that the last step
//! returned.

mod alerts;
mod batches;
mod disks;
mod hardware;
mod machines;
mod networks;
mod snapshots;
mod timer;
mod upkeep;

use std::{collections::BTreeMap, sync::Arc};

use croft_api::{Error, Result};
use croft_sled::{Hypervisor, MachineIncident};
use croft_store::{Database, Tx};
use event_listener::EventListener;
use jiff::{SignedDuration, Timestamp};
use parking_lot::Mutex;
use uuid::Uuid;

use self::timer::Timer;
use crate::{
    Cx, Environment, Random, Request, SeededRandom,
    alert::WebhookSender,
    context::{later, next_whole_microsecond, whole_microseconds},
    view_as,
};

/// The background work of one server.
#[derive(Debug)]
pub struct Reconciler {
    environment: Arc<Environment>,
    watch: Timer,
    flush: Timer,
    upkeep: Timer,
    /// The time of the step before; none before the first.
    last_step: Option<Timestamp>,
    incidents: Arc<Mutex<Incidents>>,
    ongoing: Arc<Mutex<machines::OngoingRequests>>,
    networks: networks::Networks,
    hardware: hardware::Hardware,
    alerts: alerts::Alerts,
}

/// Delay before a failed part of a step is retried.
const RETRY_PART: SignedDuration = SignedDuration::from_secs(1);

/// Delay before an object whose records contradict each other is retried.
const BROKEN_WAIT: SignedDuration = SignedDuration::from_mins(1);

/// Collects failures of the parts of one step. The failure of one part does not stop the others.
#[derive(Default)]
struct StepFailures {
    failed: bool,
}

impl StepFailures {
    /// Records the result of a part. Fails only if the whole step must end.
    fn run(&mut self, part: &str, result: Result<()>) -> Result<()> {
        let Err(Error::Internal { detail }) = result else { return result };
        tracing::error!(part, detail, "a step of the background work failed and will be retried");
        self.failed = true;
        Ok(())
    }
}

/// What one step works with.
struct Work<'a> {
    db: &'a Database,
    now: Timestamp,
    random: &'a mut dyn Random,
    hypervisor: &'a dyn Hypervisor,
    environment: Arc<Environment>,
    /// The causes of failures, by machine, until the instances are marked as failed.
    incidents: Arc<Mutex<Incidents>>,
    /// Requests in progress, by machine.
    ongoing: Arc<Mutex<machines::OngoingRequests>>,
}

/// Incidents of failed machines.
type Incidents = BTreeMap<Uuid, MachineIncident>;

impl Work<'_> {
    fn read<T: Send + 'static>(&self, f: impl FnMut(&mut Tx<'_>) -> Result<T> + Send + 'static) -> Result<T> {
        self.db.read_blocking(f)
    }

    fn write<T: Send + 'static>(
        &mut self,
        mut f: impl FnMut(&mut Cx<'_, '_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let seed = SeededRandom::from_random(self.random);
        let environment = Arc::clone(&self.environment);
        let now = self.now;
        self.db.write_blocking(move |tx| {
            let request = Request::default();
            let mut random = seed.clone();
            f(&mut Cx::new(tx, now, &mut random, &environment, &request))
        })
    }
}

/// Stores the ends of views that are over.
fn end_views(work: &mut Work<'_>) -> Result<()> {
    for (session, view) in work.environment.activity.views_over() {
        work.write(move |cx| view_as::expire(cx, session, &view))?;
        work.environment.activity.view_ended(session, &view);
    }
    Ok(())
}

/// Records the outcomes of several objects one by one. An object whose records contradict each other is logged and
/// postponed; the others are recorded.
fn record_each<T>(
    cx: &mut Cx<'_, '_>,
    items: &[T],
    record: impl Fn(&mut Cx<'_, '_>, &T) -> Result<()>,
    postpone: impl Fn(&mut Cx<'_, '_>, &T) -> Result<()>,
) -> Result<()> {
    for item in items {
        match cx.attempt(|cx| record(cx, item)) {
            Err(Error::Internal { detail }) => {
                tracing::error!(
                    detail,
                    "the result of background work could not be stored; the object will be retried later"
                );
                postpone(cx, item)?;
            }
            result => result?,
        }
    }
    Ok(())
}

impl Reconciler {
    /// A reconciler that has not run yet.
    pub fn new(environment: Arc<Environment>) -> Self {
        let watch = Timer::every(environment.settings.watch_interval);
        let flush = Timer::every(environment.settings.session.write_interval);
        let upkeep = Timer::every(upkeep::INTERVAL);
        let (networks, hardware) = (networks::Networks::default(), hardware::Hardware::default());
        let alerts = alerts::Alerts::default();
        Self {
            environment,
            watch,
            flush,
            upkeep,
            last_step: None,
            incidents: Arc::default(),
            ongoing: Arc::default(),
            networks,
            hardware,
            alerts,
        }
    }

    /// Sets the sender of alert deliveries. Without one, deliveries wait.
    #[must_use]
    pub fn sending_by(mut self, sender: Arc<dyn WebhookSender>) -> Self {
        self.alerts.send_by(sender);
        self
    }

    /// Signals when a sent delivery has ended; the next step records the outcome.
    pub fn listen(&self) -> EventListener {
        self.alerts.listen()
    }

    fn work<'a>(
        &self,
        db: &'a Database,
        now: Timestamp,
        random: &'a mut dyn Random,
        hypervisor: &'a dyn Hypervisor,
    ) -> Work<'a> {
        Work {
            db,
            now: whole_microseconds(now),
            random,
            hypervisor,
            environment: Arc::clone(&self.environment),
            incidents: Arc::clone(&self.incidents),
            ongoing: Arc::clone(&self.ongoing),
        }
    }

    /// Call this once before the first step. It records the hosts' inventory, and makes the hypervisor adopt the
    /// machines that were running when the database was last written.
    pub fn start(
        &mut self,
        db: &Database,
        now: Timestamp,
        random: &mut dyn Random,
        hypervisor: &dyn Hypervisor,
    ) -> Result<()> {
        let mut work = self.work(db, now, random, hypervisor);
        self.hardware.sync(&mut work)?;
        // The clock may have been set back while nothing ran.
        timer::look_at_all(&mut work)?;
        machines::adopt(&work)
    }

    /// Does everything that is due and returns when to call again at the latest. A temporary error, such as an
    /// unreachable database, ends the step early, and the next step continues. Any other error is logged and ends only
    /// its own part of the step, which is retried a moment later.
    pub fn step(
        &mut self,
        db: &Database,
        now: Timestamp,
        random: &mut dyn Random,
        hypervisor: &dyn Hypervisor,
    ) -> Result<Timestamp> {
        let mut work = self.work(db, now, random, hypervisor);
        let now = work.now;
        hypervisor.advance(now);
        let events = hypervisor.take_events();
        let mut parts = StepFailures::default();
        if self.last_step.replace(now).is_some_and(|last| now < last) {
            tracing::warn!("the clock was set back; all scheduled work is checked now");
            parts.run("clock", timer::look_at_all(&mut work))?;
            self.networks.forget_waits();
        }
        parts.run("hardware", self.hardware.add_requested_sleds(&mut work))?;
        parts.run("snapshots", snapshots::take(&mut work, &events))?;
        parts.run("disks", disks::build(&mut work, &events))?;
        parts.run("deleted disks", disks::remove(&mut work, &events))?;
        parts.run("deleted snapshots", snapshots::free(&mut work, &events))?;
        // Before machines are started in them.
        parts.run("networks", self.networks.push(&work, &events))?;
        // After the events were taken, each of which has its incident ready by then.
        parts.run("incidents", machines::note_incidents(&mut work))?;
        parts.run("reports of machines", machines::apply_events(&mut work, &events))?;
        parts.run("machines", machines::push_pending(&mut work))?;
        parts.run("machines of lost sleds", machines::removals::remove(&mut work, &events))?;
        if self.watch.is_due(now) {
            parts.run("hardware", self.hardware.sync(&mut work))?;
            parts.run("watch of machines", machines::watch(&mut work))?;
            parts.run("machines", machines::push_pending(&mut work))?;
            networks::watch(&work);
            self.watch.ran(now);
        }
        parts.run("batches", batches::work_off(&mut work))?;
        parts.run("alerts", self.alerts.deliver(&mut work))?;
        parts.run("upkeep", self.run_upkeep(&mut work))?;
        let next = self.next_wake(&work)?;
        Ok(if parts.failed { next.max(later(now, RETRY_PART)) } else { next })
    }

    /// Call this once after the last step. It stores what would otherwise be lost.
    pub fn finish(
        &mut self,
        db: &Database,
        now: Timestamp,
        random: &mut dyn Random,
        hypervisor: &dyn Hypervisor,
    ) -> Result<()> {
        let mut work = self.work(db, now, random, hypervisor);
        self.alerts.record_outcomes(&mut work)?;
        end_views(&mut work)?;
        Ok(crate::session::flush(db, &work.environment.activity, work.now)?)
    }

    fn run_upkeep(&mut self, work: &mut Work<'_>) -> Result<()> {
        if self.flush.is_due(work.now) && work.environment.activity.is_pending() {
            self.flush.ran(work.now);
            crate::session::flush(work.db, &work.environment.activity, work.now)?;
            end_views(work)?;
        }
        if self.upkeep.is_due(work.now) && !upkeep::run(work)? {
            self.upkeep.ran(work.now);
        }
        Ok(())
    }

    fn next_wake(&self, work: &Work<'_>) -> Result<Timestamp> {
        let mut next = self.watch.next(work.now).min(self.upkeep.next(work.now));
        if work.environment.activity.is_pending() {
            next = next.min(self.flush.next(work.now));
        }
        let due = work.read(|tx| {
            Ok([
                disks::next_due(tx)?,
                disks::next_removal(tx)?,
                snapshots::next_due(tx)?,
                snapshots::next_free(tx)?,
                machines::next_due(tx)?,
                machines::removals::next_due(tx)?,
                batches::next_due(tx)?,
            ])
        })?;
        let delivery = self.alerts.next_due(work)?;
        // What is due at the time of an event is due at the next whole microsecond, too.
        let event = work.hypervisor.next_event().map(next_whole_microsecond);
        let all = due.into_iter().chain([event, delivery, self.networks.next_due()]).flatten();
        Ok(all.fold(next, Timestamp::min).max(work.now))
    }
}
