//! Users whose passwords are kept here (`domain/identity-and-system.md`, section 2.3).
//!
//! Hashing a password takes long and happens outside of the rules: [`may_create`] and [`may_set_password`] say
//! whether it is worth it, then the rule runs with the hash.

use croft_api::{
    Error, Lookup, ResourceKind, Result,
    scalar::{NameOrId, UserId},
    user::User,
};
use croft_store::records::{IdentityMode, Silo, SiloUser};
use uuid::Uuid;

use super::{find_in, remove_belongings, to_view};
use crate::{
    Authorized, Caller, Cx,
    authz::{self, Kind, Place},
    operation, session, silo,
};

/// The password that a user is to have.
#[derive(Clone, PartialEq, Eq)]
pub enum NewPassword {
    /// The one with this hash, in PHC form.
    Hash(String),
    /// None.
    Disallowed,
    /// One that was not hashed, because the caller was not allowed to set it when that was looked at.
    Unhashed,
}

impl std::fmt::Debug for NewPassword {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Hash(_) => "Hash(..)",
            Self::Disallowed => "Disallowed",
            Self::Unhashed => "Unhashed",
        })
    }
}

impl NewPassword {
    fn hash(&self) -> Result<Option<String>> {
        match self {
            Self::Hash(hash) => Ok(Some(hash.clone())),
            Self::Disallowed => Ok(None),
            Self::Unhashed => Err(Error::unavailable("the caller was only just given the right to do this")),
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

/// Whether [`create`] would be allowed; answers the silo.
pub fn may_create(cx: &mut Cx<'_, '_>, caller: &Caller, silo: &NameOrId) -> Result<Uuid> {
    let silo = enter(cx, caller, silo)?;
    let place = Place::silo(Kind::UserList, silo.meta.id);
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
    };
    cx.insert_named(ResourceKind::SiloUser, &user)?;
    Ok(to_view(&user))
}

/// `local_idp_user_delete`: with all that belongs to the user.
pub fn delete(cx: &mut Cx<'_, '_>, caller: &Caller, silo: &NameOrId, id: Uuid) -> Result<()> {
    let silo = enter(cx, caller, silo)?;
    let user = find_in(cx, silo.meta.id, id)?.authorize(cx, caller, &operation::LOCAL_IDP_USER_DELETE)?;
    let mut user = user.into_inner();
    remove_belongings(cx.tx, user.meta.id, cx.now)?;
    user.password_hash = None;
    Ok(cx.tx.delete(&mut user, cx.now)?)
}

/// Whether [`set_password`] would be allowed; answers the user. Whoever sets a password can sign in as the user, so it
/// takes as strong a role on the fleet as the user has.
pub fn may_set_password(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    silo: &NameOrId,
    id: Uuid,
) -> Result<Authorized<SiloUser>> {
    let silo = enter(cx, caller, silo)?;
    let user = find_in(cx, silo.meta.id, id)?;
    let user = user.authorize(cx, caller, &operation::LOCAL_IDP_USER_SET_PASSWORD)?;
    authz::fleet::require_as_strong_as(cx, caller, &user)?;
    Ok(user)
}

/// `local_idp_user_set_password`: of one's own user, or of others by their administrators. Ends the user's sessions
/// but for the one in which this is asked for.
pub fn set_password(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    silo: &NameOrId,
    id: Uuid,
    password: &NewPassword,
) -> Result<()> {
    let mut user = may_set_password(cx, caller, silo, id)?.into_inner();
    user.password_hash = password.hash()?;
    user.meta.time_modified = cx.now;
    cx.tx.update(&mut user)?;
    session::end_all(cx.tx, user.meta.id, caller.session_id, cx.now)
}
