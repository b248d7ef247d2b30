use croft_api::scalar::{Description, IpNet, Ipv6Net, Name, Vni};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{KeyKind, Lookup, Meta, Scope, Table, record, search::Searched};

/// A private network of a project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Vpc {
    /// Bookkeeping.
    pub meta: Meta,
    /// The silo.
    pub silo_id: Uuid,
    /// The project.
    pub project_id: Uuid,
    /// Unique in the project.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// The name under which its instances find each other.
    pub dns_name: Name,
    /// Unique-local, 48 bits wide.
    pub ipv6_prefix: Ipv6Net,
    /// Tells its packets from those of other VPCs; unique in the fleet.
    pub vni: Vni,
    /// The router whose routes apply to every subnet.
    pub system_router_id: Uuid,
}

record! {
    Vpc as vpc {
        table: Table::named("vpc");
        parent: vpc.project_id;
        name: Some(vpc.name.as_str());
        scope: Scope::project(vpc.silo_id, vpc.project_id);
        search: Searched::named(&vpc.name, &vpc.description)
            .name("dns_name", &vpc.dns_name)
            .network("ipv6_prefix", IpNet::V6(vpc.ipv6_prefix));
        lookups: {
            /// The VPC that a packet belongs to.
            VNI: Lookup::unique("vni", KeyKind::Int) = u32::from(vpc.vni);
        }
    }
}
