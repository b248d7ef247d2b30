//! Users with local passwords (`docs/rules/identity-and-system.md#local-users`).
//!
//! Hashing a password is slow and happens outside of the rules: [`may_create`] and [`may_set_password`] first check
//! whether the operation would be allowed, then the rule runs with the hash.

use croft_api::{
    Error, Lookup, ResourceKind, Result,
    deletion::DeletionEffect,
    scalar::{NameOrId, UserId},
    user::User,
};
use croft_store::{
    ListBy,
    records::{AccessToken, ConsoleSession, IdentityMode, Silo, SiloUser, SshKey},
};
use uuid::Uuid;

use super::{find_in, remove_belongings, to_view};
use crate::{
    Authorized, Caller, Cx, LookupResult, Operation,
    authz::{self, Kind, Permission, ResourceScope},
    cascade,
    deletable::{self, Deletable},
    dependents::Dependents,
    session, silo,
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

/// The password of a user, as passed to a rule.
#[derive(Clone, PartialEq, Eq)]
pub enum NewPassword {
    /// Its hash, in PHC form.
    Hash(String),
    /// No password.
    Disallowed,
    /// It was not hashed, because the caller was not allowed to set it.
    Unhashed,
    /// It does not meet the requirements.
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

/// A silo with local users that the caller may see.
fn enter(cx: &mut Cx<'_, '_>, caller: &Caller, silo: &NameOrId) -> Result<Authorized<Silo>> {
    let silo = silo::enter(cx, caller, silo)?;
    if silo.identity_mode == IdentityMode::LocalOnly {
        return Ok(silo);
    }
    let lookup = Lookup::Other("identity-provider with name \"local\"".to_owned());
    Err(Error::not_found(ResourceKind::Silo, lookup))
}

/// Looks up a user of a silo with local users that the caller may see.
pub(crate) fn find_local(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    silo: &NameOrId,
    id: Uuid,
) -> Result<LookupResult<SiloUser>> {
    let silo = enter(cx, caller, silo)?;
    find_in(cx, silo.meta.id, id)
}

/// Checks whether [`create`] would be allowed. Returns the silo.
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

/// `local_idp_user_delete`: deletes everything that belongs to the user.
///
/// # Errors
/// No administrator of the fleet who can sign in would be left.
pub fn delete(cx: &mut Cx<'_, '_>, caller: &Caller, silo: &NameOrId, id: Uuid) -> Result<()> {
    let user = find_local(cx, caller, silo, id)?.authorize(cx, caller, &operation::LOCAL_IDP_USER_DELETE)?;
    let mut user = user.into_inner();
    deletable::require(cx, caller, &user)?;
    let was_administrator = authz::fleet::is_administrator(cx.tx, &user)?;
    remove_belongings(cx.tx, user.meta.id, cx.now)?;
    user.password_hash = None;
    cx.tx.delete(&mut user, cx.now)?;
    if was_administrator {
        authz::fleet::require_administrator(cx)?;
    }
    Ok(())
}

/// Checks whether [`set_password`] would be allowed. Returns the user.
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

/// The requirements in addition to the permission. Whoever sets a password can sign in as the user, so the caller needs
/// at least the user's role on the fleet. For the caller's own password, the session must be recent, and a token is not
/// accepted, because the contract's operation does not ask for the current password.
pub(crate) fn require_may_sign_in_as(cx: &mut Cx<'_, '_>, caller: &Caller, user: &SiloUser) -> Result<()> {
    authz::fleet::require_as_strong_as(cx, caller, user)?;
    if user.meta.id == caller.user_id {
        session::require_fresh(cx, caller, "set your own password without the current one")?;
    }
    Ok(())
}

/// `local_idp_user_set_password`: of the caller, or of other users by their administrators. Ends the user's tokens and
/// sessions, except the calling session.
///
/// # Errors
/// Without a password no administrator of the fleet who can sign in would be left.
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

/// The stored state of a user's password.
pub(crate) struct PasswordState {
    /// Its hash in PHC form; `None` if the user has none.
    pub(crate) hash: Option<String>,
    /// Whether the user must choose another one at the next sign-in.
    pub(crate) must_change: bool,
}

/// Changes a user's password, and ends tokens and all sessions except one.
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

/// `local_idp_user_require_password_change`: makes the user choose another password at the next sign-in, and ends the
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

// The fleet keeps an administrator who can sign in: that is checked when the user is gone.
impl Deletable for SiloUser {
    const DELETION: Operation = operation::LOCAL_IDP_USER_DELETE;
    const PATH: &'static str = "/v1/system/identity-providers/local/users/";

    fn find(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<LookupResult<Self>> {
        match cx.tx.get::<Self>(id)? {
            Some(user) => find_local(cx, caller, &NameOrId::Id(user.silo_id), id),
            None => Ok(LookupResult::new(None, id)),
        }
    }

    fn delete(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<()> {
        let user = Self::find(cx, caller, id)?.authorize(cx, caller, Permission::Read)?;
        delete(cx, caller, &NameOrId::Id(user.silo_id), id)
    }

    fn effects(&self, _: &mut Cx<'_, '_>) -> Result<Vec<Dependents>> {
        let (deleted, own) = (DeletionEffect::Deleted, || ListBy::Parent(self.meta.id));
        Ok(vec![
            Dependents::list::<SshKey>(deleted, own()),
            Dependents::list::<AccessToken>(deleted, own()),
            Dependents::list::<ConsoleSession>(deleted, own()),
        ])
    }
}
