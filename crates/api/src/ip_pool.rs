//! IP pools: external addresses that silos draw from (`domain/networking.md`, section 7).

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    identity::{IdentityCreate, IdentityUpdate},
    page::Listed,
    scalar::{Description, Name, NameOrId},
};

/// External addresses that silos may draw from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct IpPool {
    /// The id, for ever.
    pub id: Uuid,
    /// The name, unique in the fleet.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// When it was created.
    pub time_created: Timestamp,
    /// When its name or description last changed.
    pub time_modified: Timestamp,
}

impl Listed for IpPool {
    fn id(&self) -> Uuid {
        self.id
    }

    fn name(&self) -> &str {
        self.name.as_str()
    }
}

/// An IP pool as a silo sees it that is linked to it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct SiloIpPool {
    /// The id, for ever.
    pub id: Uuid,
    /// The name, unique in the fleet.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// When it was created.
    pub time_created: Timestamp,
    /// When its name or description last changed.
    pub time_modified: Timestamp,
    /// Whether the silo draws from it when no pool is named.
    pub is_default: bool,
}

impl Listed for SiloIpPool {
    fn id(&self) -> Uuid {
        self.id
    }

    fn name(&self) -> &str {
        self.name.as_str()
    }
}

/// A pool to be created, without addresses and linked to no silo.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct IpPoolCreate {
    /// Name and description.
    #[serde(flatten)]
    pub identity: IdentityCreate,
}

/// A change to a pool.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct IpPoolUpdate {
    /// Name and description.
    #[serde(flatten)]
    pub identity: IdentityUpdate,
}

/// Lets a silo draw from a pool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct IpPoolSiloLink {
    /// The pool.
    pub ip_pool_id: Uuid,
    /// The silo.
    pub silo_id: Uuid,
    /// Whether the silo draws from it when no pool is named; true for at most one pool of a silo.
    pub is_default: bool,
}

impl Listed for IpPoolSiloLink {
    fn id(&self) -> Uuid {
        self.silo_id
    }

    fn name(&self) -> &'static str {
        ""
    }
}

/// A silo to be linked to a pool.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct IpPoolLinkSilo {
    /// Name or id of the silo.
    pub silo: NameOrId,
    /// Whether the silo is to draw from the pool when no pool is named. A silo has one default pool at most.
    pub is_default: bool,
}

/// A change of a link.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct IpPoolSiloUpdate {
    /// Whether the silo is to draw from the pool when no pool is named. The pool that was its default so far ceases to
    /// be it.
    pub is_default: bool,
}

/// The path of one pool.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct IpPoolPath {
    /// Name or id of the pool.
    pub pool: NameOrId,
}

/// The path of one link.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct IpPoolSiloPath {
    /// Name or id of the pool.
    pub pool: NameOrId,
    /// Name or id of the silo.
    pub silo: NameOrId,
}
