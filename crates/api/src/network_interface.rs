//! Network interfaces of instances (`docs/rules/networking.md#network-interfaces`). What creates one is with instances.

use std::net::IpAddr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    identity::IdentityUpdate,
    page::Listed,
    scalar::{Description, IpNet, MacAddr, Name, NameOrId},
};

/// A network interface of an instance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct InstanceNetworkInterface {
    /// The ID, which never changes.
    pub id: Uuid,
    /// The name, unique on the instance.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// When it was created.
    pub time_created: Timestamp,
    /// When it was last changed by a person.
    pub time_modified: Timestamp,
    /// The instance it belongs to.
    pub instance_id: Uuid,
    /// The VPC it is in.
    pub vpc_id: Uuid,
    /// The subnet it is in.
    pub subnet_id: Uuid,
    /// Its hardware address.
    pub mac: MacAddr,
    /// Its address in the subnet.
    #[schema(value_type = String, format = "ip")]
    pub ip: IpAddr,
    /// Whether it is the one that external addresses lead to.
    pub primary: bool,
    /// Further networks that it may send from and is sent to.
    #[serde(default)]
    pub transit_ips: Vec<IpNet>,
}

impl Listed for InstanceNetworkInterface {
    fn id(&self) -> Uuid {
        self.id
    }

    fn name(&self) -> &str {
        self.name.as_str()
    }

    /// In a subnet there are those of many instances.
    fn names_repeat() -> bool {
        true
    }
}

/// A change to a network interface. Absent names and descriptions stay.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct InstanceNetworkInterfaceUpdate {
    /// Name and description.
    #[serde(flatten)]
    pub identity: IdentityUpdate,
    /// True makes it the primary one, in place of what was; false changes nothing.
    #[serde(default)]
    pub primary: bool,
    /// Further networks that it may send from and is sent to: the whole list, in place of what was.
    #[serde(default)]
    pub transit_ips: Vec<IpNet>,
}

/// The path of one network interface.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct InterfacePath {
    /// Name or id of the network interface.
    pub interface: NameOrId,
}

/// The instance that something new is put on, or that is listed.
#[derive(Clone, Debug, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct InstanceSelector {
    /// Name or id of the instance.
    pub instance: NameOrId,
    /// Name or id of the project. Required with the name of an instance, forbidden with its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<NameOrId>,
}

/// The instance on which a name in the path is meant. Required with a name, forbidden with an id.
#[derive(Clone, Debug, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct OptionalInstanceSelector {
    /// Name or id of the instance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub instance: Option<NameOrId>,
    /// Name or id of the project. Required with the name of an instance, forbidden with its id.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub project: Option<NameOrId>,
}
