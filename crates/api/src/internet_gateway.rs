//! Internet gateways of VPCs (`docs/rules/networking.md#internet-gateways`).

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

/// A way out of a VPC.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct InternetGateway {
    /// The ID, which never changes.
    pub id: Uuid,
    /// The name, unique in the VPC.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// When it was created.
    pub time_created: Timestamp,
    /// When it was last changed.
    pub time_modified: Timestamp,
    /// The VPC it belongs to.
    pub vpc_id: Uuid,
}

impl Listed for InternetGateway {
    fn id(&self) -> Uuid {
        self.id
    }

    fn name(&self) -> &str {
        self.name.as_str()
    }
}

/// A gateway to be created, without pools and addresses.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct InternetGatewayCreate {
    /// Name and description.
    #[serde(flatten)]
    pub identity: IdentityCreate,
}

/// A pool whose addresses leave by a gateway.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct InternetGatewayIpPool {
    /// The ID, which never changes.
    pub id: Uuid,
    /// The name, unique on the gateway.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// When it was created.
    pub time_created: Timestamp,
    /// When it was last changed.
    pub time_modified: Timestamp,
    /// The gateway.
    pub internet_gateway_id: Uuid,
    /// The pool.
    pub ip_pool_id: Uuid,
}

impl Listed for InternetGatewayIpPool {
    fn id(&self) -> Uuid {
        self.id
    }

    fn name(&self) -> &str {
        self.name.as_str()
    }
}

/// A pool to be attached to a gateway.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct InternetGatewayIpPoolCreate {
    /// Name and description.
    #[serde(flatten)]
    pub identity: IdentityCreate,
    /// Name or id of the pool, which the silo must be linked to.
    #[schema(inline = false)]
    pub ip_pool: NameOrId,
}

/// An address that leaves by a gateway.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct InternetGatewayIpAddress {
    /// The ID, which never changes.
    pub id: Uuid,
    /// The name, unique on the gateway.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// When it was created.
    pub time_created: Timestamp,
    /// When it was last changed.
    pub time_modified: Timestamp,
    /// The gateway.
    pub internet_gateway_id: Uuid,
    /// The address.
    #[schema(value_type = String, format = "ip")]
    pub address: IpAddr,
}

impl Listed for InternetGatewayIpAddress {
    fn id(&self) -> Uuid {
        self.id
    }

    fn name(&self) -> &str {
        self.name.as_str()
    }
}

/// An address to be attached to a gateway.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct InternetGatewayIpAddressCreate {
    /// Name and description.
    #[serde(flatten)]
    pub identity: IdentityCreate,
    /// The address, of whatever pool or none.
    #[schema(value_type = String, format = "ip")]
    pub address: IpAddr,
}

/// The path of one gateway.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct InternetGatewayPath {
    /// Name or id of the gateway.
    pub gateway: NameOrId,
}

/// The path of one attached pool.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct GatewayPoolPath {
    /// Name or id of the attachment.
    pub pool: NameOrId,
}

/// The path of one attached address.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct GatewayAddressPath {
    /// Name or id of the attachment.
    pub address: NameOrId,
}

/// The gateway that something new is put on, or that is listed.
#[derive(Clone, Debug, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct GatewaySelector {
    /// Name or id of the gateway.
    pub gateway: NameOrId,
    /// Name or id of the VPC. Required with the name of a gateway, forbidden with its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vpc: Option<NameOrId>,
    /// Name or id of the project. Required with the name of a VPC, forbidden with its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<NameOrId>,
}

/// The gateway on which a name in the path is meant. Required with a name, forbidden with an id.
#[derive(Clone, Debug, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct OptionalGatewaySelector {
    /// Name or id of the gateway.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gateway: Option<NameOrId>,
    /// Name or id of the VPC. Required with the name of a gateway, forbidden with its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vpc: Option<NameOrId>,
    /// Name or id of the project. Required with the name of a VPC, forbidden with its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<NameOrId>,
}

/// Whether what depends on something goes with it.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct CascadeSelector {
    /// True removes what depends on it too; otherwise it is refused while there is any.
    #[serde(default)]
    #[param(required = false)]
    pub cascade: bool,
}
