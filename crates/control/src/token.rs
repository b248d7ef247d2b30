//! Bearer tokens made on the server's own host.

use croft_api::{
    Error, ResourceKind, Result,
    scalar::{Name, UserId},
};
use croft_store::records::{AccessToken, Silo, SiloUser};
use jiff::SignedDuration;
use uuid::Uuid;

use crate::{Cx, authn};

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
