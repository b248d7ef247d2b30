//! The caller of a request.

use std::cell::RefCell;

use croft_api::{Error, Result};
use croft_store::records::{ConsoleSession, PendingStep};
use uuid::Uuid;

use super::roles::RoleCache;

/// How a caller proved who they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AuthMethod {
    /// With the cookie of a session.
    SessionCookie,
    /// With a bearer token.
    Token,
}

impl AuthMethod {
    /// The method in the audit log.
    pub const fn label(self) -> &'static str {
        match self {
            Self::SessionCookie => "session_cookie",
            Self::Token => "token",
        }
    }
}

/// A signed-in user, for the length of one request.
#[derive(Debug)]
pub struct Caller {
    /// The user.
    pub user_id: Uuid,
    /// The user's silo.
    pub silo_id: Uuid,
    /// How the caller proved who they are.
    pub method: AuthMethod,
    /// The session, for callers who have one.
    pub session_id: Option<Uuid>,
    /// The administrator who views Croft as this user, if it is not the user who has signed in. Of the same silo.
    pub viewed_by: Option<Uuid>,
    /// The pending sign-in steps of the session.
    pub pending: Option<PendingStep>,
    /// The roles that were looked up so far.
    pub(crate) roles: RefCell<RoleCache>,
}

impl Caller {
    pub(crate) fn new(user_id: Uuid, silo_id: Uuid, method: AuthMethod, session_id: Option<Uuid>) -> Self {
        Self {
            user_id,
            silo_id,
            method,
            session_id,
            viewed_by: None,
            pending: None,
            roles: RefCell::default(),
        }
    }

    /// The user of the session.
    pub(crate) fn of_session(session: &ConsoleSession) -> Self {
        let id = Some(session.meta.id);
        let caller = Self::new(session.user_id, session.silo_id, AuthMethod::SessionCookie, id);
        Self { pending: session.pending, ..caller }
    }

    /// The user of a session, seen by the session's own user.
    pub(crate) fn viewed(session: &ConsoleSession, user: Uuid) -> Self {
        let caller = Self::of_session(session);
        Self { user_id: user, viewed_by: Some(session.user_id), ..caller }
    }

    /// Who has signed in: the caller, or the administrator who views Croft as the caller.
    pub fn actor(&self) -> Uuid {
        self.viewed_by.unwrap_or(self.user_id)
    }

    /// The caller's session. For operations that are refused with a token, because somebody who stole one could
    /// otherwise gain permanent access.
    pub(crate) fn session(&self) -> Result<Uuid> {
        self.session_id
            .ok_or_else(|| Error::forbidden("A token cannot do this. Sign in to the console to do it."))
    }

    /// A caller without credentials, for tests of rules and for the demo.
    pub fn assumed(user_id: Uuid, silo_id: Uuid) -> Self {
        Self::new(user_id, silo_id, AuthMethod::Token, None)
    }
}
