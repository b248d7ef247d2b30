//! The result of a query (`docs/rules/telemetry.md#results`).

use std::{
    collections::{BTreeMap, btree_map::Entry},
    hash::{DefaultHasher, Hash as _, Hasher as _},
    sync::Arc,
};

use crate::model::{Column, DatumType, Distribution, FieldType, FieldValue};

/// Timeseries with the same fields and kinds of values.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    /// The name of the fetched timeseries; after `join` all names, separated by commas.
    pub name: String,
    /// The field names and types of each timeseries.
    pub fields: Arc<[TableField]>,
    /// The dimensions of each timeseries.
    pub dimensions: Vec<(MetricType, ValueType)>,
    /// The timeseries that have points.
    pub series: Vec<TableSeries>,
    /// The period of the grid that all points are aligned to, in nanoseconds.
    pub alignment: Option<i64>,
    /// Whether any timeseries matched the conditions on fields, possibly without points. Operations ignore tables
    /// without a match.
    pub matched: bool,
}

/// A field of the timeseries of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableField {
    /// Its name.
    pub name: String,
    /// Its type.
    pub field_type: FieldType,
}

impl Table {
    /// The timeseries by a key that is computed from their fields.
    pub fn keyed(self) -> BTreeMap<u64, TableSeries> {
        let mut keyed = BTreeMap::new();
        for series in self.series {
            let mut key = key(&self.fields, &series.fields);
            loop {
                match keyed.entry(key) {
                    Entry::Vacant(entry) => {
                        entry.insert(series);
                        break;
                    }
                    Entry::Occupied(_) => key = key.wrapping_add(1),
                }
            }
        }
        keyed
    }
}

/// The key of a timeseries: equal for equal fields, in any order.
pub(crate) fn key(fields: &[TableField], values: &[FieldValue]) -> u64 {
    let mut pairs: Vec<_> = fields.iter().map(|field| field.name.as_str()).zip(values).collect();
    pairs.sort_unstable();
    let mut hasher = DefaultHasher::new();
    pairs.hash(&mut hasher);
    hasher.finish()
}

/// One timeseries of an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct TableSeries {
    /// The values of the fields, in the order of the table's.
    pub fields: Vec<FieldValue>,
    /// The points.
    pub points: TablePoints,
}

/// The points of a timeseries, in columns.
#[derive(Clone, Debug, PartialEq)]
pub struct TablePoints {
    /// The start of each point's interval, in nanoseconds since the epoch; `None` for gauges.
    pub start_times: Option<Vec<i64>>,
    /// The time of each point, in nanoseconds since the epoch, ascending.
    pub timestamps: Vec<i64>,
    /// The dimensions: one, or after `join` one for each table.
    pub dimensions: Vec<Dimension>,
}

impl TablePoints {
    /// The number of points.
    pub fn len(&self) -> usize {
        self.timestamps.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.timestamps.is_empty()
    }

    /// Appends later points of the same kind.
    pub(crate) fn append(&mut self, mut later: Self) {
        self.timestamps.append(&mut later.timestamps);
        if let (Some(start_times), Some(later)) = (&mut self.start_times, &mut later.start_times) {
            start_times.append(later);
        }
        for (dimension, later) in self.dimensions.iter_mut().zip(&mut later.dimensions) {
            dimension.values.append(&mut later.values);
        }
    }

    /// Keeps the points for which `keep` holds. `keep` must have an entry for each point.
    pub(crate) fn retain(&mut self, keep: &[bool]) {
        retain(&mut self.timestamps, keep);
        if let Some(start_times) = &mut self.start_times {
            retain(start_times, keep);
        }
        for dimension in &mut self.dimensions {
            dimension.values.retain(keep);
        }
    }

    /// Keeps the points from position `from` to `to`, exclusive.
    pub(crate) fn slice(&mut self, from: usize, to: usize) {
        slice(&mut self.timestamps, from, to);
        if let Some(start_times) = &mut self.start_times {
            slice(start_times, from, to);
        }
        for dimension in &mut self.dimensions {
            dimension.values.slice(from, to);
        }
    }
}

fn retain<T>(items: &mut Vec<T>, keep: &[bool]) {
    let mut keep = keep.iter();
    items.retain(|_| keep.next().is_some_and(|&keep| keep));
}

fn slice<T>(items: &mut Vec<T>, from: usize, to: usize) {
    items.truncate(to);
    items.drain(..from);
}

/// Values of one kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Dimension {
    /// The metric type.
    pub metric_type: MetricType,
    /// The values, one for each time.
    pub values: Values,
}

/// The type of a metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetricType {
    /// Gauge: the state at a time.
    Gauge,
    /// Delta: the change since the start of the interval.
    Delta,
    /// Cumulative: the total since the start time; never in a result.
    Cumulative,
}

