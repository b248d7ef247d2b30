use serde::{Deserialize, Serialize};

use crate::{Meta, Scope, Table, record};

/// What a silo decided about how its users sign in and about their tokens; its id is the silo's. A silo that has none decided nothing. Removed
/// with its silo.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuthSettings {
    /// Bookkeeping; the id is the silo's.
    pub meta: Meta,
    /// The longest life of a token made by a device, in seconds; none means that there is no limit.
    pub device_token_max_ttl_seconds: Option<u32>,
    /// Whether users who have a password here need a second factor, too.
    #[serde(default)]
    pub require_second_factor: bool,
}

record! {
    AuthSettings as settings {
        table: Table::new("auth_settings");
        scope: Scope::silo(settings.meta.id);
    }
}
