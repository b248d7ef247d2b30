use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{KeyKind, Lookup, Meta, Order, Scope, Table, record};

/// The running incarnation of an instance and what it reserves: made by a start, removed when the machine is gone.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Machine {
    /// Bookkeeping; the id is the machine's at the hypervisor.
    pub meta: Meta,
    /// The instance.
    pub instance_id: Uuid,
    /// The instance's silo.
    pub silo_id: Uuid,
    /// The instance's project.
    pub project_id: Uuid,
    /// The sled it was placed on.
    pub sled_id: Uuid,
    /// Hardware threads reserved on the sled and charged to the quota.
    pub cpus: u64,
    /// Memory reserved on the sled and charged to the quota, in bytes.
    pub memory: u64,
}

record! {
    Machine as machine {
        table: Table::new("machine").by_parent(&[Order::Id]).unlogged();
        parent: machine.sled_id;
        scope: Scope::project(machine.silo_id, machine.project_id);
        lookups: {
            /// The machine of an instance: never two.
            INSTANCE: Lookup::unique("instance_id", KeyKind::Id) = machine.instance_id;
        }
    }
}
