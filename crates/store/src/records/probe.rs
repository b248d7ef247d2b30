use std::net::IpAddr;

use croft_api::scalar::{Description, Name};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{Key, KeyKind, Lookup, Meta, Scope, Table, record, search::Searched};

/// An end point that tests a network from a sled. Its interface is a
/// [`NetworkInterface`](super::NetworkInterface) under its id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Probe {
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
    /// The sled it is on.
    pub sled_id: Uuid,
    /// The pool that its external address was drawn from.
    pub ip_pool_id: Uuid,
    /// Its external address, in use by nothing else.
    pub ip: IpAddr,
}

record! {
    Probe as probe {
        table: Table::named("probe");
        parent: probe.project_id;
        name: Some(probe.name.as_str());
        scope: Scope::project(probe.silo_id, probe.project_id);
        search: Searched::named(&probe.name, &probe.description).address("ip", probe.ip);
        lookups: {
            /// Those whose address a silo drew from a pool.
            POOL_OF_SILO: Lookup::new("pool_of_silo", KeyKind::Bytes) =
                Key::combined([probe.ip_pool_id.into(), probe.silo_id.into()]);
            /// The probe with an address.
            ADDRESS: Lookup::unique("address", KeyKind::Bytes) = probe.ip;
        }
    }
}
