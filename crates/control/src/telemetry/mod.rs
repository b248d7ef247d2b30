//! Collection of metrics (`docs/rules/telemetry.md#capacity-metrics`, `docs/rules/telemetry.md#schemas` and
//! `docs/rules/telemetry.md#collection`).
//!
//! [`Collector::step`] queries hosts and processes changes; like the reconciler it neither waits nor reads a clock.
//! Requests never wait for it: a request that changes provisioned amounts adds a
//! [row](croft_store::records::ProvisioningChange) in its own transaction, and the collector removes the row once its
//! samples are durable. After a crash in between, they are stored twice, and one of them is dropped.

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

/// Sampling interval of virtual CPUs. Clients divide by it.
const PROCESSORS: SignedDuration = SignedDuration::from_secs(5);
/// Sampling interval of disks, network interfaces and links. Clients divide by it.
const DEVICES: SignedDuration = SignedDuration::from_secs(10);
/// Interval at which machines are checked.
const WATCH: SignedDuration = SignedDuration::from_secs(30);
/// Interval at which the collector's own counters are recorded.
const OWN_WORK: SignedDuration = SignedDuration::from_mins(1);
/// Interval of the maintenance of old samples.
const MAINTENANCE: SignedDuration = SignedDuration::from_mins(10);
/// Number of parts of maintenance in one step.
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
    /// A collector that writes to this store, for the server with this id.
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

    /// Collects what is due, and returns the time of the next call.
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

    /// Call this once after the last step: it collects what is left and flushes.
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

/// The next time of a series with a fixed interval. Missed times are skipped.
fn after(time: Timestamp, interval: SignedDuration, now: Timestamp) -> Timestamp {
    let next = time.saturating_add(interval).unwrap_or(Timestamp::MAX);
    if next > now { next } else { now.saturating_add(interval).unwrap_or(Timestamp::MAX) }
}

/// The first rack, which all sleds are in.
fn rack(tx: &mut Tx<'_>) -> Result<Uuid> {
    let racks: Vec<Rack> = tx.page(ListBy::All, Sort::IdAsc, None, 1)?;
    Ok(racks.first().map_or(Uuid::nil(), |rack| rack.meta.id))
}

/// Truncates a time to whole milliseconds, which take less space.
fn nanoseconds(time: Timestamp) -> i64 {
    time.as_millisecond().saturating_mul(1_000_000)
}

/// A sink for the counters of machines. The counters of one machine always come in the same order.
trait Sink {
    /// Receives a cumulative datum with its start time.
    fn add(
        &mut self,
        name: (&'static str, &'static str),
        fields: &dyn Fn() -> Vec<FieldValue>,
        since: Timestamp,
        datum: Datum,
    );
}

/// Samples of one time, by target and metric.
struct Batch {
    timestamp: i64,
    samples: HashMap<(&'static str, &'static str), Vec<Sample>>,
}

impl Batch {
    fn at(now: Timestamp) -> Self {
        Self { timestamp: nanoseconds(now), samples: HashMap::new() }
    }

    /// Adds a cumulative datum with its start time.
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
