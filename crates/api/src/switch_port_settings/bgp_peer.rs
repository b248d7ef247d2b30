use std::net::IpAddr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::scalar::{IpNet, Name, NameOrId};

/// BGP peers on one link.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct BgpPeerConfig {
    /// The link.
    pub link_name: Name,
    /// The peers, which differ in their addresses.
    pub peers: Vec<BgpPeer>,
}

/// A BGP peer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BgpPeer {
    /// Name or id of the BGP configuration under which it is spoken to; an id in answers.
    pub bgp_config: NameOrId,
    /// The link. In requests the one that the peers are listed under counts.
    pub interface_name: Name,
    /// How it is spoken to.
    #[serde(flatten)]
    pub session: BgpSession,
}

/// How a BGP peer is spoken to. Times are in seconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct BgpSession {
    /// The peer's address.
    #[schema(value_type = String, format = "ip")]
    pub addr: IpAddr,
    /// The session ends when nothing was heard for so long.
    pub hold_time: u32,
    /// Wait so long after a session has ended.
    pub idle_hold_time: u32,
    /// Wait so long before the session is opened.
    pub delay_open: u32,
    /// Try to connect so often.
    pub connect_retry: u32,
    /// Tell the peer so often that the session is alive.
    pub keepalive: u32,
    /// The autonomous system number that the peer must have; absent means any.
    #[serde(default)]
    pub remote_asn: Option<u32>,
    /// The smallest time to live that packets of the peer may have; absent means any.
    #[serde(default)]
    pub min_ttl: Option<u8>,
    /// The key of TCP MD5 signatures: at most 80 characters of printable ASCII; absent means none are used.
    #[serde(default)]
    pub md5_auth_key: Option<String>,
    /// The multi-exit discriminator of routes told to the peer.
    #[serde(default)]
    pub multi_exit_discriminator: Option<u32>,
    /// The communities of routes told to the peer.
    pub communities: Vec<u32>,
    /// The local preference of routes heard of the peer.
    #[serde(default)]
    pub local_pref: Option<u32>,
    /// Whether the peer's own number must come first in the paths that it tells.
    pub enforce_first_as: bool,
    /// Which routes are taken from the peer.
    #[schema(inline = false)]
    pub allowed_import: ImportExportPolicy,
    /// Which routes are told to the peer.
    #[schema(inline = false)]
    pub allowed_export: ImportExportPolicy,
    /// The VLAN in which the peer is.
    #[serde(default)]
    pub vlan_id: Option<u16>,
}

/// Which routes pass.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", content = "value", rename_all = "snake_case")]
pub enum ImportExportPolicy {
    /// All.
    NoFiltering,
    /// Those to these networks.
    Allow(Vec<IpNet>),
}
