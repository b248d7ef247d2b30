//! Users whose passwords are kept here (`docs/rules/identity-and-system.md#local-users`).
//!
//! Hashing a password takes long and happens outside of the rules: [`may_create`] and [`may_set_password`] say
//! whether it is worth it, then the rule runs with the hash.

use croft_api::{
    Error, Lookup, ResourceKind, Result,
    scalar::{NameOrId, UserId},
    user::User,
};
use croft_store::{
    ListBy,
    records::{AccessToken, IdentityMode, Silo, SiloUser},
};
use uuid::Uuid;

use super::{find_in, remove_belongings, to_view};
use crate::{
    Authorized, Caller, Cx, LookupResult,
    authz::{self, Kind, ResourceScope},
    cascade, session, silo,
};

crate::authz::operations! {
    contract {
        SILO_USER_LIST = reads(Kind::USER_LIST, Permission::List);
        SILO_USER_VIEW = reads(Kind::SILO_USER, Permission::Read);
        LOCAL_IDP_USER_CREATE = changes(Kind::USER_LIST, Permission::Create, 201);
        LOCAL_IDP_USER_DELETE = changes(Kind::SILO_USER, Permission::Modify, 204);
        LOCAL_IDP_USER_SET_PASSWORD = changes(Kind::SILO_USER, Permission::Modify, 204);
    }
    extensions {
        LOCAL_IDP_USER_RESET_SECOND_FACTOR = changes(Kind::SILO_USER, Permission::Modify, 204);
        LOCAL_IDP_USER_REQUIRE_PASSWORD_CHANGE = changes(Kind::SILO_USER, Permission::Modify, 204);
    }
}

/// The password that a user is to have.
#[derive(Clone, PartialEq, Eq)]
pub enum NewPassword {
    /// The one with this hash, in PHC form.
    Hash(String),
    /// None.
    Disallowed,
    /// One that was not hashed, because the caller was not allowed to set it when that was looked at.
    Unhashed,
    /// One that is not good enough.
    Refused(Error),
}

impl std::fmt::Debug for NewPassword {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Hash(_) => "Hash(..)",
            Self::Disallowed => "Disallowed",
            Self::Unhashed => "Unhashed",
            Self::Refused(_) => "Refused",
        })
    }
}

impl NewPassword {
    pub(crate) fn hash(&self) -> Result<Option<String>> {
        match self {
            Self::Hash(hash) => Ok(Some(hash.clone())),
            Self::Disallowed => Ok(None),
            Self::Unhashed => Err(Error::unavailable("the caller was only just given the right to do this")),
            Self::Refused(error) => Err(error.clone()),
        }
    }
}

/// A silo that the caller may see and whose users have passwords here.
fn enter(cx: &mut Cx<'_, '_>, caller: &Caller, silo: &NameOrId) -> Result<Authorized<Silo>> {
    let silo = silo::enter(cx, caller, silo)?;
    if silo.identity_mode == IdentityMode::LocalOnly {
        return Ok(silo);
    }
    let lookup = Lookup::Other("identity-provider with name \"local\"".to_owned());
    Err(Error::not_found(ResourceKind::Silo, lookup))
}

/// Looks up a user of a silo that the caller may see and whose users have passwords here.
pub(crate) fn find_local(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    silo: &NameOrId,
    id: Uuid,
) -> Result<LookupResult<SiloUser>> {
    let silo = enter(cx, caller, silo)?;
    find_in(cx, silo.meta.id, id)
}

/// Whether [`create`] would be allowed; answers the silo.
pub fn may_create(cx: &mut Cx<'_, '_>, caller: &Caller, silo: &NameOrId) -> Result<Uuid> {
    let silo = enter(cx, caller, silo)?;
    let place = ResourceScope::silo(Kind::USER_LIST, silo.meta.id);
    authz::require(cx, caller, &place, &operation::LOCAL_IDP_USER_CREATE)?;
    Ok(silo.meta.id)
}

/// `local_idp_user_create`.
pub fn create(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    silo: &NameOrId,
    external_id: &UserId,
    password: &NewPassword,
) -> Result<User> {
    let silo_id = may_create(cx, caller, silo)?;
    let user = SiloUser {
        meta: cx.new_meta(),
        silo_id,
        external_id: external_id.to_string(),
        password_hash: password.hash()?,
        must_change_password: false,
    };
    cx.insert_named(ResourceKind::SiloUser, &user)?;
    Ok(to_view(&user))
}

