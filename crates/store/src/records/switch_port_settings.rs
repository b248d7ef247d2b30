use croft_api::{
    lldp::LldpLinkConfig,
    scalar::{Description, IpNet, Name},
    switch_port_settings::{
        BgpSession, LinkFec, LinkSpeed, Route, SwitchInterfaceKind, SwitchPortGeometry, TxEqConfig,
    },
};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{KeyKind, Lookup, Meta, Order, Scope, Table, record};

/// What ports of switches run, which is replaced as a whole.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SwitchPortSettings {
    /// Bookkeeping.
    pub meta: Meta,
    /// Unique in the fleet.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// How the lanes of the port are put together.
    pub geometry: SwitchPortGeometry,
    /// The links, whose names differ.
    pub links: Vec<SwitchPortLink>,
    /// The interfaces, whose names differ.
    pub interfaces: Vec<SwitchPortInterface>,
    /// The routes.
    pub routes: Vec<SwitchPortRoute>,
    /// The BGP peers.
    pub bgp_peers: Vec<SwitchPortBgpPeer>,
    /// The addresses, each of which is [reserved](super::AddressReservation).
    pub addresses: Vec<SwitchPortAddress>,
}

record! {
    SwitchPortSettings as settings {
        table: Table::named("switch_port_settings");
        name: Some(settings.name.as_str());
        scope: Scope::FLEET;
    }
}

/// A link of a port.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SwitchPortLink {
    /// Its name.
    pub name: Name,
    /// The largest packet that it carries, in bytes.
    pub mtu: u16,
    /// How its errors are corrected; none means that the switch decides.
    pub fec: Option<LinkFec>,
    /// How fast it is.
    pub speed: LinkSpeed,
    /// Whether it agrees with the other side on how to speak.
    pub autoneg: bool,
    /// What it says of itself to the other side.
    pub lldp: LldpLinkConfig,
    /// How its transmitter shapes the signal.
    pub tx_eq: Option<TxEqConfig>,
}

/// An interface on a link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SwitchPortInterface {
    /// Its id.
    pub id: Uuid,
    /// The name of its link.
    pub name: Name,
    /// Whether it has IPv6 addresses.
    pub v6_enabled: bool,
    /// What it is.
    pub kind: SwitchInterfaceKind,
}

/// A way to a network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SwitchPortRoute {
    /// The link.
    pub interface_name: Name,
    /// The way.
    pub route: Route,
}

/// A BGP peer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SwitchPortBgpPeer {
    /// The [configuration](super::BgpConfig) under which it is spoken to.
    pub bgp_config_id: Uuid,
    /// The link.
    pub interface_name: Name,
    /// How it is spoken to. Its key is sealed with the server's secret key.
    pub session: BgpSession,
}

/// An address of a link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SwitchPortAddress {
    /// The link.
    pub interface_name: Name,
    /// The address, and the width of its network's prefix.
    pub address: IpNet,
    /// The VLAN in which it is.
    pub vlan_id: Option<u16>,
    /// The lot that it is taken from.
    pub address_lot_id: Uuid,
    /// The block of the lot that it is in.
    pub address_lot_block_id: Uuid,
}

/// A BGP configuration that some peers of some settings are spoken to under.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SwitchPortBgpConfig {
    /// Bookkeeping.
    pub meta: Meta,
    /// The settings.
    pub port_settings_id: Uuid,
    /// The configuration.
    pub bgp_config_id: Uuid,
}

record! {
    SwitchPortBgpConfig as link {
        table: Table::new("switch_port_bgp_config").by_parent(&[Order::Id]);
        parent: link.port_settings_id;
        scope: Scope::FLEET;
        lookups: {
            /// The settings that use a configuration.
            BGP_CONFIG: Lookup::new("bgp_config_id", KeyKind::Id) = link.bgp_config_id;
        }
    }
}
