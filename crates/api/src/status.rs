//! Whether the server is there.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The answer to a ping.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Ping {
    /// Always `ok`: a server that is not does not answer.
    pub status: PingStatus,
}

/// What a ping can say.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum PingStatus {
    /// The server answers.
    Ok,
}
