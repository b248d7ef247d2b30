//! Authentication (`docs/rules/identity-and-system.md#authentication`).

use croft_api::{Error, Result};
use croft_store::records::{AccessToken, ConsoleSession, PendingStep};
use jiff::{SignedDuration, Timestamp};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::{AuthMethod, Caller, Cx, Operation, SessionSettings, authz::viewing};

/// The prefix of bearer tokens.
pub const TOKEN_PREFIX: &str = "croft-token-";
/// Random bytes in a secret.
pub(crate) const SECRET_LENGTH: usize = 20;
/// How long the second factor may be given after the password.
const TIME_TO_VERIFY: SignedDuration = SignedDuration::from_mins(10);
/// Minimum interval between stored uses of a token.
const TOKEN_WRITE_INTERVAL: SignedDuration = SignedDuration::from_mins(5);

/// The credentials that a request carries, as they were sent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Credentials {
    /// The value of the cookie `session`.
    pub session_cookie: Option<String>,
    /// The value of the header `Authorization`.
    pub authorization: Option<String>,
}

impl Credentials {
    /// The bearer token, if the header holds a token of Croft. Other headers are ignored.
    fn bearer(&self) -> Option<&str> {
        let (scheme, value) = self.authorization.as_deref()?.split_once(' ')?;
        let value = value.trim_start();
        (scheme.eq_ignore_ascii_case("bearer") && value.starts_with(TOKEN_PREFIX)).then_some(value)
    }
}

/// A session that was opened.
#[derive(Clone)]
pub struct NewSession {
    /// The value of the cookie: 40 lower-case hex digits. It is not stored.
    pub token: String,
    /// Lifetime of the cookie, in seconds.
    pub max_age: i64,
    /// The user.
    pub user_id: Uuid,
    /// The user's silo.
    pub silo_id: Uuid,
    /// The steps that are still required before the session can be used.
    pub pending: Option<PendingStep>,
}

/// Resolves the caller of a request: by session cookie if there is one, else by bearer token. The first scheme that is
/// present decides, so a stale cookie is refused even beside a valid token.
pub fn resolve(cx: &mut Cx<'_, '_>, credentials: &Credentials) -> Result<Caller> {
    resolve_for(cx, credentials, None)
}

/// Like [`resolve`], for an operation. Some operations are part of a [step](PendingStep) that completes a sign-in, and
/// are allowed while that step is pending.
pub fn resolve_for(
    cx: &mut Cx<'_, '_>,
    credentials: &Credentials,
    operation: Option<&Operation>,
) -> Result<Caller> {
    ready_for(identify(cx, credentials, true)?, operation)
}

/// Like [`resolve`], but does not count as a use of the session: for background requests.
pub fn recognize(cx: &mut Cx<'_, '_>, credentials: &Credentials) -> Result<Caller> {
    ready_for(identify(cx, credentials, false)?, None)
}

/// Refuses callers with pending sign-in steps, unless the operation is part of one of those steps.
fn ready_for(caller: Caller, operation: Option<&Operation>) -> Result<Caller> {
    let Some(step) = caller.pending else { return Ok(caller) };
    if operation.is_some_and(|operation| operation.part_of.contains(&step)) {
        return Ok(caller);
    }
    Err(Error::forbidden(match step {
        PendingStep::VerifySecondFactor => {
            "You have to provide your second factor first. Sign in to the console to do so."
        }
        PendingStep::ChoosePassword => {
            "You have to choose a new password first. Sign in to the console to do so."
        }
        PendingStep::SetUpSecondFactor => {
            "Your silo requires a second factor, and you have none. Sign in to the console to set one up."
        }
    }))
}

fn identify(cx: &mut Cx<'_, '_>, credentials: &Credentials, used: bool) -> Result<Caller> {
    if let Some(cookie) = &credentials.session_cookie {
        return by_session(cx, cookie, used);
    }
    match credentials.bearer() {
        Some(token) => by_token(cx, token),
        None => Err(Error::unauthenticated("no credentials")),
    }
}

