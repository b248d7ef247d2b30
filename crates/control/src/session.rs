//! Sessions of browsers.

use croft_api::{
    Error, ResourceKind, Result,
    account::OwnSession,
    page::{IdSortMode, NoSelector, PageQuery, ResultsPage},
    token::ConsoleSession as SessionView,
};
use croft_store::{
    ListBy, Sort, StoreError, Tx,
    records::{AccessToken, ConsoleSession},
};
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use crate::{
    Caller, Credentials, Cx, Declaration, Resource, SessionSettings, SiloDeletion, audit, authn,
    authz::{self, Kind, ResourceScope},
    cascade, paging,
    session_activity::{Pending, SessionActivity},
};

crate::authz::kinds! {
    /// A user's sessions, as a list.
    SESSION_LIST = Row::of_user().silo(["-", "-", "lm"]).owner("lm");
}

crate::authz::operations! {
    contract {
        LOGOUT = open_changes(Kind::SILO, 204);
    }
    extensions {
        ACCOUNT_SESSION_LIST = reads(Kind::SESSION_LIST, Permission::List).personal();
        ACCOUNT_SESSION_DELETE = changes(Kind::SESSION_LIST, Permission::Modify, 204);
        ACCOUNT_SESSIONS_END_OTHERS = changes(Kind::SESSION_LIST, Permission::Modify, 204);
    }
}

impl Resource for ConsoleSession {
    const DECLARATION: Declaration = Declaration::internal(SiloDeletion::Goes(cascade::with_users::<Self>));
}

/// How long after signing in sensitive operations are allowed without signing in again.
const FRESH: SignedDuration = SignedDuration::from_mins(10);
/// Maximum number of expired sessions removed in one transaction.
const PURGE_BATCH: usize = 256;

/// Writes pending uses and removes expired sessions.
pub(crate) fn flush(
    db: &croft_store::Database,
    activity: &SessionActivity,
    now: Timestamp,
) -> Result<(), StoreError> {
    let pending = activity.take();
    let Pending { used, expired, used_tokens } = pending.clone();
    let written = db.write_blocking(move |tx| {
        for (id, time) in &used {
            if let Some(mut session) = tx.get::<ConsoleSession>(*id)? {
                session.time_last_used = session.time_last_used.max(*time);
                tx.update(&mut session)?;
            }
        }
        for (id, time) in &used_tokens {
            if let Some(mut token) = tx.get::<AccessToken>(*id)? {
                token.time_last_used = token.time_last_used.max(Some(*time));
                tx.update(&mut token)?;
            }
        }
        for id in &expired {
            tx.remove::<ConsoleSession>(*id, now)?;
        }
        Ok::<_, StoreError>(())
    });
    if written.is_err() {
        activity.restore(pending);
    }
    written
}

/// Refuses to `do_what` unless the caller has just signed in. Tokens and older sessions are no proof that the user is
/// present.
pub(crate) fn require_fresh(cx: &mut Cx<'_, '_>, caller: &Caller, do_what: &str) -> Result<ConsoleSession> {
    let session: Option<ConsoleSession> = cx.tx.get(caller.session()?)?;
    let is_fresh = |begun| cx.now.duration_since(begun) <= FRESH;
    session.filter(|session| is_fresh(session.meta.time_created)).ok_or_else(|| {
        Error::SignInAgain(format!("You signed in too long ago to {do_what}. Sign in again to do it."))
    })
}

fn usable(
    cx: &mut Cx<'_, '_>,
    user: Uuid,
    query: &PageQuery<NoSelector, IdSortMode>,
) -> Result<Vec<ConsoleSession>> {
    let (now, settings, activity) = (cx.now, &cx.environment.settings.session, &cx.environment.activity);
    let usable = |session: &ConsoleSession| {
        !authn::is_session_over(session, activity.last_used(session), settings, now)
    };
    paging::page_where(cx.tx, &ListBy::Parent(user), query, usable)
}

/// A page of a user's valid sessions.
pub(crate) fn page(
    cx: &mut Cx<'_, '_>,
    user: Uuid,
    query: &PageQuery<NoSelector, IdSortMode>,
) -> Result<ResultsPage<SessionView>> {
    let activity = &cx.environment.activity;
    let sessions = usable(cx, user, query)?;
    let view = |session: &ConsoleSession| SessionView {
        id: session.meta.id,
        time_created: session.meta.time_created,
        time_last_used: activity.last_used(session),
    };
    Ok(query.results(sessions.iter().map(view).collect()))
}

