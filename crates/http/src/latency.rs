//! Latencies of requests, by operation and status (`docs/rules/telemetry.md#latency-of-requests`).

use std::{
    collections::BTreeMap,
    sync::{
        Arc, LazyLock,
        atomic::{AtomicU64, Ordering::Relaxed},
    },
    time::Duration,
};

use croft_api::{Timestamp, Uuid};
use croft_control::telemetry::schema_of;
use croft_oxql::model::{Datum, Distribution, FieldValue, Sample};
use croft_store::telemetry::Telemetry;
use http::StatusCode;
use parking_lot::RwLock;

use crate::endpoint::Endpoint;

/// The left edges of the bins, in nanoseconds: zero, then nine in each decade from a microsecond to a thousand seconds,
/// then one for all above.
static BINS: LazyLock<Arc<[i64]>> = LazyLock::new(|| {
    let decades = (3..12).map(|power| 10_i64.pow(power));
    let within = decades.flat_map(|decade| (1..10).map(move |times| times * decade));
    std::iter::once(0).chain(within).chain([10_i64.pow(12)]).collect()
});

/// The latencies of one status.
pub(crate) struct Latencies {
    /// The time of the first request.
    start: Timestamp,
    counts: Box<[AtomicU64]>,
    sum: AtomicU64,
    min: AtomicU64,
    max: AtomicU64,
}

impl Latencies {
    fn new(start: Timestamp) -> Self {
        let counts = BINS.iter().map(|_| AtomicU64::default()).collect();
        let [sum, max] = Default::default();
        Self { start, counts, sum, min: AtomicU64::new(u64::MAX), max }
    }

    fn record(&self, latency: Duration) {
        let nanoseconds = u64::try_from(latency.as_nanos()).unwrap_or(u64::MAX);
        let signed = i64::try_from(nanoseconds).unwrap_or(i64::MAX);
        let bin = BINS.partition_point(|begin| *begin <= signed).saturating_sub(1);
        self.counts[bin].fetch_add(1, Relaxed);
        self.sum.fetch_add(nanoseconds, Relaxed);
        self.min.fetch_min(nanoseconds, Relaxed);
        self.max.fetch_max(nanoseconds, Relaxed);
    }

    /// The number of requests.
    pub(crate) fn count(&self) -> u64 {
        self.counts.iter().map(|count| count.load(Relaxed)).sum()
    }

    /// The number of requests below this latency, which must be the edge of a bin.
    pub(crate) fn below(&self, nanoseconds: i64) -> u64 {
        let bins = BINS.partition_point(|begin| *begin < nanoseconds);
        self.counts[..bins].iter().map(|count| count.load(Relaxed)).sum()
    }

    /// The sum of all, in nanoseconds.
    pub(crate) fn sum(&self) -> u64 {
        self.sum.load(Relaxed)
    }

    fn distribution(&self) -> Option<Distribution<i64>> {
        let signed = |number: &AtomicU64| i64::try_from(number.load(Relaxed)).ok();
        Some(Distribution {
            bins: Arc::clone(&BINS),
            counts: self.counts.iter().map(|count| count.load(Relaxed)).collect(),
            min: signed(&self.min),
            max: signed(&self.max),
            sum_of_samples: signed(&self.sum)?,
            squared_mean: 0.0,
            p50: None,
            p90: None,
            p99: None,
        })
    }
}

/// The latencies of one operation, by status.
#[derive(Default)]
pub(crate) struct ByStatus(RwLock<BTreeMap<u16, Arc<Latencies>>>);

impl ByStatus {
    /// Counts a request. `now` is called for the first of its status.
    pub(crate) fn record(&self, status: StatusCode, latency: Duration, now: impl FnOnce() -> Timestamp) {
        let known = self.0.read().get(&status.as_u16()).cloned();
        let latencies = known.unwrap_or_else(|| {
            let mut all = self.0.write();
            Arc::clone(all.entry(status.as_u16()).or_insert_with(|| Arc::new(Latencies::new(now()))))
        });
        latencies.record(latency);
    }

    /// The recorded statuses.
    pub(crate) fn all(&self) -> Vec<(u16, Arc<Latencies>)> {
        self.0.read().iter().map(|(status, latencies)| (*status, Arc::clone(latencies))).collect()
    }
}

/// Records the latencies of these operations until now.
pub(crate) fn record(telemetry: &Telemetry, server: Uuid, endpoints: &[&Endpoint], now: Timestamp) {
    let nanoseconds = |time: Timestamp| time.as_millisecond().saturating_mul(1_000_000);
    let mut samples = Vec::new();
    for endpoint in endpoints {
        for (status, latencies) in endpoint.latencies.all() {
            let Some(distribution) = latencies.distribution() else { continue };
            let fields: Vec<FieldValue> =
                vec!["external".into(), server.into(), endpoint.id.into(), status.into()];
            let timestamp = nanoseconds(now);
            let start_time = Some(nanoseconds(latencies.start).min(timestamp));
            let datum = Some(Datum::IntegerDistribution(Arc::new(distribution)));
            samples.push(Sample { fields, timestamp, start_time, datum });
        }
    }
    telemetry.record(schema_of("http_service", "request_latency_histogram"), samples);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn histogram_has_the_documented_bins() {
        assert_eq!(BINS.len(), 1 + 9 * 9 + 1);
        assert_eq!(BINS[..4], [0, 1_000, 2_000, 3_000]);
        assert_eq!(BINS[BINS.len() - 2..], [900_000_000_000, 1_000_000_000_000]);
    }

    #[test]
    fn latencies_are_counted_in_the_right_bins() {
        let latencies = Latencies::new(Timestamp::UNIX_EPOCH);
        for nanoseconds in [0, 999, 1_000, 1_999, 2_000_000_000, u64::MAX] {
            latencies.record(Duration::from_nanos(nanoseconds));
        }
        assert_eq!(latencies.count(), 6);
        assert_eq!((latencies.below(1_000), latencies.below(2_000), latencies.below(1_000_000)), (2, 4, 4));
        assert_eq!((latencies.below(2_000_000_000), latencies.below(3_000_000_000)), (4, 5));
    }
}
