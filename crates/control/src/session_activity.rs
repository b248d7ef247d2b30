//! Pending updates of the last use of sessions and tokens.

use std::{
    collections::{BTreeSet, HashMap},
    mem,
};

use croft_store::records::{AccessToken, ConsoleSession, Viewing};
use jiff::Timestamp;
use parking_lot::Mutex;
use uuid::Uuid;

/// Updates that have not been written.
#[derive(Clone, Debug, Default)]
pub(crate) struct Pending {
    pub(crate) used: HashMap<Uuid, Timestamp>,
    pub(crate) expired: BTreeSet<Uuid>,
    pub(crate) used_tokens: HashMap<Uuid, Timestamp>,
}

/// Collects uses of sessions and tokens in memory. The reconciler writes them, so that read requests write nothing, and
/// each session or token is written at most once per interval.
#[derive(Debug, Default)]
pub struct SessionActivity {
    pending: Mutex<Pending>,
    /// Views that are over, by their session.
    views_over: Mutex<HashMap<Uuid, Viewing>>,
}

impl SessionActivity {
    /// The last use of a session, whether written or not.
    pub(crate) fn last_used(&self, session: &ConsoleSession) -> Timestamp {
        let pending = self.pending.lock();
        pending.used.get(&session.meta.id).copied().unwrap_or_default().max(session.time_last_used)
    }

    pub(crate) fn used(&self, id: Uuid, now: Timestamp) {
        let mut pending = self.pending.lock();
        let last = pending.used.entry(id).or_insert(now);
        *last = now.max(*last);
    }

    /// The last use of a token, whether written or not.
    pub(crate) fn token_last_used(&self, token: &AccessToken) -> Option<Timestamp> {
        self.pending.lock().used_tokens.get(&token.meta.id).copied().max(token.time_last_used)
    }

    pub(crate) fn token_used(&self, id: Uuid, now: Timestamp) {
        let mut pending = self.pending.lock();
        let last = pending.used_tokens.entry(id).or_insert(now);
        *last = now.max(*last);
    }

    pub(crate) fn expired(&self, id: Uuid) {
        self.pending.lock().expired.insert(id);
    }

    pub(crate) fn view_over(&self, session: Uuid, view: Viewing) {
        self.views_over.lock().insert(session, view);
    }

    pub(crate) fn is_view_over(&self, session: Uuid, view: &Viewing) -> bool {
        self.views_over.lock().get(&session) == Some(view)
    }

    /// The views that are over and still stored.
    pub(crate) fn views_over(&self) -> Vec<(Uuid, Viewing)> {
        self.views_over.lock().iter().map(|(session, view)| (*session, *view)).collect()
    }

    /// Forgets a view whose end is stored.
    pub(crate) fn view_ended(&self, session: Uuid, view: &Viewing) {
        let mut over = self.views_over.lock();
        if over.get(&session) == Some(view) {
            over.remove(&session);
        }
    }

    /// Whether there is anything to write.
    pub fn is_pending(&self) -> bool {
        if !self.views_over.lock().is_empty() {
            return true;
        }
        let pending = self.pending.lock();
        !pending.used.is_empty() || !pending.expired.is_empty() || !pending.used_tokens.is_empty()
    }

    pub(crate) fn take(&self) -> Pending {
        mem::take(&mut self.pending.lock())
    }

    /// Puts back updates that could not be written.
    pub(crate) fn restore(&self, old: Pending) {
        for (id, time) in old.used {
            self.used(id, time);
        }
        for (id, time) in old.used_tokens {
            self.token_used(id, time);
        }
        self.pending.lock().expired.extend(old.expired);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_uses_of_a_session_are_pending_once() {
        let activity = SessionActivity::default();
        for _ in 0..3 {
            activity.expired(Uuid::nil());
            activity.used(Uuid::nil(), Timestamp::UNIX_EPOCH);
        }
        let pending = activity.take();
        assert_eq!((pending.expired.len(), pending.used.len()), (1, 1));
    }
}
