//! The interface to a store of samples.

use std::sync::Arc;

use crate::model::{FieldValue, Points, Schema, TimeseriesName};

/// A store of samples that queries read from.
///
/// A query reads the schema, then the matching timeseries, then the points of each of them. All calls may block; they
/// are never made from a thread that serves requests.
pub trait Source: Send + Sync {
    /// The schema of a name, including schemas that the program defines but that have no samples yet.
    ///
    /// # Errors
    /// The store cannot be read.
    fn schema(&self, name: &TimeseriesName) -> Result<Option<Arc<Schema>>, SourceError>;

    /// At most `limit` schemas with stored samples, sorted by name, starting after `after`.
    ///
    /// # Errors
    /// The store cannot be read.
    fn stored_schemas(
        &self,
        after: Option<&TimeseriesName>,
        limit: usize,
    ) -> Result<Vec<Arc<Schema>>, SourceError>;

    /// The timeseries of a schema in which every listed field has the given value; all of them if the list is empty. A
    /// field is given by its position in [`Schema::fields`]. The order is unspecified but stable.
    ///
    /// # Errors
    /// The store cannot be read.
    fn series(&self, schema: &Schema, equal: &[(usize, FieldValue)]) -> Result<Vec<Series>, SourceError>;

    /// The points of one timeseries in a window, in ascending order of time, one per timestamp, in the column that
    /// [`Points::empty`] returns for the schema.
    ///
    /// # Errors
    /// [`SourceError::TooManyPoints`] if there are more than `most`, determined without collecting them all; otherwise
    /// the store cannot be read.
    fn points(
        &self,
        schema: &Schema,
        series: &Series,
        window: &Window,
        most: usize,
    ) -> Result<Points, SourceError>;
}

/// One timeseries of a schema.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Series {
    /// The store's identifier, which is opaque to queries.
    pub id: u64,
    /// The values of the fields, in the order of [`Schema::fields`].
    pub fields: Vec<FieldValue>,
}

/// A selection of points of a timeseries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The earliest timestamp, inclusive, in nanoseconds since the epoch.
    pub from: i64,
    /// The latest timestamp, inclusive, in nanoseconds since the epoch.
    pub to: i64,
    /// A limit on the number of points between them.
    pub limit: Option<Limit>,
}

impl Window {
    /// All points.
    pub const ALL: Self = Self { from: i64::MIN, to: i64::MAX, limit: None };

    /// Whether a timestamp is between the bounds.
    pub fn contains(&self, timestamp: i64) -> bool {
        (self.from..=self.to).contains(&timestamp)
    }
}

/// A bound on the number of points of each timeseries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The earliest points.
    First(usize),
    /// The latest points.
    Last(usize),
}

/// The error of a store.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// There are more points than allowed.
    #[error("more data points than allowed")]
    TooManyPoints,
    /// The store cannot be read or is inconsistent; the text is for the log.
    #[error("the stored samples cannot be read: {0}")]
    Unavailable(String),
}
