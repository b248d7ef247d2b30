use std::num::NonZeroU8;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{DatumType, FieldSchema, FieldValue, TimeseriesName};

/// What all timeseries of one name have in common.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Schema {
    /// What is measured of what.
    pub name: TimeseriesName,
    /// Grows when fields or datum type change.
    pub version: NonZeroU8,
    /// What target and metric are, as text.
    pub description: Description,
    /// The fields of the target, then those of the metric. Values of fields are kept in this order.
    pub fields: Vec<FieldSchema>,
    /// What each sample holds.
    pub datum_type: DatumType,
    /// What the numbers count.
    pub units: Units,
    /// For whom it is meant; information for clients, no right.
    pub scope: Scope,
    /// When it became known.
    pub created: Timestamp,
}

impl Schema {
    /// The position of a field in [`Self::fields`].
    pub fn field(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|field| field.name == name)
    }

    /// Whether values are those of a timeseries of this schema.
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

/// What target and metric of a timeseries are, as text.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Description {
    /// The thing that is measured.
    pub target: String,
    /// The quantity that is measured.
    pub metric: String,
}

/// What the numbers of a timeseries count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Units {
    /// A bare number without a unit of its own.
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

/// For whom a timeseries is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// Those who look after the fleet.
    Fleet,
    /// Those who look after a silo.
    Silo,
    /// Those who may read a project.
    Project,
    /// Everybody.
    ViewableToAll,
}
