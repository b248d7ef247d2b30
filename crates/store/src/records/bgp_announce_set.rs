use croft_api::scalar::{Description, IpNet, Name};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{Meta, Scope, Table, record, search::Searched};

/// Networks that are announced together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BgpAnnounceSet {
    /// Bookkeeping.
    pub meta: Meta,
    /// Unique in the fleet.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// The networks, each once, in the order in which they were given.
    pub announcements: Vec<BgpAnnouncement>,
}

/// A network that is announced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct BgpAnnouncement {
    /// The block of addresses that the network was said to be from. It need not exist.
    pub address_lot_block_id: Uuid,
    /// The network.
    pub network: IpNet,
}

record! {
    BgpAnnounceSet as set {
        table: Table::named("bgp_announce_set");
        name: Some(set.name.as_str());
        scope: Scope::FLEET;
        search: set.announcements.iter().fold(
            Searched::named(&set.name, &set.description),
            |searched, announcement| searched.network("network", announcement.network),
        );
    }
}
