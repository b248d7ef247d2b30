use std::net::IpAddr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{BgpPeerConfig, LinkFec, LinkSpeed, SwitchPortGeometry, TxEqConfig};
use crate::{
    identity::IdentityCreate,
    lldp::LldpLinkConfigCreate,
    scalar::{IpNet, Name, NameOrId},
};

/// Settings to be created, or to stand in the place of those of that name.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct SwitchPortSettingsCreate {
    /// Name and description.
    #[serde(flatten)]
    pub identity: IdentityCreate,
    /// The port itself.
    pub port_config: SwitchPortConfigCreate,
    /// Settings that these are built on: of no effect.
    #[serde(default)]
    pub groups: Vec<NameOrId>,
    /// The links, by name.
    pub links: Vec<LinkConfigCreate>,
    /// The interfaces, by the names of their links.
    #[serde(default)]
    pub interfaces: Vec<SwitchInterfaceConfigCreate>,
    /// The routes of each link.
    #[serde(default)]
    pub routes: Vec<RouteConfig>,
    /// The BGP peers of each link.
    #[serde(default)]
    pub bgp_peers: Vec<BgpPeerConfig>,
    /// The addresses of each link.
    pub addresses: Vec<AddressConfig>,
}

/// A port's own settings.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
pub struct SwitchPortConfigCreate {
    /// How its lanes are put together.
    #[schema(inline = false)]
    pub geometry: SwitchPortGeometry,
}

/// A link of a port.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct LinkConfigCreate {
    /// Its name, unique in the settings.
    pub link_name: Name,
    /// The largest packet that it carries, in bytes.
    pub mtu: u16,
    /// What it says of itself to the other side.
    pub lldp: LldpLinkConfigCreate,
    /// How its errors are corrected; absent means that the switch decides.
    #[serde(default)]
    pub fec: Option<LinkFec>,
    /// How fast it is.
    #[schema(inline = false)]
    pub speed: LinkSpeed,
    /// Whether it agrees with the other side on how to speak.
    pub autoneg: bool,
    /// How its transmitter shapes the signal.
    #[serde(default)]
    pub tx_eq: Option<TxEqConfig>,
}

/// An interface on a link.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct SwitchInterfaceConfigCreate {
    /// The link, which has one interface at most.
    pub link_name: Name,
    /// Whether it has IPv6 addresses.
    pub v6_enabled: bool,
    /// What it is.
    #[schema(inline = false)]
    pub kind: SwitchInterfaceKind,
}

/// What an interface is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum SwitchInterfaceKind {
    /// The link as it is.
    Primary,
    /// A VLAN on the link.
    Vlan {
        /// The VLAN's number.
        vid: u16,
    },
    /// An interface without a link.
    Loopback,
}

/// Routes of one link.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct RouteConfig {
    /// The link.
    pub link_name: Name,
    /// The routes, which differ in destination or gateway.
    pub routes: Vec<Route>,
}

/// A way to a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Route {
    /// The network.
    pub dst: IpNet,
    /// The address that packets go to next.
    #[schema(value_type = String, format = "ip")]
    pub gw: IpAddr,
    /// The VLAN in which the gateway is.
    #[serde(default)]
    pub vid: Option<u16>,
    /// Of several routes to a network, the one with the greatest priority is taken.
    #[serde(default)]
    pub rib_priority: Option<u8>,
}

/// Addresses of one link.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct AddressConfig {
    /// The link.
    pub link_name: Name,
    /// The addresses.
    pub addresses: Vec<Address>,
}

/// An address of a link.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Address {
    /// Name or id of the address lot that it is taken from.
    pub address_lot: NameOrId,
    /// The address, and the width of its network's prefix.
    pub address: IpNet,
    /// The VLAN in which it is.
    #[serde(default)]
    pub vlan_id: Option<u16>,
}
