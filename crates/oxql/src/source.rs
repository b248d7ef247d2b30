//! Where samples are read from.

use std::sync::Arc;

use crate::model::{FieldValue, Points, Schema, TimeseriesName};

/// A store of samples, as a query reads it.
///
/// A query asks for the schema, then for the timeseries that may matter, then for the points of each of them. All calls
/// may block; none is made from a thread that serves requests.
pub trait Source: Send + Sync {
    /// What is known of a name: schemas with samples, and those that the program defines but has no samples of yet.
    ///
    /// # Errors
    /// The store cannot tell.
    fn schema(&self, name: &TimeseriesName) -> Result<Option<Arc<Schema>>, SourceError>;

    /// Schemas of which a sample was stored, in the order of their names, beginning after `after`; at most `limit`.
    ///
    /// # Errors
    /// The store cannot tell.
    fn stored_schemas(
        &self,
        after: Option<&TimeseriesName>,
        limit: usize,
    ) -> Result<Vec<Arc<Schema>>, SourceError>;

    /// The timeseries of a schema in which every listed field has the value beside it; all of them if none is listed.
    /// A field is given by its position in [`Schema::fields`]. The order is the store's, but always the same one.
    ///
    /// # Errors
    /// The store cannot tell.
    fn series(&self, schema: &Schema, equal: &[(usize, FieldValue)]) -> Result<Vec<Series>, SourceError>;

    /// The points of one timeseries in a window, in ascending order of time, one per timestamp, in the column that
    /// [`Points::empty`] has for the schema.
    ///
    /// # Errors
    /// [`SourceError::TooManyPoints`] if there are more than `most`, found out without collecting them all; otherwise
    /// the store cannot tell.
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
    /// What the store calls it; means something to the store only.
    pub id: u64,
    /// The values of the fields, in the order of [`Schema::fields`].
    pub fields: Vec<FieldValue>,
}

/// Which points of a timeseries are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The earliest timestamp, inclusive, in nanoseconds since the epoch.
    pub from: i64,
    /// The latest timestamp, inclusive, in nanoseconds since the epoch.
    pub to: i64,
    /// How many of the points between them.
    pub limit: Option<Limit>,
}

impl Window {
    /// Everything.
    pub const ALL: Self = Self { from: i64::MIN, to: i64::MAX, limit: None };

    /// Whether a timestamp is between the bounds.
    pub fn contains(&self, timestamp: i64) -> bool {
        (self.from..=self.to).contains(&timestamp)
    }
}

/// A bound on the number of points of each timeseries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// The earliest ones.
    First(usize),
    /// The latest ones.
    Last(usize),
}

/// Why a store gave no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SourceError {
    /// More points than were allowed.
    #[error("more data points than allowed")]
    TooManyPoints,
    /// The store cannot be reached now, or is not what it should be; the text is for the log.
    #[error("the stored samples cannot be read: {0}")]
    Unavailable(String),
}
