//! Bearer tokens (`docs/rules/identity-and-system.md#tokens-of-a-silo`), and the creation of tokens on the server's own
//! host. Other tokens are created by [devices](crate::device).

use croft_api::{
    Error, ResourceKind, Result,
    account::{OwnToken, OwnTokenUpdate},
    page::{IdSortMode, NoSelector, PageQuery, ResultsPage},
    scalar::{Label, Name, UserId},
    token::DeviceAccessToken,
};
use croft_store::{
    ListBy, StoreError, Tx,
    records::{AccessToken, Silo, SiloUser},
};
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use crate::{
    Caller, Cx, Declaration, LookupResult, ReadScope, Resource, SiloDeletion, authn,
    authz::{self, Kind, ResourceScope},
    cascade, paging,
};

crate::authz::kinds! {
    /// A user's bearer token.
    ACCESS_TOKEN = Row::of_user().owner("rm");
    /// A user's bearer tokens, as a list.
    TOKEN_LIST = Row::of_user().silo(["-", "-", "lm"]).owner("lm");
}

crate::authz::operations! {
    contract {
        CURRENT_USER_ACCESS_TOKEN_LIST = reads(Kind::TOKEN_LIST, Permission::List);
        CURRENT_USER_ACCESS_TOKEN_DELETE = changes(Kind::ACCESS_TOKEN, Permission::Modify, 204);
    }
    extensions {
        ACCOUNT_TOKEN_LIST = reads(Kind::TOKEN_LIST, Permission::List);
        ACCOUNT_TOKEN_UPDATE = changes(Kind::ACCESS_TOKEN, Permission::Modify, 200);
    }
    internal {
        /// The creation of a token by `croft admin token`.
        ADMIN_TOKEN_CREATE = changes(Kind::ACCESS_TOKEN, Permission::Create, 201);
    }
}

impl Resource for AccessToken {
    const DECLARATION: Declaration = Declaration::new(
        ReadScope::OfUser(Kind::ACCESS_TOKEN),
        SiloDeletion::Goes(cascade::with_users::<Self>),
    )
    .message(ResourceKind::DeviceAccessToken);
}

/// Maximum number of expired tokens removed in one transaction.
const PURGE_BATCH: usize = 256;
/// A new token.
#[derive(Clone)]
pub struct NewToken {
    /// The token's id in lists.
    pub id: Uuid,
    /// The value for `Authorization: Bearer`. It is not stored.
    pub text: String,
}

/// A user, given by the names of silo and user.
pub(crate) fn user(cx: &mut Cx<'_, '_>, silo: &Name, user: &UserId) -> Result<SiloUser> {
    let silo: Silo = cx
        .tx
        .get_by_name(Uuid::nil(), silo.as_str())?
        .ok_or_else(|| Error::not_found(ResourceKind::Silo, silo))?;
    let lookup = croft_api::Lookup::Name(user.to_string());
    cx.tx
        .get_by_name(silo.meta.id, user.as_str())?
        .ok_or_else(|| Error::not_found(ResourceKind::SiloUser, lookup))
}

/// Creates a token for a user, for automation. `life` is its lifetime; `None` means unlimited.
pub fn create(
    cx: &mut Cx<'_, '_>,
    silo: &Name,
    user_name: &UserId,
    name: &Label,
    life: Option<SignedDuration>,
) -> Result<NewToken> {
    let user = user(cx, silo, user_name)?;
    let (secret, token_hash) = authn::new_secret(cx);
    let token = AccessToken {
        meta: cx.new_meta(),
        token_hash,
        user_id: user.meta.id,
        silo_id: user.silo_id,
        client_id: Uuid::nil(),
        name: name.to_string(),
        time_expires: life.map(|life| cx.now.checked_add(life).unwrap_or(jiff::Timestamp::MAX)),
        time_last_used: None,
    };
    cx.tx.insert(&token)?;
    Ok(NewToken { id: token.meta.id, text: format!("{}{secret}", authn::TOKEN_PREFIX) })
}

