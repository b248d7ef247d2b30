//! Finds resources that depend on the attachments of a gateway (`docs/rules/networking.md#pools-of-gateways` and
//! `docs/rules/networking.md#addresses-of-gateways`).

use std::net::IpAddr;

use croft_api::{Error, Result};
use croft_store::{
    ListBy, Tx,
    records::{
        FloatingIp, InstanceAddress, InstanceAddressKind, InternetGateway, NetworkInterface, PortBlock,
        RouteTarget, RouterRoute, VpcRouter,
    },
};
use uuid::Uuid;

use crate::{Cx, paging};

/// The error for an attachment that is in use.
pub(super) const TEXT: &str =
    "VPC routes dependent on this IP pool. To perform a cascading delete set the cascade option";

/// Whether a route targets a gateway, and an instance in its VPC has an address of a pool.
pub(super) fn of_pool(cx: &mut Cx<'_, '_>, gateway: Uuid, pool: Uuid) -> Result<bool> {
    let gateway = attached_to(cx, gateway)?;
    if !is_routed_to(cx, &gateway)? {
        return Ok(false);
    }
    // An instance is in the VPC of its primary interface.
    paging::any(
        cx.tx,
        &ListBy::lookup(NetworkInterface::VPC, gateway.vpc_id),
        |tx, interface: &NetworkInterface| {
            let Some(instance) = interface.instance_id().filter(|_| interface.primary) else {
                return Ok(false);
            };
            let own: Vec<InstanceAddress> = paging::all(tx, &ListBy::Parent(instance))?;
            if own.iter().any(|address| address.ip_pool_id == pool) {
                return Ok(true);
            }
            let by = ListBy::lookup(FloatingIp::INSTANCE, instance);
            paging::any(tx, &by, |_, floating: &FloatingIp| Ok(floating.ip_pool_id == pool))
        },
    )
}

/// Whether a route targets a gateway, and an instance in its VPC has an address.
pub(super) fn of_address(cx: &mut Cx<'_, '_>, gateway: Uuid, ip: IpAddr) -> Result<bool> {
    let gateway = attached_to(cx, gateway)?;
    if !is_routed_to(cx, &gateway)? {
        return Ok(false);
    }
    for instance in holders(cx.tx, ip)? {
        let interfaces: Vec<NetworkInterface> = paging::all(cx.tx, &ListBy::Parent(instance))?;
        if interfaces.iter().any(|interface| interface.vpc_id == gateway.vpc_id) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn attached_to(cx: &mut Cx<'_, '_>, gateway: Uuid) -> Result<InternetGateway> {
    cx.tx.get(gateway)?.ok_or_else(|| Error::internal("something is attached to no gateway"))
}

/// The instances that have an address: one, or several that share its ports.
fn holders(tx: &mut Tx<'_>, ip: IpAddr) -> Result<Vec<Uuid>> {
    let floating: Option<FloatingIp> = tx.find(FloatingIp::ADDRESS, ip)?;
    let mut holders: Vec<Uuid> = floating.and_then(|floating| floating.instance_id).into_iter().collect();
    let blocks = (0..PortBlock::COUNT).map(PortBlock).map(InstanceAddressKind::SourceNat);
    for kind in blocks.chain([InstanceAddressKind::Ephemeral]) {
        let address: Option<InstanceAddress> =
            tx.find(InstanceAddress::PORTS, InstanceAddress::ports(ip, kind))?;
        holders.extend(address.map(|address| address.instance_id));
    }
    Ok(holders)
}

/// Whether a route of any router in the VPC targets the gateway by name.
fn is_routed_to(cx: &mut Cx<'_, '_>, gateway: &InternetGateway) -> Result<bool> {
    let target = RouteTarget::InternetGateway { value: gateway.name.clone() };
    paging::any(cx.tx, &ListBy::Parent(gateway.vpc_id), |tx, router: &VpcRouter| {
        paging::any(tx, &ListBy::Parent(router.meta.id), |_, route: &RouterRoute| Ok(route.target == target))
    })
}

/// The routes of every router in the VPC that target the gateway by name.
pub(super) fn routes_to(cx: &mut Cx<'_, '_>, gateway: &InternetGateway) -> Result<Vec<RouterRoute>> {
    let target = RouteTarget::InternetGateway { value: gateway.name.clone() };
    let mut routes = Vec::new();
    for router in paging::all::<VpcRouter>(cx.tx, &ListBy::Parent(gateway.vpc_id))? {
        let of_router: Vec<RouterRoute> = paging::all(cx.tx, &ListBy::Parent(router.meta.id))?;
        routes.extend(of_router.into_iter().filter(|route| route.target == target));
    }
    Ok(routes)
}
