use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// A histogram with what was kept beside its counts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Distribution<T> {
    /// The left edges of the bins, ascending; the first is the least value of the stored type. Each bin reaches up to
    /// the next one's edge, which it does not contain. Samples of one timeseries share them.
    #[serde(with = "shared", bound(serialize = "T: Serialize + Clone", deserialize = "T: Deserialize<'de>"))]
    pub bins: Arc<[T]>,
    /// How many values fell into each bin.
    pub counts: Vec<u64>,
    /// The least value.
    pub min: Option<T>,
    /// The greatest value.
    pub max: Option<T>,
    /// The sum of all values.
    pub sum_of_samples: T,
    /// The sum of the squares of the differences from the mean.
    pub squared_mean: f64,
    /// Estimate of the median.
    pub p50: Option<Quantile>,
    /// Estimate of what 90 % of the values do not exceed.
    pub p90: Option<Quantile>,
    /// Estimate of what 99 % of the values do not exceed.
    pub p99: Option<Quantile>,
}

/// The state of the P² estimate of a quantile.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Quantile {
    /// Which one, above 0 and below 1.
    pub p: f64,
    /// Estimated values at the markers; the third is the estimate.
    pub marker_heights: [f64; 5],
    /// Ranks of the markers.
    pub marker_positions: [u64; 5],
    /// Ranks that the markers should have.
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
