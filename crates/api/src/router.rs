//! Routers of VPCs and their routes (`domain/networking.md`, section 4).

use std::net::IpAddr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::scalar::{IpNet, Name};

/// Whether a router came with its VPC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum VpcRouterKind {
    /// It did; its routes apply to every subnet.
    System,
    /// Somebody made it; its routes apply to the subnets it is attached to.
    Custom,
}

/// Who made a route, and with that who may change it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum RouteDestination {
    /// Those to one address.
    Ip {
        /// The address.
        #[schema(value_type = String, format = "ip")]
        value: IpAddr,
    },
    /// Those to a network.
    IpNet {
        /// The network.
        #[schema(inline = false)]
        value: IpNet,
    },
    /// Those to a VPC.
    Vpc {
        /// The VPC's name.
        #[schema(inline = false)]
        value: Name,
    },
    /// Those to a subnet of the VPC.
    Subnet {
        /// The subnet's name.
        #[schema(inline = false)]
        value: Name,
    },
}

/// Where a route sends packets. Names need not exist; they are looked up when a packet is routed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum RouteTarget {
    /// To an address.
    Ip {
        /// The address.
        #[schema(value_type = String, format = "ip")]
        value: IpAddr,
    },
    /// To a VPC.
    Vpc {
        /// The VPC's name.
        #[schema(inline = false)]
        value: Name,
    },
    /// To a subnet of the VPC.
    Subnet {
        /// The subnet's name.
        #[schema(inline = false)]
        value: Name,
    },
    /// To the primary interface of an instance.
    Instance {
        /// The instance's name.
        #[schema(inline = false)]
        value: Name,
    },
    /// Out through a gateway of the VPC.
    InternetGateway {
        /// The gateway's name.
        #[schema(inline = false)]
        value: Name,
    },
    /// Nowhere.
    Drop,
}
