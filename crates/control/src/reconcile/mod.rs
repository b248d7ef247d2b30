//! Makes true what the database wants (`domain/compute-and-storage.md`, section 3.16).
//!
//! [`Reconciler::step`] finds what is due through indexed look-ups, tells the hypervisor outside of any transaction,
//! and writes what it heard. Every part can be repeated: a crash between any two of them heals at the next step.
//! Nothing in here waits or reads a clock; whoever drives it calls it when the database changed, when the hypervisor
//! has something to say, and at the time that the last step answered.

mod alerts;
mod disks;
mod hardware;
mod machines;
mod networks;
mod snapshots;
mod upkeep;

use std::sync::Arc;

use croft_api::Result;
use croft_sled::Hypervisor;
use croft_store::{Database, Tx};
use event_listener::EventListener;
use jiff::Timestamp;

use crate::{
    Cx, Environment, Random, Request, SeededRandom,
    alert::WebhookSender,
    context::{next_whole_microsecond, whole_microseconds},
};

/// The background work of one server.
#[derive(Debug)]
pub struct Reconciler {
    environment: Arc<Environment>,
    next_watch: Timestamp,
    next_flush: Timestamp,
    next_upkeep: Timestamp,
    networks: networks::Networks,
    hardware: hardware::Hardware,
    alerts: alerts::Alerts,
}

/// What one step works with.
struct Work<'a> {
    db: &'a Database,
    now: Timestamp,
    random: &'a mut dyn Random,
    hypervisor: &'a dyn Hypervisor,
    environment: &'a Arc<Environment>,
}

impl Work<'_> {
    fn read<T: Send + 'static>(&self, f: impl FnMut(&mut Tx<'_>) -> Result<T> + Send + 'static) -> Result<T> {
        self.db.read_blocking(f)
    }

    fn write<T: Send + 'static>(
        &mut self,
        mut f: impl FnMut(&mut Cx<'_, '_>) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let seed = SeededRandom::drawn(self.random);
        let environment = Arc::clone(self.environment);
        let now = self.now;
        self.db.write_blocking(move |tx| {
            let request = Request::default();
            let mut random = seed.clone();
            f(&mut Cx::new(tx, now, &mut random, &environment, &request))
        })
    }
}

impl Reconciler {
    /// A reconciler that has seen nothing yet.
    pub fn new(environment: Arc<Environment>) -> Self {
        let (next_watch, next_flush, next_upkeep) =
            (Timestamp::UNIX_EPOCH, Timestamp::UNIX_EPOCH, Timestamp::UNIX_EPOCH);
        let (networks, hardware) = (networks::Networks::default(), hardware::Hardware::default());
        let alerts = alerts::Alerts::default();
        Self { environment, next_watch, next_flush, next_upkeep, networks, hardware, alerts }
    }

    /// Has deliveries of alerts sent by this. Without it they wait.
    #[must_use]
    pub fn sending_by(mut self, sender: Arc<dyn WebhookSender>) -> Self {
        self.alerts.send_by(sender);
        self
    }

    /// Wakes when a delivery that was sent has come to its end; the next step takes note of it.
    pub fn listen(&self) -> EventListener {
        self.alerts.listen()
    }

    /// To be called once before the first step: takes over what the hosts have, and has the hypervisor take over the
    /// machines that ran when the database was last written.
    pub fn start(
        &mut self,
        db: &Database,
        now: Timestamp,
        random: &mut dyn Random,
        hypervisor: &dyn Hypervisor,
    ) -> Result<()> {
        let now = whole_microseconds(now);
        let mut work = Work { db, now, random, hypervisor, environment: &self.environment };
        self.hardware.look(&mut work)?;
        machines::adopt(&work)
    }

    /// Does everything that is due and answers when to call again, at the latest. An error of the database ends the
    /// step early; the next one takes up what was left.
    pub fn step(
        &mut self,
        db: &Database,
        now: Timestamp,
        random: &mut dyn Random,
        hypervisor: &dyn Hypervisor,
    ) -> Result<Timestamp> {
        let now = whole_microseconds(now);
        let environment = Arc::clone(&self.environment);
        let mut work = Work { db, now, random, hypervisor, environment: &environment };
        hypervisor.advance(now);
        let events = hypervisor.take_events();
        self.hardware.take_in(&mut work)?;
        snapshots::take(&mut work, &events)?;
        disks::build(&mut work, &events)?;
        disks::remove(&mut work)?;
        snapshots::free(&mut work, &events)?;
        // Before machines are started in them.
        self.networks.tell(&work)?;
        machines::hear(&mut work, &events)?;
        machines::tell(&mut work)?;
        if self.next_watch <= now {
            self.hardware.look(&mut work)?;
            machines::watch(&mut work)?;
            machines::tell(&mut work)?;
            networks::watch(&work);
            self.next_watch = crate::instance::later(now, environment.settings.watch_interval);
        }
        self.alerts.deliver(&mut work)?;
        self.keep_up(&mut work)?;
        self.next_wake(&work)
    }

    /// To be called once after the last step: writes what was not due yet and would be lost.
    pub fn finish(
        &mut self,
        db: &Database,
        now: Timestamp,
        random: &mut dyn Random,
        hypervisor: &dyn Hypervisor,
    ) -> Result<()> {
        let now = whole_microseconds(now);
        let environment = Arc::clone(&self.environment);
        let mut work = Work { db, now, random, hypervisor, environment: &environment };
        self.alerts.hear(&mut work)?;
        Ok(crate::session::flush(db, &self.environment.activity, now)?)
    }

    fn keep_up(&mut self, work: &mut Work<'_>) -> Result<()> {
        let settings = &work.environment.settings;
        if self.next_flush <= work.now && work.environment.activity.is_pending() {
            self.next_flush = crate::instance::later(work.now, settings.session.write_interval);
            crate::session::flush(work.db, &work.environment.activity, work.now)?;
        }
        if self.next_upkeep <= work.now && !upkeep::run(work)? {
            self.next_upkeep = crate::instance::later(work.now, upkeep::INTERVAL);
        }
        Ok(())
    }

    fn next_wake(&self, work: &Work<'_>) -> Result<Timestamp> {
        let mut next = self.next_watch.min(self.next_upkeep.max(work.now));
        if work.environment.activity.is_pending() {
            next = next.min(self.next_flush);
        }
        let due = work.read(|tx| {
            Ok([
                disks::next_due(tx)?,
                disks::next_removal(tx)?,
                snapshots::next_due(tx)?,
                snapshots::next_free(tx)?,
                machines::next_due(tx)?,
            ])
        })?;
        let delivery = self.alerts.next_due(work)?;
        // What is due at the time of an event is due at the next whole microsecond, too.
        let event = work.hypervisor.next_event().map(next_whole_microsecond);
        let all = due.into_iter().chain([event, delivery, self.networks.next_due()]).flatten();
        Ok(all.fold(next, Timestamp::min).max(work.now))
    }
}
