use std::num::NonZeroU8;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    metric::DatumType,
    page::{Listed, Marker, SortMode},
};

/// What all timeseries of one name have in common.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct TimeseriesSchema {
    /// For whom it is meant.
    pub authz_scope: AuthzScope,
    /// When it became known.
    pub created: Timestamp,
    /// What each sample holds.
    pub datum_type: DatumType,
    /// What target and metric are.
    pub description: TimeseriesDescription,
    /// The fields of the target, then those of the metric.
    pub field_schema: Vec<FieldSchema>,
    /// The target and the metric, with a colon between them.
    #[schema(pattern = "^(([a-z]+[a-z0-9]*)(_([a-z0-9]+))*):(([a-z]+[a-z0-9]*)(_([a-z0-9]+))*)$")]
    pub timeseries_name: String,
    /// What the numbers count.
    pub units: Units,
    /// Grows when fields or datum type change.
    #[schema(value_type = u8, minimum = 1)]
    pub version: NonZeroU8,
}

impl Listed for TimeseriesSchema {
    fn id(&self) -> Uuid {
        Uuid::nil()
    }

    fn name(&self) -> &str {
        &self.timeseries_name
    }
}

/// The order of the list of schemas.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TimeseriesSortMode {
    /// Ascending by name.
    #[default]
    NameAscending,
}

impl SortMode for TimeseriesSortMode {
    fn marker<T: Listed>(self, item: &T) -> Marker {
        Marker::Name(item.name().to_owned())
    }

    fn accepts(self, marker: &Marker) -> bool {
        matches!(marker, Marker::Name(_))
    }

    fn has_name(text: &str) -> bool {
        let allowed = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
        text.split_once(':').is_some_and(|(target, metric)| {
            [target, metric].iter().all(|part| !part.is_empty() && part.bytes().all(allowed))
        })
    }
}

/// For whom a timeseries is meant; the right to query it does not follow from this.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AuthzScope {
    /// Those who look after the fleet.
    Fleet,
    /// Those who look after a silo.
    Silo,
    /// Those who may read a project.
    Project,
    /// Everybody.
    ViewableToAll,
}

/// What target and metric of a timeseries are, for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TimeseriesDescription {
    /// The quantity that is measured.
    pub metric: String,
    /// The thing that is measured.
    pub target: String,
}

/// A field of timeseries.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FieldSchema {
    /// What it means, for people.
    pub description: String,
    /// The type of its values.
    pub field_type: FieldType,
    /// Its name.
    pub name: String,
    /// What it describes.
    pub source: FieldSource,
}

/// The type of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FieldType {
    /// Text.
    String,
    /// Signed integer of 8 bits.
    I8,
    /// Unsigned integer of 8 bits.
    U8,
    /// Signed integer of 16 bits.
    I16,
    /// Unsigned integer of 16 bits.
    U16,
    /// Signed integer of 32 bits.
    I32,
    /// Unsigned integer of 32 bits.
    U32,
    /// Signed integer of 64 bits.
    I64,
    /// Unsigned integer of 64 bits.
    U64,
    /// IPv4 or IPv6 address.
    IpAddr,
    /// UUID.
    Uuid,
    /// True or false.
    Bool,
}

/// Whether a field describes the thing or the quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FieldSource {
    /// The thing that is measured.
    Target,
    /// The quantity that is measured.
    Metric,
}

/// What the numbers of a timeseries count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Units {
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
    /// A bare number without a unit of its own.
    None,
    /// Revolutions per minute.
    Rpm,
}
