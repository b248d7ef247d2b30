use croft_api::scalar::IpNet;
use serde::{Deserialize, Serialize};

use crate::{Meta, Scope, Table, record};

/// Addresses that connections may come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "allow", rename_all = "snake_case")]
pub enum AllowedSourceIps {
    /// Any.
    Any,
    /// Those in any of these networks.
    List {
        /// The networks, at least one, in the order in which they were given.
        ips: Vec<IpNet>,
    },
}

/// Who may reach the services that people use: one row, whose id is [`FLEET`](super::FLEET).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AllowList {
    /// Bookkeeping.
    pub meta: Meta,
    /// Addresses that connections may come from.
    pub allowed_ips: AllowedSourceIps,
}

record! {
    AllowList as list {
        table: Table::new("allow_list");
        scope: Scope::FLEET;
    }
}

/// Whether the services that people use answer ICMP: one row, whose id is [`FLEET`](super::FLEET).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InboundIcmp {
    /// Bookkeeping.
    pub meta: Meta,
    /// Whether ICMP from outside is let in.
    pub enabled: bool,
}

record! {
    InboundIcmp as icmp {
        table: Table::new("inbound_icmp");
        scope: Scope::FLEET;
    }
}
