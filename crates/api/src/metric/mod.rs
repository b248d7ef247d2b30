//! What was measured, as single values over time (`docs/rules/telemetry.md#capacity-metrics`).

mod datum;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    page::{Listed, Marker, SortMode},
    scalar::NameOrId,
};

pub use datum::{Bin, BinRange, Cumulative, Datum, DatumType, Histogram, MissingDatum, Quantile};

/// What is measured of a fleet, a silo or a project.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SystemMetricName {
    /// Size of disks and snapshots, in bytes.
    VirtualDiskSpaceProvisioned,
    /// Virtual CPUs of instances that have a machine.
    CpusProvisioned,
    /// Memory of instances that have a machine, in bytes.
    RamProvisioned,
}

impl SystemMetricName {
    /// The name as it stands in paths and in names of timeseries.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::VirtualDiskSpaceProvisioned => "virtual_disk_space_provisioned",
            Self::CpusProvisioned => "cpus_provisioned",
            Self::RamProvisioned => "ram_provisioned",
        }
    }
}

/// Which metric.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct MetricPath {
    /// Its name.
    pub metric_name: SystemMetricName,
}

/// The order of a list of measurements.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PaginationOrder {
    /// The earliest first.
    #[default]
    Ascending,
    /// The latest first.
    Descending,
}

impl SortMode for PaginationOrder {
    const PARAMETER: &str = "order";

    fn marker<T: Listed>(self, item: &T) -> Marker {
        Marker::Time(item.time(), item.id())
    }

    fn accepts(self, marker: &Marker) -> bool {
        matches!(marker, Marker::Time(..))
    }
}

/// Which measurements of a silo are asked for.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SiloMetricSelector {
    /// From this time.
    pub start_time: Timestamp,
    /// Until before this time.
    pub end_time: Timestamp,
    /// Of this project rather than the whole silo.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<NameOrId>,
}

/// Which measurements of the fleet are asked for.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SystemMetricSelector {
    /// From this time.
    pub start_time: Timestamp,
    /// Until before this time.
    pub end_time: Timestamp,
    /// Of this silo rather than the whole fleet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub silo: Option<NameOrId>,
}

/// A value at a time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Measurement {
    /// The time.
    pub timestamp: Timestamp,
    /// The value.
    pub datum: Datum,
}

impl Listed for Measurement {
    fn id(&self) -> Uuid {
        Uuid::nil()
    }

    fn name(&self) -> &'static str {
        ""
    }

    fn time(&self) -> Timestamp {
        self.timestamp
    }
}
