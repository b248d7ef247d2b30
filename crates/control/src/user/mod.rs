//! Users of silos (`docs/rules/identity-and-system.md#tokens-of-a-silo` and
//! `docs/rules/identity-and-system.md#users-and-groups`).

pub(crate) mod local;

use croft_api::{
    ResourceKind, Result,
    page::{IdSortMode, NoSelector, PageQuery, ResultsPage},
    scalar::NameOrId,
    silo::SiloSelector,
    token::{ConsoleSession as SessionView, DeviceAccessToken},
    user::{OptionalGroupSelector, User},
};
use croft_store::{
    ListBy, Tx,
    records::{
        AccessToken, ConsoleSession, SecondFactor, SecondFactorReserve, SiloGroupMembership, SiloUser, SshKey,
    },
};
use jiff::Timestamp;
use uuid::Uuid;

pub use local::{
    NewPassword, create as local_create, delete as local_delete, may_create as may_create_local,
    may_set_password, require_password_change, set_password,
};
pub(crate) use local::{PasswordState, find_local, require_may_sign_in_as, store_password};

use crate::{
    Caller, Cx, Declaration, LookupResult, ReadScope, Resource, SiloDeletion,
    authz::{self, Kind, Permission, ResourceScope},
    batch,
    cascade::{self, remove_all},
    deletable::Deletable,
    group, paging, session, silo, token,
};

crate::authz::kinds! {
    /// A user of a silo.
    SILO_USER = Row::of_user().fleet(["r", "r", "rm"]).silo(["r", "r", "rm"]).member("r").owner("rm");
    /// The users of a silo, as a list.
    USER_LIST = Row::in_silo().fleet(["l", "l", "lc"]).silo(["l", "l", "lc"]).member("l");
}

crate::authz::operations! {
    contract {
        USER_LIST = reads(Kind::USER_LIST, Permission::List);
        USER_VIEW = reads(Kind::SILO_USER, Permission::Read);
        USER_TOKEN_LIST = reads(Kind::TOKEN_LIST, Permission::List);
        USER_SESSION_LIST = reads(Kind::SESSION_LIST, Permission::List);
        USER_LOGOUT = changes(Kind::SESSION_LIST, Permission::Modify, 204);
    }
    internal {
        /// A new password by `croft admin reset-password`: not part of the contract, but in the audit log like the
        /// others.
        ADMIN_RESET_PASSWORD = changes(Kind::SILO_USER, Permission::Modify, 204);
    }
}

pub(crate) fn to_view(user: &SiloUser) -> User {
    User { id: user.meta.id, display_name: user.external_id.clone(), silo_id: user.silo_id }
}

impl Resource for SiloUser {
    const DECLARATION: Declaration =
        Declaration::new(ReadScope::User(Kind::SILO_USER), SiloDeletion::Goes(cascade::with_silo::<Self>))
            .message(ResourceKind::SiloUser)
            .deletable(Self::DELETABLE);
}

/// Looks up a user of a silo.
pub(crate) fn find_in(cx: &mut Cx<'_, '_>, silo: Uuid, id: Uuid) -> Result<LookupResult<SiloUser>> {
    let record: Option<SiloUser> = cx.tx.get(id)?;
    Ok(LookupResult::new(record.filter(|user| user.silo_id == silo), id))
}

/// The parent user of a resource, in the caller's silo.
pub(crate) fn enter(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<SiloUser> {
    let user = find_in(cx, caller.silo_id, id)?.authorize(cx, caller, Permission::Read)?;
    Ok(user.into_inner())
}

/// `user_list`: the users of the caller's silo, optionally only members of a group.
pub fn list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<OptionalGroupSelector, IdSortMode>,
) -> Result<ResultsPage<User>> {
    let place = ResourceScope::silo(Kind::USER_LIST, caller.silo_id);
    authz::require(cx, caller, &place, &operation::USER_LIST)?;
    let Some(group) = query.selector.group else {
        let users: Vec<SiloUser> = paging::page(cx.tx, ListBy::Parent(caller.silo_id), query)?;
        return Ok(query.results(users.iter().map(to_view).collect()));
    };
    let group = group::find(cx, caller, group)?.authorize(cx, caller, Permission::Read)?;
    // Memberships sort by their own ids and users by theirs, so all memberships of the group are read.
    let memberships = paging::all::<SiloGroupMembership>(cx.tx, &ListBy::Parent(group.meta.id))?;
    let ids = paging::cut(memberships.iter().map(|membership| membership.user_id).collect(), query);
    let mut users = Vec::with_capacity(ids.len());
    for id in ids {
        users.extend(cx.tx.get::<SiloUser>(id)?);
    }
    Ok(query.results(users.iter().map(to_view).collect()))
}

