use croft_api::scalar::{Description, Name};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    Meta, Order, Scope, Table, record,
    search::{Audience, Searched},
};

/// A public key with which a user gets into instances. Removed with its user.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SshKey {
    /// Bookkeeping.
    pub meta: Meta,
    /// Whose key it is.
    pub user_id: Uuid,
    /// The user's silo.
    pub silo_id: Uuid,
    /// Unique among the user's keys.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// The key as it was given, in whatever form.
    pub public_key: String,
}

record! {
    SshKey as key {
        table: Table::named("ssh_key").by_parent(&[Order::Name, Order::Id]);
        parent: key.user_id;
        name: Some(key.name.as_str());
        scope: Scope::silo(key.silo_id);
        search: Searched::named(&key.name, &key.description).found_by(&[Audience::User(key.user_id)]);
    }
}
