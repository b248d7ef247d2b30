//! Who may view Croft as somebody else, and for how long (`docs/rules/identity-and-system.md#view-as`).
//!
//! Whoever views Croft as a user sees with the user's rights. So nobody does who lacks one of them: only administrators
//! of the user's silo, who have every right inside it, with at least the user's role on the fleet.

use croft_api::{Error, Result};
use croft_store::records::{ConsoleSession, SiloUser, Viewing};
use jiff::{SignedDuration, Timestamp};

use super::{Caller, Kind, Permission, ResourceScope, fleet, permits};
use crate::{Cx, context::later};

/// How long a view lasts at most.
const LONGEST: SignedDuration = SignedDuration::from_hours(1);

/// When a view ends by itself.
pub(crate) fn time_ends(viewing: &Viewing) -> Timestamp {
    later(viewing.time_begun, LONGEST)
}

/// What the table of permissions says about views as this user.
pub(crate) fn place(user: &SiloUser) -> ResourceScope {
    ResourceScope::user(Kind::VIEW_AS, user.silo_id, user.meta.id)
}

/// Refuses what the table permits: a view as oneself, and one with a stronger role on the fleet.
pub(crate) fn require_beyond_table(cx: &mut Cx<'_, '_>, caller: &Caller, user: &SiloUser) -> Result<()> {
    if user.meta.id == caller.user_id {
        return Err(Error::forbidden("You see Croft as yourself. Choose another user to view as."));
    }
    fleet::require_as_strong_as(cx, caller, user).map_err(|error| match error {
        Error::Forbidden => Error::forbidden(format!(
            "{} has a role on the fleet that goes beyond yours. You cannot view Croft as this user.",
            user.external_id
        )),
        error => error,
    })
}

/// Whether the view of a session goes on: time and the administrator's rights decide, and whether the user still exists.
pub(crate) fn goes_on(cx: &mut Cx<'_, '_>, session: &ConsoleSession, viewing: &Viewing) -> Result<bool> {
    if cx.now >= time_ends(viewing) {
        return Ok(false);
    }
    let Some(user) = cx.tx.get::<SiloUser>(viewing.user_id)? else { return Ok(false) };
    let administrator = Caller::of_session(session);
    if !permits(cx, &administrator, &place(&user), Permission::Modify)? {
        return Ok(false);
    }
    match require_beyond_table(cx, &administrator, &user) {
        Err(Error::ForbiddenText(_)) => Ok(false),
        decided => decided.map(|()| true),
    }
}