/// `user_view`: of the caller's silo.
pub fn view(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<User> {
    let user = find_in(cx, caller.silo_id, id)?.authorize(cx, caller, &operation::USER_VIEW)?;
    Ok(to_view(&user))
}

/// `silo_user_list`: the users of any silo that the caller may see.
pub fn silo_list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<SiloSelector, IdSortMode>,
) -> Result<ResultsPage<User>> {
    let silo = silo::enter(cx, caller, &query.selector.silo)?;
    let place = ResourceScope::silo(Kind::USER_LIST, silo.meta.id);
    authz::require(cx, caller, &place, &local::operation::SILO_USER_LIST)?;
    let users: Vec<SiloUser> = paging::page(cx.tx, ListBy::Parent(silo.meta.id), query)?;
    Ok(query.results(users.iter().map(to_view).collect()))
}

/// `silo_user_view`: in a silo that the caller may see.
pub fn silo_view(cx: &mut Cx<'_, '_>, caller: &Caller, silo: &NameOrId, id: Uuid) -> Result<User> {
    let silo = silo::enter(cx, caller, silo)?;
    let user = find_in(cx, silo.meta.id, id)?.authorize(cx, caller, &local::operation::SILO_USER_VIEW)?;
    Ok(to_view(&user))
}

/// `user_token_list`: a user's valid tokens.
pub fn token_list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    id: Uuid,
    query: &PageQuery<NoSelector, IdSortMode>,
) -> Result<ResultsPage<DeviceAccessToken>> {
    let user = enter(cx, caller, id)?;
    let place = ResourceScope::user(Kind::TOKEN_LIST, user.silo_id, user.meta.id);
    authz::require(cx, caller, &place, &operation::USER_TOKEN_LIST)?;
    token::page(cx, user.meta.id, query)
}

/// `user_session_list`: a user's valid sessions.
pub fn session_list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    id: Uuid,
    query: &PageQuery<NoSelector, IdSortMode>,
) -> Result<ResultsPage<SessionView>> {
    let user = enter(cx, caller, id)?;
    let place = ResourceScope::user(Kind::SESSION_LIST, user.silo_id, user.meta.id);
    authz::require(cx, caller, &place, &operation::USER_SESSION_LIST)?;
    session::page(cx, user.meta.id, query)
}

/// `user_logout`: ends all of a user's sessions and tokens, including the caller's.
pub fn logout(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<()> {
    let user = enter(cx, caller, id)?;
    let place = ResourceScope::user(Kind::SESSION_LIST, user.silo_id, user.meta.id);
    authz::require(cx, caller, &place, &operation::USER_LOGOUT)?;
    session::end_all(cx.tx, user.meta.id, None, cx.now)?;
    remove_all::<AccessToken>(cx.tx, &ListBy::Parent(user.meta.id), cx.now)
}

/// Removes what belongs to a user: sessions, tokens, second factors, SSH keys, batches, memberships
/// of groups. Entries of
/// policies remain.
pub(crate) fn remove_belongings(tx: &mut Tx<'_>, user: Uuid, now: Timestamp) -> Result<()> {
    remove_all::<ConsoleSession>(tx, &ListBy::Parent(user), now)?;
    remove_all::<AccessToken>(tx, &ListBy::Parent(user), now)?;
    remove_second_factors(tx, user, now)?;
    remove_all::<SshKey>(tx, &ListBy::Parent(user), now)?;
    batch::remove_of(tx, user, now)?;
    for mut membership in paging::all(tx, &ListBy::lookup(SiloGroupMembership::USER, user))? {
        tx.delete::<SiloGroupMembership>(&mut membership, now)?;
    }
    Ok(())
}

/// Removes a user's second factors and recovery codes.
pub(crate) fn remove_second_factors(tx: &mut Tx<'_>, user: Uuid, now: Timestamp) -> Result<()> {
    remove_all::<SecondFactor>(tx, &ListBy::Parent(user), now)?;
    remove_all::<SecondFactorReserve>(tx, &ListBy::Parent(user), now)
}