impl MetricType {
    /// The name of the type.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Gauge => "gauge",
            Self::Delta => "delta",
            Self::Cumulative => "cumulative",
        }
    }
}

/// The kind of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueType {
    /// Integers.
    Integer,
    /// Floating-point numbers.
    Double,
    /// True or false.
    Boolean,
    /// Text.
    String,
    /// Histograms of integers.
    IntegerDistribution,
    /// Histograms of floating-point numbers.
    DoubleDistribution,
}

impl ValueType {
    /// The kind of values for a sample type; `None` for bytes, which cannot be queried.
    pub(crate) fn of_datum(datum_type: DatumType) -> Option<Self> {
        Some(match Column::empty(datum_type)? {
            Column::Boolean(_) => Self::Boolean,
            Column::Integer(_) | Column::Unsigned(_) => Self::Integer,
            Column::Double(_) => Self::Double,
            Column::String(_) => Self::String,
            Column::IntegerDistribution(_) => Self::IntegerDistribution,
            Column::DoubleDistribution(_) => Self::DoubleDistribution,
        })
    }

    /// The name of the kind.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Integer => "integer",
            Self::Double => "double",
            Self::Boolean => "boolean",
            Self::String => "string",
            Self::IntegerDistribution => "integer_distribution",
            Self::DoubleDistribution => "double_distribution",
        }
    }

    /// Whether values are numbers.
    pub fn is_numeric(self) -> bool {
        matches!(self, Self::Integer | Self::Double)
    }

    /// Whether values are distributions.
    pub fn is_distribution(self) -> bool {
        matches!(self, Self::IntegerDistribution | Self::DoubleDistribution)
    }
}

/// Values; `None` where no value was measured.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Integers.
    Integer(Vec<Option<i64>>),
    /// Finite floating-point numbers.
    Double(Vec<Option<f64>>),
    /// True or false.
    Boolean(Vec<Option<bool>>),
    /// Text.
    String(Vec<Option<String>>),
    /// Histograms of integers.
    IntegerDistribution(Vec<Option<Arc<Distribution<i64>>>>),
    /// Histograms of floating-point numbers.
    DoubleDistribution(Vec<Option<Arc<Distribution<f64>>>>),
}

/// The error for a number that a query cannot represent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NumberTooLarge;

impl Values {
    /// Converts stored values. NaN counts as missing.
    pub(crate) fn from_column(column: Column) -> Result<Self, NumberTooLarge> {
        Ok(match column {
            Column::Boolean(values) => Self::Boolean(values),
            Column::Integer(values) => Self::Integer(values),
            Column::Unsigned(values) => {
                let signed = |value: Option<u64>| value.map(i64::try_from).transpose();
                Self::Integer(
                    values.into_iter().map(signed).collect::<Result<_, _>>().map_err(|_| NumberTooLarge)?,
                )
            }
            Column::Double(mut values) => {
                for value in &mut values {
                    *value = value.filter(|value| value.is_finite());
                }
                Self::Double(values)
            }
            Column::String(values) => Self::String(values),
            Column::IntegerDistribution(values) => Self::IntegerDistribution(values),
            Column::DoubleDistribution(values) => Self::DoubleDistribution(values),
        })
    }

    fn append(&mut self, later: &mut Self) {
        match (self, later) {
            (Self::Integer(values), Self::Integer(later)) => values.append(later),
            (Self::Double(values), Self::Double(later)) => values.append(later),
            (Self::Boolean(values), Self::Boolean(later)) => values.append(later),
            (Self::String(values), Self::String(later)) => values.append(later),
            (Self::IntegerDistribution(values), Self::IntegerDistribution(later)) => values.append(later),
            (Self::DoubleDistribution(values), Self::DoubleDistribution(later)) => values.append(later),
            // Points of one timeseries are all of one kind.
            _ => {}
        }
    }

    pub(crate) fn retain(&mut self, keep: &[bool]) {
        match self {
            Self::Integer(values) => retain(values, keep),
            Self::Double(values) => retain(values, keep),
            Self::Boolean(values) => retain(values, keep),
            Self::String(values) => retain(values, keep),
            Self::IntegerDistribution(values) => retain(values, keep),
            Self::DoubleDistribution(values) => retain(values, keep),
        }
    }

    fn slice(&mut self, from: usize, to: usize) {
        match self {
            Self::Integer(values) => slice(values, from, to),
            Self::Double(values) => slice(values, from, to),
            Self::Boolean(values) => slice(values, from, to),
            Self::String(values) => slice(values, from, to),
            Self::IntegerDistribution(values) => slice(values, from, to),
            Self::DoubleDistribution(values) => slice(values, from, to),
        }
    }
}
