use serde::{Deserialize, Serialize};

use crate::{Meta, Scope, Table, record};

/// Shows whether a server has the key with which the secrets of this database were sealed. There is one, with the
/// fleet's id.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyCheck {
    /// Bookkeeping.
    pub meta: Meta,
    /// A known text, sealed with the key.
    pub sealed: String,
}

record! {
    KeyCheck as check {
        table: Table::new("key_check").unlogged();
        scope: Scope::FLEET;
    }
}
