use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{Distribution, FieldValue};

/// The type of a timeseries' samples, as stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DatumType {
    /// Gauge: true or false.
    Bool,
    /// Gauge: signed integer of 8 bits.
    I8,
    /// Gauge: unsigned integer of 8 bits.
    U8,
    /// Gauge: signed integer of 16 bits.
    I16,
    /// Gauge: unsigned integer of 16 bits.
    U16,
    /// Gauge: signed integer of 32 bits.
    I32,
    /// Gauge: unsigned integer of 32 bits.
    U32,
    /// Gauge: signed integer of 64 bits.
    I64,
    /// Gauge: unsigned integer of 64 bits.
    U64,
    /// Gauge: floating-point number of 32 bits.
    F32,
    /// Gauge: floating-point number of 64 bits.
    F64,
    /// Gauge: text.
    String,
    /// Gauge: bytes; cannot be queried.
    Bytes,
    /// Signed count since a start time.
    CumulativeI64,
    /// Count since a start time.
    CumulativeU64,
    /// Sum of 32 bits since a start time.
    CumulativeF32,
    /// Sum of 64 bits since a start time.
    CumulativeF64,
    /// Histogram of signed integers of 8 bits since a start time.
    HistogramI8,
    /// Histogram of unsigned integers of 8 bits since a start time.
    HistogramU8,
    /// Histogram of signed integers of 16 bits since a start time.
    HistogramI16,
    /// Histogram of unsigned integers of 16 bits since a start time.
    HistogramU16,
    /// Histogram of signed integers of 32 bits since a start time.
    HistogramI32,
    /// Histogram of unsigned integers of 32 bits since a start time.
    HistogramU32,
    /// Histogram of signed integers of 64 bits since a start time.
    HistogramI64,
    /// Histogram of unsigned integers of 64 bits since a start time.
    HistogramU64,
    /// Histogram of floating-point numbers of 32 bits since a start time.
    HistogramF32,
    /// Histogram of floating-point numbers of 64 bits since a start time.
    HistogramF64,
}

impl DatumType {
    /// Whether samples are cumulative, which includes histograms.
    pub fn is_cumulative(self) -> bool {
        self >= Self::CumulativeI64
    }

    /// Whether samples are histograms.
    pub fn is_histogram(self) -> bool {
        self >= Self::HistogramI8
    }
}

/// The value of a sample, in the widest type of its kind. The [`DatumType`] of the schema is the exact type.
#[derive(Clone, Debug, PartialEq)]
pub enum Datum {
    /// `bool`.
    Boolean(bool),
    /// Integers, except unsigned ones of 64 bits.
    Integer(i64),
    /// `u64` and `cumulative_u64`.
    Unsigned(u64),
    /// Floating-point numbers.
    Double(f64),
    /// `string`.
    String(String),
    /// `bytes`.
    Bytes(Vec<u8>),
    /// Histograms of integers.
    IntegerDistribution(Arc<Distribution<i64>>),
    /// Histograms of floating-point numbers.
    DoubleDistribution(Arc<Distribution<f64>>),
}

impl Datum {
    /// Whether a sample of this type may have this value.
    pub fn fits(&self, datum_type: DatumType) -> bool {
        use DatumType as Type;
        let integer = |value: i64, min: i64, max: i64| (min..=max).contains(&value);
        match (self, datum_type) {
            (Self::Boolean(_), Type::Bool)
            | (Self::String(_), Type::String)
            | (Self::Bytes(_), Type::Bytes)
            | (Self::Integer(_), Type::I64 | Type::CumulativeI64)
            | (Self::Unsigned(_), Type::U64 | Type::CumulativeU64)
            | (Self::Double(_), Type::F32 | Type::F64 | Type::CumulativeF32 | Type::CumulativeF64)
            | (Self::DoubleDistribution(_), Type::HistogramF32 | Type::HistogramF64) => true,
            (Self::Integer(value), Type::I8) => integer(*value, i8::MIN.into(), i8::MAX.into()),
            (Self::Integer(value), Type::U8) => integer(*value, 0, u8::MAX.into()),
            (Self::Integer(value), Type::I16) => integer(*value, i16::MIN.into(), i16::MAX.into()),
            (Self::Integer(value), Type::U16) => integer(*value, 0, u16::MAX.into()),
            (Self::Integer(value), Type::I32) => integer(*value, i32::MIN.into(), i32::MAX.into()),
            (Self::Integer(value), Type::U32) => integer(*value, 0, u32::MAX.into()),
            (Self::IntegerDistribution(_), histogram) => {
                histogram.is_histogram() && !matches!(histogram, Type::HistogramF32 | Type::HistogramF64)
            }
            _ => false,
        }
    }
}

/// One measurement of one timeseries.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The values of the fields, in the order of [`super::Schema::fields`].
    pub fields: Vec<FieldValue>,
    /// The timestamp, in nanoseconds since the epoch.
    pub timestamp: i64,
    /// The start time of a cumulative datum, in nanoseconds since the epoch; `None` for gauges.
    pub start_time: Option<i64>,
    /// The value; `None` if it could not be read.
    pub datum: Option<Datum>,
}
