//! Loopback addresses of switches (`docs/rules/networking.md#loopback-addresses`).

use std::net::IpAddr;

use serde::{Deserialize, Deserializer, Serialize, de::Error as _};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    page::Listed,
    scalar::{IpNet, Name, NameOrId, SwitchLocation},
};

/// An address of a switch itself, on none of its ports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LoopbackAddress {
    /// The ID, which never changes.
    pub id: Uuid,
    /// The block of an address lot that it is taken from.
    pub address_lot_block_id: Uuid,
    /// The rack.
    pub rack_id: Uuid,
    /// The switch, by its place in the rack.
    #[schema(value_type = String)]
    pub switch_location: SwitchLocation,
    /// The address, and the width of its network's prefix.
    pub address: IpNet,
}

impl Listed for LoopbackAddress {
    fn id(&self) -> Uuid {
        self.id
    }

    fn name(&self) -> &'static str {
        ""
    }
}

/// An address that a switch is to have.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct LoopbackAddressCreate {
    /// Name or id of the address lot that it is taken from.
    pub address_lot: NameOrId,
    /// The rack.
    pub rack_id: Uuid,
    /// The switch, by its place in the rack: `switch0` or `switch1`.
    pub switch_location: Name,
    /// The address.
    #[schema(value_type = String, format = "ip")]
    pub address: IpAddr,
    /// The width of the prefix of its network, in bits: at most 32 for IPv4 and 128 for IPv6.
    pub mask: u8,
    /// Whether other switches may have the same address.
    pub anycast: bool,
}

/// The path of one loopback address.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct LoopbackAddressPath {
    /// The rack.
    pub rack_id: Uuid,
    /// The switch, by its place in the rack.
    pub switch_location: Name,
    /// The address.
    #[param(value_type = String, format = "ip")]
    pub address: IpAddr,
    /// The width of the prefix of its network, in bits.
    #[serde(deserialize_with = "number_in_text")]
    pub subnet_mask: u8,
}

/// Reads a number of a path, whose parameters are texts.
fn number_in_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u8, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
}