fn by_session(cx: &mut Cx<'_, '_>, cookie: &str, used: bool) -> Result<Caller> {
    let hash = secret_hash(cookie).ok_or_else(|| Error::unauthenticated("malformed session cookie"))?;
    let session: ConsoleSession = cx
        .tx
        .find(ConsoleSession::TOKEN, hash.as_slice())?
        .ok_or_else(|| Error::unauthenticated("unknown session"))?;
    let activity = &cx.environment.activity;
    let settings = &cx.environment.settings.session;
    let last_used = activity.last_used(&session);
    if is_session_over(&session, last_used, settings, cx.now) {
        activity.expired(session.meta.id);
        return Err(Error::unauthenticated("expired session"));
    }
    if used && cx.now.duration_since(session.time_last_used) >= settings.write_interval {
        activity.used(session.meta.id, cx.now);
    }
    let viewed = viewed(cx, &session)?;
    Ok(viewed.unwrap_or_else(|| Caller::of_session(&session)))
}

/// The user as whom the session views Croft, if that goes on. Once it was found to be over, it does not come back, even
/// if the administrator regains the right before the end is stored.
fn viewed(cx: &mut Cx<'_, '_>, session: &ConsoleSession) -> Result<Option<Caller>> {
    let Some(view) = &session.viewing else { return Ok(None) };
    let activity = &cx.environment.activity;
    if activity.is_view_over(session.meta.id, view) {
        return Ok(None);
    }
    if viewing::goes_on(cx, session, view)? {
        return Ok(Some(Caller::viewed(session, view.user_id)));
    }
    activity.view_over(session.meta.id, *view);
    Ok(None)
}

fn by_token(cx: &mut Cx<'_, '_>, text: &str) -> Result<Caller> {
    let hash = text
        .strip_prefix(TOKEN_PREFIX)
        .and_then(secret_hash)
        .ok_or_else(|| Error::unauthenticated("malformed token"))?;
    let token: AccessToken = cx
        .tx
        .find(AccessToken::TOKEN, hash.as_slice())?
        .ok_or_else(|| Error::unauthenticated("unknown token"))?;
    if is_token_expired(&token, cx.now) {
        return Err(Error::unauthenticated("expired token"));
    }
    let unused = |since| cx.now.duration_since(since) >= TOKEN_WRITE_INTERVAL;
    if token.time_last_used.is_none_or(unused) {
        cx.environment.activity.token_used(token.meta.id, cx.now);
    }
    Ok(Caller::new(token.user_id, token.silo_id, AuthMethod::Token, None))
}

/// Whether a session has expired, by idle time or by age.
pub(crate) fn is_session_over(
    session: &ConsoleSession,
    last_used: Timestamp,
    settings: &SessionSettings,
    now: Timestamp,
) -> bool {
    let age = now.duration_since(session.meta.time_created);
    let is_half_open = session.pending == Some(PendingStep::VerifySecondFactor);
    now.duration_since(last_used) > settings.idle
        || age > settings.absolute
        || (is_half_open && age > TIME_TO_VERIFY)
}

/// Whether a token has expired.
pub(crate) fn is_token_expired(token: &AccessToken, now: Timestamp) -> bool {
    token.time_expires.is_some_and(|expires| expires < now)
}

/// Creates a secret: 40 lower-case hex digits, and the hash under which it is stored.
pub(crate) fn new_secret(cx: &mut Cx<'_, '_>) -> (String, Vec<u8>) {
    let mut bytes = [0; SECRET_LENGTH];
    cx.random.fill_bytes(&mut bytes);
    let text = hex::encode(bytes);
    let hash = hash_of(&text);
    (text, hash)
}

/// The hash under which a secret is stored; `None` if the text does not have the format of a secret.
pub(crate) fn secret_hash(text: &str) -> Option<Vec<u8>> {
    let plausible = text.len() == 2 * SECRET_LENGTH
        && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
    plausible.then(|| hash_of(text))
}

/// The hash under which a secret is stored.
pub(crate) fn hash_of(secret: &str) -> Vec<u8> {
    Sha256::digest(secret.as_bytes()).to_vec()
}
