//! Points on a grid of times (`docs/rules/telemetry.md#alignment`).

use super::budget::Budget;
use crate::{
    QueryError, RunError,
    table::{Dimension, MetricType, Table, TablePoints, ValueType, Values},
};

/// Maximum ratio of grid times to points of a timeseries.
const MOST_UPSAMPLING: i64 = 100;

/// Moves all points to a grid with this period that ends at a time in nanoseconds.
pub(super) fn align(
    table: &mut Table,
    period: i64,
    end: i64,
    budget: &mut Budget<'_>,
) -> Result<(), QueryError> {
    for series in &mut table.series {
        budget.check_time()?;
        series.points = mean_within(&series.points, period, end, budget)?;
    }
    table.series.retain(|series| !series.points.is_empty());
    table.dimensions = vec![(MetricType::Gauge, ValueType::Double)];
    table.alignment = (!table.series.is_empty()).then_some(period);
    Ok(())
}

fn mean_within(
    points: &TablePoints,
    period: i64,
    end: i64,
    budget: &mut Budget<'_>,
) -> Result<TablePoints, QueryError> {
    let timestamps = &points.timestamps;
    let widest = period.saturating_mul(MOST_UPSAMPLING);
    if timestamps.windows(2).any(|pair| pair[1].saturating_sub(pair[0]) > widest) {
        return Err(RunError::Upsampling.into());
    }
    let times = grid(timestamps[0], period, end);
    budget.take_grid(times.len())?;
    let timestamps: Vec<i64> = times.collect();
    let values = points.dimensions.first().map_or_else(Vec::new, |dimension| numbers(&dimension.values));
    let means = match &points.start_times {
        None => means_of_gauge(points, &values, &timestamps, period),
        Some(start_times) => means_of_delta(points, start_times, &values, &timestamps, period),
    };
    let values = Values::Double(means);
    let dimensions = vec![Dimension { metric_type: MetricType::Gauge, values }];
    Ok(TablePoints { start_times: None, timestamps, dimensions })
}

/// The times of the grid from the first point to the end, in ascending order.
fn grid(first: i64, period: i64, end: i64) -> impl ExactSizeIterator<Item = i64> {
    let span = i128::from(end) - i128::from(first);
    let count = if span < 0 { 0 } else { span / i128::from(period) + 1 };
    // A grid that is too large for this exceeds the budget, too.
    let count = u32::try_from(count).unwrap_or(u32::MAX);
    (0..count).rev().map(move |steps| end.wrapping_sub(period.wrapping_mul(steps.into())))
}

#[allow(clippy::cast_precision_loss, reason = "a mean needs no more than 53 bits")]
fn numbers(values: &Values) -> Vec<Option<f64>> {
    match values {
        Values::Integer(values) => values.iter().map(|value| value.map(|value| value as f64)).collect(),
        Values::Double(values) => values.clone(),
        // The plan refuses everything else.
        _ => Vec::new(),
    }
}

/// The mean of the values in the period that ends at each time. Missing values count as points.
fn means_of_gauge(
    points: &TablePoints,
    values: &[Option<f64>],
    times: &[i64],
    period: i64,
) -> Vec<Option<f64>> {
    let mut next = 0;
    let mean = |&time: &i64| {
        next += points.timestamps[next..].partition_point(|&point| point <= time.saturating_sub(period));
        let window = next;
        next += points.timestamps[next..].partition_point(|&point| point <= time);
        let present: Vec<f64> = values[window..next].iter().copied().flatten().collect();
        finite(present.iter().sum::<f64>() / count(next - window), !present.is_empty())
    };
    times.iter().map(mean).collect()
}

/// The sum of differences in the period that ends at each time, divided by the number of points in it.
fn means_of_delta(
    points: &TablePoints,
    start_times: &[i64],
    values: &[Option<f64>],
    times: &[i64],
    period: i64,
) -> Vec<Option<f64>> {
    // Only intervals with a value are disjoint: a missing value before the first value of an epoch lies within that
    // value's interval.
    let intervals: Vec<(i64, i64, f64)> = start_times
        .iter()
        .zip(&points.timestamps)
        .zip(values)
        .filter_map(|((&start, &end), value)| Some((start, end, (*value)?)))
        .collect();
    let (mut first, mut next) = (0, 0);
    let mean = |&time: &i64| {
        let begin = time.saturating_sub(period);
        next += points.timestamps[next..].partition_point(|&point| point <= begin);
        let window = next;
        next += points.timestamps[next..].partition_point(|&point| point <= time);
        first += intervals[first..].partition_point(|&(_, end, _)| end <= begin);
        // Empty intervals are at their point.
        let touching = intervals[first..].iter().take_while(|(start, end, _)| *start < time || *end <= time);
        let (mut sum, mut any) = (0.0, false);
        for &(start, end, value) in touching {
            any = true;
            sum += value * overlap((start, end), (begin, time));
        }
        finite(sum / count((next - window).max(1)), any)
    };
    times.iter().map(mean).collect()
}

/// The fraction of an interval that is in a window.
#[allow(clippy::cast_precision_loss, reason = "a share needs no more than 53 bits")]
fn overlap(interval: (i64, i64), window: (i64, i64)) -> f64 {
    let length = i128::from(interval.1) - i128::from(interval.0);
    if length <= 0 {
        return 1.0;
    }
    let shared = i128::from(interval.1.min(window.1)) - i128::from(interval.0.max(window.0));
    if shared == length { 1.0 } else { shared as f64 / length as f64 }
}

#[allow(clippy::cast_precision_loss, reason = "there are fewer points than that")]
fn count(points: usize) -> f64 {
    points as f64
}

fn finite(value: f64, any: bool) -> Option<f64> {
    (any && value.is_finite()).then_some(value)
}
