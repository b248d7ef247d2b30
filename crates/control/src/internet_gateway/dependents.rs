//! What needs the attachments of a gateway (`domain/networking.md`, sections 5.1 and 5.2).

use std::{collections::BTreeSet, net::IpAddr};

use croft_api::{Error, Result, router::RouteTarget};
use croft_store::{
    ListBy,
    records::{FloatingIp, InstanceAddress, InternetGateway, NetworkInterface, RouterRoute, VpcRouter},
};
use uuid::Uuid;

use crate::{Cx, paging};

/// Why an attachment that something needs is not removed.
pub(super) const TEXT: &str =
    "VPC routes dependent on this IP pool. To perform a cascading delete set the cascade option";

/// An external address of an instance.
pub(super) struct Address {
    pub(super) pool: Uuid,
    pub(super) ip: IpAddr,
}

/// Whether a route leads to a gateway, and an instance in its VPC has such an external address.
pub(super) fn exist(
    cx: &mut Cx<'_, '_>,
    gateway: Uuid,
    is_attached: impl Fn(&Address) -> bool,
) -> Result<bool> {
    let gateway: Option<InternetGateway> = cx.tx.get(gateway)?;
    let gateway = gateway.ok_or_else(|| Error::internal("something is attached to no gateway"))?;
    if routes_to(cx, &gateway)?.is_empty() {
        return Ok(false);
    }
    for instance in instances_in(cx, gateway.vpc_id)? {
        if addresses_of(cx, instance)?.iter().any(&is_attached) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The routes of every router in the VPC whose target is what the gateway is called.
pub(super) fn routes_to(cx: &mut Cx<'_, '_>, gateway: &InternetGateway) -> Result<Vec<RouterRoute>> {
    let target = RouteTarget::InternetGateway { value: gateway.name.clone() };
    let mut routes = Vec::new();
    for router in paging::all::<VpcRouter>(cx.tx, &ListBy::Parent(gateway.vpc_id))? {
        let of_router: Vec<RouterRoute> = paging::all(cx.tx, &ListBy::Parent(router.meta.id))?;
        routes.extend(of_router.into_iter().filter(|route| route.target == target));
    }
    Ok(routes)
}

fn instances_in(cx: &mut Cx<'_, '_>, vpc: Uuid) -> Result<BTreeSet<Uuid>> {
    let interfaces: Vec<NetworkInterface> = paging::all(cx.tx, &ListBy::lookup(NetworkInterface::VPC, vpc))?;
    Ok(interfaces.iter().filter_map(NetworkInterface::instance_id).collect())
}

fn addresses_of(cx: &mut Cx<'_, '_>, instance: Uuid) -> Result<Vec<Address>> {
    let own: Vec<InstanceAddress> = paging::all(cx.tx, &ListBy::Parent(instance))?;
    let floating: Vec<FloatingIp> = paging::all(cx.tx, &ListBy::lookup(FloatingIp::INSTANCE, instance))?;
    let own = own.iter().map(|address| Address { pool: address.ip_pool_id, ip: address.ip });
    let floating = floating.iter().map(|floating| Address { pool: floating.ip_pool_id, ip: floating.ip });
    Ok(own.chain(floating).collect())
}
