//! Live events: streams of what changed, for those who may read it.
//!
//! One task, the [reader](reader), follows the change log while anybody listens, and hands each change to the streams of
//! those who may read it. A [stream](stream) first catches up with the log by itself, page by page and at its client's pace,
//! and [joins](Events::join) the reader where both are at the same place: so nothing is missed and nothing comes twice.

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

/// Streams that a user may have open at the same time: one for each tab, as browsers share nothing between them.
const MOST_PER_USER: usize = 32;
/// Streams that may be open at the same time. Less than all that the server keeps open, so that consoles of machines find
/// room.
const MOST: usize = 1536;

/// Who follows the change log. Cheap to clone.
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
    /// Whether the reader runs.
    running: bool,
    /// The last change that the reader has handed on.
    position: i64,
    /// Streams that the reader hands changes to, by user.
    audiences: HashMap<Uuid, Vec<Arc<Subscriber>>>,
    /// Streams that are open, by user, whether or not they have caught up.
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

/// The right to have a stream open.
pub(super) struct Permit {
    events: Weak<Shared>,
    user: Uuid,
}

/// A stream's place with the reader.
pub(super) struct ReaderSlot {
    events: Weak<Shared>,
    subscriber: Arc<Subscriber>,
}

impl Events {
    /// Counts a stream for as long as the answer lives; `None` when too many are open.
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

    /// Has the reader hand changes to a stream from now on, if it has not read further than the stream.
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
