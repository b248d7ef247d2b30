use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{KeyKind, Lookup, Meta, Order, Scope, Table, record};

/// A bearer token of a user. Removed with its user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AccessToken {
    /// Bookkeeping; the id is shown in lists of tokens.
    pub meta: Meta,
    /// SHA-256 of the secret part. The secret itself is kept nowhere.
    #[serde(with = "hex::serde")]
    pub token_hash: Vec<u8>,
    /// Whose token it is.
    pub user_id: Uuid,
    /// The user's silo.
    pub silo_id: Uuid,
    /// The client that asked for it.
    pub client_id: Uuid,
    /// What it is called in lists. Names need not differ.
    pub name: String,
    /// After this time it is not needed; none means never.
    #[serde(with = "jiff::fmt::serde::timestamp::microsecond::optional")]
    pub time_expires: Option<Timestamp>,
    /// When a request last used it, to within the interval at which uses are written; none before the first.
    #[serde(with = "jiff::fmt::serde::timestamp::microsecond::optional")]
    pub time_last_used: Option<Timestamp>,
}

record! {
    AccessToken as token {
        table: Table::new("access_token").by_parent(&[Order::Id]);
        parent: token.user_id;
        scope: Scope::silo(token.silo_id);
        lookups: {
            /// The token of a secret.
            TOKEN: Lookup::unique("token_hash", KeyKind::Bytes) = token.token_hash.as_slice();
            /// Tokens in the order in which they expire.
            EXPIRES: Lookup::new("time_expires", KeyKind::Int) = token.time_expires;
        }
    }
}
