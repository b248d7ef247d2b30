use std::net::IpAddr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use super::{BgpPeer, LinkFec, LinkSpeed, SwitchPortGeometry, TxEqConfig};
use crate::{
    lldp::LldpLinkConfig,
    page::Listed,
    scalar::{Description, IpNet, Name},
};

/// Settings of ports, as lists show them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SwitchPortSettingsIdentity {
    /// The ID, which never changes.
    pub id: Uuid,
    /// The name, unique in the fleet.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// When they were created.
    pub time_created: Timestamp,
    /// When they were last replaced.
    pub time_modified: Timestamp,
}

impl Listed for SwitchPortSettingsIdentity {
    fn id(&self) -> Uuid {
        self.id
    }

    fn name(&self) -> &str {
        self.name.as_str()
    }
}

/// What a port of a switch runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SwitchPortSettings {
    /// Name, description and times.
    #[serde(flatten)]
    pub identity: SwitchPortSettingsIdentity,
    /// Settings that these are built on: none.
    pub groups: Vec<SwitchPortSettingsGroups>,
    /// The port itself.
    pub port: SwitchPortConfig,
    /// The links.
    pub links: Vec<SwitchPortLinkConfig>,
    /// The interfaces.
    pub interfaces: Vec<SwitchInterfaceConfig>,
    /// What more there is to interfaces that are VLANs.
    pub vlan_interfaces: Vec<SwitchVlanInterfaceConfig>,
    /// The routes.
    pub routes: Vec<SwitchPortRouteConfig>,
    /// The BGP peers.
    pub bgp_peers: Vec<BgpPeer>,
    /// The addresses.
    pub addresses: Vec<SwitchPortAddressView>,
}

/// Settings that others are built on.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SwitchPortSettingsGroups {
    /// The settings.
    pub port_settings_id: Uuid,
    /// What they are built on.
    pub port_settings_group_id: Uuid,
}

/// A port's own settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SwitchPortConfig {
    /// The settings that this is part of.
    pub port_settings_id: Uuid,
    /// How its lanes are put together.
    #[schema(inline = false)]
    pub geometry: SwitchPortGeometry,
}

/// A link of a port.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SwitchPortLinkConfig {
    /// The settings that this is part of.
    pub port_settings_id: Uuid,
    /// Its name, unique in the settings.
    pub link_name: Name,
    /// The largest packet that it carries, in bytes.
    pub mtu: u16,
    /// How its errors are corrected; null means that the switch decides.
    pub fec: Option<LinkFec>,
    /// How fast it is.
    #[schema(inline = false)]
    pub speed: LinkSpeed,
    /// Whether it agrees with the other side on how to speak.
    pub autoneg: bool,
    /// What it says of itself to the other side.
    pub lldp_link_config: Option<LldpLinkConfig>,
    /// How its transmitter shapes the signal.
    pub tx_eq_config: Option<TxEqConfig>,
}

/// An interface on a link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SwitchInterfaceConfig {
    /// The settings that this is part of.
    pub port_settings_id: Uuid,
    /// The id, until the settings are replaced.
    pub id: Uuid,
    /// The name of its link.
    pub interface_name: Name,
    /// Whether it has IPv6 addresses.
    pub v6_enabled: bool,
    /// What it is.
    #[schema(inline = false)]
    pub kind: SwitchInterfaceConfigKind,
}

/// What an interface is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SwitchInterfaceConfigKind {
    /// The link as it is.
    Primary,
    /// A VLAN on the link.
    Vlan,
    /// An interface without a link.
    Loopback,
}

/// The VLAN of an interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SwitchVlanInterfaceConfig {
    /// The interface.
    pub interface_config_id: Uuid,
    /// The VLAN's number.
    pub vlan_id: u16,
}

/// A way to a network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SwitchPortRouteConfig {
    /// The settings that this is part of.
    pub port_settings_id: Uuid,
    /// The link.
    pub interface_name: Name,
    /// The network.
    pub dst: IpNet,
    /// The address that packets go to next.
    #[schema(value_type = String, format = "ip")]
    pub gw: IpAddr,
    /// The VLAN in which the gateway is.
    pub vlan_id: Option<u16>,
    /// Of several routes to a network, the one with the greatest priority is taken.
    pub rib_priority: Option<u8>,
}

/// An address of a link.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SwitchPortAddressView {
    /// The settings that this is part of.
    pub port_settings_id: Uuid,
    /// The lot that it is taken from.
    pub address_lot_id: Uuid,
    /// The lot's name.
    pub address_lot_name: Name,
    /// The block of the lot that it is in.
    pub address_lot_block_id: Uuid,
    /// The address, and the width of its network's prefix.
    pub address: IpNet,
    /// The VLAN in which it is.
    pub vlan_id: Option<u16>,
    /// The link.
    pub interface_name: Name,
}
