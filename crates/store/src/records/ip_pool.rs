use std::net::IpAddr;

use croft_api::scalar::{Description, Name};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{Number, PortBlock};
use crate::{
    Key, KeyKind, Lookup, Meta, Order, Scope, Table, record,
    search::{Audience, Searched},
};

/// External addresses that silos may draw from. Those that nothing uses are [`FreeRun`](super::FreeRun)s under its id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IpPool {
    /// Bookkeeping.
    pub meta: Meta,
    /// Unique in the fleet.
    pub name: Name,
    /// Free text.
    pub description: Description,
}

record! {
    IpPool as pool {
        table: Table::named("ip_pool");
        name: Some(pool.name.as_str());
        scope: Scope::FLEET;
        search: Searched::named(&pool.name, &pool.description).also_found_by(Audience::Record(pool.meta.id));
    }
}

/// Consecutive addresses of a pool, both ends included. The ranges of all pools are one list, in which those of one
/// address family never overlap.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IpPoolRange {
    /// Bookkeeping.
    pub meta: Meta,
    /// The pool.
    pub ip_pool_id: Uuid,
    /// The [sort key](Number::sort_key) of the first address.
    pub key: String,
    /// The first address.
    pub first: IpAddr,
    /// The last address, of the same family and not before the first.
    pub last: IpAddr,
}

impl IpPoolRange {
    /// A range of a pool.
    pub fn new(meta: Meta, ip_pool_id: Uuid, first: IpAddr, last: IpAddr) -> Self {
        Self { meta, ip_pool_id, key: Number::from(first).sort_key(), first, last }
    }
}

record! {
    IpPoolRange as range {
        table: Table::named("ip_pool_range");
        name: Some(range.key.as_str());
        scope: Scope::FLEET;
        search: Searched::by_id().range("range", range.first, range.last).within(range.ip_pool_id);
        lookups: {
            /// The ranges of a pool.
            POOL: Lookup::new("ip_pool_id", KeyKind::Id).orders(&[Order::Name, Order::Id]) = range.ip_pool_id;
        }
    }
}

/// How many addresses of a pool something uses. Its id is the pool's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IpPoolUsage {
    /// Bookkeeping.
    pub meta: Meta,
    /// IPv4 addresses.
    pub ipv4: u64,
    /// IPv6 addresses.
    pub ipv6: u64,
}

record! {
    IpPoolUsage as usage {
        table: Table::new("ip_pool_usage").unlogged();
        scope: Scope::FLEET;
    }
}

/// An address of a pool whose ports are given out in [blocks](PortBlock), at least one of which is in use.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SharedAddress {
    /// Bookkeeping.
    pub meta: Meta,
    /// The pool.
    pub ip_pool_id: Uuid,
    /// The [sort key](Number::sort_key) of the address.
    pub key: String,
    /// The address.
    pub ip: IpAddr,
    /// The blocks in use, ascending.
    pub blocks: Vec<PortBlock>,
}

impl SharedAddress {
    /// The lowest block that is not in use.
    pub fn free_block(&self) -> Option<PortBlock> {
        (0..PortBlock::COUNT).map(PortBlock).find(|block| !self.blocks.contains(block))
    }
}

record! {
    SharedAddress as address {
        table: Table::named("shared_address").unlogged();
        parent: address.ip_pool_id;
        name: Some(address.key.as_str());
        scope: Scope::FLEET;
        lookups: {
            /// The addresses of a pool with a block to give out.
            WITH_ROOM: Lookup::new("pool_with_room", KeyKind::Id).orders(&[Order::Name, Order::Id]) =
                address.free_block().map(|_| address.ip_pool_id);
        }
    }
}

/// Lets a silo draw from a pool.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IpPoolSiloLink {
    /// Bookkeeping.
    pub meta: Meta,
    /// The pool.
    pub ip_pool_id: Uuid,
    /// The silo.
    pub silo_id: Uuid,
    /// Whether the silo draws from it when no pool is named; true for at most one pool of a silo.
    pub is_default: bool,
}

record! {
    IpPoolSiloLink as link {
        table: Table::new("ip_pool_silo_link").by_parent(&[Order::Id]);
        parent: link.ip_pool_id;
        scope: Scope::silo(link.silo_id);
        lookups: {
            /// The pools of a silo.
            SILO: Lookup::new("silo_id", KeyKind::Id) = link.silo_id;
            /// The default pool of a silo: one at most.
            DEFAULT: Lookup::unique("default_of_silo", KeyKind::Id) = link.is_default.then_some(link.silo_id);
            /// A silo and a pool are linked once.
            PAIR: Lookup::unique("pair", KeyKind::Bytes) =
                Key::combined([link.ip_pool_id.into(), link.silo_id.into()]);
        }
    }
}
