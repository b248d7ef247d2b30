//! The change log and the signal of new changes.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use event_listener::Event;
use jiff::Timestamp;
use uuid::Uuid;

use crate::{Scope, StoreError};

/// What happened to a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Action {
    /// Inserted.
    Created,
    /// Updated.
    Updated,
    /// Soft-deleted.
    Deleted,
    /// Removed for good.
    Removed,
}

impl Action {
    pub(crate) const fn number(self) -> i64 {
        match self {
            Self::Created => 1,
            Self::Updated => 2,
            Self::Deleted => 3,
            Self::Removed => 4,
        }
    }

    pub(crate) fn from_number(number: i64) -> Result<Self, StoreError> {
        Ok(match number {
            1 => Self::Created,
            2 => Self::Updated,
            3 => Self::Deleted,
            4 => Self::Removed,
            _ => return Err(StoreError::Corrupt(format!("the change log holds an unknown action {number}"))),
        })
    }
}

/// One row of the change log, written in the same transaction as the change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// Ascending in the order in which changes became visible; not without gaps.
    pub seq: i64,
    /// The record's time of creation, modification or deletion, or the time given to the removal.
    pub time: Timestamp,
    /// The table's name.
    pub kind: String,
    /// The record.
    pub id: Uuid,
    /// The record's parent after the change; nil for a root.
    pub parent: Uuid,
    /// The record's silo, if it belongs to one.
    pub silo: Option<Uuid>,
    /// The record's project, if it belongs to one.
    pub project: Option<Uuid>,
    /// What happened.
    pub action: Action,
    /// The record's generation after the change; of a removed record the last one.
    pub generation: u64,
}

/// A record that the running transaction changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedRecord {
    /// The table's name.
    pub kind: &'static str,
    /// The record.
    pub id: Uuid,
    /// Its name, if the table has names.
    pub name: Option<String>,
    /// Its parent after the change; nil for a root.
    pub parent: Uuid,
    /// Where it belongs to after the change.
    pub scope: Scope,
}

/// A change that the running transaction will write when it ends.
#[derive(Clone, Debug)]
pub(crate) struct PendingChange {
    pub(crate) time: Timestamp,
    pub(crate) kind: &'static str,
    pub(crate) id: Uuid,
    pub(crate) name: Option<String>,
    pub(crate) parent: Uuid,
    pub(crate) silo: Option<Uuid>,
    pub(crate) project: Option<Uuid>,
    pub(crate) action: Action,
    pub(crate) generation: u64,
}

impl PendingChange {
    /// The record that changed.
    pub(crate) fn record(&self) -> ChangedRecord {
        ChangedRecord {
            kind: self.kind,
            id: self.id,
            name: self.name.clone(),
            parent: self.parent,
            scope: Scope { silo: self.silo, project: self.project },
        }
    }
}

#[derive(Debug, Default)]
struct Shared {
    commits: AtomicU64,
    event: Event,
}

/// Where the engine announces commits.
#[derive(Clone, Debug, Default)]
pub(crate) struct ChangeSource {
    shared: Arc<Shared>,
}

impl ChangeSource {
    /// Announces that changes were committed.
    pub(crate) fn announce(&self) {
        self.shared.commits.fetch_add(1, Ordering::AcqRel);
        self.shared.event.notify(usize::MAX);
    }

    pub(crate) fn subscribe(&self) -> ChangeSignal {
        ChangeSignal { seen: self.shared.commits.load(Ordering::Acquire), shared: Arc::clone(&self.shared) }
    }
}

/// Wakes after commits that changed something. Several commits may wake it once; none is missed. It may also wake
/// without a change. Commits of other programs on the same database wake it too, with a delay of up to a second.
#[derive(Clone, Debug)]
pub struct ChangeSignal {
    seen: u64,
    shared: Arc<Shared>,
}

impl ChangeSignal {
    /// Waits for a commit later than those already waited for (or than [`Database::changes`](crate::Database::changes)).
    pub async fn changed(&mut self) {
        loop {
            if self.take() {
                return;
            }
            let listener = self.shared.event.listen();
            if self.take() {
                return;
            }
            listener.await;
        }
    }

    /// Whether there was a commit since the last look, without waiting.
    pub fn take(&mut self) -> bool {
        let commits = self.shared.commits.load(Ordering::Acquire);
        std::mem::replace(&mut self.seen, commits) != commits
    }

    /// Like [`ChangeSignal::changed`], blocking the thread for at most `timeout`. Returns whether there was a commit.
    #[cfg(not(target_family = "wasm"))]
    pub fn wait(&mut self, timeout: std::time::Duration) -> bool {
        use event_listener::Listener as _;

        let deadline = std::time::Instant::now() + timeout;
        loop {
            if self.take() {
                return true;
            }
            let listener = self.shared.event.listen();
            if self.take() {
                return true;
            }
            if listener.wait_deadline(deadline).is_none() {
                return self.take();
            }
        }
    }
}