/// `local_idp_user_delete`: with all that belongs to the user.
///
/// # Errors
/// Nobody who administers the fleet and can sign in would be left.
pub fn delete(cx: &mut Cx<'_, '_>, caller: &Caller, silo: &NameOrId, id: Uuid) -> Result<()> {
    let user = find_local(cx, caller, silo, id)?.authorize(cx, caller, &operation::LOCAL_IDP_USER_DELETE)?;
    let mut user = user.into_inner();
    let was_administrator = authz::fleet::is_administrator(cx.tx, &user)?;
    remove_belongings(cx.tx, user.meta.id, cx.now)?;
    user.password_hash = None;
    cx.tx.delete(&mut user, cx.now)?;
    if was_administrator {
        authz::fleet::require_administrator(cx)?;
    }
    Ok(())
}

/// Whether [`set_password`] would be allowed; returns the user.
pub fn may_set_password(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    silo: &NameOrId,
    id: Uuid,
) -> Result<Authorized<SiloUser>> {
    let user = find_local(cx, caller, silo, id)?;
    let user = user.authorize(cx, caller, &operation::LOCAL_IDP_USER_SET_PASSWORD)?;
    require_may_sign_in_as(cx, caller, &user)?;
    Ok(user)
}

/// What setting a password takes beyond the permission: whoever sets it can sign in as the user, so it takes as strong a
/// role on the fleet as the user has. The own password is set only by whoever has just signed in, and not with a token: the
/// contract's operation knows no present password.
pub(crate) fn require_may_sign_in_as(cx: &mut Cx<'_, '_>, caller: &Caller, user: &SiloUser) -> Result<()> {
    authz::fleet::require_as_strong_as(cx, caller, user)?;
    if user.meta.id == caller.user_id {
        session::require_fresh(cx, caller, "set your own password without the current one")?;
    }
    Ok(())
}

/// `local_idp_user_set_password`: of one's own user, or of others by their administrators. Ends the user's tokens, and
/// the user's sessions but for the one in which this is asked for.
///
/// # Errors
/// Without a password nobody who administers the fleet and can sign in would be left.
pub fn set_password(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    silo: &NameOrId,
    id: Uuid,
    password: &NewPassword,
) -> Result<()> {
    let user = may_set_password(cx, caller, silo, id)?.into_inner();
    let hash = password.hash()?;
    let shuts_out_administrator = hash.is_none() && authz::fleet::is_administrator(cx.tx, &user)?;
    store_password(cx, user, PasswordState { hash, must_change: false }, caller.session_id)?;
    if shuts_out_administrator {
        authz::fleet::require_administrator(cx)?;
    }
    Ok(())
}

/// What is kept of a user's password.
pub(crate) struct PasswordState {
    /// Its hash in PHC form; `None` if the user has none.
    pub(crate) hash: Option<String>,
    /// Whether the user has to choose another one at the next sign-in.
    pub(crate) must_change: bool,
}

/// Changes a user's password, and ends tokens and all sessions but one.
pub(crate) fn store_password(
    cx: &mut Cx<'_, '_>,
    mut user: SiloUser,
    change: PasswordState,
    kept_session: Option<Uuid>,
) -> Result<()> {
    user.password_hash = change.hash;
    user.must_change_password = change.must_change;
    user.meta.time_modified = cx.now;
    cx.tx.update(&mut user)?;
    session::end_all(cx.tx, user.meta.id, kept_session, cx.now)?;
    cascade::remove_all::<AccessToken>(cx.tx, &ListBy::Parent(user.meta.id), cx.now)
}

/// `local_idp_user_require_password_change`: has a user choose another password at the next sign-in, and ends the
/// user's sessions. Tokens are kept. Administrators use this for other users; users change their own password directly.
pub fn require_password_change(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    silo: &NameOrId,
    id: Uuid,
) -> Result<()> {
    let user = find_local(cx, caller, silo, id)?;
    let user = user.authorize(cx, caller, &operation::LOCAL_IDP_USER_REQUIRE_PASSWORD_CHANGE)?;
    let mut user = user.into_inner();
    if user.password_hash.is_none() {
        return Err(Error::invalid_request("the user has no password; set one first"));
    }
    user.must_change_password = true;
    user.meta.time_modified = cx.now;
    cx.tx.update(&mut user)?;
    session::end_all(cx.tx, user.meta.id, None, cx.now)
}
