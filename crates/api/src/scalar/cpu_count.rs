use std::fmt;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A number of virtual CPUs, 0 to 65535 on the wire; what an instance may have is a rule of `control`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = u16)]
pub struct InstanceCpuCount(pub u16);

impl fmt::Display for InstanceCpuCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
