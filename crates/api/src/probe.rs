//! Probes: end points that test a network from a sled of one's choice (`docs/rules/networking.md#probes`).

use std::net::IpAddr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    identity::IdentityCreate,
    page::Listed,
    scalar::{Description, IpNet, MacAddr, Name, NameOrId, Vni},
};

/// A probe.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Probe {
    /// The ID, which never changes.
    pub id: Uuid,
    /// The name, unique in the project.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// When it was created.
    pub time_created: Timestamp,
    /// When it last changed.
    pub time_modified: Timestamp,
    /// The sled it is on.
    pub sled: Uuid,
}

/// A probe to be created.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ProbeCreate {
    /// Name and description.
    #[serde(flatten)]
    pub identity: IdentityCreate,
    /// The sled it is to be on.
    pub sled: Uuid,
    /// The pool to draw an external address from; absent means the silo's default pool.
    #[serde(default)]
    pub ip_pool: Option<NameOrId>,
}

/// A probe with its addresses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ProbeInfo {
    /// The ID, which never changes.
    pub id: Uuid,
    /// The name, unique in the project.
    pub name: Name,
    /// The sled it is on.
    pub sled: Uuid,
    /// Addresses that lead to it from outside.
    pub external_ips: Vec<ProbeExternalIp>,
    /// Its place in a VPC.
    pub interface: NetworkInterface,
}

impl Listed for ProbeInfo {
    fn id(&self) -> Uuid {
        self.id
    }

    fn name(&self) -> &str {
        self.name.as_str()
    }
}

/// What an external address of a probe is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProbeExternalIpKind {
    /// It is sent from, by way of some of its ports.
    Snat,
    /// It outlives what it leads to.
    Floating,
    /// It is there for as long as what it leads to.
    Ephemeral,
}

/// An external address of a probe.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ProbeExternalIp {
    /// The address.
    #[schema(value_type = String, format = "ip")]
    pub ip: IpAddr,
    /// The first port.
    pub first_port: u16,
    /// The last port.
    pub last_port: u16,
    /// What it is for.
    pub kind: ProbeExternalIpKind,
}

/// What a network interface is part of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum NetworkInterfaceKind {
    /// An instance.
    Instance {
        /// Its id.
        id: Uuid,
    },
    /// A service of the system.
    Service {
        /// Its id.
        id: Uuid,
    },
    /// A probe.
    Probe {
        /// Its id.
        id: Uuid,
    },
}

/// A network interface as the network itself knows it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct NetworkInterface {
    /// The ID, which never changes.
    pub id: Uuid,
    /// What it is part of.
    pub kind: NetworkInterfaceKind,
    /// The name, unique among those of the same thing.
    pub name: Name,
    /// Its address in the subnet.
    #[schema(value_type = String, format = "ip")]
    pub ip: IpAddr,
    /// Its hardware address.
    pub mac: MacAddr,
    /// The block of the subnet that the address is from.
    pub subnet: IpNet,
    /// The number of the VPC on the wire.
    pub vni: Vni,
    /// Whether it is the one that external addresses lead to.
    pub primary: bool,
    /// Its place among those of the same thing.
    pub slot: u8,
    /// Further networks that it may send from and is sent to.
    #[serde(default)]
    pub transit_ips: Vec<IpNet>,
}

/// The path of one probe.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct ProbePath {
    /// Name or id of the probe.
    pub probe: NameOrId,
}