fn usable(
    cx: &mut Cx<'_, '_>,
    user: Uuid,
    query: &PageQuery<NoSelector, IdSortMode>,
) -> Result<Vec<AccessToken>> {
    let now = cx.now;
    paging::page_where(cx.tx, &ListBy::Parent(user), query, |token: &AccessToken| {
        !authn::is_token_expired(token, now)
    })
}

/// A page of a user's valid tokens.
pub(crate) fn page(
    cx: &mut Cx<'_, '_>,
    user: Uuid,
    query: &PageQuery<NoSelector, IdSortMode>,
) -> Result<ResultsPage<DeviceAccessToken>> {
    let tokens = usable(cx, user, query)?;
    let view = |token: &AccessToken| DeviceAccessToken {
        id: token.meta.id,
        time_created: token.meta.time_created,
        time_expires: token.time_expires,
    };
    Ok(query.results(tokens.iter().map(view).collect()))
}

/// `current_user_access_token_list`.
pub fn list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<NoSelector, IdSortMode>,
) -> Result<ResultsPage<DeviceAccessToken>> {
    let place = ResourceScope::user(Kind::TOKEN_LIST, caller.silo_id, caller.user_id);
    authz::require(cx, caller, &place, &operation::CURRENT_USER_ACCESS_TOKEN_LIST)?;
    page(cx, caller.user_id, query)
}

/// `account_token_list`: a page of the caller's valid tokens, with names and uses.
pub fn own_list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<NoSelector, IdSortMode>,
) -> Result<ResultsPage<OwnToken>> {
    let place = ResourceScope::user(Kind::TOKEN_LIST, caller.silo_id, caller.user_id);
    authz::require(cx, caller, &place, &operation::ACCOUNT_TOKEN_LIST)?;
    let tokens = usable(cx, caller.user_id, query)?;
    Ok(query.results(tokens.into_iter().map(|token| own_view(cx, token)).collect()))
}

/// `account_token_update`: renames one of the caller's tokens. Tokens of others are not found.
pub fn rename(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid, params: &OwnTokenUpdate) -> Result<OwnToken> {
    let token: Option<AccessToken> = cx.tx.get(id)?;
    let token = token.filter(|token| !authn::is_token_expired(token, cx.now));
    let token = LookupResult::new(token, id).authorize(cx, caller, &operation::ACCOUNT_TOKEN_UPDATE)?;
    let mut token = token.into_inner();
    token.name = params.name.to_string();
    token.meta.time_modified = cx.now;
    cx.tx.update(&mut token)?;
    Ok(own_view(cx, token))
}

fn own_view(cx: &Cx<'_, '_>, token: AccessToken) -> OwnToken {
    OwnToken {
        id: token.meta.id,
        time_created: token.meta.time_created,
        time_expires: token.time_expires,
        time_last_used: cx.environment.activity.token_last_used(&token),
        name: token.name,
    }
}

/// `current_user_access_token_delete`: the token becomes invalid immediately, even if it is the calling one. Tokens of
/// others are not found, whatever the caller's roles.
pub fn delete(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<()> {
    let token: Option<AccessToken> = cx.tx.get(id)?;
    let token =
        LookupResult::new(token, id).authorize(cx, caller, &operation::CURRENT_USER_ACCESS_TOKEN_DELETE)?;
    cx.tx.remove::<AccessToken>(token.meta.id, cx.now)?;
    Ok(())
}

/// Removes expired tokens. Returns whether there may be more.
pub(crate) fn purge(tx: &mut Tx<'_>, now: Timestamp) -> Result<bool, StoreError> {
    let due: Vec<AccessToken> = tx.up_to(AccessToken::EXPIRES, now, PURGE_BATCH)?;
    let mut removed = 0;
    for token in due.iter().filter(|token| authn::is_token_expired(token, now)) {
        tx.remove::<AccessToken>(token.meta.id, now)?;
        removed += 1;
    }
    Ok(removed == PURGE_BATCH)
}
