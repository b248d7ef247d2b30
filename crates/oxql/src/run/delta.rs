//! Differences of cumulative data (`docs/rules/telemetry.md#differences`).

use std::sync::Arc;

use jiff::Timestamp;

use crate::{
    RunError,
    model::Distribution,
    table::{MetricType, TablePoints, Values},
};

/// Computes the differences of the points of a cumulative timeseries, in order.
pub(super) fn from_cumulative(points: &mut TablePoints) -> Result<(), RunError> {
    let Some(start_times) = &mut points.start_times else { return Ok(()) };
    for dimension in &mut points.dimensions {
        dimension.metric_type = MetricType::Delta;
        match &mut dimension.values {
            Values::Integer(values) => {
                let difference =
                    |next: &i64, last: &i64| next.checked_sub(*last).ok_or(RunError::DeltaOverflow);
                convert(start_times, &points.timestamps, values, difference)?;
            }
            Values::Double(values) => {
                convert(start_times, &points.timestamps, values, |next, last| Ok(next - last))?;
            }
            Values::IntegerDistribution(values) => {
                convert(start_times, &points.timestamps, values, subtract)?;
            }
            Values::DoubleDistribution(values) => {
                convert(start_times, &points.timestamps, values, subtract)?;
            }
            // Neither is cumulative.
            Values::Boolean(_) | Values::String(_) => {}
        }
    }
    Ok(())
}

/// The last sample with a value.
struct Present<T> {
    start_time: i64,
    value: T,
}

fn convert<T: Clone>(
    start_times: &mut [i64],
    timestamps: &[i64],
    values: &mut [Option<T>],
    difference: impl Fn(&T, &T) -> Result<T, RunError>,
) -> Result<(), RunError> {
    let mut present: Option<Present<T>> = None;
    // The start time of the last sample, and its timestamp.
    let mut last: Option<(i64, i64)> = None;
    for ((start, &time), value) in start_times.iter_mut().zip(timestamps).zip(values) {
        let stored_start = *start;
        let same_epoch = last.is_some_and(|(last_start, _)| last_start == stored_start);
        if let Some((last_start, last_time)) = last
            && !same_epoch
            && stored_start < last_time
        {
            return Err(overlap((last_start, last_time), (stored_start, time)));
        }
        let counted = present.as_ref().filter(|present| present.start_time == stored_start);
        if let Some(current) = value.take() {
            if let Some(counted) = counted {
                *value = Some(difference(&current, &counted.value)?);
                *start = last.map_or(stored_start, |(_, last_time)| last_time);
            } else {
                *value = Some(current.clone());
            }
            present = Some(Present { start_time: stored_start, value: current });
        } else if same_epoch {
            *start = last.map_or(stored_start, |(_, last_time)| last_time);
        }
        last = Some((stored_start, time));
    }
    Ok(())
}

fn overlap(last: (i64, i64), next: (i64, i64)) -> RunError {
    let text = |time: i64| match Timestamp::from_nanosecond(time.into()) {
        Ok(time) => time.to_string(),
        Err(_) => format!("{time} ns"),
    };
    RunError::DeltaOverlap {
        last_start: text(last.0),
        last_time: text(last.1),
        next_start: text(next.0),
        next_time: text(next.1),
    }
}

/// The number type of a distribution.
trait Number: Copy + PartialEq {
    fn difference(self, other: Self) -> Option<Self>;
    fn as_double(self) -> f64;
}

impl Number for i64 {
    fn difference(self, other: Self) -> Option<Self> {
        self.checked_sub(other)
    }

    #[allow(clippy::cast_precision_loss, reason = "a mean needs no more than 53 bits")]
    fn as_double(self) -> f64 {
        self as f64
    }
}

impl Number for f64 {
    fn difference(self, other: Self) -> Option<Self> {
        Some(self - other)
    }

    fn as_double(self) -> f64 {
        self
    }
}

/// The difference of two states of a distribution.
fn subtract<T: Number>(
    next: &Arc<Distribution<T>>,
    last: &Arc<Distribution<T>>,
) -> Result<Arc<Distribution<T>>, RunError> {
    let same_bins = Arc::ptr_eq(&next.bins, &last.bins) || next.bins == last.bins;
    if !same_bins || next.counts.len() != last.counts.len() {
        return Err(RunError::DistributionBins);
    }
    let counts = next.counts.iter().zip(&last.counts).map(|(next, last)| next.checked_sub(*last));
    let counts = counts.collect::<Option<_>>().ok_or(RunError::DistributionUnderflow)?;
    let sum = next.sum_of_samples.difference(last.sum_of_samples).ok_or(RunError::DeltaOverflow)?;
    Ok(Arc::new(Distribution {
        bins: Arc::clone(&next.bins),
        counts,
        min: None,
        max: None,
        sum_of_samples: sum,
        squared_mean: (mean(next) - mean(last)).powi(2),
        p50: None,
        p90: None,
        p99: None,
    }))
}

#[allow(clippy::cast_precision_loss, reason = "a mean needs no more than 53 bits")]
fn mean<T: Number>(distribution: &Distribution<T>) -> f64 {
    let count: f64 = distribution.counts.iter().map(|&count| count as f64).sum();
    if count > 0.0 { distribution.sum_of_samples.as_double() / count } else { 0.0 }
}
