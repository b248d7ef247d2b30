use std::collections::BTreeMap;

use croft_api::{Error, Result};
use croft_oxql::model::{Datum, FieldValue};
use croft_sled::{Counted, Hypervisor as _, HypervisorError, simulated::Simulated};
use croft_store::{
    Database,
    telemetry::{SparseCounter, Telemetry},
};
use jiff::{SignedDuration, Timestamp};

use super::{
    DEVICES, PROCESSORS, Sink,
    machines::{self, Subject, add_devices, add_processors},
    nanoseconds, provisioning, schema_of,
};

/// Periods of the past, the oldest first: how long ago they started, and the interval of their points.
const STRETCHES: [(SignedDuration, SignedDuration); 6] = [
    (SignedDuration::from_hours(27), SignedDuration::from_mins(5)),
    (SignedDuration::from_hours(21), SignedDuration::from_mins(5)),
    (SignedDuration::from_hours(15), SignedDuration::from_mins(5)),
    (SignedDuration::from_hours(9), SignedDuration::from_mins(5)),
    (SignedDuration::from_hours(3), SignedDuration::from_mins(2)),
    (SignedDuration::from_hours(1), SignedDuration::from_mins(1)),
];

/// Fills a store of samples with what a collector would have recorded in the last day: provisioned amounts, and the
/// counters of the running machines. Only simulated machines can compute their earlier counters; histograms are
/// omitted. Call this before a [collector](super::Collector) starts, which continues from there.
///
/// # Errors
/// The database or the store fails.
pub fn backfill(db: &Database, telemetry: &Telemetry, hypervisor: &Simulated, now: Timestamp) -> Result<()> {
    provisioning::take_over(db, telemetry)?;
    // Amounts that have never changed.
    provisioning::begin(db, telemetry)?;
    for subject in db.read_blocking(|tx| machines::subjects(tx, true))? {
        for (interval, counted) in [(PROCESSORS, Counted::Processors), (DEVICES, Counted::Everything)] {
            // The collector's first sample is at the next time.
            let end = now.saturating_sub(interval).unwrap_or(Timestamp::MIN);
            let ends = STRETCHES[1..].iter().map(|(ago, _)| end - *ago - interval).chain([end]);
            for (until, (ago, step)) in ends.zip(STRETCHES) {
                let times = times(end - ago, until, step);
                backfill_range(telemetry, hypervisor, &subject, counted, interval, &times)?;
            }
        }
    }
    Ok(telemetry.flush()?)
}

/// Times at whole steps before `end`, from a start, which is included.
fn times(begin: Timestamp, end: Timestamp, step: SignedDuration) -> Vec<Timestamp> {
    let mut times = vec![end];
    while let Some(last) = times.last().copied()
        && last > begin
    {
        times.push((last - step).max(begin));
    }
    times.reverse();
    times
}

fn backfill_range(
    telemetry: &Telemetry,
    hypervisor: &Simulated,
    subject: &Subject,
    counted: Counted,
    interval: SignedDuration,
    times: &[Timestamp],
) -> Result<()> {
    let mut told = MachineCounters::default();
    for time in times {
        let counters = match hypervisor.counters(subject.machine(), counted, *time) {
            Ok(counters) => counters,
            Err(HypervisorError::UnknownMachine) => return Ok(()),
            Err(error) => return Err(Error::internal(error)),
        };
        if subject.since(&counters) > *time {
            continue;
        }
        told.begin(*time);
        match counted {
            Counted::Processors => add_processors(&mut told, subject, &counters),
            Counted::Everything => add_devices(&mut told, subject, &counters),
        }
    }
    told.record(telemetry, interval)
}

/// The counters of one machine over time.
#[derive(Default)]
struct MachineCounters {
    /// In the order of a machine's counters.
    counters: Vec<((&'static str, &'static str), SparseCounter)>,
    timestamp: i64,
    /// The index of the next counter.
    next: usize,
}

impl MachineCounters {
    fn begin(&mut self, time: Timestamp) {
        (self.timestamp, self.next) = (nanoseconds(time), 0);
    }

    fn record(self, telemetry: &Telemetry, interval: SignedDuration) -> Result<()> {
        let mut by_name: BTreeMap<_, Vec<SparseCounter>> = BTreeMap::new();
        for (name, counter) in self.counters {
            by_name.entry(name).or_default().push(counter);
        }
        let interval = i64::try_from(interval.as_nanos()).map_err(Error::internal)?;
        for ((target, metric), counters) in by_name {
            telemetry.record_sparse_counters(schema_of(target, metric), counters, interval)?;
        }
        Ok(())
    }
}

impl Sink for MachineCounters {
    fn add(
        &mut self,
        name: (&'static str, &'static str),
        fields: &dyn Fn() -> Vec<FieldValue>,
        since: Timestamp,
        datum: Datum,
    ) {
        if !matches!(datum, Datum::Unsigned(_)) {
            return;
        }
        if self.next == self.counters.len() {
            let counter =
                SparseCounter { fields: fields(), start_time: nanoseconds(since), points: Vec::new() };
            self.counters.push((name, counter));
        }
        let (known, counter) = &mut self.counters[self.next];
        debug_assert_eq!(*known, name, "machines tell their counters in the same order each time");
        counter.points.push((self.timestamp, datum));
        self.next += 1;
    }
}
