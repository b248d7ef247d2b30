use std::net::IpAddr;

use croft_api::scalar::SwitchLocation;
use serde::{Deserialize, Serialize};

use crate::{Key, KeyKind, Lookup, Meta, Scope, Table, record, search::Searched};

/// How far away a peer may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BfdMode {
    /// At the other end of a link (RFC 5881).
    SingleHop,
    /// Behind routers (RFC 5883).
    MultiHop,
}

/// A peer that a switch is to watch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BfdSession {
    /// Bookkeeping.
    pub meta: Meta,
    /// The switch.
    pub switch: SwitchLocation,
    /// The peer's address.
    pub remote: IpAddr,
    /// The address on this side; none means whichever leads to the peer.
    pub local: Option<IpAddr>,
    /// After how many missing packets the peer counts as unreachable.
    pub detection_threshold: u8,
    /// How often packets are to arrive, in microseconds.
    pub required_rx: u32,
    /// How far away the peer may be.
    pub mode: BfdMode,
}

impl BfdSession {
    /// What [`PEER`](Self::PEER) finds a session by.
    pub fn peer(switch: SwitchLocation, remote: IpAddr) -> Key {
        Key::combined([switch.as_str().into(), remote.into()])
    }
}

record! {
    BfdSession as session {
        table: Table::new("bfd_session");
        scope: Scope::FLEET;
        search: Searched::by_id().address("remote", session.remote);
        lookups: {
            /// The session of a switch with a peer: one at most.
            PEER: Lookup::unique("peer", KeyKind::Bytes) = BfdSession::peer(session.switch, session.remote);
        }
    }
}
