//! External addresses of instances (`docs/rules/networking.md#external-ips`).

use std::net::IpAddr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use uuid::Uuid;

use crate::{floating_ip::FloatingIp, scalar::NameOrId};

/// An external address of an instance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum ExternalIp {
    /// A part of an address that several instances send from.
    Snat {
        /// The address.
        #[schema(value_type = String, format = "ip")]
        ip: IpAddr,
        /// The first port that is this instance's.
        first_port: u16,
        /// The last one.
        last_port: u16,
        /// The pool it was drawn from.
        ip_pool_id: Uuid,
    },
    /// An address that lives as long as the instance.
    Ephemeral {
        /// The address.
        #[schema(value_type = String, format = "ip")]
        ip: IpAddr,
        /// The pool it was drawn from.
        ip_pool_id: Uuid,
    },
    /// An address that outlives the instance.
    Floating(FloatingIp),
}

/// An ephemeral address to be attached.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct EphemeralIpCreate {
    /// The pool to draw from; absent means the silo's default pool.
    #[serde(default)]
    pub pool: Option<NameOrId>,
}
