use std::sync::Arc;

use super::{Datum, DatumType, Distribution};

/// Points of one timeseries as stored, in columns.
#[derive(Clone, Debug, PartialEq)]
pub struct Points {
    /// Timestamps in nanoseconds since the epoch, ascending and unique.
    pub timestamps: Vec<i64>,
    /// Start times in nanoseconds since the epoch; `None` for gauges.
    pub start_times: Option<Vec<i64>>,
    /// The values.
    pub values: Column,
}

impl Points {
    /// Creates an empty column for a type; `None` for bytes.
    pub fn empty(datum_type: DatumType) -> Option<Self> {
        let values = Column::empty(datum_type)?;
        let start_times = datum_type.is_cumulative().then(Vec::new);
        Some(Self { timestamps: Vec::new(), start_times, values })
    }

    /// The number of points.
    pub fn len(&self) -> usize {
        self.timestamps.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.timestamps.is_empty()
    }
}

/// Values of one kind; `None` for missing samples.
#[derive(Clone, Debug, PartialEq)]
pub enum Column {
    /// `bool`.
    Boolean(Vec<Option<bool>>),
    /// Integers, except unsigned ones of 64 bits.
    Integer(Vec<Option<i64>>),
    /// `u64` and `cumulative_u64`.
    Unsigned(Vec<Option<u64>>),
    /// Floating-point numbers.
    Double(Vec<Option<f64>>),
    /// `string`.
    String(Vec<Option<String>>),
    /// Histograms of integers.
    IntegerDistribution(Vec<Option<Arc<Distribution<i64>>>>),
    /// Histograms of floating-point numbers.
    DoubleDistribution(Vec<Option<Arc<Distribution<f64>>>>),
}

impl Column {
    /// Creates an empty column for a type; `None` for bytes, which cannot be queried.
    pub fn empty(datum_type: DatumType) -> Option<Self> {
        use DatumType as Type;
        Some(match datum_type {
            Type::Bool => Self::Boolean(Vec::new()),
            Type::String => Self::String(Vec::new()),
            Type::Bytes => return None,
            Type::U64 | Type::CumulativeU64 => Self::Unsigned(Vec::new()),
            Type::F32 | Type::F64 | Type::CumulativeF32 | Type::CumulativeF64 => Self::Double(Vec::new()),
            Type::HistogramF32 | Type::HistogramF64 => Self::DoubleDistribution(Vec::new()),
            histogram if histogram.is_histogram() => Self::IntegerDistribution(Vec::new()),
            _ => Self::Integer(Vec::new()),
        })
    }

    /// The number of values, including missing ones.
    pub fn len(&self) -> usize {
        match self {
            Self::Boolean(values) => values.len(),
            Self::Integer(values) => values.len(),
            Self::Unsigned(values) => values.len(),
            Self::Double(values) => values.len(),
            Self::String(values) => values.len(),
            Self::IntegerDistribution(values) => values.len(),
            Self::DoubleDistribution(values) => values.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds a value or `None`. Returns false, and adds nothing, if the column is of another kind.
    #[must_use]
    pub fn push(&mut self, datum: Option<Datum>) -> bool {
        match (self, datum) {
            (Self::Boolean(values), Some(Datum::Boolean(value))) => values.push(Some(value)),
            (Self::Integer(values), Some(Datum::Integer(value))) => values.push(Some(value)),
            (Self::Unsigned(values), Some(Datum::Unsigned(value))) => values.push(Some(value)),
            (Self::Double(values), Some(Datum::Double(value))) => values.push(Some(value)),
            (Self::String(values), Some(Datum::String(value))) => values.push(Some(value)),
            (Self::IntegerDistribution(values), Some(Datum::IntegerDistribution(value))) => {
                values.push(Some(value));
            }
            (Self::DoubleDistribution(values), Some(Datum::DoubleDistribution(value))) => {
                values.push(Some(value));
            }
            (Self::Boolean(values), None) => values.push(None),
            (Self::Integer(values), None) => values.push(None),
            (Self::Unsigned(values), None) => values.push(None),
            (Self::Double(values), None) => values.push(None),
            (Self::String(values), None) => values.push(None),
            (Self::IntegerDistribution(values), None) => values.push(None),
            (Self::DoubleDistribution(values), None) => values.push(None),
            _ => return false,
        }
        true
    }
}

/// Applies the same function to a column of any kind.
macro_rules! each_kind {
    ($column:expr, $values:ident => $made:expr) => {
        match $column {
            Column::Boolean($values) => Column::Boolean($made),
            Column::Integer($values) => Column::Integer($made),
            Column::Unsigned($values) => Column::Unsigned($made),
            Column::Double($values) => Column::Double($made),
            Column::String($values) => Column::String($made),
            Column::IntegerDistribution($values) => Column::IntegerDistribution($made),
            Column::DoubleDistribution($values) => Column::DoubleDistribution($made),
        }
    };
}

impl Points {
    /// The points from position `from` to `to`, exclusive.
    #[must_use]
    pub fn slice(&self, from: usize, to: usize) -> Self {
        Self {
            timestamps: self.timestamps[from..to].to_vec(),
            start_times: self.start_times.as_ref().map(|start_times| start_times[from..to].to_vec()),
            values: each_kind!(&self.values, values => values[from..to].to_vec()),
        }
    }

    /// Removes the points from a position on and returns them.
    #[must_use]
    pub fn split_off(&mut self, from: usize) -> Self {
        Self {
            timestamps: self.timestamps.split_off(from),
            start_times: self.start_times.as_mut().map(|start_times| start_times.split_off(from)),
            values: each_kind!(&mut self.values, values => values.split_off(from)),
        }
    }

    /// Appends later points. Does nothing if they are of another kind.
    pub fn append(&mut self, mut later: Self) {
        match (&mut self.values, &mut later.values) {
            (Column::Boolean(values), Column::Boolean(later)) => values.append(later),
            (Column::Integer(values), Column::Integer(later)) => values.append(later),
            (Column::Unsigned(values), Column::Unsigned(later)) => values.append(later),
            (Column::Double(values), Column::Double(later)) => values.append(later),
            (Column::String(values), Column::String(later)) => values.append(later),
            (Column::IntegerDistribution(values), Column::IntegerDistribution(later)) => values.append(later),
            (Column::DoubleDistribution(values), Column::DoubleDistribution(later)) => values.append(later),
            _ => return,
        }
        self.timestamps.append(&mut later.timestamps);
        if let (Some(start_times), Some(later)) = (&mut self.start_times, &mut later.start_times) {
            start_times.append(later);
        }
    }
}
