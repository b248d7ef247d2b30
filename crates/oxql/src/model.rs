//! The data model: names, fields, schemas, samples and points.

mod datum;
mod distribution;
mod field;
mod name;
mod points;
mod schema;

pub use datum::{Datum, DatumType, Sample};
pub use distribution::{Distribution, Quantile};
pub use field::{FieldSchema, FieldSource, FieldType, FieldValue};
pub use name::{InvalidName, TimeseriesName, is_identifier};
pub use points::{Column, Points};
pub use schema::{Description, Schema, Scope, Units};
