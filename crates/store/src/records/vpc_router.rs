use croft_api::{
    router::{RouteDestination, RouteTarget, RouterRouteKind, VpcRouterKind},
    scalar::{Description, Name},
};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{KeyKind, Lookup, Meta, Scope, Table, record};

/// A router of a VPC.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VpcRouter {
    /// Bookkeeping.
    pub meta: Meta,
    /// The silo.
    pub silo_id: Uuid,
    /// The project.
    pub project_id: Uuid,
    /// The VPC.
    pub vpc_id: Uuid,
    /// Unique in the VPC.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// Whether it came with the VPC.
    pub kind: VpcRouterKind,
}

record! {
    VpcRouter as router {
        table: Table::named("vpc_router");
        parent: router.vpc_id;
        name: Some(router.name.as_str());
        scope: Scope::project(router.silo_id, router.project_id);
    }
}

/// A route of a router.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RouterRoute {
    /// Bookkeeping.
    pub meta: Meta,
    /// The silo.
    pub silo_id: Uuid,
    /// The project.
    pub project_id: Uuid,
    /// The VPC.
    pub vpc_id: Uuid,
    /// The router.
    pub vpc_router_id: Uuid,
    /// The subnet that the route came with, for routes of that kind.
    pub subnet_id: Option<Uuid>,
    /// Unique in the router.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// Who made it.
    pub kind: RouterRouteKind,
    /// Where it sends packets.
    pub target: RouteTarget,
    /// Which packets it is for.
    pub destination: RouteDestination,
}

record! {
    RouterRoute as route {
        table: Table::named("router_route");
        parent: route.vpc_router_id;
        name: Some(route.name.as_str());
        scope: Scope::project(route.silo_id, route.project_id);
        lookups: {
            /// The route that came with a subnet.
            SUBNET: Lookup::unique("subnet_id", KeyKind::Id) = route.subnet_id;
        }
    }
}
