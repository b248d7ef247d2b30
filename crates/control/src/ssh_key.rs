//! SSH keys of users (`docs/rules/compute-and-storage.md#ssh-keys`).

use croft_api::{
    Error, ResourceKind, Result,
    page::{NameOrIdSortMode, NoSelector, PageQuery, ResultsPage},
    scalar::NameOrId,
    ssh_key::{self as api, SshKeyCreate},
};
use croft_store::{ListBy, Sort, records::SshKey};
use uuid::Uuid;

use crate::{
    Caller, Cx, Declaration, LookupResult, ReadScope, Resource, SiloDeletion,
    authz::{self, Kind, ResourceScope},
    cascade,
    description::check_description,
    paging,
};

crate::authz::kinds! {
    /// A user's SSH key.
    SSH_KEY = Row::of_user().fleet(["r", "r", "rm"]).silo(["r", "r", "rm"]).member("r").owner("rlcm");
}

crate::authz::operations! {
    contract {
        CURRENT_USER_SSH_KEY_LIST = reads(Kind::SSH_KEY, Permission::List);
        CURRENT_USER_SSH_KEY_CREATE = changes(Kind::SSH_KEY, Permission::Create, 201);
        CURRENT_USER_SSH_KEY_VIEW = reads(Kind::SSH_KEY, Permission::Read);
        CURRENT_USER_SSH_KEY_DELETE = changes(Kind::SSH_KEY, Permission::Modify, 204);
    }
}

impl Resource for SshKey {
    const DECLARATION: Declaration =
        Declaration::new(ReadScope::OfUser(Kind::SSH_KEY), SiloDeletion::Goes(cascade::with_users::<Self>))
            .message(ResourceKind::SshKey);
}

/// Maximum length of a key, in characters.
const MAX_KEY: usize = 1023;
/// Maximum number of keys of one instance.
pub(crate) const MAX_CHOSEN: usize = 100;

pub(crate) fn to_view(key: &SshKey) -> api::SshKey {
    api::SshKey {
        id: key.meta.id,
        name: key.name.clone(),
        description: key.description.clone(),
        time_created: key.meta.time_created,
        time_modified: key.meta.time_modified,
        silo_user_id: key.user_id,
        public_key: key.public_key.clone(),
    }
}

fn own(caller: &Caller) -> ResourceScope {
    ResourceScope::user(Kind::SSH_KEY, caller.silo_id, caller.user_id)
}

/// Looks up a key of the caller. Keys of other users are not found, even by id.
fn find(cx: &mut Cx<'_, '_>, caller: &Caller, selector: &NameOrId) -> Result<LookupResult<SshKey>> {
    let record: Option<SshKey> = match selector {
        NameOrId::Id(id) => cx.tx.get(*id)?,
        NameOrId::Name(name) => cx.tx.get_by_name(caller.user_id, name.as_str())?,
    };
    Ok(LookupResult::new(record.filter(|key| key.user_id == caller.user_id), selector))
}

/// `current_user_ssh_key_list`.
pub fn list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<NoSelector, NameOrIdSortMode>,
) -> Result<ResultsPage<api::SshKey>> {
    authz::require(cx, caller, &own(caller), &operation::CURRENT_USER_SSH_KEY_LIST)?;
    let keys: Vec<SshKey> = paging::page(cx.tx, ListBy::Parent(caller.user_id), query)?;
    Ok(query.results(keys.iter().map(to_view).collect()))
}

/// `current_user_ssh_key_create`. The key itself is not validated.
pub fn create(cx: &mut Cx<'_, '_>, caller: &Caller, params: &SshKeyCreate) -> Result<api::SshKey> {
    authz::require(cx, caller, &own(caller), &operation::CURRENT_USER_SSH_KEY_CREATE)?;
    check_description(&params.identity.description)?;
    if params.public_key.chars().count() > MAX_KEY {
        return Err(Error::invalid_value(
            "public_key",
            format!("must be no longer than {MAX_KEY} characters"),
        ));
    }
    let key = SshKey {
        meta: cx.new_meta(),
        user_id: caller.user_id,
        silo_id: caller.silo_id,
        name: params.identity.name.clone(),
        description: params.identity.description.clone(),
        public_key: params.public_key.clone(),
    };
    cx.insert_named(ResourceKind::SshKey, &key)?;
    Ok(to_view(&key))
}

/// `current_user_ssh_key_view`.
pub fn view(cx: &mut Cx<'_, '_>, caller: &Caller, key: &NameOrId) -> Result<api::SshKey> {
    let key = find(cx, caller, key)?.authorize(cx, caller, &operation::CURRENT_USER_SSH_KEY_VIEW)?;
    Ok(to_view(&key))
}

/// `current_user_ssh_key_delete`: the name is free immediately. Guests keep the key.
pub fn delete(cx: &mut Cx<'_, '_>, caller: &Caller, key: &NameOrId) -> Result<()> {
    let key = find(cx, caller, key)?.authorize(cx, caller, &operation::CURRENT_USER_SSH_KEY_DELETE)?;
    Ok(cx.tx.delete(&mut key.into_inner(), cx.now)?)
}

/// The keys of a new instance: those that the caller selects, or all of the caller's keys up to the limit.
pub(crate) fn choose(cx: &mut Cx<'_, '_>, caller: &Caller, chosen: Option<&[NameOrId]>) -> Result<Vec<Uuid>> {
    let Some(chosen) = chosen else {
        let keys: Vec<SshKey> =
            cx.tx.page(ListBy::Parent(caller.user_id), Sort::NameAsc, None, MAX_CHOSEN)?;
        return Ok(keys.iter().map(|key| key.meta.id).collect());
    };
    let mut ids = Vec::new();
    for selector in chosen {
        let key = find(cx, caller, selector)?.authorize(cx, caller, authz::Permission::Read)?;
        if !ids.contains(&key.meta.id) {
            ids.push(key.meta.id);
        }
    }
    if ids.len() > MAX_CHOSEN {
        return Err(Error::invalid_request(format!(
            "cannot attach more than {MAX_CHOSEN} ssh keys to the instance"
        )));
    }
    Ok(ids)
}
