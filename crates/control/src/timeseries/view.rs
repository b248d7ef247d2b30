//! Conversion of timeseries to wire types.

use std::sync::Arc;

use croft_api::{
    Error, Result,
    metric::{DatumType, Quantile},
    timeseries as api,
};
use croft_oxql::{
    model::{self, FieldSource, FieldType, FieldValue, Schema, Scope, Units},
    table::{Dimension, MetricType, Table, TableField, TablePoints, TableSeries, Values},
};
use jiff::Timestamp;

pub(super) fn table(table: Table) -> Result<api::Table> {
    let (name, fields) = (table.name.clone(), Arc::clone(&table.fields));
    let timeseries = table
        .keyed()
        .into_iter()
        .map(|(key, one)| Ok((key.to_string(), series(&fields, one)?)))
        .collect::<Result<_>>()?;
    Ok(api::Table { name, timeseries })
}

fn series(fields: &[TableField], series: TableSeries) -> Result<api::Timeseries> {
    let names = fields.iter().map(|field| field.name.clone());
    let fields = names.zip(series.fields.into_iter().map(field_value)).collect();
    Ok(api::Timeseries { fields, points: points(series.points)? })
}

fn field_value(value: FieldValue) -> api::FieldValue {
    match value {
        FieldValue::String(value) => api::FieldValue::String(value),
        FieldValue::I8(value) => api::FieldValue::I8(value),
        FieldValue::U8(value) => api::FieldValue::U8(value),
        FieldValue::I16(value) => api::FieldValue::I16(value),
        FieldValue::U16(value) => api::FieldValue::U16(value),
        FieldValue::I32(value) => api::FieldValue::I32(value),
        FieldValue::U32(value) => api::FieldValue::U32(value),
        FieldValue::I64(value) => api::FieldValue::I64(value),
        FieldValue::U64(value) => api::FieldValue::U64(value),
        FieldValue::IpAddr(value) => api::FieldValue::IpAddr(api::FieldAddress(value)),
        FieldValue::Uuid(value) => api::FieldValue::Uuid(value),
        FieldValue::Bool(value) => api::FieldValue::Bool(value),
    }
}

fn points(points: TablePoints) -> Result<api::Points> {
    let times = |nanoseconds: Vec<i64>| -> Result<Vec<Timestamp>> {
        let time = |nanosecond: i64| Timestamp::from_nanosecond(nanosecond.into()).map_err(Error::internal);
        nanoseconds.into_iter().map(time).collect()
    };
    Ok(api::Points {
        start_times: points.start_times.map(times).transpose()?,
        timestamps: times(points.timestamps)?,
        values: points.dimensions.into_iter().map(values).collect(),
    })
}

fn values(dimension: Dimension) -> api::Values {
    let metric_type = match dimension.metric_type {
        MetricType::Gauge => api::MetricType::Gauge,
        MetricType::Delta => api::MetricType::Delta,
        MetricType::Cumulative => api::MetricType::Cumulative,
    };
    let values = match dimension.values {
        Values::Integer(values) => api::ValueArray::Integer(values),
        Values::Double(values) => api::ValueArray::Double(values),
        Values::Boolean(values) => api::ValueArray::Boolean(values),
        Values::String(values) => api::ValueArray::String(values),
        Values::IntegerDistribution(values) => api::ValueArray::IntegerDistribution(distributions(values)),
        Values::DoubleDistribution(values) => api::ValueArray::DoubleDistribution(distributions(values)),
    };
    api::Values { metric_type, values }
}

fn distributions<T: Clone>(
    values: Vec<Option<Arc<model::Distribution<T>>>>,
) -> Vec<Option<api::Distribution<T>>> {
    values.into_iter().map(|value| value.map(|value| distribution(Arc::unwrap_or_clone(value)))).collect()
}

fn distribution<T>(value: model::Distribution<T>) -> api::Distribution<T> {
    api::Distribution {
        bins: value.bins,
        counts: value.counts,
        max: value.max,
        min: value.min,
        p50: value.p50.map(quantile),
        p90: value.p90.map(quantile),
        p99: value.p99.map(quantile),
        squared_mean: value.squared_mean,
        sum_of_samples: value.sum_of_samples,
    }
}

