//! Timeseries: what is measured, and answers to queries about it (`docs/rules/telemetry.md#schemas`,
//! `docs/rules/telemetry.md#query-endpoints` and `docs/rules/telemetry.md#results`).

mod answer;
mod schema;

pub use answer::{
    Distribution, FieldAddress, FieldValue, MetricType, OxqlQueryResult, Points, Table, Timeseries,
    TimeseriesQuery, ValueArray, Values,
};
pub use schema::{
    AuthzScope, FieldSchema, FieldSource, FieldType, TimeseriesDescription, TimeseriesSchema,
    TimeseriesSortMode, Units,
};
