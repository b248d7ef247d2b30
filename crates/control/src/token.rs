//! Bearer tokens: their lists and their end (`domain/identity-and-system.md`, section 4.5), and those made on the
//! server's own host. The others are made by [devices](crate::device).

use croft_api::{
    Error, ResourceKind, Result,
    page::{IdSortMode, NoSelector, PageQuery, ResultsPage},
    scalar::{Name, UserId},
    token::DeviceAccessToken,
};
use croft_store::{
    ListBy, StoreError, Tx,
    records::{AccessToken, Silo, SiloUser},
};
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use crate::{
    Caller, Cx, Found, authn,
    authz::{self, Kind, Place},
    operation, paging,
};

/// Expired tokens removed in one transaction.
const PURGE_BATCH: usize = 256;

/// A token that was made.
#[derive(Clone)]
pub struct NewToken {
    /// The token's id in lists.
    pub id: Uuid,
    /// The text to be sent as `Authorization: Bearer`. It is kept nowhere else.
    pub text: String,
}

/// A user of a silo, by their names.
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

/// Makes a token for a user, for automation. `life` is how long it is valid; none means for ever.
pub fn create(
    cx: &mut Cx<'_, '_>,
    silo: &Name,
    user_name: &UserId,
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
        time_expires: life.map(|life| cx.now.checked_add(life).unwrap_or(jiff::Timestamp::MAX)),
    };
    cx.tx.insert(&token)?;
    Ok(NewToken { id: token.meta.id, text: format!("{}{secret}", authn::TOKEN_PREFIX) })
}

/// Whether a token is of no use any more.
pub(crate) fn is_expired(token: &AccessToken, now: Timestamp) -> bool {
    token.time_expires.is_some_and(|expires| expires < now)
}

/// A page of a user's tokens that can be used.
pub(crate) fn page(
    cx: &mut Cx<'_, '_>,
    user: Uuid,
    query: &PageQuery<NoSelector, IdSortMode>,
) -> Result<ResultsPage<DeviceAccessToken>> {
    let now = cx.now;
    let usable = |token: &AccessToken| !is_expired(token, now);
    let tokens: Vec<AccessToken> = paging::page_where(cx.tx, &ListBy::Parent(user), query, usable)?;
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
    let place = Place::user(Kind::TokenList, caller.silo_id, caller.user_id);
    authz::require(cx, caller, &place, &operation::CURRENT_USER_ACCESS_TOKEN_LIST)?;
    page(cx, caller.user_id, query)
}

/// `current_user_access_token_delete`: it is of no use at once, even if it is the one in use. Tokens of others are
/// not found, whatever the caller's roles.
pub fn delete(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<()> {
    let token: Option<AccessToken> = cx.tx.get(id)?;
    let token = Found::new(token, id).authorize(cx, caller, &operation::CURRENT_USER_ACCESS_TOKEN_DELETE)?;
    cx.tx.remove::<AccessToken>(token.meta.id, cx.now)?;
    Ok(())
}

/// Removes expired tokens. Answers whether there may be more.
pub(crate) fn purge(tx: &mut Tx<'_>, now: Timestamp) -> Result<bool, StoreError> {
    let due: Vec<AccessToken> = tx.up_to(AccessToken::EXPIRES, now, PURGE_BATCH)?;
    let mut removed = 0;
    for token in due.iter().filter(|token| is_expired(token, now)) {
        tx.remove::<AccessToken>(token.meta.id, now)?;
        removed += 1;
    }
    Ok(removed == PURGE_BATCH)
}
