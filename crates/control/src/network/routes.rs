use croft_api::scalar::IpNet;
use croft_network::{Route, RouteTarget};
use croft_store::records::{RouterRoute, VpcRouter};

use super::names::Names;

/// Expands a route to one for each destination that its target can reach.
pub(super) fn resolve(route: &RouterRoute, router: &VpcRouter, names: &Names<'_>) -> Vec<Route> {
    let Some(target) = names.route_target(&route.target) else { return Vec::new() };
    let destinations = names.destinations(&route.destination).into_iter();
    destinations
        .filter(|destination| leads_to(&target, *destination))
        .map(|destination| Route {
            id: route.meta.id,
            name: route.name.clone(),
            router_id: router.meta.id,
            router_name: router.name.clone(),
            router_kind: router.kind.into(),
            destination,
            target: target.clone(),
        })
        .collect()
}

/// Whether the target can reach the destination: both must be of one address family.
fn leads_to(target: &RouteTarget, destination: IpNet) -> bool {
    match target {
        RouteTarget::Address(next) => next.is_ipv4() == matches!(destination, IpNet::V4(_)),
        RouteTarget::Subnet(_) | RouteTarget::Gateway { .. } | RouteTarget::Drop => true,
    }
}
