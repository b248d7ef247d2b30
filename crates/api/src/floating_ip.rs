//! Floating IPs: external addresses that outlive the instances they lead to (`docs/rules/networking.md#floating-ips`).

use std::net::IpAddr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    identity::{IdentityCreate, IdentityUpdate},
    page::Listed,
    scalar::{Description, Name, NameOrId},
};

/// An external address of a project, which can lead to any of its instances.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct FloatingIp {
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
    /// The address.
    #[schema(value_type = String, format = "ip")]
    pub ip: IpAddr,
    /// The pool it was drawn from.
    pub ip_pool_id: Uuid,
    /// The project it belongs to.
    pub project_id: Uuid,
    /// The instance it leads to.
    pub instance_id: Option<Uuid>,
}

impl Listed for FloatingIp {
    fn id(&self) -> Uuid {
        self.id
    }

    fn name(&self) -> &str {
        self.name.as_str()
    }
}

/// A floating IP to be created.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct FloatingIpCreate {
    /// Name and description.
    #[serde(flatten)]
    pub identity: IdentityCreate,
    /// The address asked for; absent means the lowest free one.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = "ip")]
    pub ip: Option<IpAddr>,
    /// The pool to draw from; absent means the silo's default pool.
    #[serde(default)]
    pub pool: Option<NameOrId>,
}

/// A change to a floating IP; what is absent stays.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct FloatingIpUpdate {
    /// Name and description.
    #[serde(flatten)]
    pub identity: IdentityUpdate,
}

/// What a floating IP can lead to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum FloatingIpParentKind {
    /// An instance.
    Instance,
}

/// What a floating IP is to lead to.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct FloatingIpAttach {
    /// Name or id of it. A name means one of the floating IP's project.
    pub parent: NameOrId,
    /// What it is.
    pub kind: FloatingIpParentKind,
}

/// The path of one floating IP.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct FloatingIpPath {
    /// Name or id of the floating IP.
    pub floating_ip: NameOrId,
}
