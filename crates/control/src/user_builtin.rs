//! Built-in users (`docs/rules/identity-and-system.md#first-start`).

use croft_api::{
    ResourceKind, Result,
    page::{NameSortMode, NoSelector, PageQuery, ResultsPage},
    scalar::{Description, Name, NameOrId},
    user_builtin as api,
};
use croft_store::{ListBy, Meta, records::UserBuiltin};
use uuid::Uuid;

use crate::{
    Caller, Cx, Declaration, LookupResult, Resource,
    authz::{self, Kind, ResourceScope},
    lookup, paging,
};

crate::authz::kinds! {
    /// A built-in user.
    BUILTIN_USER = Row::in_fleet().fleet(["rl", "rl", "rlcm"]);
}

crate::authz::operations! {
    contract {
        USER_BUILTIN_LIST = reads(Kind::FLEET, Permission::List);
        USER_BUILTIN_VIEW = reads(Kind::BUILTIN_USER, Permission::Read);
    }
}

impl Resource for UserBuiltin {
    const DECLARATION: Declaration =
        Declaration::in_fleet(Kind::BUILTIN_USER).message(ResourceKind::UserBuiltin);
}

/// The built-in users: the last digits of the id, the name, the description. They never change.
const USERS: [(u128, &str, &str); 6] = [
    (0x0001, "db-init", "populates a new database"),
    (0x0002, "service-balancer", "places the system's internal services"),
    (0x0003, "internal-api", "serves the system's internal components"),
    (0x0004, "internal-read", "reads for the system's internal components"),
    (0x0005, "external-authn", "authenticates requests"),
    (0x0006, "saga-recovery", "completes the work of a server that stopped"),
];
/// The prefix of the ids of built-in users.
const FIRST_ID: u128 = 0x001d_e000_05e4_4000_8000_0000_0000_0000;
/// The user `internal-api`: the actor of operations by an operator on the server's own host, and by the server itself.
pub const INTERNAL_API: Uuid = Uuid::from_u128(FIRST_ID | 0x0003);

fn to_view(user: &UserBuiltin) -> api::UserBuiltin {
    api::UserBuiltin {
        id: user.meta.id,
        name: user.name.clone(),
        description: user.description.clone(),
        time_created: user.meta.time_created,
        time_modified: user.meta.time_modified,
    }
}

/// Creates missing built-in users.
pub(crate) fn load(cx: &mut Cx<'_, '_>) -> Result<()> {
    for (digits, name, description) in USERS {
        let id = Uuid::from_u128(FIRST_ID | digits);
        if cx.tx.get::<UserBuiltin>(id)?.is_none() {
            let user = UserBuiltin {
                meta: Meta::new(id, cx.now),
                name: Name::literal(name),
                description: Description::from(description),
            };
            cx.insert_named(ResourceKind::UserBuiltin, &user)?;
        }
    }
    Ok(())
}

/// `user_builtin_list`.
pub fn list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<NoSelector, NameSortMode>,
) -> Result<ResultsPage<api::UserBuiltin>> {
    authz::require(cx, caller, &ResourceScope::fleet(Kind::FLEET), &operation::USER_BUILTIN_LIST)?;
    let users: Vec<UserBuiltin> = paging::page(cx.tx, ListBy::Parent(Uuid::nil()), query)?;
    Ok(query.results(users.iter().map(to_view).collect()))
}

/// `user_builtin_view`.
pub fn view(cx: &mut Cx<'_, '_>, caller: &Caller, user: &NameOrId) -> Result<api::UserBuiltin> {
    let user: LookupResult<UserBuiltin> = LookupResult::new(lookup::top_level(cx.tx, user)?, user);
    Ok(to_view(&*user.authorize(cx, caller, &operation::USER_BUILTIN_VIEW)?))
}
