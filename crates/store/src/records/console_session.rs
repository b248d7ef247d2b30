use std::net::IpAddr;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{KeyKind, Lookup, Meta, Order, Scope, Table, record};

/// A signed-in browser. Removed with its user, so that a session that is found has a user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConsoleSession {
    /// Bookkeeping; the id is shown in lists of sessions.
    pub meta: Meta,
    /// SHA-256 of the cookie's value. The value itself is kept nowhere.
    #[serde(with = "hex::serde")]
    pub token_hash: Vec<u8>,
    /// Whose session it is.
    pub user_id: Uuid,
    /// The user's silo.
    pub silo_id: Uuid,
    /// When a request last used it, to within the interval at which uses are written.
    #[serde(with = "jiff::fmt::serde::timestamp::microsecond::required")]
    pub time_last_used: Timestamp,
    /// The address from which the user signed in, if it is known.
    pub source: Option<IpAddr>,
    /// What the browser called itself then.
    pub user_agent: Option<String>,
    /// What the user has to do before the session is good for anything else.
    pub pending: Option<PendingStep>,
    /// The identity provider through which the user signed in, if it was one; `None` for sessions of before this was
    /// kept.
    #[serde(default)]
    pub provider_id: Option<Uuid>,
    /// As whom the user views Croft, if it is not as themselves.
    #[serde(default)]
    pub viewing: Option<Viewing>,
}

/// The view of an administrator who sees Croft as another user does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Viewing {
    /// The other user, of the same silo.
    pub user_id: Uuid,
    /// When it began.
    #[serde(with = "jiff::fmt::serde::timestamp::microsecond::required")]
    pub time_begun: Timestamp,
}

/// What stands between signing in and doing anything else, in the order in which it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PendingStep {
    /// The user must show a second factor: so far, nobody but somebody who knows the password is there.
    VerifySecondFactor,
    /// The user must choose another password.
    ChoosePassword,
    /// The user must set up a second factor, which the silo requires.
    SetUpSecondFactor,
}

record! {
    ConsoleSession as session {
        table: Table::new("console_session").by_parent(&[Order::Id]).by_all(&[Order::Time]).log_removals_only();
        parent: session.user_id;
        scope: Scope::silo(session.silo_id);
        lookups: {
            /// The session of a cookie.
            TOKEN: Lookup::unique("token_hash", KeyKind::Bytes) = session.token_hash.as_slice();
            /// Sessions by the provider through which they were opened; those of no provider by their silo.
            OPENED_BY: Lookup::new("opened_by", KeyKind::Id).since(2) =
                session.provider_id.unwrap_or(session.silo_id);
        }
    }
}
