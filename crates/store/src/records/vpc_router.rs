use std::net::IpAddr;

use croft_api::scalar::{Description, IpNet, Name};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{KeyKind, Lookup, Meta, Scope, Table, record, search::Searched};

/// Whether a router came with its VPC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VpcRouterKind {
    /// It did; its routes apply to every subnet.
    System,
    /// Somebody made it; its routes apply to the subnets it is attached to.
    Custom,
}

/// Who made a route, and with that who may change it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RouterRouteKind {
    /// It came with the VPC and leads out of it; only its target can be changed.
    Default,
    /// It came with a subnet, which it leads to, and goes with it.
    VpcSubnet,
    /// It leads to another VPC.
    VpcPeering,
    /// Somebody made it.
    Custom,
}

/// Which packets a route is for. Names need not exist; they are looked up when a packet is routed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum RouteDestination {
    /// Those to one address.
    Ip {
        /// The address.
        value: IpAddr,
    },
    /// Those to a network.
    IpNet {
        /// The network.
        value: IpNet,
    },
    /// Those to a VPC.
    Vpc {
        /// The VPC's name.
        value: Name,
    },
    /// Those to a subnet of the VPC.
    Subnet {
        /// The subnet's name.
        value: Name,
    },
}

impl RouteDestination {
    /// Adds to what can be found of a route.
    fn searched(&self, route: Searched) -> Searched {
        match self {
            Self::Ip { value } => route.address("destination", *value),
            Self::IpNet { value } => route.network("destination", *value),
            Self::Vpc { .. } | Self::Subnet { .. } => route,
        }
    }
}

/// Where a route sends packets. Names need not exist; they are looked up when a packet is routed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum RouteTarget {
    /// To an address.
    Ip {
        /// The address.
        value: IpAddr,
    },
    /// To a VPC.
    Vpc {
        /// The VPC's name.
        value: Name,
    },
    /// To a subnet of the VPC.
    Subnet {
        /// The subnet's name.
        value: Name,
    },
    /// To the primary interface of an instance.
    Instance {
        /// The instance's name.
        value: Name,
    },
    /// Out through a gateway of the VPC.
    InternetGateway {
        /// The gateway's name.
        value: Name,
    },
    /// Nowhere.
    Drop,
}

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
        search: Searched::named(&router.name, &router.description);
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
        search: route.destination.searched(Searched::named(&route.name, &route.description));
        lookups: {
            /// The route that came with a subnet.
            SUBNET: Lookup::unique("subnet_id", KeyKind::Id) = route.subnet_id;
        }
    }
}
