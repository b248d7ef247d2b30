//! Sign-in with a password (`docs/rules/identity-and-system.md#passwords`).
//!
//! There are three steps, because checking a password takes a quarter of a second and must not block other work:
//! [`prepare`] reads the hash, the HTTP layer checks the password against it on another thread, [`complete`] opens the
//! session. If there is no such user, the password is checked against a dummy hash of equal cost, so that the time does
//! not tell whether the user exists.

use croft_api::{
    Error, Lookup, ResourceKind, Result,
    scalar::{Name, UserId},
};
use croft_store::records::{ConsoleSession, IdentityMode, Silo, SiloUser};
use uuid::Uuid;

pub use crate::authn::NewSession;
use crate::{Cx, audit, authn, second_factor};

crate::authz::operations! {
    contract {
        LOGIN_LOCAL = open_changes(Kind::SILO, 204);
    }
}

/// The input of the password check.
#[derive(Clone, PartialEq, Eq)]
pub struct Challenge {
    user: Option<(Uuid, String)>,
}

impl std::fmt::Debug for Challenge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Challenge").field("user", &self.user.as_ref().map(|(id, _)| id)).finish()
    }
}

impl Challenge {
    /// The hash in PHC form; `None` if there is no such user or the user has no password. Then a dummy hash must be
    /// checked instead.
    pub fn password_hash(&self) -> Option<&str> {
        self.user.as_ref().map(|(_, hash)| hash.as_str())
    }

    /// The account, for the audit log.
    fn tried(&self) -> String {
        match &self.user {
            Some((id, _)) => format!("attempted as user {id}"),
            None => "attempted with a name that no user with a password has".to_owned(),
        }
    }
}

/// The first step of `login_local`.
pub fn prepare(cx: &mut Cx<'_, '_>, silo: &Name, username: &UserId) -> Result<Challenge> {
    let silo: Silo = cx
        .tx
        .get_by_name(Uuid::nil(), silo.as_str())?
        .ok_or_else(|| Error::not_found(ResourceKind::Silo, silo))?;
    if silo.identity_mode != IdentityMode::LocalOnly {
        let lookup = Lookup::Other("identity-provider with name \"local\"".to_owned());
        return Err(Error::not_found(ResourceKind::Silo, lookup));
    }
    let user: Option<SiloUser> = cx.tx.get_by_name(silo.meta.id, username.as_str())?;
    Ok(Challenge { user: user.and_then(|user| Some((user.meta.id, user.password_hash?))) })
}

/// The last step of `login_local`: opens the session if the password was `verified`. Writes the audit entry either
/// way; the outer result is an error only when nothing may be committed.
pub fn complete(cx: &mut Cx<'_, '_>, challenge: &Challenge, verified: bool) -> Result<Result<NewSession>> {
    let result = cx.attempt(|cx| open(cx, challenge, verified));
    if let Err(error) = &result
        && audit::is_transient(error)
    {
        return Err(error.clone());
    }
    audit::record_sign_in(cx, &operation::LOGIN_LOCAL, result.as_ref(), Some(challenge.tried()))?;
    Ok(result)
}

/// Writes the audit entry of a sign-in that failed before [`complete`]: the silo is unknown, or has no passwords.
pub fn refused(cx: &mut Cx<'_, '_>, error: &Error) -> Result<()> {
    audit::record(cx, None, &operation::LOGIN_LOCAL, Some(error))
}

fn open(cx: &mut Cx<'_, '_>, challenge: &Challenge, verified: bool) -> Result<NewSession> {
    let Some((user_id, hash)) = challenge.user.as_ref().filter(|_| verified) else {
        return Err(Error::unauthenticated("wrong user name or password"));
    };
    let user: Option<SiloUser> = cx.tx.get(*user_id)?;
    // The password may have been changed, or the user deleted, during the check.
    let Some(user) = user.filter(|user| user.password_hash.as_ref() == Some(hash)) else {
        return Err(Error::unauthenticated("the user or the password changed in the meantime"));
    };
    open_session(cx, &user, None)
}

/// Opens a session without any proof, for the demo's fictional users.
///
/// # Errors
/// `NotFound` if there is no such user.
pub fn without_proof(cx: &mut Cx<'_, '_>, user: Uuid) -> Result<NewSession> {
    let user: SiloUser = cx.tx.get(user)?.ok_or_else(|| Error::not_found(ResourceKind::SiloUser, user))?;
    open_session(cx, &user, None)
}

/// Opens a session for a user who has been authenticated, here or by this identity provider.
pub(crate) fn open_session(
    cx: &mut Cx<'_, '_>,
    user: &SiloUser,
    provider: Option<Uuid>,
) -> Result<NewSession> {
    let (token, token_hash) = authn::new_secret(cx);
    let session = ConsoleSession {
        meta: cx.new_meta(),
        token_hash,
        user_id: user.meta.id,
        silo_id: user.silo_id,
        time_last_used: cx.now,
        source: cx.request.source,
        user_agent: cx.request.user_agent.as_deref().map(|text| audit::cut(text, audit::MAX_USER_AGENT)),
        pending: second_factor::next_step(cx, user, None)?,
        provider_id: provider,
        viewing: None,
    };
    cx.tx.insert(&session)?;
    let max_age = cx.settings().session.absolute.as_secs();
    let (user_id, silo_id) = (user.meta.id, user.silo_id);
    Ok(NewSession { token, max_age, user_id, silo_id, pending: session.pending })
}
