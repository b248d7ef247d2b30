//! Views of Croft as another user (`docs/rules/identity-and-system.md#view-as`).
//!
//! The view is a state of the administrator's session, because browsers cannot add headers to downloads and streams.
//! [`authn`](crate::authn) makes the user the caller of the session's requests, and
//! [`execute`](crate::execute) refuses everything that changes something.

use croft_api::{Error, Result, view_as as api};
use croft_store::records::{ConsoleSession, SiloUser, Viewing};
use uuid::Uuid;

use crate::{
    Caller, Cx, Operation, audit,
    authz::{self, viewing},
    user,
};

crate::authz::kinds! {
    /// Croft as a user sees it.
    VIEW_AS = Row::of_user().silo(["-", "-", "m"]);
}

crate::authz::operations! {
    extensions {
        VIEW_AS_VIEW = open_reads(Kind::SILO_USER, 200);
        VIEW_AS_BEGIN = changes(Kind::VIEW_AS, Permission::Modify, 200);
        VIEW_AS_END = open_changes(Kind::SILO_USER, 204);
    }
    internal {
        /// The end of a view by itself: after its time, or because the administrator lost the right.
        VIEW_AS_EXPIRE = changes(Kind::VIEW_AS, Permission::Modify, 204);
    }
}

/// `view_as_view`: whether the session views Croft as another user. Whatever the user's rights, it tells the truth.
///
/// `possible` lists the operations that are possible during a view, which are known to
/// [`permissions`](crate::permissions::possible_in_view).
pub fn view(cx: &mut Cx<'_, '_>, caller: &Caller, possible: fn() -> Vec<String>) -> Result<api::ViewAs> {
    if caller.viewed_by.is_none() {
        return Ok(api::ViewAs { viewing: None });
    }
    let session = session_of(cx, caller)?;
    let viewing = session.viewing.map(|viewing| to_view(cx, &session, &viewing, possible)).transpose()?;
    Ok(api::ViewAs { viewing })
}

/// `view_as_begin`: from now on, requests of the session are those of the user. For `possible` see [`view`].
pub fn begin(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    id: Uuid,
    possible: fn() -> Vec<String>,
) -> Result<api::ViewAs> {
    let user = user::enter(cx, caller, id)?;
    cx.viewed_as = Some(user.meta.id);
    authz::require(cx, caller, &viewing::place(&user), &operation::VIEW_AS_BEGIN)?;
    viewing::require_beyond_table(cx, caller, &user)?;
    let mut session = session_of(cx, caller)?;
    let begun = Viewing { user_id: user.meta.id, time_begun: cx.now };
    session.viewing = Some(begun);
    cx.tx.update(&mut session)?;
    Ok(api::ViewAs { viewing: Some(to_view(cx, &session, &begun, possible)?) })
}

/// `view_as_end`: the session is its user's own again. Succeeds also if it was already.
pub fn end(cx: &mut Cx<'_, '_>, caller: &Caller) -> Result<()> {
    let mut session = session_of(cx, caller)?;
    if session.viewing.take().is_some() {
        cx.tx.update(&mut session)?;
    }
    Ok(())
}

/// Ends the view of a session that was found to be over, unless another one has begun.
pub(crate) fn expire(cx: &mut Cx<'_, '_>, session: Uuid, over: &Viewing) -> Result<()> {
    let Some(mut session) = cx.tx.get::<ConsoleSession>(session)? else { return Ok(()) };
    if session.viewing.as_ref() != Some(over) {
        return Ok(());
    }
    session.viewing = None;
    cx.tx.update(&mut session)?;
    cx.viewed_as = Some(over.user_id);
    let recorded = audit::record(cx, Some(&Caller::of_session(&session)), &operation::VIEW_AS_EXPIRE, None);
    cx.viewed_as = None;
    recorded
}

/// Refuses what nobody does who views Croft as another user: everything that changes something, but the end of the view,
/// and what only the user may see.
pub(crate) fn refuse_during_view(cx: &mut Cx<'_, '_>, caller: &Caller, operation: &Operation) -> Result<()> {
    let is_change = is_change(operation);
    if caller.viewed_by.is_none() || !(is_change || operation.is_personal) {
        return Ok(());
    }
    let name = name_of(cx, caller.user_id)?;
    Err(Error::forbidden(if is_change {
        format!("You view Croft as {name}. Changes are not possible; stop viewing first.")
    } else {
        format!("You view Croft as {name}. Only {name} may see this.")
    }))
}

/// Whether it can change something other than the view.
pub(crate) fn is_change(operation: &Operation) -> bool {
    operation.has_effect && *operation != operation::VIEW_AS_END
}

fn session_of(cx: &mut Cx<'_, '_>, caller: &Caller) -> Result<ConsoleSession> {
    let session: Option<ConsoleSession> = cx.tx.get(caller.session()?)?;
    session.ok_or_else(|| Error::unauthenticated("the session is gone"))
}

fn to_view(
    cx: &mut Cx<'_, '_>,
    session: &ConsoleSession,
    viewing: &Viewing,
    possible: fn() -> Vec<String>,
) -> Result<api::Viewing> {
    let mut named = |id| Ok::<_, Error>(api::ViewAsUser { id, display_name: name_of(cx, id)? });
    Ok(api::Viewing {
        user: named(viewing.user_id)?,
        administrator: named(session.user_id)?,
        time_begun: viewing.time_begun,
        time_ends: viewing::time_ends(viewing),
        possible_operations: possible(),
    })
}

fn name_of(cx: &mut Cx<'_, '_>, id: Uuid) -> Result<String> {
    let user: Option<SiloUser> = cx.tx.get(id)?;
    user.map(|user| user.external_id).ok_or_else(|| Error::unauthenticated("the user is gone"))
}
