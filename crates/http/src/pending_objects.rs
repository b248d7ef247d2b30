//! Requests that wait for disks and snapshots which hosts are creating.
//!
//! While there are such requests, one task reads the change log for all of them, and wakes those whose disk or snapshot
//! has changed. There is no polling, and waiting requests do not block a thread.

use std::{
    collections::{BTreeSet, HashMap},
    sync::Arc,
    time::Duration,
};

use croft_api::{Error, Uuid};
use event_listener::{Event, EventListener};
use futures_util::future::{Either, select};
use parking_lot::Mutex;

use crate::app::{App, Pending};

/// Maximum number of waiting requests; further ones are answered immediately with the current state.
const MOST: usize = 1024;
/// Number of changes read at once.
const BATCH: usize = 500;
/// Delay after a failed read of the log.
const AFTER_FAILURE: Duration = Duration::from_millis(200);

/// The waiting requests, by object.
#[derive(Clone, Default)]
pub(crate) struct PendingObjects(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    awaited: HashMap<Uuid, PendingObject>,
    waiting: usize,
    is_read: bool,
}

struct PendingObject {
    changed: Arc<Event>,
    by: usize,
}

/// A waiting request.
struct Waiter {
    pending_objects: PendingObjects,
    id: Uuid,
    changed: Arc<Event>,
}

impl PendingObjects {
    /// Registers a waiting request, unless there are too many. `start_reading` is called if no reader is running.
    fn join(&self, id: Uuid, start_reading: impl FnOnce(Reader)) -> Option<Waiter> {
        let mut state = self.0.lock();
        if state.waiting >= MOST {
            return None;
        }
        state.waiting += 1;
        let awaited =
            state.awaited.entry(id).or_insert_with(|| PendingObject { changed: Arc::default(), by: 0 });
        awaited.by += 1;
        let waiter = Waiter { pending_objects: self.clone(), id, changed: Arc::clone(&awaited.changed) };
        let is_read = std::mem::replace(&mut state.is_read, true);
        drop(state);
        if !is_read {
            start_reading(Reader(self.clone()));
        }
        Some(waiter)
    }

    fn wake(&self, changed: &BTreeSet<Uuid>) {
        let state = self.0.lock();
        for awaited in changed.iter().filter_map(|id| state.awaited.get(id)) {
            awaited.changed.notify(usize::MAX);
        }
    }

    fn wake_all(&self) {
        self.0.lock().awaited.values().for_each(|awaited| {
            awaited.changed.notify(usize::MAX);
        });
    }
}

impl Drop for Waiter {
    fn drop(&mut self) {
        let mut state = self.pending_objects.0.lock();
        state.waiting -= 1;
        if let Some(awaited) = state.awaited.get_mut(&self.id) {
            awaited.by -= 1;
            if awaited.by == 0 {
                state.awaited.remove(&self.id);
            }
        }
    }
}

/// The reader task. If it ends, the next waiting request starts another one.
struct Reader(PendingObjects);

impl Reader {
    /// Whether there are no waiting requests; then another reader may be started.
    fn is_over(&self) -> bool {
        let mut state = self.0.0.lock();
        state.is_read = state.waiting > 0;
        !state.is_read
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.0.lock().is_read = false;
        }
    }
}

async fn read(app: App, reader: Reader) {
    let mut changes = app.parts.database.changes();
    let mut position = None;
    while !reader.is_over() {
        match read_changes(&app, position).await {
            Ok((last, ids)) => {
                match position {
                    // A request that is already waiting may have read the state before this.
                    None => reader.0.wake_all(),
                    Some(_) => reader.0.wake(&ids),
                }
                let is_more = position.is_some_and(|before| before < last);
                position = Some(last);
                if is_more {
                    continue;
                }
                changes.changed().await;
            }
            Err(error) => {
                let detail = error.detail();
                tracing::warn!(%error, detail, "cannot read changes for waiting requests");
                app.parts.tasks.sleep(AFTER_FAILURE).await;
            }
        }
    }
}

/// The last change of the log, and the changes since a position.
async fn read_changes(app: &App, position: Option<i64>) -> Result<(i64, BTreeSet<Uuid>), Error> {
    let read_changes = move |tx: &mut croft_store::Tx<'_>| {
        let Some(position) = position else { return Ok::<_, Error>((tx.last_change()?, BTreeSet::new())) };
        let changes = tx.changes_since(position, BATCH)?;
        let last = changes.last().map_or(position, |change| change.seq);
        Ok((last, changes.iter().map(|change| change.id).collect()))
    };
    app.parts.database.read(read_changes).await
}

/// The time that a request may still wait.
pub(crate) struct WaitLimit {
    app: App,
    /// `None` once it has been used up.
    deadline: Option<Pending<()>>,
    waiter: Option<Waiter>,
    listener: Option<EventListener>,
}

impl WaitLimit {
    /// For a request that starts now.
    pub(crate) fn new(app: &App) -> Self {
        let time = app.parts.settings.wait_for_hosts;
        let deadline = (!time.is_zero()).then(|| app.parts.tasks.sleep(time));
        Self { app: app.clone(), deadline, waiter: None, listener: None }
    }

    /// Whether there is time left. Call this before each read of the state: changes after this call are not missed.
    pub(crate) fn lasts(&mut self) -> bool {
        self.listener = self.waiter.as_ref().map(|waiter| waiter.changed.listen());
        self.deadline.is_some()
    }

    /// Waits until an unfinished object may have changed. It may return without a change: the first call only starts to
    /// listen.
    pub(crate) async fn wait(&mut self, id: Uuid) {
        let (listener, is_known) = (self.listener.take(), self.waiter.as_ref().map(|waiter| waiter.id));
        match (listener, self.deadline.take()) {
            (Some(listener), Some(mut deadline)) if is_known == Some(id) => {
                let closing = std::pin::pin!(self.app.closing.begun());
                let end = select(&mut deadline, closing);
                let is_woken = matches!(select(listener, end).await, Either::Left(_));
                self.deadline = Some(deadline).filter(|_| is_woken);
            }
            (_, deadline) => {
                let app = self.app.clone();
                let start = |reader| self.app.parts.tasks.spawn(Box::pin(read(app, reader)));
                self.waiter = self.app.pending_objects.join(id, start);
                self.deadline = deadline.filter(|_| self.waiter.is_some());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unused_entries_are_removed() {
        let pending_objects = PendingObjects::default();
        let id = Uuid::from_u128(1);
        let mut readers = Vec::new();
        let one = pending_objects.join(id, |reader| readers.push(reader)).unwrap();
        let other = pending_objects.join(id, |reader| readers.push(reader)).unwrap();
        let listener = one.changed.listen();
        pending_objects.wake(&BTreeSet::from([id, Uuid::from_u128(2)]));
        assert!(futures_util::FutureExt::now_or_never(listener).is_some());
        let [reader] = readers.as_slice() else { panic!("one reader reads for both") };
        drop(one);
        assert!(!reader.is_over());
        drop(other);
        assert!(reader.is_over());
        assert!(pending_objects.0.lock().awaited.is_empty());
    }

    #[test]
    fn waiting_requests_are_bounded() {
        let pending_objects = PendingObjects::default();
        let join = |number| pending_objects.join(Uuid::from_u128(number), drop);
        let mut waiters: Vec<_> = (0..MOST as u128).map(|number| join(number).unwrap()).collect();
        assert!(join(0).is_none());
        waiters.pop();
        assert!(join(0).is_some());
    }
}
