use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{Key, KeyKind, Lookup, Meta, Order, Scope, Table, record, search::Searched};

/// A group of users of a silo.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SiloGroup {
    /// Bookkeeping.
    pub meta: Meta,
    /// The silo.
    pub silo_id: Uuid,
    /// The name given by whoever manages the group, unique in the silo.
    pub external_id: String,
}

record! {
    SiloGroup as group {
        table: Table::named("silo_group").by_parent(&[Order::Name, Order::Id]);
        parent: group.silo_id;
        name: Some(group.external_id.as_str());
        scope: Scope::silo(group.silo_id);
        search: Searched::by_id().name("name", &group.external_id);
    }
}

/// One user's place in one group.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SiloGroupMembership {
    /// Bookkeeping.
    pub meta: Meta,
    /// The silo of both.
    pub silo_id: Uuid,
    /// The group.
    pub group_id: Uuid,
    /// The user.
    pub user_id: Uuid,
}

record! {
    SiloGroupMembership as membership {
        table: Table::new("silo_group_membership").by_parent(&[Order::Id]);
        parent: membership.group_id;
        scope: Scope::silo(membership.silo_id);
        lookups: {
            /// The groups of a user.
            USER: Lookup::new("user_id", KeyKind::Id) = membership.user_id;
            /// A user is in a group once.
            PAIR: Lookup::unique("pair", KeyKind::Bytes) =
                Key::combined([membership.group_id.into(), membership.user_id.into()]);
        }
    }
}
