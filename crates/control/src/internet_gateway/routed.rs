//! Routes that need the attachments of a gateway (`docs/rules/networking.md#pools-of-gateways` and
//! `docs/rules/networking.md#addresses-of-gateways`).

use std::net::IpAddr;

use croft_api::{Error, Result, deletion::DeletionEffect};
use croft_store::{
    ListBy, Tx,
    records::{
        FloatingIp, InstanceAddress, InstanceAddressKind, InternetGateway, NetworkInterface, PortBlock,
        RouteTarget, RouterRoute,
    },
};
use uuid::Uuid;

use crate::{Cx, dependents::Dependents, paging, vpc};

/// The routes that target a gateway, if an instance in its VPC has an address of a pool.
pub(super) fn of_pool(cx: &mut Cx<'_, '_>, gateway: Uuid, pool: Uuid) -> Result<Dependents> {
    let gateway = attached_to(cx, gateway)?;
    let routes = routes_to(cx.tx, &gateway)?;
    let is_needed = !routes.is_empty() && has_address_of(cx, &gateway, pool)?;
    Ok(needing(if is_needed { &routes } else { &[] }))
}

/// The routes that target a gateway, if an instance in its VPC has an address.
pub(super) fn of_address(cx: &mut Cx<'_, '_>, gateway: Uuid, ip: IpAddr) -> Result<Dependents> {
    let gateway = attached_to(cx, gateway)?;
    let routes = routes_to(cx.tx, &gateway)?;
    let is_needed = !routes.is_empty() && has_address(cx, &gateway, ip)?;
    Ok(needing(if is_needed { &routes } else { &[] }))
}

fn needing(routes: &[RouterRoute]) -> Dependents {
    let routes = Dependents::found(DeletionEffect::Prevents, routes);
    routes.along().refused_because(
        "VPC routes dependent on this IP pool. To perform a cascading delete set the cascade option",
    )
}

/// Whether an instance in the VPC of a gateway has an address of a pool.
fn has_address_of(cx: &mut Cx<'_, '_>, gateway: &InternetGateway, pool: Uuid) -> Result<bool> {
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

/// Whether an instance in the VPC of a gateway has an address.
fn has_address(cx: &mut Cx<'_, '_>, gateway: &InternetGateway, ip: IpAddr) -> Result<bool> {
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

/// The routes of every router in the VPC that target the gateway by name.
pub(super) fn routes_to(tx: &mut Tx<'_>, gateway: &InternetGateway) -> Result<Vec<RouterRoute>> {
    let target = RouteTarget::InternetGateway { value: gateway.name.clone() };
    vpc::routes(tx, gateway.vpc_id, |route| route.target == target)
}
