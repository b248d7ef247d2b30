//! BGP state reported by the routing daemons of switches. Switches whose daemon does not answer are left out.

use std::sync::Arc;

use croft_api::{
    Result,
    bgp::{AggregateBgpMessageHistory, BgpExported, BgpImportedRouteIpv4, BgpPeerStatus, SwitchBgpHistory},
    scalar::SwitchLocation,
};
use croft_sled::{HypervisorError, RoutingDaemon};

use super::place;
use crate::{Caller, Cx, authz, bgp::operation};

/// Checks whether the caller may call [`status`].
pub fn may_see_status(cx: &mut Cx<'_, '_>, caller: &Caller) -> Result<()> {
    authz::require(cx, caller, &place(), &operation::NETWORKING_BGP_STATUS)
}

/// Checks whether the caller may call [`exported`].
pub fn may_see_exported(cx: &mut Cx<'_, '_>, caller: &Caller) -> Result<()> {
    authz::require(cx, caller, &place(), &operation::NETWORKING_BGP_EXPORTED)
}

/// Checks whether the caller may call [`message_history`].
pub fn may_see_message_history(cx: &mut Cx<'_, '_>, caller: &Caller) -> Result<()> {
    authz::require(cx, caller, &place(), &operation::NETWORKING_BGP_MESSAGE_HISTORY)
}

/// Checks whether the caller may call [`imported_routes_ipv4`].
pub fn may_see_imported_routes_ipv4(cx: &mut Cx<'_, '_>, caller: &Caller) -> Result<()> {
    authz::require(cx, caller, &place(), &operation::NETWORKING_BGP_IMPORTED_ROUTES_IPV4)
}

/// The answers of the daemons that reply, with their switches.
fn ask<T>(
    daemons: &[Arc<dyn RoutingDaemon>],
    question: impl Fn(&Arc<dyn RoutingDaemon>) -> Result<T, HypervisorError>,
) -> Vec<(SwitchLocation, T)> {
    let answer = |daemon: &Arc<dyn RoutingDaemon>| {
        let switch = daemon.switch();
        match question(daemon) {
            Ok(answer) => Some((switch, answer)),
            Err(error) => {
                tracing::warn!(%error, %switch, "a routing daemon does not respond");
                None
            }
        }
    };
    daemons.iter().filter_map(answer).collect()
}

/// `networking_bgp_status`: queries switches outside the transaction.
pub fn status(daemons: &[Arc<dyn RoutingDaemon>]) -> Vec<BgpPeerStatus> {
    ask(daemons, |daemon| daemon.bgp_peers()).into_iter().flat_map(|(_, peers)| peers).collect()
}

/// `networking_bgp_exported`: queries switches outside the transaction.
pub fn exported(daemons: &[Arc<dyn RoutingDaemon>]) -> BgpExported {
    let mut all = BgpExported::default();
    for (_, exports) in ask(daemons, |daemon| daemon.bgp_exported()) {
        for (peer, mut networks) in exports {
            all.exports.entry(peer).or_default().append(&mut networks);
        }
    }
    for networks in all.exports.values_mut() {
        networks.sort_unstable();
        networks.dedup();
    }
    all
}

/// `networking_bgp_message_history`: queries switches outside the transaction.
pub fn message_history(daemons: &[Arc<dyn RoutingDaemon>], asn: u32) -> AggregateBgpMessageHistory {
    let answers = ask(daemons, |daemon| daemon.bgp_messages(asn));
    let histories = answers.into_iter().map(|(switch, history)| SwitchBgpHistory { switch, history });
    AggregateBgpMessageHistory { switch_histories: histories.collect() }
}

/// `networking_bgp_imported_routes_ipv4`: queries switches outside the transaction.
pub fn imported_routes_ipv4(daemons: &[Arc<dyn RoutingDaemon>], asn: u32) -> Vec<BgpImportedRouteIpv4> {
    let answers = ask(daemons, |daemon| daemon.bgp_imported_ipv4(asn));
    answers.into_iter().flat_map(|(_, routes)| routes).collect()
}
