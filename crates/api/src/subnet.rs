//! Subnets of VPCs (`docs/rules/networking.md#subnets`).

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    identity::{IdentityCreate, IdentityUpdate},
    page::Listed,
    scalar::{Description, Ipv4Net, Ipv6Net, Name, NameOrId},
};

/// A part of a VPC with an address block of each family.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct VpcSubnet {
    /// The ID, which never changes.
    pub id: Uuid,
    /// The name, unique in the VPC.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// When it was created.
    pub time_created: Timestamp,
    /// When it was last changed by a person.
    pub time_modified: Timestamp,
    /// The VPC it belongs to.
    pub vpc_id: Uuid,
    /// The IPv4 block; its first five addresses and the last are not given out.
    pub ipv4_block: Ipv4Net,
    /// The IPv6 block; its first five addresses are not given out.
    pub ipv6_block: Ipv6Net,
    /// The router whose routes go before those of the system router.
    pub custom_router_id: Option<Uuid>,
}

impl Listed for VpcSubnet {
    fn id(&self) -> Uuid {
        self.id
    }

    fn name(&self) -> &str {
        self.name.as_str()
    }
}

/// A subnet to be created.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct VpcSubnetCreate {
    /// Name and description.
    #[serde(flatten)]
    pub identity: IdentityCreate,
    /// The IPv4 block, from a private range, that overlaps no other of the VPC.
    pub ipv4_block: Ipv4Net,
    /// The IPv6 block, 64 bits wide and inside the VPC's prefix; absent means a free one.
    #[serde(default)]
    pub ipv6_block: Option<Ipv6Net>,
    /// A router of the VPC whose routes go before those of the system router.
    #[serde(default)]
    pub custom_router: Option<NameOrId>,
}

/// A change to a subnet. Absent names and descriptions stay; an absent router is detached.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct VpcSubnetUpdate {
    /// Name and description.
    #[serde(flatten)]
    pub identity: IdentityUpdate,
    /// The router whose routes go before those of the system router; absent or null detaches the one that is attached.
    #[serde(default)]
    pub custom_router: Option<NameOrId>,
}

/// The path of one subnet.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct SubnetPath {
    /// Name or id of the subnet.
    pub subnet: NameOrId,
}
