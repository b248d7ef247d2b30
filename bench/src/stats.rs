//! Latencies and throughput of one run, and the spread of several.

use std::time::Duration;

use hdrhistogram::Histogram;

/// What one run measured.
#[derive(Clone, Debug)]
pub struct Run {
    /// Answers a second.
    pub throughput: f64,
    /// Median latency.
    pub p50: Duration,
    /// Latency that one answer in a hundred exceeds.
    pub p99: Duration,
    /// Refusals (503) a second, which are not counted above.
    pub refused: f64,
    /// Latency that one refusal in a hundred exceeds; zero without refusals.
    pub refused_p99: Duration,
}

/// Collects latencies of one connection or of many.
pub struct Recorder {
    answered: Histogram<u64>,
    refused: Histogram<u64>,
}

impl Recorder {
    /// An empty recorder: microseconds, up to two minutes, three digits.
    pub fn new() -> Self {
        let empty = || Histogram::new_with_bounds(1, 120_000_000, 3).expect("constant bounds are valid");
        Self { answered: empty(), refused: empty() }
    }

    /// Counts one answer.
    pub fn answered(&mut self, latency: Duration) {
        self.answered.saturating_record(micros(latency));
    }

    /// Counts one refusal.
    pub fn refused(&mut self, latency: Duration) {
        self.refused.saturating_record(micros(latency));
    }

    /// Adds what another recorder counted.
    pub fn merge(&mut self, other: &Self) {
        self.answered.add(&other.answered).expect("recorders share their bounds");
        self.refused.add(&other.refused).expect("recorders share their bounds");
    }

    /// The figures, for load that lasted `elapsed`.
    #[allow(clippy::cast_precision_loss, reason = "counts of answers are far below 2^52")]
    pub fn finish(&self, elapsed: Duration) -> Run {
        let at = |histogram: &Histogram<u64>, quantile| {
            if histogram.is_empty() {
                Duration::ZERO
            } else {
                Duration::from_micros(histogram.value_at_quantile(quantile))
            }
        };
        Run {
            throughput: self.answered.len() as f64 / elapsed.as_secs_f64(),
            p50: at(&self.answered, 0.5),
            p99: at(&self.answered, 0.99),
            refused: self.refused.len() as f64 / elapsed.as_secs_f64(),
            refused_p99: at(&self.refused, 0.99),
        }
    }
}

fn micros(latency: Duration) -> u64 {
    u64::try_from(latency.as_micros()).unwrap_or(u64::MAX)
}

/// Median, least and greatest of a figure over several runs.
#[derive(Clone, Copy, Debug)]
pub struct Spread {
    /// The middle figure.
    pub median: f64,
    /// The least.
    pub least: f64,
    /// The greatest.
    pub greatest: f64,
}

impl Spread {
    /// The spread of some figures; at least one.
    pub fn of(figures: impl IntoIterator<Item = f64>) -> Self {
        let mut sorted: Vec<f64> = figures.into_iter().collect();
        sorted.sort_by(f64::total_cmp);
        assert!(!sorted.is_empty(), "a spread needs a figure");
        Self { median: sorted[sorted.len() / 2], least: sorted[0], greatest: sorted[sorted.len() - 1] }
    }
}
