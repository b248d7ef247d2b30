use croft_api::scalar::{Description, Name};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{KeyKind, Lookup, Meta, Scope, Table, record, search::Searched};

/// How the switches speak BGP under one autonomous system number.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BgpConfig {
    /// Bookkeeping.
    pub meta: Meta,
    /// Unique in the fleet.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// The autonomous system number, which one configuration has at most.
    pub asn: u32,
    /// The set of networks that are announced to the peers.
    pub bgp_announce_set_id: Uuid,
    /// The virtual routing and forwarding domain; `None` for the switch's own.
    pub vrf: Option<Name>,
}

record! {
    BgpConfig as config {
        table: Table::named("bgp_config");
        name: Some(config.name.as_str());
        scope: Scope::FLEET;
        search: Searched::named(&config.name, &config.description).label("asn", config.asn);
        lookups: {
            /// The configuration of an autonomous system.
            ASN: Lookup::unique("asn", KeyKind::Int) = config.asn;
            /// The configurations that announce a set.
            ANNOUNCE_SET: Lookup::new("bgp_announce_set_id", KeyKind::Id) = config.bgp_announce_set_id;
        }
    }
}
