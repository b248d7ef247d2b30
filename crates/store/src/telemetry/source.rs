//! The query interface to the stored samples.

use std::sync::Arc;

use croft_oxql::{
    Limit, Series, Source, SourceError, Window,
    model::{FieldValue, Points, Schema, TimeseriesName},
};

use super::{
    Telemetry,
    block::{Block, Point, add},
    file::{Direction, Stored},
    state::Timeseries,
    thin,
};
use crate::StoreError;

impl From<StoreError> for SourceError {
    fn from(error: StoreError) -> Self {
        Self::Unavailable(error.to_string())
    }
}

impl Source for Telemetry {
    fn schema(&self, name: &TimeseriesName) -> Result<Option<Arc<Schema>>, SourceError> {
        let stored = self.shared.state.lock().schema(name).cloned();
        Ok(stored.or_else(|| self.shared.defined.get(name).cloned()))
    }

    fn stored_schemas(
        &self,
        after: Option<&TimeseriesName>,
        limit: usize,
    ) -> Result<Vec<Arc<Schema>>, SourceError> {
        Ok(self.shared.state.lock().schemas_after(after).take(limit).cloned().collect())
    }

    fn series(&self, schema: &Schema, equal: &[(usize, FieldValue)]) -> Result<Vec<Series>, SourceError> {
        let found = self.shared.state.lock().matching(schema, equal);
        Ok(found.into_iter().map(|(id, fields)| Series { id, fields: fields.to_vec() }).collect())
    }

    fn points(
        &self,
        schema: &Schema,
        series: &Series,
        window: &Window,
        most: usize,
    ) -> Result<Points, SourceError> {
        let mut points = Points::empty(schema.datum_type)
            .ok_or_else(|| SourceError::Unavailable(format!("{} cannot be queried", schema.name)))?;
        // Memory first: points that are written to the file meanwhile are seen twice, and deduplicated by the first
        // time in memory.
        let recent = self.shared.state.lock().series.get(&series.id).map(Timeseries::blocks);
        let recent = recent.unwrap_or_default();
        let reading = Reading { telemetry: self, schema, series: series.id, window, most, recent: &recent };
        let found = match window.limit {
            Some(Limit::Last(count)) => reading.last(count)?,
            Some(Limit::First(count)) => reading.first(count)?,
            None => reading.first(usize::MAX)?,
        };
        for point in found {
            add(&mut points, point).map_err(StoreError::from)?;
        }
        Ok(points)
    }
}

/// The reading of one timeseries.
struct Reading<'a> {
    telemetry: &'a Telemetry,
    schema: &'a Schema,
    series: u64,
    window: &'a Window,
    most: usize,
    recent: &'a [Arc<Block>],
}

/// The points found so far, or that the limit was exceeded.
struct FetchedSeries {
    points: Vec<Point>,
    too_many: bool,
}

impl Reading<'_> {
    /// The last time that may be in the file alone.
    fn end_of_file(&self) -> i64 {
        let begin = self.recent.first().map_or(i64::MAX, |block| block.first.saturating_sub(1));
        begin.min(self.window.to)
    }

    fn in_memory(&self, block: &Block) -> Result<Vec<Point>, StoreError> {
        let all = block.points(self.schema.datum_type).collect::<Result<Vec<Point>, _>>()?;
        Ok(self.within(all))
    }

    fn in_file(&self, block: &Stored) -> Result<Vec<Point>, StoreError> {
        Ok(self.within(thin::points(block, self.schema.datum_type)?))
    }

    fn within(&self, mut points: Vec<Point>) -> Vec<Point> {
        points.retain(|point| self.window.contains(point.timestamp));
        points
    }

    fn blocks(
        &self,
        direction: Direction,
        take: impl FnMut(Stored) -> Result<bool, StoreError>,
    ) -> Result<(), StoreError> {
        let (from, to) = (self.window.from, self.end_of_file());
        if from > to {
            return Ok(());
        }
        self.telemetry.shared.storage.read(|file| file.blocks(self.series, from, to, direction, take))
    }

    /// The earliest points.
    fn first(&self, count: usize) -> Result<Vec<Point>, SourceError> {
        let mut found = FetchedSeries { points: Vec::new(), too_many: false };
        self.blocks(Direction::Forward, |block| Ok(found.append(self.in_file(&block)?, count, self.most)))?;
        for block in self.recent {
            if found.points.len() >= count || !found.append(self.in_memory(block)?, count, self.most) {
                break;
            }
        }
        found.points.truncate(count);
        found.checked(self.most)
    }

    /// The latest points.
    fn last(&self, count: usize) -> Result<Vec<Point>, SourceError> {
        let mut found = FetchedSeries { points: Vec::new(), too_many: false };
        let reversed = |mut points: Vec<Point>| {
            points.reverse();
            points
        };
        let mut enough = count == 0;
        for block in self.recent.iter().rev() {
            enough = enough || !found.append(reversed(self.in_memory(block)?), count, self.most);
        }
        if !enough {
            self.blocks(Direction::Backward, |block| {
                Ok(found.append(reversed(self.in_file(&block)?), count, self.most))
            })?;
        }
        found.points.truncate(count);
        found.points.reverse();
        found.checked(self.most)
    }
}

impl FetchedSeries {
    /// Adds points. Returns whether more are wanted.
    fn append(&mut self, points: Vec<Point>, count: usize, most: usize) -> bool {
        self.points.extend(points);
        self.too_many = self.points.len().min(count) > most;
        self.points.len() < count && !self.too_many
    }

    fn checked(self, most: usize) -> Result<Vec<Point>, SourceError> {
        if self.too_many || self.points.len() > most {
            return Err(SourceError::TooManyPoints);
        }
        Ok(self.points)
    }
}
