//! What becomes of a packet in a VPC: an operation beside the contract (`docs/rules/networking.md`).

use std::{net::IpAddr, num::NonZeroU16};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::scalar::{Name, NameOrId};

/// A packet whose way is asked for: the first of an exchange.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct TraceRequest {
    /// Who sends it.
    pub source: TraceSource,
    /// What it says it comes from, if not from the interface's own address. Only with an instance or an interface.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = "ip")]
    pub source_ip: Option<IpAddr>,
    /// Where it goes.
    pub destination: TraceDestination,
    /// What it carries.
    pub protocol: TraceProtocol,
    /// The destination's port, 1 to 65535. Required with TCP and UDP, forbidden otherwise.
    #[serde(default)]
    #[schema(value_type = Option<u16>, minimum = 1)]
    pub port: Option<NonZeroU16>,
    /// The message of ICMP; absent means an echo request. Forbidden with other protocols.
    #[serde(default)]
    pub icmp: Option<TraceIcmp>,
}

/// Who sends a packet.
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
    /// The interface of the VPC that has an address; if none has, somebody outside.
    Ip {
        /// The address.
        #[schema(value_type = String, format = "ip")]
        value: IpAddr,
    },
}

/// Where a packet goes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum TraceDestination {
    /// To the primary interface of an instance; from outside to its floating, or else its ephemeral address.
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

/// What a packet carries.
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

/// A message of ICMP.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TraceIcmp {
    /// Its type.
    pub icmp_type: u8,
    /// Its code.
    pub code: u8,
}

/// What became of a packet.
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

/// What a step asks.
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

/// What a step says.
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

/// The way of a packet.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Trace {
    /// What became of it.
    pub verdict: TraceVerdict,
    /// That, and what decided, in one sentence.
    pub summary: String,
    /// The source address that it is sent with.
    #[schema(value_type = String, format = "ip")]
    pub source: IpAddr,
    /// The destination address that it is sent to.
    #[schema(value_type = String, format = "ip")]
    pub destination: IpAddr,
    /// What was asked on the way, in order. All were passed but perhaps the last, which decided.
    pub steps: Vec<TraceStep>,
}

/// One step on the way of a packet. What does not apply is null.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TraceStep {
    /// What it asks.
    pub kind: TraceStepKind,
    /// What it says.
    pub result: TraceResult,
    /// That in words.
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
    /// Where a route sends to, or the external address in place of which, or that in place of another, is put.
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
    /// The router that has it.
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
