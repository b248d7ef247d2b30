use std::net::IpAddr;

use croft_api::scalar::{Description, IpNet, Name};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{KeyKind, Lookup, Meta, Order, Scope, Table, record, search::Searched};

/// How the lanes of a port are put together to links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SwitchPortGeometry {
    /// One link of a QSFP28 module.
    Qsfp28x1,
    /// Two links of a QSFP28 module.
    Qsfp28x2,
    /// Four links of SFP28 modules.
    Sfp28x4,
}

/// How errors of a link are corrected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LinkFec {
    /// By a fire code.
    Firecode,
    /// Not at all.
    None,
    /// By a Reed-Solomon code.
    Rs,
}

/// How fast a link is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LinkSpeed {
    /// Not at all.
    Speed0G,
    /// 1 Gbit/s.
    Speed1G,
    /// 10 Gbit/s.
    Speed10G,
    /// 25 Gbit/s.
    Speed25G,
    /// 40 Gbit/s.
    Speed40G,
    /// 50 Gbit/s.
    Speed50G,
    /// 100 Gbit/s.
    Speed100G,
    /// 200 Gbit/s.
    Speed200G,
    /// 400 Gbit/s.
    Speed400G,
}

/// How a transmitter shapes its signal. What is absent is left to the switch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TxEqConfig {
    /// The first tap before the main one.
    #[serde(default)]
    pub pre1: Option<i32>,
    /// The second tap before the main one.
    #[serde(default)]
    pub pre2: Option<i32>,
    /// The main tap.
    #[serde(default)]
    pub main: Option<i32>,
    /// The second tap after the main one.
    #[serde(default)]
    pub post2: Option<i32>,
    /// The first tap after the main one.
    #[serde(default)]
    pub post1: Option<i32>,
}

/// What a switch says of itself on a link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LldpLinkConfig {
    /// The id, until the settings of the port are replaced.
    pub id: Uuid,
    /// What it says.
    #[serde(flatten)]
    pub config: LldpLinkContent,
}

/// What a switch says of itself. What is absent is left to the switch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct LldpLinkContent {
    /// Whether it says anything, and listens to the other side.
    pub enabled: bool,
    /// The name of the link.
    #[serde(default)]
    pub link_name: Option<String>,
    /// What the link is for.
    #[serde(default)]
    pub link_description: Option<String>,
    /// What identifies the switch.
    #[serde(default)]
    pub chassis_id: Option<String>,
    /// The name of the switch.
    #[serde(default)]
    pub system_name: Option<String>,
    /// What the switch is.
    #[serde(default)]
    pub system_description: Option<String>,
    /// The address under which the switch is managed.
    #[serde(default)]
    pub management_ip: Option<IpAddr>,
}

/// What an interface is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
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

/// A way to a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StaticRoute {
    /// The network.
    pub dst: IpNet,
    /// The address that packets go to next.
    pub gw: IpAddr,
    /// The VLAN in which the gateway is.
    #[serde(default)]
    pub vid: Option<u16>,
    /// Of several routes to a network, the one with the greatest priority is taken.
    #[serde(default)]
    pub rib_priority: Option<u8>,
}

/// How a BGP peer is spoken to. Times are in seconds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BgpSession {
    /// The peer's address.
    pub addr: IpAddr,
    /// The session ends when nothing was heard for so long.
    pub hold_time: u32,
    /// Wait so long after a session has ended.
    pub idle_hold_time: u32,
    /// Wait so long before the session is opened.
    pub delay_open: u32,
    /// Try to connect so often.
    pub connect_retry: u32,
    /// Tell the peer so often that the session is alive.
    pub keepalive: u32,
    /// The autonomous system number that the peer must have; absent means any.
    #[serde(default)]
    pub remote_asn: Option<u32>,
    /// The smallest time to live that packets of the peer may have; absent means any.
    #[serde(default)]
    pub min_ttl: Option<u8>,
    /// The key of TCP MD5 signatures, sealed with the server's secret key; absent means none are used.
    #[serde(default)]
    pub md5_auth_key: Option<String>,
    /// The multi-exit discriminator of routes told to the peer.
    #[serde(default)]
    pub multi_exit_discriminator: Option<u32>,
    /// The communities of routes told to the peer.
    pub communities: Vec<u32>,
    /// The local preference of routes heard of the peer.
    #[serde(default)]
    pub local_pref: Option<u32>,
    /// Whether the peer's own number must come first in the paths that it tells.
    pub enforce_first_as: bool,
    /// Which routes are taken from the peer.
    pub allowed_import: ImportExportPolicy,
    /// Which routes are told to the peer.
    pub allowed_export: ImportExportPolicy,
    /// The VLAN in which the peer is.
    #[serde(default)]
    pub vlan_id: Option<u16>,
}

/// Which routes pass.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", content = "value", rename_all = "snake_case")]
pub enum ImportExportPolicy {
    /// All.
    NoFiltering,
    /// Those to these networks.
    Allow(Vec<IpNet>),
}

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
        search: Searched::named(&settings.name, &settings.description);
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
    pub route: StaticRoute,
}

/// A BGP peer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SwitchPortBgpPeer {
    /// The [configuration](super::BgpConfig) under which it is spoken to.
    pub bgp_config_id: Uuid,
    /// The link.
    pub interface_name: Name,
    /// How it is spoken to.
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
