use croft_api::allow_list::AllowedSourceIps;
use serde::{Deserialize, Serialize};

use crate::{Meta, Scope, Table, record};

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
