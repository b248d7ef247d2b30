//! Live events: streams of changes, for callers who may read them.
//!
//! One task, the [reader](reader), follows the change log while there are streams, and dispatches each change to the
//! streams of users who may read it. A [stream](stream) first catches up with the log by itself, page by page and at
//! its client's pace, and [joins](Events::join) the reader when both are at the same position, so that no change is
//! missed or sent twice.

mod reader;
mod stream;
mod subscriber;
mod wire;

use std::{
    collections::HashMap,
    sync::{Arc, Weak},
};

use croft_api::Uuid;
use event_listener::Event;
use parking_lot::Mutex;

use crate::app::App;
pub(crate) use stream::open;
use subscriber::Subscriber;

/// Maximum number of open streams of a user: one for each tab, because browsers do not share them.
const MOST_PER_USER: usize = 32;
/// Maximum number of open streams. Less than the limit for all streams, so that there is room for serial consoles.
const MOST: usize = 1536;

/// The streams and the reader. Cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct Events(Arc<Shared>);

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    /// Notified when a stream ends.
    left: Event,
}

#[derive(Default)]
struct State {
    /// Whether the reader is running.
    running: bool,
    /// The last change that the reader has dispatched.
    position: i64,
    /// The streams that the reader dispatches changes to, by user.
    audiences: HashMap<Uuid, Vec<Arc<Subscriber>>>,
    /// The number of open streams, by user, whether or not they have caught up.
    open: HashMap<Uuid, usize>,
}

impl State {
    /// Ends the reader, and the streams that it serves.
    fn stop(&mut self) {
        self.running = false;
        for subscriber in self.audiences.drain().flat_map(|(_, audience)| audience) {
            subscriber.end();
        }
    }
}

/// The permit for an open stream.
pub(super) struct Permit {
    events: Weak<Shared>,
    user: Uuid,
}

/// The registration of a stream with the reader.
pub(super) struct ReaderSlot {
    events: Weak<Shared>,
    subscriber: Arc<Subscriber>,
}

impl Events {
    /// Counts a stream until the result is dropped; `None` if too many are open.
    fn admit(&self, user: Uuid) -> Option<Permit> {
        let mut state = self.0.state.lock();
        let all: usize = state.open.values().sum();
        let own = state.open.entry(user).or_default();
        if *own >= MOST_PER_USER || all >= MOST {
            return None;
        }
        *own += 1;
        Some(Permit { events: Arc::downgrade(&self.0), user })
    }

    /// Registers a stream with the reader, unless the reader has read further than the stream.
    fn join(&self, app: &App, subscriber: Arc<Subscriber>) -> Option<ReaderSlot> {
        let mut state = self.0.state.lock();
        if state.running && state.position > subscriber.from {
            return None;
        }
        if !state.running {
            state.running = true;
            state.position = subscriber.from;
            app.parts.tasks.spawn_dedicated(Box::pin(reader::run(app.clone(), self.clone())));
        }
        state.audiences.entry(subscriber.user).or_default().push(Arc::clone(&subscriber));
        Some(ReaderSlot { events: Arc::downgrade(&self.0), subscriber })
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let Some(events) = self.events.upgrade() else { return };
        let mut state = events.state.lock();
        if let Some(own) = state.open.get_mut(&self.user) {
            *own -= 1;
            if *own == 0 {
                state.open.remove(&self.user);
            }
        }
    }
}

impl Drop for ReaderSlot {
    fn drop(&mut self) {
        let Some(events) = self.events.upgrade() else { return };
        let user = self.subscriber.user;
        let mut state = events.state.lock();
        if let Some(audience) = state.audiences.get_mut(&user) {
            audience.retain(|other| !Arc::ptr_eq(other, &self.subscriber));
            if audience.is_empty() {
                state.audiences.remove(&user);
            }
        }
        drop(state);
        events.left.notify(usize::MAX);
    }
}
