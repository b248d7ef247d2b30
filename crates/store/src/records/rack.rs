use serde::{Deserialize, Serialize};

use crate::{Meta, Scope, Table, record, search::Searched};

/// A rack, with a switch at each of its two [locations](croft_api::scalar::SwitchLocation).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rack {
    /// Bookkeeping.
    pub meta: Meta,
}

record! {
    Rack as rack {
        table: Table::new("rack");
        scope: Scope::FLEET;
        search: Searched::by_id();
    }
}
