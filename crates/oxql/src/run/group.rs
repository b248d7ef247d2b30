//! Timeseries with equal fields as one (`docs/rules/telemetry.md#grouping`).

use std::collections::BTreeMap;

use super::shape;
use crate::{
    QueryError, RunError,
    language::{Grouping, Reducer},
    model::FieldValue,
    table::{Dimension, MetricType, Table, TablePoints, TableSeries, Values},
};

/// Merges timeseries with the same values of the listed fields.
pub(super) fn group(table: &mut Table, grouping: &Grouping) -> Result<(), QueryError> {
    if table.alignment.is_none() {
        return Err(RunError::GroupUnaligned.into());
    }
    let (positions, fields): (Vec<_>, Vec<_>) =
        shape(table).grouped_fields(&grouping.fields)?.into_iter().unzip();
    let mut groups: BTreeMap<Vec<FieldValue>, Vec<TablePoints>> = BTreeMap::new();
    for series in table.series.drain(..) {
        let key = positions.iter().map(|&position| series.fields[position].clone()).collect();
        groups.entry(key).or_default().push(series.points);
    }
    table.fields = fields.into();
    table.series = groups
        .into_iter()
        .map(|(fields, members)| TableSeries { fields, points: reduce(&members, grouping.reducer) })
        .collect();
    Ok(())
}

/// Combines the present values of the members at each time.
fn reduce(members: &[TablePoints], reducer: Reducer) -> TablePoints {
    let mut timestamps: Vec<i64> =
        members.iter().flat_map(|points| points.timestamps.iter().copied()).collect();
    timestamps.sort_unstable();
    timestamps.dedup();
    let mut sums = vec![(0.0, 0_u32); timestamps.len()];
    for points in members {
        let mut place = 0;
        for (time, value) in points.timestamps.iter().zip(doubles(points)) {
            place += timestamps[place..].partition_point(|other| other < time);
            if let Some(value) = value {
                let (sum, present) = &mut sums[place];
                *sum += value;
                *present += 1;
            }
        }
    }
    let outcome = |(sum, present): (f64, u32)| {
        let value = match reducer {
            Reducer::Sum => sum,
            Reducer::Mean => sum / f64::from(present),
        };
        (present > 0 && value.is_finite()).then_some(value)
    };
    let values = Values::Double(sums.into_iter().map(outcome).collect());
    let dimensions = vec![Dimension { metric_type: MetricType::Gauge, values }];
    TablePoints { start_times: None, timestamps, dimensions }
}

/// The values of aligned points, which are all of one kind.
fn doubles(points: &TablePoints) -> &[Option<f64>] {
    match points.dimensions.first().map(|dimension| &dimension.values) {
        Some(Values::Double(values)) => values,
        _ => &[],
    }
}
