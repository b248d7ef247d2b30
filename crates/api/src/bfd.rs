//! BFD: noticing quickly that a peer cannot be reached any more (`docs/rules/networking.md#bfd`).

use std::net::IpAddr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::scalar::Name;

/// How far away a peer may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BfdMode {
    /// At the other end of a link (RFC 5881).
    SingleHop,
    /// Behind routers (RFC 5883).
    MultiHop,
}

/// What is known of a peer (RFC 5880).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BfdState {
    /// Held down by an operator.
    AdminDown,
    /// Nothing is heard of the peer.
    Down,
    /// The peer is heard, but has not said that it hears this side.
    Init,
    /// Both sides hear each other.
    Up,
}

/// A session to be kept.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct BfdSessionEnable {
    /// The address on this side; absent means whichever leads to the peer.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = "ip")]
    pub local: Option<IpAddr>,
    /// The peer's address.
    #[schema(value_type = String, format = "ip")]
    pub remote: IpAddr,
    /// After how many missing packets the peer counts as unreachable.
    pub detection_threshold: u8,
    /// How often packets are to arrive, in microseconds. More than 32 bits hold counts as the most they hold.
    pub required_rx: u64,
    /// The switch: `switch0` or `switch1`.
    #[schema(inline = false)]
    pub switch: Name,
    /// How far away the peer may be.
    #[schema(inline = false)]
    pub mode: BfdMode,
}

/// A session to be given up.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct BfdSessionDisable {
    /// The peer's address.
    #[schema(value_type = String, format = "ip")]
    pub remote: IpAddr,
    /// The switch: `switch0` or `switch1`.
    #[schema(inline = false)]
    pub switch: Name,
}

/// A session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BfdStatus {
    /// The peer's address.
    #[schema(value_type = String, format = "ip")]
    pub peer: IpAddr,
    /// What is known of the peer.
    pub state: BfdState,
    /// The switch.
    pub switch: Name,
    /// The address on this side; null means whichever leads to the peer.
    #[schema(value_type = Option<String>, format = "ip")]
    pub local: Option<IpAddr>,
    /// After how many missing packets the peer counts as unreachable.
    pub detection_threshold: u8,
    /// How often packets are to arrive, in microseconds.
    pub required_rx: u64,
    /// How far away the peer may be.
    pub mode: BfdMode,
}
