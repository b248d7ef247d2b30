use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{Meta, Order, Scope, Table, record, search::Searched};

/// A user of a silo.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SiloUser {
    /// Bookkeeping.
    pub meta: Meta,
    /// The silo.
    pub silo_id: Uuid,
    /// What the user signs in with, unique in the silo.
    pub external_id: String,
    /// The argon2id hash of the password in PHC form; none means that the user cannot sign in with a password.
    pub password_hash: Option<String>,
    /// Whether the user has to choose another password before doing anything else: somebody else knows this one.
    pub must_change_password: bool,
}

record! {
    SiloUser as user {
        table: Table::named("silo_user").by_parent(&[Order::Name, Order::Id]).keep_deleted();
        parent: user.silo_id;
        name: Some(user.external_id.as_str());
        scope: Scope::silo(user.silo_id);
        search: Searched::by_id().name("name", &user.external_id);
    }
}
