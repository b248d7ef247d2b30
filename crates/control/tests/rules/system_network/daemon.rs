use std::{collections::BTreeMap, net::IpAddr, sync::Arc};

use croft_api::{
    bfd::BfdState,
    bgp::{BgpImportedRouteIpv4, BgpMessageHistory, BgpPeerState, BgpPeerStatus},
    scalar::{Ipv4Net, SwitchLocation},
};
use croft_sled::{HypervisorError, RoutingDaemon};
use serde_json::json;

/// The autonomous system of every daemon.
pub const ASN: u32 = 64_512;

/// A routing daemon with the peer 192.0.2.1. The daemon may be unreachable.
pub struct Daemon {
    switch: SwitchLocation,
    reachable: bool,
}

impl Daemon {
    pub fn of(switch: &str, reachable: bool) -> Arc<dyn RoutingDaemon> {
        Arc::new(Self { switch: switch.parse().unwrap(), reachable })
    }

    fn answer<T>(&self, answer: T) -> Result<T, HypervisorError> {
        let unreachable = || HypervisorError::Unreachable("no route".to_owned());
        if self.reachable { Ok(answer) } else { Err(unreachable()) }
    }
}

pub fn peer() -> IpAddr {
    [192, 0, 2, 1].into()
}

impl RoutingDaemon for Daemon {
    fn switch(&self) -> SwitchLocation {
        self.switch
    }

    fn bgp_peers(&self) -> Result<Vec<BgpPeerStatus>, HypervisorError> {
        self.answer(vec![BgpPeerStatus {
            addr: peer(),
            local_asn: ASN,
            remote_asn: 64_513,
            state: BgpPeerState::Established,
            state_duration_millis: 1_500,
            switch: self.switch,
        }])
    }

    fn bgp_exported(&self) -> Result<BTreeMap<String, Vec<Ipv4Net>>, HypervisorError> {
        let own = match self.switch {
            SwitchLocation::Switch0 => "203.0.113.0/25",
            SwitchLocation::Switch1 => "203.0.113.128/25",
        };
        let networks = [own, "198.51.100.0/24"].map(|network| network.parse().unwrap());
        self.answer(BTreeMap::from([(peer().to_string(), networks.to_vec())]))
    }

    fn bgp_messages(&self, asn: u32) -> Result<BTreeMap<String, BgpMessageHistory>, HypervisorError> {
        self.answer(BTreeMap::from([(peer().to_string(), BgpMessageHistory(json!([{ "asn": asn }])))]))
    }

    fn bgp_imported_ipv4(&self, asn: u32) -> Result<Vec<BgpImportedRouteIpv4>, HypervisorError> {
        let route = || BgpImportedRouteIpv4 {
            prefix: "0.0.0.0/0".parse().unwrap(),
            nexthop: [192, 0, 2, 1].into(),
            id: 1,
            switch: self.switch,
        };
        self.answer((asn == ASN).then(route).into_iter().collect())
    }

    fn bfd_state(&self, remote: IpAddr) -> Result<Option<BfdState>, HypervisorError> {
        self.answer((remote == peer()).then_some(BfdState::Up))
    }
}
