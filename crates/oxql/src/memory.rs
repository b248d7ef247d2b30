//! Samples in memory, without an index.

use std::{collections::BTreeMap, ops::Bound, sync::Arc};

use crate::{
    Limit, Series, Source, SourceError, Window,
    model::{FieldValue, Points, Sample, Schema, TimeseriesName},
};

/// Samples in memory: small amounts for tests and benchmarks, without any index.
#[derive(Default)]
pub struct Memory {
    known: BTreeMap<TimeseriesName, SchemaSeries>,
}

struct SchemaSeries {
    schema: Arc<Schema>,
    series: Vec<(Vec<FieldValue>, Points)>,
}

/// Why a sample was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// Its name has no schema.
    #[error("there is no schema of this name")]
    Unknown,
    /// Its fields or its datum do not match its schema, or are bytes.
    #[error("the sample is not one of its schema")]
    Shape,
}

impl Memory {
    /// Adds a schema, unless it exists.
    pub fn define(&mut self, schema: Schema) {
        let name = schema.name.clone();
        self.known
            .entry(name)
            .or_insert_with(|| SchemaSeries { schema: Arc::new(schema), series: Vec::new() });
    }

    /// Adds a sample, unless there is one of the same timeseries and time.
    pub fn insert(&mut self, name: &TimeseriesName, sample: Sample) -> Result<(), Refused> {
        let SchemaSeries { schema, series } = self.known.get_mut(name).ok_or(Refused::Unknown)?;
        let shape = schema.fits(&sample.fields)
            && sample.datum.as_ref().is_none_or(|datum| datum.fits(schema.datum_type))
            && sample.start_time.is_some() == schema.datum_type.is_cumulative();
        let Some(empty) = Points::empty(schema.datum_type).filter(|_| shape) else {
            return Err(Refused::Shape);
        };
        let place = series.iter().position(|(fields, _)| *fields == sample.fields).unwrap_or_else(|| {
            series.push((sample.fields, empty));
            series.len() - 1
        });
        let points = &mut series[place].1;
        let Err(place) = points.timestamps.binary_search(&sample.timestamp) else { return Ok(()) };
        let later = points.split_off(place);
        points.timestamps.push(sample.timestamp);
        if let (Some(start_times), Some(start_time)) = (&mut points.start_times, sample.start_time) {
            start_times.push(start_time);
        }
        let fits = points.values.push(sample.datum);
        points.append(later);
        if fits { Ok(()) } else { Err(Refused::Shape) }
    }
}

impl Source for Memory {
    fn schema(&self, name: &TimeseriesName) -> Result<Option<Arc<Schema>>, SourceError> {
        Ok(self.known.get(name).map(|known| Arc::clone(&known.schema)))
    }

    fn stored_schemas(
        &self,
        after: Option<&TimeseriesName>,
        limit: usize,
    ) -> Result<Vec<Arc<Schema>>, SourceError> {
        let from = after.map_or(Bound::Unbounded, Bound::Excluded);
        let stored = self
            .known
            .range::<TimeseriesName, _>((from, Bound::Unbounded))
            .filter(|(_, known)| !known.series.is_empty());
        Ok(stored.take(limit).map(|(_, known)| Arc::clone(&known.schema)).collect())
    }

    fn series(&self, schema: &Schema, equal: &[(usize, FieldValue)]) -> Result<Vec<Series>, SourceError> {
        let series = self.known.get(&schema.name).map_or(&[][..], |known| &known.series);
        let wanted = |fields: &[FieldValue]| equal.iter().all(|(place, value)| fields[*place] == *value);
        let all = (0_u64..).zip(series).map(|(id, (fields, _))| Series { id, fields: fields.clone() });
        Ok(all.filter(|series| wanted(&series.fields)).collect())
    }

    fn points(
        &self,
        schema: &Schema,
        series: &Series,
        window: &Window,
        most: usize,
    ) -> Result<Points, SourceError> {
        let gone = || SourceError::Unavailable("a timeseries is gone".into());
        let known = self.known.get(&schema.name).ok_or_else(gone)?;
        let place = usize::try_from(series.id).map_err(|_| gone())?;
        let (_, points) = known.series.get(place).ok_or_else(gone)?;
        let mut from = points.timestamps.partition_point(|&time| time < window.from);
        let mut to = points.timestamps.partition_point(|&time| time <= window.to).max(from);
        match window.limit {
            Some(Limit::First(count)) => to = to.min(from.saturating_add(count)),
            Some(Limit::Last(count)) => from = from.max(to.saturating_sub(count)),
            None => {}
        }
        if to - from > most { Err(SourceError::TooManyPoints) } else { Ok(points.slice(from, to)) }
    }
}
