use croft_api::scalar::{Description, Name};
use serde::{Deserialize, Serialize};

use crate::{Meta, Scope, Table, record, search::Searched};

/// A user that the system itself acts as. Nobody can sign in as one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct UserBuiltin {
    /// Bookkeeping; the id is the same in every fleet.
    pub meta: Meta,
    /// Unique among the built-in users.
    pub name: Name,
    /// What it does.
    pub description: Description,
}

record! {
    UserBuiltin as user {
        table: Table::named("user_builtin");
        name: Some(user.name.as_str());
        scope: Scope::FLEET;
        search: Searched::named(&user.name, &user.description);
    }
}
