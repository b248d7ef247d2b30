use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{Meta, Order, Table, record, records::AuditEntry};

/// That an entry of the audit log is about a resource, which finds it by this. What is about instances and projects is found
/// by the entries themselves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResourceActivity {
    /// Bookkeeping; created when the entry was.
    pub meta: Meta,
    /// The resource.
    pub resource_id: Uuid,
    /// The entry.
    pub entry_id: Uuid,
}

impl ResourceActivity {
    /// The row of an entry and a resource. Both make its id, so that it is found again without an index of entries.
    pub fn new(entry: &AuditEntry, resource_id: Uuid) -> Self {
        let meta = Meta::new(Self::id(entry.meta.id, resource_id), entry.meta.time_created);
        Self { meta, resource_id, entry_id: entry.meta.id }
    }

    /// The id of the row of an entry and a resource.
    pub fn id(entry: Uuid, resource: Uuid) -> Uuid {
        Uuid::from_u128(entry.as_u128() ^ resource.as_u128())
    }
}

record! {
    ResourceActivity as activity {
        table: Table::new("resource_activity").by_parent(&[Order::Time]).unlogged().since(9);
        parent: activity.resource_id;
    }
}
