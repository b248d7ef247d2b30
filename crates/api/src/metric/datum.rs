use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// What was measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", content = "datum", rename_all = "snake_case")]
pub enum Datum {
    /// True or false.
    Bool(bool),
    /// A signed integer of 8 bits.
    I8(i8),
    /// An unsigned integer of 8 bits.
    U8(u8),
    /// A signed integer of 16 bits.
    I16(i16),
    /// An unsigned integer of 16 bits.
    U16(u16),
    /// A signed integer of 32 bits.
    I32(i32),
    /// An unsigned integer of 32 bits.
    U32(u32),
    /// A signed integer of 64 bits.
    I64(i64),
    /// An unsigned integer of 64 bits.
    U64(u64),
    /// A floating-point number of 32 bits.
    F32(f32),
    /// A floating-point number of 64 bits.
    F64(f64),
    /// Text.
    String(String),
    /// Bytes.
    Bytes(Vec<u8>),
    /// A signed count.
    CumulativeI64(Cumulative<i64>),
    /// A count.
    CumulativeU64(Cumulative<u64>),
    /// A sum of 32 bits.
    CumulativeF32(Cumulative<f32>),
    /// A sum of 64 bits.
    CumulativeF64(Cumulative<f64>),
    /// Signed integers of 8 bits by size.
    HistogramI8(Histogram<i8, i64>),
    /// Unsigned integers of 8 bits by size.
    HistogramU8(Histogram<u8, i64>),
    /// Signed integers of 16 bits by size.
    HistogramI16(Histogram<i16, i64>),
    /// Unsigned integers of 16 bits by size.
    HistogramU16(Histogram<u16, i64>),
    /// Signed integers of 32 bits by size.
    HistogramI32(Histogram<i32, i64>),
    /// Unsigned integers of 32 bits by size.
    HistogramU32(Histogram<u32, i64>),
    /// Signed integers of 64 bits by size.
    HistogramI64(Histogram<i64, i64>),
    /// Unsigned integers of 64 bits by size.
    HistogramU64(Histogram<u64, i64>),
    /// Floating-point numbers of 32 bits by size.
    HistogramF32(Histogram<f32, f64>),
    /// Floating-point numbers of 64 bits by size.
    HistogramF64(Histogram<f64, f64>),
    /// Nothing: it could not be read.
    Missing(MissingDatum),
}

/// What each sample of a timeseries holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "they are named like the variants of a datum")]
pub enum DatumType {
    Bool,
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
    U64,
    F32,
    F64,
    String,
    Bytes,
    CumulativeI64,
    CumulativeU64,
    CumulativeF32,
    CumulativeF64,
    HistogramI8,
    HistogramU8,
    HistogramI16,
    HistogramU16,
    HistogramI32,
    HistogramU32,
    HistogramI64,
    HistogramU64,
    HistogramF32,
    HistogramF64,
}

/// What has come together since a time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Cumulative<T> {
    /// Since when.
    pub start_time: Timestamp,
    /// How much.
    pub value: T,
}

/// Values by their size, since a time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Histogram<T, S> {
    /// Since when.
    pub start_time: Timestamp,
    /// The bins, in ascending order; together they hold every value.
    pub bins: Vec<Bin<T>>,
    /// How many values there were.
    pub n_samples: u64,
    /// The least value.
    pub min: T,
    /// The greatest value.
    pub max: T,
    /// The sum of all values.
    pub sum_of_samples: S,
    /// The sum of the squares of the differences from the mean.
    pub squared_mean: f64,
    /// Estimate of the median.
    pub p50: Quantile,
    /// Estimate of what 90 % of the values do not exceed.
    pub p90: Quantile,
    /// Estimate of what 99 % of the values do not exceed.
    pub p99: Quantile,
}

/// How many values fell into a range.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Bin<T> {
    /// The range.
    pub range: BinRange<T>,
    /// How many.
    pub count: u64,
}

/// The range of a bin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum BinRange<T> {
    /// Everything below an end.
    RangeTo {
        /// The least value that is not in it.
        end: T,
    },
    /// Everything between two ends.
    Range {
        /// The least value in it.
        start: T,
        /// The least value above that is not in it.
        end: T,
    },
    /// Everything from a start on.
    RangeFrom {
        /// The least value in it.
        start: T,
    },
}

/// The state of the P² estimate of a quantile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Quantile {
    /// Which one, above 0 and below 1.
    pub p: f64,
    /// Estimated values at the markers; the third is the estimate.
    pub marker_heights: [f64; 5],
    /// Ranks of the markers.
    pub marker_positions: [u64; 5],
    /// Ranks that the markers should have.
    pub desired_marker_positions: [f64; 5],
}

/// A measurement that failed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct MissingDatum {
    /// What would have been measured.
    pub datum_type: DatumType,
    /// Since when it would have counted.
    pub start_time: Option<Timestamp>,
}
