//! What becomes of a packet in a VPC: an operation beside the contract (`docs/rules/networking.md`).

use std::{net::IpAddr, num::NonZeroU16};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{
    reachability::NetworkChanges,
    scalar::{Name, NameOrId},
};

/// A packet to trace: the first of a connection.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct TraceRequest {
    /// The sender.
    pub source: TraceSource,
    /// The source address, if it is not the interface's own address. Only with an instance or an interface.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = "ip")]
    pub source_ip: Option<IpAddr>,
    /// The destination.
    pub destination: TraceDestination,
    /// The protocol.
    pub protocol: TraceProtocol,
    /// The destination's port, 1 to 65535. Required with TCP and UDP, forbidden otherwise.
    #[serde(default)]
    #[schema(value_type = Option<u16>, minimum = 1)]
    pub port: Option<NonZeroU16>,
    /// The message of ICMP; absent means an echo request. Forbidden with other protocols.
    #[serde(default)]
    pub icmp: Option<TraceIcmp>,
    /// Changes of the VPC to trace the packet after; absent means the VPC as it is.
    #[serde(default)]
    pub changes: Option<NetworkChanges>,
}

/// The sender of a packet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum TraceSource {
    /// The primary interface of an instance.
    Instance {
        /// The instance, by id or by its name in the VPC's project.
        value: NameOrId,
    },
    /// An interface of the VPC.
    Interface {
        /// Its id.
        value: Uuid,
    },
    /// The interface of the VPC with an address; if there is none, a sender outside.
    Ip {
        /// The address.
        #[schema(value_type = String, format = "ip")]
        value: IpAddr,
    },
}

/// The destination of a packet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum TraceDestination {
    /// The primary interface of an instance; from outside its floating, or else its ephemeral address.
    Instance {
        /// The instance, by id or by its name in the VPC's project.
        value: NameOrId,
    },
    /// To an address.
    Ip {
        /// The address.
        #[schema(value_type = String, format = "ip")]
        value: IpAddr,
    },
}

/// The protocol of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TraceProtocol {
    /// TCP.
    Tcp,
    /// UDP.
    Udp,
    /// ICMP.
    Icmp,
    /// Anything else, which no rule can name.
    Other,
}

/// An ICMP message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TraceIcmp {
    /// Its type.
    pub icmp_type: u8,
    /// Its code.
    pub code: u8,
}

/// The verdict about a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TraceVerdict {
    /// It passes, and so does what answers it.
    Allowed,
    /// A rule, a route or a check drops it.
    Denied,
    /// It leads nowhere.
    Unreachable,
}

/// The kind of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TraceStepKind {
    /// May it come from where it says?
    SourceCheck,
    /// What do the sender's outbound rules say?
    OutboundFirewall,
    /// Where does it go?
    Route,
    /// With which external address does it leave?
    Gateway,
    /// Which of its addresses is replaced?
    Nat,
    /// Does the receiver take packets to this address?
    DestinationCheck,
    /// What do the receiver's inbound rules say?
    InboundFirewall,
    /// Where does it come out?
    Delivery,
}

/// The result of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum TraceResult {
    /// It gets past.
    Passed,
    /// It is dropped here.
    Denied,
    /// It leads nowhere from here.
    Unreachable,
}

/// The trace of a packet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Trace {
    /// The verdict.
    pub verdict: TraceVerdict,
    /// The verdict and its reason in one sentence.
    pub summary: String,
    /// The source address that it is sent with.
    #[schema(value_type = String, format = "ip")]
    pub source: IpAddr,
    /// The destination address that it is sent to.
    #[schema(value_type = String, format = "ip")]
    pub destination: IpAddr,
    /// The steps of the packet, in order. If the packet is stopped, the last step says why.
    pub steps: Vec<TraceStep>,
}

/// One step of a packet. Fields that do not apply are null.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TraceStep {
    /// The kind of step.
    pub kind: TraceStepKind,
    /// The result.
    pub result: TraceResult,
    /// The result as text.
    pub text: String,
    /// The firewall rule that decided; null if none fits, which passes what is sent and drops what is received.
    #[schema(required = true)]
    pub rule: Option<TraceObject>,
    /// The route that was taken.
    #[schema(required = true)]
    pub route: Option<TraceRoute>,
    /// The gateway that it leaves by.
    #[schema(required = true)]
    pub gateway: Option<TraceObject>,
    /// The subnet whose routes count.
    #[schema(required = true)]
    pub subnet: Option<TraceObject>,
    /// The interface that it is about.
    #[schema(required = true)]
    pub interface: Option<TraceInterface>,
    /// The next hop of a route, or the external address that is replaced by or replaces another one.
    #[schema(value_type = Option<String>, format = "ip", required = true)]
    pub address: Option<IpAddr>,
}

/// Something with a name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TraceObject {
    /// Its id.
    pub id: Uuid,
    /// Its name.
    pub name: Name,
}

/// A route.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TraceRoute {
    /// Its id.
    pub id: Uuid,
    /// Its name.
    pub name: Name,
    /// The router of the route.
    pub router: TraceObject,
}

/// A network interface.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TraceInterface {
    /// Its id.
    pub id: Uuid,
    /// Its name.
    pub name: Name,
    /// Its address in the VPC.
    #[schema(value_type = String, format = "ip")]
    pub ip: IpAddr,
    /// The instance that has it; null for one of a probe.
    #[schema(required = true)]
    pub instance: Option<TraceObject>,
}
