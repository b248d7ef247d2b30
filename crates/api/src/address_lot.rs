//! Address lots: addresses for the rack's own network (`docs/rules/networking.md#address-lots`).

use std::net::IpAddr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    identity::IdentityCreate,
    page::Listed,
    scalar::{Description, Name, NameOrId},
};

/// What the addresses of a lot are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AddressLotKind {
    /// The rack's own equipment: ports and loopback interfaces of its switches.
    Infra,
    /// Instances, by way of IP pools.
    Pool,
}

/// Addresses that are given out one by one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AddressLot {
    /// The ID, which never changes.
    pub id: Uuid,
    /// The name, unique in the fleet.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// What the addresses are for.
    #[schema(inline = false)]
    pub kind: AddressLotKind,
    /// When it was created.
    pub time_created: Timestamp,
    /// When it last changed.
    pub time_modified: Timestamp,
}

impl Listed for AddressLot {
    fn id(&self) -> Uuid {
        self.id
    }

    fn name(&self) -> &str {
        self.name.as_str()
    }
}

/// Consecutive addresses of a lot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AddressLotBlock {
    /// The ID, which never changes.
    pub id: Uuid,
    /// The first address.
    #[schema(value_type = String, format = "ip")]
    pub first_address: IpAddr,
    /// The last address, which is in the block too.
    #[schema(value_type = String, format = "ip")]
    pub last_address: IpAddr,
}

impl Listed for AddressLotBlock {
    fn id(&self) -> Uuid {
        self.id
    }

    fn name(&self) -> &'static str {
        ""
    }
}

/// A lot to be created, or to get more blocks if there is one of that name.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct AddressLotCreate {
    /// Name and description. The description of a lot that exists stays.
    #[serde(flatten)]
    pub identity: IdentityCreate,
    /// What the addresses are for. That of a lot that exists stays.
    pub kind: AddressLotKind,
    /// The blocks that the lot is to have, beside those that it has. They may overlap.
    pub blocks: Vec<AddressLotBlockCreate>,
}

/// A block that a lot is to have.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
pub struct AddressLotBlockCreate {
    /// The first address.
    #[schema(value_type = String, format = "ip")]
    pub first_address: IpAddr,
    /// The last address: of the same family, and not before the first.
    #[schema(value_type = String, format = "ip")]
    pub last_address: IpAddr,
}

/// A lot and those of its blocks that were asked for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AddressLotCreateResponse {
    /// The lot.
    pub lot: AddressLot,
    /// The blocks, in the order in which they were asked for.
    pub blocks: Vec<AddressLotBlock>,
}

/// The path of one lot.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct AddressLotPath {
    /// Name or id of the lot.
    pub address_lot: NameOrId,
}
