//! The system router and its routes, which the server manages (`docs/rules/networking.md#routes-of-subnets`).

use std::net::{Ipv4Addr, Ipv6Addr};

use croft_api::{
    Error, ResourceKind, Result,
    scalar::{Description, IpNet, Ipv4Net, Ipv6Net, Name},
};
use croft_store::{
    Meta,
    records::{
        InternetGateway, RouteDestination, RouteTarget, RouterRoute, RouterRouteKind, Vpc, VpcRouter,
        VpcRouterKind, VpcSubnet,
    },
};

use crate::Cx;

/// The default routes of a VPC. Routes to subnets never have these names.
const DEFAULT_ROUTES: [&str; 2] = ["default-v4", "default-v6"];

/// Creates the system router of a VPC, with its default routes.
pub(crate) fn insert_system(cx: &mut Cx<'_, '_>, vpc: &Vpc) -> Result<()> {
    let router = VpcRouter {
        meta: Meta::new(vpc.system_router_id, cx.now),
        silo_id: vpc.silo_id,
        project_id: vpc.project_id,
        vpc_id: vpc.meta.id,
        name: Name::literal("system"),
        description: Description::from(
            "Routes are automatically added to this router as VPC subnets are created",
        ),
        kind: VpcRouterKind::System,
    };
    cx.insert_named(ResourceKind::VpcRouter, &router)?;
    let [ipv4, ipv6] = DEFAULT_ROUTES;
    let anywhere = [
        (ipv4, IpNet::V4(Ipv4Net::new(Ipv4Addr::UNSPECIFIED, 0)?)),
        (ipv6, IpNet::V6(Ipv6Net::new(Ipv6Addr::UNSPECIFIED, 0)?)),
    ];
    for (name, value) in anywhere {
        let route = RouterRoute {
            meta: cx.new_meta(),
            silo_id: vpc.silo_id,
            project_id: vpc.project_id,
            vpc_id: vpc.meta.id,
            vpc_router_id: router.meta.id,
            subnet_id: None,
            name: Name::literal(name),
            description: Description::from("The default route of a vpc"),
            kind: RouterRouteKind::Default,
            target: RouteTarget::InternetGateway { value: Name::literal(InternetGateway::DEFAULT) },
            destination: RouteDestination::IpNet { value },
        };
        cx.insert_named(ResourceKind::RouterRoute, &route)?;
    }
    Ok(())
}

/// Creates the route to a new subnet in the system router.
pub(crate) fn insert_subnet_route(cx: &mut Cx<'_, '_>, vpc: &Vpc, subnet: &VpcSubnet) -> Result<()> {
    let route = RouterRoute {
        meta: cx.new_meta(),
        silo_id: vpc.silo_id,
        project_id: vpc.project_id,
        vpc_id: vpc.meta.id,
        vpc_router_id: vpc.system_router_id,
        subnet_id: Some(subnet.meta.id),
        name: subnet_route_name(subnet)?,
        description: Description::from("the way to the subnet"),
        kind: RouterRouteKind::VpcSubnet,
        target: RouteTarget::Subnet { value: subnet.name.clone() },
        destination: RouteDestination::Subnet { value: subnet.name.clone() },
    };
    cx.insert_named(ResourceKind::RouterRoute, &route)
}

/// Renames the route to a subnet that was renamed.
pub(crate) fn rename_subnet_route(cx: &mut Cx<'_, '_>, subnet: &VpcSubnet) -> Result<()> {
    let mut route = subnet_route(cx, subnet)?;
    route.name = subnet_route_name(subnet)?;
    route.target = RouteTarget::Subnet { value: subnet.name.clone() };
    route.destination = RouteDestination::Subnet { value: subnet.name.clone() };
    route.meta.time_modified = cx.now;
    cx.update_named(ResourceKind::RouterRoute, &mut route)
}

/// Deletes the route to a subnet that is being deleted.
pub(crate) fn delete_subnet_route(cx: &mut Cx<'_, '_>, subnet: &VpcSubnet) -> Result<()> {
    let mut route = subnet_route(cx, subnet)?;
    Ok(cx.tx.delete(&mut route, cx.now)?)
}

fn subnet_route(cx: &mut Cx<'_, '_>, subnet: &VpcSubnet) -> Result<RouterRoute> {
    let route = cx.tx.find(RouterRoute::SUBNET, subnet.meta.id)?;
    route.ok_or_else(|| Error::internal(format!("no route leads to subnet {}", subnet.meta.id)))
}

fn subnet_route_name(subnet: &VpcSubnet) -> Result<Name> {
    if DEFAULT_ROUTES.contains(&subnet.name.as_str()) {
        return Ok(format!("conflict-{}-{}", subnet.name, subnet.meta.id).parse()?);
    }
    Ok(subnet.name.clone())
}
