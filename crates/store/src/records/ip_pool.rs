use std::net::IpAddr;

use croft_api::scalar::{Description, Name};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{Key, KeyKind, Lookup, Meta, Order, Scope, Table, record};

/// External addresses that silos may draw from.
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
    }
}

/// Consecutive addresses of a pool, both ends included.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct IpPoolRange {
    /// Bookkeeping.
    pub meta: Meta,
    /// The pool.
    pub ip_pool_id: Uuid,
    /// The first address.
    pub first: IpAddr,
    /// The last address, of the same family and not before the first.
    pub last: IpAddr,
}

record! {
    IpPoolRange as range {
        table: Table::new("ip_pool_range").by_parent(&[Order::Id]);
        parent: range.ip_pool_id;
        scope: Scope::FLEET;
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
