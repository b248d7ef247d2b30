//! The serial console of an instance.

use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use crate::scalar::NameOrId;

/// Bytes returned when the caller names no limit.
pub const DEFAULT_MAX_BYTES: u64 = 16_384;

/// Which part of the console's history is wanted: exactly one of `from_start` and `most_recent`.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct InstanceSerialConsoleQuery {
    /// Name or id of the project.
    #[serde(default)]
    pub project: Option<NameOrId>,
    /// Offset from the start of the output since boot.
    #[serde(default)]
    pub from_start: Option<u64>,
    /// Number of bytes from the end.
    #[serde(default)]
    pub most_recent: Option<u64>,
    /// Most bytes to return; 16384 when absent.
    #[serde(default)]
    pub max_bytes: Option<u64>,
}

/// Where a live stream of the console begins.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct InstanceSerialConsoleStreamQuery {
    /// Name or id of the project.
    #[serde(default)]
    pub project: Option<NameOrId>,
    /// Bytes of backlog; absent means everything since boot that is still held.
    #[serde(default)]
    pub most_recent: Option<u64>,
}

/// A part of the console's output.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct InstanceSerialConsoleData {
    /// The bytes.
    pub data: Vec<u8>,
    /// Offset of the end of `data` since boot; the next `from_start`.
    pub last_byte_offset: u64,
}