/// `account_session_list`: a page of the caller's valid sessions.
pub fn own_list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    query: &PageQuery<NoSelector, IdSortMode>,
) -> Result<ResultsPage<OwnSession>> {
    authz::require(cx, caller, &own(caller), &operation::ACCOUNT_SESSION_LIST)?;
    let activity = &cx.environment.activity;
    let sessions = usable(cx, caller.user_id, query)?;
    let view = |session: ConsoleSession| OwnSession {
        id: session.meta.id,
        time_created: session.meta.time_created,
        time_last_used: activity.last_used(&session),
        source_ip: session.source,
        is_current: Some(session.meta.id) == caller.session_id,
        user_agent: session.user_agent,
    };
    Ok(query.results(sessions.into_iter().map(view).collect()))
}

/// `account_session_delete`: ends one of the caller's sessions, possibly the calling one. Sessions of others are not
/// found, whatever the caller's roles.
pub fn end(cx: &mut Cx<'_, '_>, caller: &Caller, id: Uuid) -> Result<()> {
    authz::require(cx, caller, &own(caller), &operation::ACCOUNT_SESSION_DELETE)?;
    let session: Option<ConsoleSession> = cx.tx.get(id)?;
    let session = session
        .filter(|session| session.user_id == caller.user_id)
        .ok_or_else(|| Error::not_found(ResourceKind::ConsoleSession, id))?;
    cx.tx.remove::<ConsoleSession>(session.meta.id, cx.now)?;
    Ok(())
}

/// `account_sessions_end_others`: ends the caller's sessions except the calling one.
pub fn end_others(cx: &mut Cx<'_, '_>, caller: &Caller) -> Result<()> {
    authz::require(cx, caller, &own(caller), &operation::ACCOUNT_SESSIONS_END_OTHERS)?;
    end_all(cx.tx, caller.user_id, caller.session_id, cx.now)
}

fn own(caller: &Caller) -> ResourceScope {
    ResourceScope::user(Kind::SESSION_LIST, caller.silo_id, caller.user_id)
}

/// Ends all sessions of a user except one.
pub(crate) fn end_all(tx: &mut Tx<'_>, user: Uuid, but: Option<Uuid>, now: Timestamp) -> Result<()> {
    for session in paging::all::<ConsoleSession>(tx, &ListBy::Parent(user))? {
        if Some(session.meta.id) != but {
            tx.remove::<ConsoleSession>(session.meta.id, now)?;
        }
    }
    Ok(())
}

/// Ends the sessions that were opened through an identity provider, and those of its silo's users whose provider is
/// unknown.
pub(crate) fn end_all_through(tx: &mut Tx<'_>, provider: Uuid, silo: Uuid, now: Timestamp) -> Result<()> {
    for opened_by in [provider, silo] {
        let by = ListBy::lookup(ConsoleSession::OPENED_BY, opened_by);
        for session in paging::all::<ConsoleSession>(tx, &by)? {
            tx.remove::<ConsoleSession>(session.meta.id, now)?;
        }
    }
    Ok(())
}

/// Removes sessions past their absolute lifetime. Returns whether there may be more.
pub(crate) fn purge(tx: &mut Tx<'_>, settings: &SessionSettings, now: Timestamp) -> Result<bool, StoreError> {
    let oldest: Vec<ConsoleSession> = tx.page(ListBy::All, Sort::TimeAsc, None, PURGE_BATCH)?;
    let expired =
        oldest.iter().take_while(|session| now.duration_since(session.meta.time_created) > settings.absolute);
    let mut removed = 0;
    for session in expired {
        tx.remove::<ConsoleSession>(session.meta.id, now)?;
        removed += 1;
    }
    Ok(removed == PURGE_BATCH)
}

/// Ends the session of a cookie, if there is one, and only then writes an audit entry. `logout` always succeeds, and
/// does not affect bearer tokens.
pub fn logout(cx: &mut Cx<'_, '_>, credentials: &Credentials) -> Result<()> {
    if let Some(session) = end_of_cookie(cx, credentials)? {
        audit::record(cx, Some(&Caller::of_session(&session)), &operation::LOGOUT, None)?;
    }
    Ok(())
}

/// Ends a browser's previous session when the browser signs in again, whoever it belongs to.
pub fn end_replaced(cx: &mut Cx<'_, '_>, credentials: &Credentials) -> Result<()> {
    end_of_cookie(cx, credentials).map(|_| ())
}

fn end_of_cookie(cx: &mut Cx<'_, '_>, credentials: &Credentials) -> Result<Option<ConsoleSession>> {
    let hash = credentials.session_cookie.as_deref().and_then(authn::secret_hash);
    let Some(hash) = hash else { return Ok(None) };
    let session: Option<ConsoleSession> = cx.tx.find(ConsoleSession::TOKEN, hash.as_slice())?;
    if let Some(session) = &session {
        cx.tx.remove::<ConsoleSession>(session.meta.id, cx.now)?;
    }
    Ok(session)
}
