use std::net::IpAddr;

use croft_api::scalar::{Description, Name};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{Key, KeyKind, Lookup, Meta, Scope, Table, record, search::Searched};

/// A way out of a VPC.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InternetGateway {
    /// Bookkeeping.
    pub meta: Meta,
    /// The silo.
    pub silo_id: Uuid,
    /// The project.
    pub project_id: Uuid,
    /// The VPC.
    pub vpc_id: Uuid,
    /// Unique in the VPC.
    pub name: Name,
    /// Free text.
    pub description: Description,
}

impl InternetGateway {
    /// The name of the gateway that comes with a VPC, which default pools are attached to.
    pub const DEFAULT: &str = "default";
}

record! {
    InternetGateway as gateway {
        table: Table::named("internet_gateway");
        parent: gateway.vpc_id;
        name: Some(gateway.name.as_str());
        scope: Scope::project(gateway.silo_id, gateway.project_id);
        search: Searched::named(&gateway.name, &gateway.description);
        lookups: {
            /// The gateways of a silo that default pools are attached to.
            DEFAULT_OF_SILO: Lookup::new("default_of_silo", KeyKind::Id) =
                (gateway.name.as_str() == InternetGateway::DEFAULT).then_some(gateway.silo_id);
        }
    }
}

/// A pool whose addresses leave by a gateway.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InternetGatewayIpPool {
    /// Bookkeeping.
    pub meta: Meta,
    /// The silo.
    pub silo_id: Uuid,
    /// The project.
    pub project_id: Uuid,
    /// The gateway.
    pub internet_gateway_id: Uuid,
    /// The pool.
    pub ip_pool_id: Uuid,
    /// Unique on the gateway.
    pub name: Name,
    /// Free text.
    pub description: Description,
}

record! {
    InternetGatewayIpPool as attachment {
        table: Table::named("internet_gateway_ip_pool");
        parent: attachment.internet_gateway_id;
        name: Some(attachment.name.as_str());
        scope: Scope::project(attachment.silo_id, attachment.project_id);
        search: Searched::named(&attachment.name, &attachment.description);
        lookups: {
            /// The places where a pool is attached.
            POOL: Lookup::new("ip_pool_id", KeyKind::Id) = attachment.ip_pool_id;
            /// The places in one silo where a pool is attached.
            POOL_OF_SILO: Lookup::new("pool_of_silo", KeyKind::Bytes) =
                Key::combined([attachment.ip_pool_id.into(), attachment.silo_id.into()]);
        }
    }
}

/// An address that leaves by a gateway.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InternetGatewayIpAddress {
    /// Bookkeeping.
    pub meta: Meta,
    /// The silo.
    pub silo_id: Uuid,
    /// The project.
    pub project_id: Uuid,
    /// The gateway, which has one such address at most.
    pub internet_gateway_id: Uuid,
    /// The address.
    pub address: IpAddr,
    /// Unique on the gateway.
    pub name: Name,
    /// Free text.
    pub description: Description,
}

record! {
    InternetGatewayIpAddress as attachment {
        table: Table::named("internet_gateway_ip_address");
        parent: attachment.internet_gateway_id;
        name: Some(attachment.name.as_str());
        scope: Scope::project(attachment.silo_id, attachment.project_id);
        search: Searched::named(&attachment.name, &attachment.description).address("address", attachment.address);
        lookups: {
            /// The address of a gateway: one at most.
            GATEWAY: Lookup::unique("internet_gateway_id", KeyKind::Id) = attachment.internet_gateway_id;
        }
    }
}
