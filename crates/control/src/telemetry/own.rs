use std::{
    collections::BTreeMap,
    net::{IpAddr, Ipv6Addr},
};

use croft_api::{Error, Result};
use croft_oxql::model::{Datum, FieldValue, Sample};
use croft_store::{Database, telemetry::Telemetry};
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use super::{Batch, nanoseconds, schema_of};

/// The producer, and the reason if it failed.
type CollectionOutcome = (&'static str, Option<&'static str>);

/// Counters of the collector itself.
#[derive(Debug)]
pub(super) struct CollectorCounters {
    server_id: Uuid,
    counts: BTreeMap<CollectionOutcome, (Timestamp, u64)>,
}

impl CollectorCounters {
    pub(super) fn new(server_id: Uuid) -> Self {
        Self { server_id, counts: BTreeMap::new() }
    }

    /// Counts the result of a collection.
    pub(super) fn count<T>(&mut self, producer: &'static str, now: Timestamp, ended: Result<T>) -> Result<T> {
        let reason = ended.as_ref().err().map(|error| match error {
            Error::Unavailable { .. } => "unavailable",
            _ => "error",
        });
        self.counts.entry((producer, reason)).or_insert((now, 0)).1 += 1;
        ended
    }

    /// Records the counters. Collector and producers are in one process, so the network fields are constant.
    pub(super) fn record(&self, telemetry: &Telemetry, now: Timestamp) {
        let place = || -> [FieldValue; 3] {
            [self.server_id.into(), IpAddr::V6(Ipv6Addr::LOCALHOST).into(), 0_u16.into()]
        };
        let mut batch = Batch::at(now);
        for ((producer, reason), (since, count)) in &self.counts {
            let mut fields = place().to_vec();
            fields.push((*producer).into());
            fields.extend(place());
            fields.extend(reason.map(FieldValue::from));
            let metric = if reason.is_some() { "failed_collections" } else { "collections" };
            batch.add("telemetry_collector", metric, fields, *since, Datum::Unsigned(*count));
        }
        batch.record(telemetry);
    }
}

/// Records the transactions that were retried.
pub(super) fn tell_retries(db: &Database, telemetry: &Telemetry, now: Timestamp) {
    let sample = |retry: croft_store::Retry| {
        let age = SignedDuration::try_from(retry.age).unwrap_or_default();
        let time = now.checked_sub(age).unwrap_or(now);
        Sample {
            fields: vec![retry.access.into(), retry.attempt.into()],
            // Several may be in the same millisecond.
            timestamp: i64::try_from(time.as_nanosecond()).unwrap_or_else(|_| nanoseconds(time)),
            start_time: None,
            datum: Some(Datum::Double(retry.lost.as_secs_f64())),
        }
    };
    let samples: Vec<Sample> = db.take_retries().into_iter().map(sample).collect();
    telemetry.record(schema_of("database_transaction", "retry_data"), samples);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn successes_and_failures_are_counted_separately() {
        let mut own = CollectorCounters::new(Uuid::nil());
        let time = Timestamp::UNIX_EPOCH;
        for ended in [Ok(()), Err(Error::unavailable("away")), Ok(()), Err(Error::internal("broken"))] {
            let before = ended.clone();
            assert_eq!(format!("{:?}", own.count("links", time, ended)), format!("{before:?}"));
        }
        let counts: Vec<_> = own.counts.iter().map(|(finding, (_, count))| (finding.1, *count)).collect();
        assert_eq!(counts, [(None, 2), (Some("error"), 1), (Some("unavailable"), 1)]);
    }
}
