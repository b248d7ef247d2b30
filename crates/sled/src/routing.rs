use std::{collections::BTreeMap, net::IpAddr};

use croft_api::{
    bfd::BfdState,
    bgp::{BgpImportedRouteIpv4, BgpMessageHistory, BgpPeerStatus},
    scalar::{Ipv4Net, SwitchLocation},
};

use crate::HypervisorError;

/// What speaks routing protocols with the world on behalf of one switch. Every call may wait for it for some seconds.
pub trait RoutingDaemon: Send + Sync {
    /// The switch.
    fn switch(&self) -> SwitchLocation;

    /// Its sessions with BGP peers.
    fn bgp_peers(&self) -> Result<Vec<BgpPeerStatus>, HypervisorError>;

    /// The networks that it announces, by the address of the BGP peer.
    fn bgp_exported(&self) -> Result<BTreeMap<String, Vec<Ipv4Net>>, HypervisorError>;

    /// The messages of an autonomous system, by the address of the BGP peer.
    fn bgp_messages(&self, asn: u32) -> Result<BTreeMap<String, BgpMessageHistory>, HypervisorError>;

    /// The routes that BGP peers of an autonomous system announced.
    fn bgp_imported_ipv4(&self, asn: u32) -> Result<Vec<BgpImportedRouteIpv4>, HypervisorError>;

    /// What is known by BFD of a peer; `None` if it does not watch that peer.
    fn bfd_state(&self, remote: IpAddr) -> Result<Option<BfdState>, HypervisorError>;
}
