use std::num::NonZeroU8;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{DatumType, FieldSchema, FieldValue, TimeseriesName};

/// The schema of all timeseries of one name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schema {
    /// The name.
    pub name: TimeseriesName,
    /// Incremented when fields or datum type change.
    pub version: NonZeroU8,
    /// Descriptions of target and metric.
    pub description: Description,
    /// The fields of the target, then those of the metric. Field values are stored in this order.
    pub fields: Vec<FieldSchema>,
    /// The type of the samples.
    pub datum_type: DatumType,
    /// The unit of the values.
    pub units: Units,
    /// The intended audience; information for clients, not access control.
    pub scope: Scope,
    /// When it was created.
    pub created: Timestamp,
}

impl Schema {
    /// The position of a field in [`Self::fields`].
    pub fn field(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|field| field.name == name)
    }

    /// Whether field values match the schema.
    pub fn fits(&self, fields: &[FieldValue]) -> bool {
        self.fields.len() == fields.len()
            && self.fields.iter().zip(fields).all(|(field, value)| field.field_type == value.field_type())
    }

    /// Whether samples of the other schema may be stored under this one: same name, version, fields and datum type.
    pub fn agrees_with(&self, other: &Self) -> bool {
        let shape = |schema: &Self| {
            let mut fields: Vec<_> = schema
                .fields
                .iter()
                .map(|field| (field.name.clone(), field.field_type, field.source))
                .collect();
            fields.sort_unstable();
            fields
        };
        (&self.name, self.version, self.datum_type) == (&other.name, other.version, other.datum_type)
            && shape(self) == shape(other)
    }
}

/// Descriptions of the target and metric of a timeseries.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Description {
    /// Description of the target.
    pub target: String,
    /// Description of the metric.
    pub metric: String,
}

/// The unit of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Units {
    /// A number without a unit.
    None,
    /// Things or events.
    Count,
    /// Bytes.
    Bytes,
    /// Seconds.
    Seconds,
    /// Nanoseconds.
    Nanoseconds,
    /// Volts.
    Volts,
    /// Amperes.
    Amps,
    /// Watts.
    Watts,
    /// Degrees Celsius.
    DegreesCelsius,
    /// Revolutions per minute.
    Rpm,
}

/// The intended audience of a timeseries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// Operators of the fleet.
    Fleet,
    /// Administrators of a silo.
    Silo,
    /// Readers of a project.
    Project,
    /// Everybody.
    ViewableToAll,
}
