//! Backfilling of counters of which only some points are known.

use std::collections::BTreeMap;

use croft_oxql::model::{Datum, DatumType, FieldValue, Schema};
use jiff::Timestamp;

use super::{
    Telemetry,
    block::{Block, Point},
    codec::put,
    file::Stored,
    order,
    state::State,
};
use crate::StoreError;

/// Some points of one counter.
#[derive(Clone, Debug, PartialEq)]
pub struct SparseCounter {
    /// The field values of its timeseries, in the order of the schema.
    pub fields: Vec<FieldValue>,
    /// Since when it counts, in nanoseconds since the epoch.
    pub start_time: i64,
    /// When, in nanoseconds since the epoch, and how much it was, in the order of time.
    pub points: Vec<(i64, Datum)>,
}

impl Telemetry {
    /// Records counters of which only some points are known. They are read as if there were a point every `interval`
    /// (in nanoseconds): the points in between are interpolated, as for [thinned-out](super) points. All of it is
    /// written atomically. Points that do not fit, or are not later than the stored ones, are dropped.
    ///
    /// # Errors
    /// It cannot be written.
    ///
    /// # Panics
    /// The schema is not one of counters.
    pub fn record_sparse_counters(
        &self,
        schema: &Schema,
        counters: Vec<SparseCounter>,
        interval: i64,
    ) -> Result<(), StoreError> {
        let datum_type = schema.datum_type;
        assert!(datum_type.is_cumulative() && !datum_type.is_histogram(), "{} is no counter", schema.name);
        // Held throughout, as by a flush.
        let file = self.shared.storage.writer();
        let given: usize = counters.iter().map(|counter| counter.points.len()).sum();
        let (plan, told) = {
            let mut state = self.shared.state.lock();
            let (blocks, told) = state.interpolated(schema, counters, interval, datum_type);
            if blocks.is_empty() {
                return Ok(());
            }
            let mut plan = state.plan();
            plan.thinned = blocks.into_iter().collect();
            (plan, told)
        };
        let written = file.commit(&plan);
        let mut state = self.shared.state.lock();
        match written {
            Ok(()) => {
                state.done(&plan);
                drop(state);
                self.count(told as u64, given - told);
                Ok(())
            }
            Err(error) => {
                state.undone(plan);
                Err(error)
            }
        }
    }
}

impl State {
    /// The blocks of what is told, by timeseries, and of how many points that is.
    fn interpolated(
        &mut self,
        schema: &Schema,
        counters: Vec<SparseCounter>,
        interval: i64,
        datum_type: DatumType,
    ) -> (BTreeMap<u64, Stored>, usize) {
        let (mut blocks, mut told) = (BTreeMap::new(), 0);
        let first = counters.iter().filter_map(|counter| counter.points.first()).map(|(time, _)| *time).min();
        let first = first.and_then(|time| Timestamp::from_nanosecond(time.into()).ok());
        let Some(place) = first.and_then(|first| self.admit(schema, first)) else { return (blocks, told) };
        let order = order(&self.schemas[place].schema, schema);
        for SparseCounter { fields, start_time, mut points } in counters {
            points.retain(|(_, datum)| datum.fits(datum_type));
            let Some(series) = self.find_or_make(place, order.as_deref(), fields) else { continue };
            let last = self.series.get(&series).and_then(|series| series.last);
            points.retain(|(time, _)| last.is_none_or(|last| last < *time));
            points.dedup_by(|next, before| next.0 <= before.0);
            if let Some(block) = block(start_time, &points, interval) {
                told += points.len();
                blocks.insert(series, block);
            }
        }
        (blocks, told)
    }
}

/// Points in the order of time, each of which stands for those before it that nobody told.
fn block(start: i64, points: &[(i64, Datum)], interval: i64) -> Option<Stored> {
    let (mut kept, mut counts, mut total) = (Block::default(), Vec::new(), 0);
    for (timestamp, datum) in points.iter().cloned() {
        // The first has nothing before it to draw a line from.
        let asked = if kept.count == 0 { 1 } else { (timestamp - kept.last) / interval.max(1) };
        let asked = u32::try_from(asked).unwrap_or(u32::MAX).max(1);
        put(&mut counts, asked);
        total += asked;
        kept.push(&Point { timestamp, start, datum: Some(datum) });
    }
    (kept.count > 0).then(|| Stored::thinned(&kept, &counts, total))
}
