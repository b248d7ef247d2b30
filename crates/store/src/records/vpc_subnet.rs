use croft_api::scalar::{Description, IpNet, Ipv4Net, Ipv6Net, Name};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{KeyKind, Lookup, Meta, Scope, Table, record, search::Searched};

/// A part of a VPC. Its IPv4 addresses that can be given out are [`FreeRun`](super::FreeRun)s under its id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VpcSubnet {
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
    /// Overlaps no other of the VPC.
    pub ipv4_block: Ipv4Net,
    /// 64 bits wide, inside the VPC's prefix; overlaps no other of the VPC.
    pub ipv6_block: Ipv6Net,
    /// A router of the same VPC.
    pub custom_router_id: Option<Uuid>,
}

record! {
    VpcSubnet as subnet {
        table: Table::named("vpc_subnet");
        parent: subnet.vpc_id;
        name: Some(subnet.name.as_str());
        scope: Scope::project(subnet.silo_id, subnet.project_id);
        search: Searched::named(&subnet.name, &subnet.description)
            .network("ipv4_block", IpNet::V4(subnet.ipv4_block))
            .network("ipv6_block", IpNet::V6(subnet.ipv6_block));
        lookups: {
            /// The subnets that a custom router is attached to.
            CUSTOM_ROUTER: Lookup::new("custom_router_id", KeyKind::Id) = subnet.custom_router_id;
        }
    }
}
