//! What is measured, and how it gets into the store of samples (`docs/rules/telemetry.md#capacity-metrics`,
//! `docs/rules/telemetry.md#schemas` and `docs/rules/telemetry.md#collection`).
//!
//! [`Collector::step`] asks hosts and takes over what changed; like the reconciler it neither waits nor reads a clock.
//! Requests never wait for it: what they change about provisioning they leave in a
//! [row](croft_store::records::ProvisioningChange) of their own transaction, and the collector removes the row once its
//! samples are on the disk. A crash in between has them stored twice, of which one is kept.

mod catalog;
mod links;
mod machines;
mod own;
mod past;
mod provisioning;
mod watcher;

use std::collections::HashMap;

use croft_api::Result;
use croft_oxql::model::{Datum, FieldValue, Sample};
use croft_sled::Hypervisor;
use croft_store::{Database, ListBy, Sort, Tx, records::Rack, telemetry::Telemetry};
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

pub use catalog::{schema_of, schemas};
use own::CollectorCounters;
pub use past::backfill;
use watcher::Watcher;

/// How often virtual CPUs are counted: clients divide by it.
const PROCESSORS: SignedDuration = SignedDuration::from_secs(5);
/// How often disks, network interfaces and links are counted: clients divide by it.
const DEVICES: SignedDuration = SignedDuration::from_secs(10);
/// How often machines are watched.
const WATCH: SignedDuration = SignedDuration::from_secs(30);
/// How often the collector's own counters are recorded.
const OWN_WORK: SignedDuration = SignedDuration::from_mins(1);
/// How often old samples are looked after.
const MAINTENANCE: SignedDuration = SignedDuration::from_mins(10);
/// Maintenance is done in small parts; this many in one step.
const PARTS: usize = 20;

/// Collects the samples of one server.
#[derive(Debug)]
pub struct Collector {
    telemetry: Telemetry,
    watcher: Watcher,
    own_work: CollectorCounters,
    next_processors: Timestamp,
    next_devices: Timestamp,
    next_watch: Timestamp,
    next_own_work: Timestamp,
    next_maintenance: Timestamp,
}

impl Collector {
    /// A collector that fills this store, for the server with this id.
    pub fn new(telemetry: Telemetry, server_id: Uuid) -> Self {
        let begin = Timestamp::UNIX_EPOCH;
        Self {
            telemetry,
            watcher: Watcher::new(server_id),
            own_work: CollectorCounters::new(server_id),
            next_processors: begin,
            next_devices: begin,
            next_watch: begin,
            next_own_work: begin,
            next_maintenance: begin,
        }
    }

    /// Call this once before the first step: it records the provisioned amounts in an empty store.
    pub fn start(&mut self, db: &Database) -> Result<()> {
        if self.telemetry.is_new() { provisioning::begin(db, &self.telemetry) } else { Ok(()) }
    }

    /// Collects what is due, and returns when to call again.
    pub fn step(&mut self, db: &Database, now: Timestamp, hypervisor: &dyn Hypervisor) -> Result<Timestamp> {
        self.own_work.count("provisioning", now, provisioning::take_over(db, &self.telemetry))?;
        own::tell_retries(db, &self.telemetry, now);
        let (processors, devices) = (self.next_processors <= now, self.next_devices <= now);
        if processors || devices {
            let sampled = machines::sample(db, &self.telemetry, now, hypervisor, devices);
            self.own_work.count("machines", now, sampled)?;
            self.next_processors = after(self.next_processors, PROCESSORS, now);
        }
        if devices {
            let sampled = links::sample(db, &self.telemetry, now, hypervisor);
            self.own_work.count("links", now, sampled)?;
            self.next_devices = after(self.next_devices, DEVICES, now);
        }
        if self.next_watch <= now {
            let watched = self.watcher.watch(db, &self.telemetry, now, hypervisor);
            self.own_work.count("watcher", now, watched)?;
            self.next_watch = after(self.next_watch, WATCH, now);
        }
        if self.next_own_work <= now {
            self.own_work.record(&self.telemetry, now);
            self.next_own_work = after(self.next_own_work, OWN_WORK, now);
        }
        if self.next_maintenance <= now {
            self.maintain(now)?;
        }
        Ok(self.next_processors.min(self.next_devices).max(now))
    }

    /// Call this once after the last step: it collects the rest and flushes.
    pub fn finish(&mut self, db: &Database) -> Result<()> {
        provisioning::take_over(db, &self.telemetry)?;
        Ok(self.telemetry.flush()?)
    }

    fn maintain(&mut self, now: Timestamp) -> Result<()> {
        for _ in 0..PARTS {
            if !self.telemetry.maintain(now)? {
                self.next_maintenance = after(self.next_maintenance, MAINTENANCE, now);
                break;
            }
        }
        Ok(())
    }
}

/// The next time in a row of times. Those that were missed are left out.
fn after(time: Timestamp, interval: SignedDuration, now: Timestamp) -> Timestamp {
    let next = time.saturating_add(interval).unwrap_or(Timestamp::MAX);
    if next > now { next } else { now.saturating_add(interval).unwrap_or(Timestamp::MAX) }
}

/// The first rack, which all sleds are in so far.
fn rack(tx: &mut Tx<'_>) -> Result<Uuid> {
    let racks: Vec<Rack> = tx.page(ListBy::All, Sort::IdAsc, None, 1)?;
    Ok(racks.first().map_or(Uuid::nil(), |rack| rack.meta.id))
}

/// A time as samples have it. Whole milliseconds take less room.
fn nanoseconds(time: Timestamp) -> i64 {
    time.as_millisecond().saturating_mul(1_000_000)
}

/// Receives the counters of machines. The counters of one machine always come in the same order.
trait Sink {
    /// A datum that counts since a time.
    fn add(
        &mut self,
        name: (&'static str, &'static str),
        fields: &dyn Fn() -> Vec<FieldValue>,
        since: Timestamp,
        datum: Datum,
    );
}

/// Samples of one moment, by target and metric.
struct Batch {
    timestamp: i64,
    samples: HashMap<(&'static str, &'static str), Vec<Sample>>,
}

impl Batch {
    fn at(now: Timestamp) -> Self {
        Self { timestamp: nanoseconds(now), samples: HashMap::new() }
    }

    /// Adds a datum that counts since a time.
    fn add(
        &mut self,
        target: &'static str,
        metric: &'static str,
        fields: Vec<FieldValue>,
        since: Timestamp,
        datum: Datum,
    ) {
        let (timestamp, start) = (self.timestamp, nanoseconds(since));
        let sample = Sample { fields, timestamp, start_time: Some(start.min(timestamp)), datum: Some(datum) };
        self.samples.entry((target, metric)).or_default().push(sample);
    }

    fn record(self, telemetry: &Telemetry) {
        for ((target, metric), samples) in self.samples {
            telemetry.record(schema_of(target, metric), samples);
        }
    }
}

impl Sink for Batch {
    fn add(
        &mut self,
        (target, metric): (&'static str, &'static str),
        fields: &dyn Fn() -> Vec<FieldValue>,
        since: Timestamp,
        datum: Datum,
    ) {
        self.add(target, metric, fields(), since, datum);
    }
}
