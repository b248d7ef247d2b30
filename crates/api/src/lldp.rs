//! The Link Layer Discovery Protocol on the ports of switches (`docs/rules/networking.md#lldp`).

use std::net::IpAddr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{
    IntoParams, PartialSchema, ToSchema,
    openapi::{
        ObjectBuilder, RefOr, SchemaFormat,
        schema::{AdditionalProperties, OneOfBuilder, Schema, Type},
    },
};
use uuid::Uuid;

use crate::scalar::Name;

/// What a switch says of itself on a link. What is absent is left to the switch.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LldpLinkConfigCreate {
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
    #[schema(value_type = Option<String>, format = "ip")]
    pub management_ip: Option<IpAddr>,
}

/// What a switch says of itself on a link that exists.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LldpLinkConfig {
    /// The id, until the settings of the port are replaced.
    pub id: Uuid,
    /// The result.
    #[serde(flatten)]
    pub config: LldpLinkConfigCreate,
}

/// What the other side of a link says of itself.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LldpNeighbor {
    /// The port on this side.
    pub local_port: String,
    /// When it was first heard.
    pub first_seen: Timestamp,
    /// When it was last heard.
    pub last_seen: Timestamp,
    /// The name of the link on the other side.
    pub link_name: String,
    /// What the link is for.
    pub link_description: Option<String>,
    /// What identifies the other side.
    pub chassis_id: String,
    /// Its name.
    pub system_name: Option<String>,
    /// What it is.
    pub system_description: Option<String>,
    /// The addresses under which it is managed.
    pub management_ip: Vec<ManagementAddress>,
}

/// An address under which something is managed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ManagementAddress {
    /// The address.
    #[schema(inline = false)]
    pub addr: NetworkAddress,
    /// The interface that has it.
    #[schema(inline = false)]
    pub interface_num: InterfaceNum,
    /// The object identifier of what answers there.
    pub oid: Option<Vec<u8>>,
}

/// An address in a network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum NetworkAddress {
    /// An IP address.
    IpAddr(IpAddr),
    /// A hardware address.
    #[serde(rename = "i_e_e_e802")]
    Ieee802(Vec<u8>),
}

impl PartialSchema for NetworkAddress {
    fn schema() -> RefOr<Schema> {
        let ip = ObjectBuilder::new()
            .schema_type(Type::String)
            .format(Some(SchemaFormat::Custom("ip".to_owned())))
            .description(Some("An IP address."));
        let only = |name: &str, value: RefOr<Schema>| {
            let closed = Some(AdditionalProperties::FreeForm(false));
            ObjectBuilder::new().property(name, value).required(name).additional_properties(closed)
        };
        OneOfBuilder::new()
            .description(Some("An address in a network."))
            .item(only("ip_addr", ip.into()))
            .item(only("i_e_e_e802", Vec::<u8>::schema()))
            .into()
    }
}

impl ToSchema for NetworkAddress {}

/// The number of an interface, by what kind of number it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum InterfaceNum {
    /// Nobody knows.
    Unknown(u32),
    /// An index of interfaces.
    IfIndex(u32),
    /// A number of a port.
    PortNumber(u32),
}

/// The path of the neighbours of one port.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct LldpPortPath {
    /// The rack.
    pub rack_id: Uuid,
    /// The switch, by its place in the rack.
    pub switch_location: Name,
    /// The port.
    pub port: Name,
}
