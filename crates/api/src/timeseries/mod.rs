//! Timeseries: what is measured, and answers to queries about it (`domain/telemetry.md`, sections 3, 6 and 10).

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
