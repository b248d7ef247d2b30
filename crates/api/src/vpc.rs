//! VPCs: private networks of a project (`docs/rules/networking.md#vpcs`).

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    identity::{IdentityCreate, IdentityUpdate},
    page::Listed,
    scalar::{Description, Ipv6Net, Name, NameOrId},
};

/// A private network of a project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Vpc {
    /// The ID, which never changes.
    pub id: Uuid,
    /// The name, unique in the project.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// When it was created.
    pub time_created: Timestamp,
    /// When it was last changed by a person.
    pub time_modified: Timestamp,
    /// The project it belongs to.
    pub project_id: Uuid,
    /// The router whose routes apply to every subnet.
    pub system_router_id: Uuid,
    /// The unique-local prefix, 48 bits wide, of the IPv6 blocks of its subnets.
    pub ipv6_prefix: Ipv6Net,
    /// The name under which its instances find each other.
    pub dns_name: Name,
}

impl Listed for Vpc {
    fn id(&self) -> Uuid {
        self.id
    }

    fn name(&self) -> &str {
        self.name.as_str()
    }
}

/// A VPC to be created. A default subnet, the system router, firewall rules and a gateway come with it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct VpcCreate {
    /// Name and description.
    #[serde(flatten)]
    pub identity: IdentityCreate,
    /// A unique-local prefix, 48 bits wide; absent means a random one.
    #[serde(default)]
    pub ipv6_prefix: Option<Ipv6Net>,
    /// The name under which its instances find each other.
    #[schema(inline = false)]
    pub dns_name: Name,
}

/// A change to a VPC; what is absent stays.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct VpcUpdate {
    /// Name and description.
    #[serde(flatten)]
    pub identity: IdentityUpdate,
    /// The name under which its instances find each other.
    #[serde(default)]
    pub dns_name: Option<Name>,
}

/// The path of one VPC.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct VpcPath {
    /// Name or id of the VPC.
    pub vpc: NameOrId,
}

/// The VPC that something new is put in, or that is listed.
#[derive(Clone, Debug, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct VpcSelector {
    /// Name or id of the VPC.
    pub vpc: NameOrId,
    /// Name or id of the project. Required with the name of a VPC, forbidden with its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<NameOrId>,
}

/// The VPC within which a name in the path is meant. Required with a name, forbidden with an id.
#[derive(Clone, Debug, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct OptionalVpcSelector {
    /// Name or id of the VPC.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vpc: Option<NameOrId>,
    /// Name or id of the project. Required with the name of a VPC, forbidden with its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<NameOrId>,
}
