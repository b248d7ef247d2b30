use std::{collections::BTreeMap, net::IpAddr, sync::Arc};

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::metric::Quantile;

/// A query of timeseries.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct TimeseriesQuery {
    /// The query, such as `get virtual_disk:bytes_read | last 5`.
    pub query: String,
}

/// The answer to a query.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct OxqlQueryResult {
    /// The tables, in the order of the query.
    pub tables: Vec<Table>,
}

/// Timeseries with the same fields and kinds of values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Table {
    /// The name of the timeseries; after a join those of all of them, with commas between.
    pub name: String,
    /// The timeseries. The keys tell them apart within this answer and mean nothing else.
    pub timeseries: BTreeMap<String, Timeseries>,
}

/// One timeseries.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Timeseries {
    /// The values of its fields.
    pub fields: BTreeMap<String, FieldValue>,
    /// Its points.
    pub points: Points,
}

/// The value of a field.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", content = "value", rename_all = "snake_case")]
pub enum FieldValue {
    /// Text.
    String(String),
    /// Signed integer of 8 bits.
    I8(i8),
    /// Unsigned integer of 8 bits.
    U8(u8),
    /// Signed integer of 16 bits.
    I16(i16),
    /// Unsigned integer of 16 bits.
    U16(u16),
    /// Signed integer of 32 bits.
    I32(i32),
    /// Unsigned integer of 32 bits.
    U32(u32),
    /// Signed integer of 64 bits.
    I64(i64),
    /// Unsigned integer of 64 bits.
    U64(u64),
    /// IPv4 or IPv6 address.
    IpAddr(FieldAddress),
    /// UUID.
    Uuid(Uuid),
    /// True or false.
    Bool(bool),
}

/// An IPv4 or IPv6 address as the value of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FieldAddress(pub IpAddr);

impl ToSchema for FieldAddress {}

impl utoipa::PartialSchema for FieldAddress {
    fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::schema::Schema> {
        utoipa::openapi::ObjectBuilder::new()
            .schema_type(utoipa::openapi::schema::Type::String)
            .format(Some(utoipa::openapi::SchemaFormat::Custom("ip".into())))
            .description(Some("An IPv4 or IPv6 address."))
            .into()
    }
}

/// The points of a timeseries. All arrays have the same length.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Points {
    /// When the interval of each point begins; null for gauges.
    pub start_times: Option<Vec<Timestamp>>,
    /// The time of each point, in ascending order.
    pub timestamps: Vec<Timestamp>,
    /// What was measured, with one entry for each joined table.
    pub values: Vec<Values>,
}

/// Values of one kind.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Values {
    /// What they mean.
    pub metric_type: MetricType,
    /// The values.
    pub values: ValueArray,
}

/// What values mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum MetricType {
    /// The state at a time.
    Gauge,
    /// What was added since the start of the interval.
    Delta,
    /// What was added since the producer began.
    Cumulative,
}

/// Values, null where nothing was measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", content = "values", rename_all = "snake_case")]
pub enum ValueArray {
    /// Whole numbers.
    Integer(Vec<Option<i64>>),
    /// Floating-point numbers.
    Double(Vec<Option<f64>>),
    /// True or false.
    Boolean(Vec<Option<bool>>),
    /// Text.
    String(Vec<Option<String>>),
    /// Histograms of whole numbers.
    IntegerDistribution(Vec<Option<Distribution<i64>>>),
    /// Histograms of floating-point numbers.
    DoubleDistribution(Vec<Option<Distribution<f64>>>),
}

/// A histogram.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(bound(serialize = "T: Serialize", deserialize = "T: Deserialize<'de>"))]
pub struct Distribution<T> {
    /// The left edges of the bins; each reaches up to the next one's.
    #[serde(with = "shared")]
    #[schema(value_type = Vec<T>)]
    pub bins: Arc<[T]>,
    /// How many values fell into each bin.
    pub counts: Vec<u64>,
    /// The greatest value; null for what was added in an interval.
    pub max: Option<T>,
    /// The least value; null for what was added in an interval.
    pub min: Option<T>,
    /// Estimate of the median; null for what was added in an interval.
    pub p50: Option<Quantile>,
    /// Estimate of what 90 % of the values do not exceed; null for what was added in an interval.
    pub p90: Option<Quantile>,
    /// Estimate of what 99 % of the values do not exceed; null for what was added in an interval.
    pub p99: Option<Quantile>,
    /// The sum of the squares of the differences from the mean.
    pub squared_mean: f64,
    /// The sum of all values.
    pub sum_of_samples: T,
}

/// Bins are the same for every point of a timeseries, and are kept once.
mod shared {
    use std::sync::Arc;

    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<T: Serialize, S: Serializer>(
        values: &Arc<[T]>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        values.as_ref().serialize(serializer)
    }

    pub(super) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Arc<[T]>, D::Error> {
        Vec::deserialize(deserializer).map(Arc::from)
    }
}
