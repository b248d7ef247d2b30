//! Routers of VPCs and their routes (`docs/rules/networking.md#routers-and-routes`).

use std::net::IpAddr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    identity::{IdentityCreate, IdentityUpdate},
    page::Listed,
    scalar::{Description, IpNet, Name, NameOrId},
};

/// Whether a router came with its VPC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum VpcRouterKind {
    /// It did; its routes apply to every subnet.
    System,
    /// Somebody made it; its routes apply to the subnets it is attached to.
    Custom,
}

/// A router of a VPC.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct VpcRouter {
    /// The ID, which never changes.
    pub id: Uuid,
    /// The name, unique in the VPC.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// When it was created.
    pub time_created: Timestamp,
    /// When it was last changed by a person.
    pub time_modified: Timestamp,
    /// Whether it came with the VPC.
    #[schema(inline = false)]
    pub kind: VpcRouterKind,
    /// The VPC it belongs to.
    pub vpc_id: Uuid,
}

impl Listed for VpcRouter {
    fn id(&self) -> Uuid {
        self.id
    }

    fn name(&self) -> &str {
        self.name.as_str()
    }
}

/// A router to be created, without routes.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct VpcRouterCreate {
    /// Name and description.
    #[serde(flatten)]
    pub identity: IdentityCreate,
}

/// A change to a router; what is absent stays.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct VpcRouterUpdate {
    /// Name and description.
    #[serde(flatten)]
    pub identity: IdentityUpdate,
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

/// A route of a router.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct RouterRoute {
    /// The ID, which never changes.
    pub id: Uuid,
    /// The name, unique in the router.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// When it was created.
    pub time_created: Timestamp,
    /// When it was last changed.
    pub time_modified: Timestamp,
    /// The router it belongs to.
    pub vpc_router_id: Uuid,
    /// Who made it.
    pub kind: RouterRouteKind,
    /// Where it sends packets.
    pub target: RouteTarget,
    /// Which packets it is for.
    pub destination: RouteDestination,
}

impl Listed for RouterRoute {
    fn id(&self) -> Uuid {
        self.id
    }

    fn name(&self) -> &str {
        self.name.as_str()
    }
}

/// A route to be created.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct RouterRouteCreate {
    /// Name and description.
    #[serde(flatten)]
    pub identity: IdentityCreate,
    /// Where it sends packets.
    pub target: RouteTarget,
    /// Which packets it is for.
    pub destination: RouteDestination,
}

/// A change to a route. Absent names and descriptions stay.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct RouterRouteUpdate {
    /// Name and description.
    #[serde(flatten)]
    pub identity: IdentityUpdate,
    /// Where it sends packets.
    pub target: RouteTarget,
    /// Which packets it is for.
    pub destination: RouteDestination,
}

/// The path of one router.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct RouterPath {
    /// Name or id of the router.
    pub router: NameOrId,
}

/// The path of one route.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct RoutePath {
    /// Name or id of the route.
    pub route: NameOrId,
}

/// The router that something new is put in, or that is listed.
#[derive(Clone, Debug, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct RouterSelector {
    /// Name or id of the router.
    pub router: NameOrId,
    /// Name or id of the VPC. Required with the name of a router, forbidden with its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vpc: Option<NameOrId>,
    /// Name or id of the project. Required with the name of a VPC, forbidden with its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<NameOrId>,
}

/// The router within which a name in the path is meant. Required with a name, forbidden with an id.
#[derive(Clone, Debug, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct OptionalRouterSelector {
    /// Name or id of the router.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub router: Option<NameOrId>,
    /// Name or id of the VPC. Required with the name of a router, forbidden with its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vpc: Option<NameOrId>,
    /// Name or id of the project. Required with the name of a VPC, forbidden with its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<NameOrId>,
}
