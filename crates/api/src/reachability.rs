//! What a change of a VPC would do to who reaches whom: an operation beside the contract (`docs/rules/networking.md`).

use std::net::IpAddr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    firewall::VpcFirewallRuleUpdate,
    router::{RouteDestination, RouteTarget},
    scalar::{IpNet, Name, NameOrId},
    trace::{TraceIcmp, TraceInterface, TraceProtocol, TraceVerdict},
};

/// Changes of a VPC that nobody has made yet. What is absent stays as it is.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct NetworkChanges {
    /// The firewall rules, in place of all that there are.
    #[serde(default)]
    #[schema(max_items = 1024)]
    pub firewall_rules: Option<Vec<VpcFirewallRuleUpdate>>,
    /// The routers that have other routes.
    #[serde(default)]
    #[schema(max_items = 256)]
    pub routers: Option<Vec<RouterChange>>,
    /// The internet gateways that have other addresses.
    #[serde(default)]
    #[schema(max_items = 256)]
    pub gateways: Option<Vec<GatewayChange>>,
}

/// A router with other routes.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct RouterChange {
    /// The router of the VPC, by name or id.
    pub router: NameOrId,
    /// Its routes, in place of all that it has.
    #[schema(max_items = 1024)]
    pub routes: Vec<ProposedRoute>,
}

/// A route that a router would have.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ProposedRoute {
    /// The name, unique in the router.
    pub name: Name,
    /// The packets it is for.
    #[schema(inline = false)]
    pub destination: RouteDestination,
    /// Where it sends packets.
    #[schema(inline = false)]
    pub target: RouteTarget,
}

/// An internet gateway with other addresses.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct GatewayChange {
    /// The gateway of the VPC, by name or id.
    pub gateway: NameOrId,
    /// The ids of the pools attached to it, in place of all that there are.
    #[schema(max_items = 256)]
    pub ip_pools: Vec<Uuid>,
    /// The addresses attached to it, in place of all that there are.
    #[schema(value_type = Vec<String>, max_items = 256)]
    pub addresses: Vec<IpAddr>,
}

/// Changes of a VPC whose effect is asked for.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ReachabilityRequest {
    /// The changes.
    pub changes: NetworkChanges,
}

/// What changes of a VPC would do to who reaches whom.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReachabilityChanges {
    /// The pairs and the traffic whose verdict would be another one, 1,000 at most.
    pub changes: Vec<ReachabilityChange>,
    /// False if there are more than could be looked at or listed.
    pub is_complete: bool,
}

/// Traffic between two peers whose verdict would be another one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReachabilityChange {
    /// The sender.
    pub source: ReachabilityPeer,
    /// The receiver.
    pub destination: ReachabilityPeer,
    /// The protocol.
    pub protocol: TraceProtocol,
    /// The range of destination ports with TCP and UDP; null otherwise.
    #[schema(required = true)]
    pub ports: Option<ReachabilityPorts>,
    /// The message of ICMP; null otherwise.
    #[schema(required = true)]
    pub icmp: Option<TraceIcmp>,
    /// What becomes of the packets now.
    pub before: ReachabilityVerdict,
    /// What would become of them.
    pub after: ReachabilityVerdict,
}

/// A range of ports, both included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReachabilityPorts {
    /// The first port.
    pub first: u16,
    /// The last port.
    pub last: u16,
}

/// A verdict and its reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReachabilityVerdict {
    /// The verdict.
    pub verdict: TraceVerdict,
    /// The verdict and its reason in one sentence.
    pub summary: String,
}

/// A sender or a receiver.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum ReachabilityPeer {
    /// An interface in the VPC.
    Interface {
        /// The interface.
        #[schema(inline = false)]
        value: TraceInterface,
    },
    /// Addresses outside of the VPC.
    Outside {
        /// The network that rules or routes name; null for all addresses that they do not name.
        #[schema(value_type = Option<String>, required = true)]
        network: Option<IpNet>,
        /// The address that was tried.
        #[schema(value_type = String, format = "ip")]
        address: IpAddr,
    },
}