fn quantile(value: model::Quantile) -> Quantile {
    Quantile {
        p: value.p,
        marker_heights: value.marker_heights,
        marker_positions: value.marker_positions,
        desired_marker_positions: value.desired_marker_positions,
    }
}

pub(super) fn schema(schema: &Schema) -> api::TimeseriesSchema {
    api::TimeseriesSchema {
        authz_scope: scope(schema.scope),
        created: schema.created,
        datum_type: datum_type(schema.datum_type),
        description: api::TimeseriesDescription {
            metric: schema.description.metric.clone(),
            target: schema.description.target.clone(),
        },
        field_schema: schema.fields.iter().map(field).collect(),
        timeseries_name: schema.name.to_string(),
        units: units(schema.units),
        version: schema.version,
    }
}

fn field(field: &model::FieldSchema) -> api::FieldSchema {
    api::FieldSchema {
        description: field.description.clone(),
        field_type: field_type(field.field_type),
        name: field.name.clone(),
        source: match field.source {
            FieldSource::Target => api::FieldSource::Target,
            FieldSource::Metric => api::FieldSource::Metric,
        },
    }
}

fn scope(scope: Scope) -> api::AuthzScope {
    match scope {
        Scope::Fleet => api::AuthzScope::Fleet,
        Scope::Silo => api::AuthzScope::Silo,
        Scope::Project => api::AuthzScope::Project,
        Scope::ViewableToAll => api::AuthzScope::ViewableToAll,
    }
}

fn units(units: Units) -> api::Units {
    match units {
        Units::None => api::Units::None,
        Units::Count => api::Units::Count,
        Units::Bytes => api::Units::Bytes,
        Units::Seconds => api::Units::Seconds,
        Units::Nanoseconds => api::Units::Nanoseconds,
        Units::Volts => api::Units::Volts,
        Units::Amps => api::Units::Amps,
        Units::Watts => api::Units::Watts,
        Units::DegreesCelsius => api::Units::DegreesCelsius,
        Units::Rpm => api::Units::Rpm,
    }
}

fn field_type(field_type: FieldType) -> api::FieldType {
    match field_type {
        FieldType::String => api::FieldType::String,
        FieldType::I8 => api::FieldType::I8,
        FieldType::U8 => api::FieldType::U8,
        FieldType::I16 => api::FieldType::I16,
        FieldType::U16 => api::FieldType::U16,
        FieldType::I32 => api::FieldType::I32,
        FieldType::U32 => api::FieldType::U32,
        FieldType::I64 => api::FieldType::I64,
        FieldType::U64 => api::FieldType::U64,
        FieldType::IpAddr => api::FieldType::IpAddr,
        FieldType::Uuid => api::FieldType::Uuid,
        FieldType::Bool => api::FieldType::Bool,
    }
}

fn datum_type(datum_type: model::DatumType) -> DatumType {
    use model::DatumType as Stored;
    match datum_type {
        Stored::Bool => DatumType::Bool,
        Stored::I8 => DatumType::I8,
        Stored::U8 => DatumType::U8,
        Stored::I16 => DatumType::I16,
        Stored::U16 => DatumType::U16,
        Stored::I32 => DatumType::I32,
        Stored::U32 => DatumType::U32,
        Stored::I64 => DatumType::I64,
        Stored::U64 => DatumType::U64,
        Stored::F32 => DatumType::F32,
        Stored::F64 => DatumType::F64,
        Stored::String => DatumType::String,
        Stored::Bytes => DatumType::Bytes,
        Stored::CumulativeI64 => DatumType::CumulativeI64,
        Stored::CumulativeU64 => DatumType::CumulativeU64,
        Stored::CumulativeF32 => DatumType::CumulativeF32,
        Stored::CumulativeF64 => DatumType::CumulativeF64,
        Stored::HistogramI8 => DatumType::HistogramI8,
        Stored::HistogramU8 => DatumType::HistogramU8,
        Stored::HistogramI16 => DatumType::HistogramI16,
        Stored::HistogramU16 => DatumType::HistogramU16,
        Stored::HistogramI32 => DatumType::HistogramI32,
        Stored::HistogramU32 => DatumType::HistogramU32,
        Stored::HistogramI64 => DatumType::HistogramI64,
        Stored::HistogramU64 => DatumType::HistogramU64,
        Stored::HistogramF32 => DatumType::HistogramF32,
        Stored::HistogramF64 => DatumType::HistogramF64,
    }
}
