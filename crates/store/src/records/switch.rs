use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::Baseboard;
use crate::{Meta, Scope, Table, record};

/// A switch of a rack, as the hosts see it; what an operator decides about one is under its location.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Switch {
    /// Bookkeeping.
    pub meta: Meta,
    /// The rack that it is in.
    pub rack_id: Uuid,
    /// What it calls itself.
    pub baseboard: Baseboard,
}

record! {
    Switch as switch {
        table: Table::new("switch");
        scope: Scope::FLEET;
        search: switch.baseboard.searched();
    }
}
