use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// A histogram with statistics of its values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Distribution<T> {
    /// The left edges of the bins, ascending; the first is the minimum of the stored type. Each bin extends up to the
    /// next edge, exclusive. Samples of one timeseries share the edges.
    #[serde(with = "shared", bound(serialize = "T: Serialize + Clone", deserialize = "T: Deserialize<'de>"))]
    pub bins: Arc<[T]>,
    /// The number of values in each bin.
    pub counts: Vec<u64>,
    /// The minimum.
    pub min: Option<T>,
    /// The maximum.
    pub max: Option<T>,
    /// The sum of all values.
    pub sum_of_samples: T,
    /// The sum of the squares of the differences from the mean.
    pub squared_mean: f64,
    /// Estimate of the median.
    pub p50: Option<Quantile>,
    /// Estimate of the 90th percentile.
    pub p90: Option<Quantile>,
    /// Estimate of the 99th percentile.
    pub p99: Option<Quantile>,
}

/// The state of the P² estimate of a quantile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quantile {
    /// The quantile, above 0 and below 1.
    pub p: f64,
    /// Estimated values at the markers; the third is the estimate.
    pub marker_heights: [f64; 5],
    /// Ranks of the markers.
    pub marker_positions: [u64; 5],
    /// Desired ranks of the markers.
    pub desired_marker_positions: [f64; 5],
}

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
