use std::collections::BTreeSet;

use parking_lot::{Condvar, Mutex};
use uuid::Uuid;

#[derive(Debug, Default)]
struct State {
    held: BTreeSet<Uuid>,
    /// What those that are held up are about.
    waiting: Vec<Uuid>,
}

/// Calls that are held up by tests.
#[derive(Debug, Default)]
pub(super) struct HeldCalls {
    state: Mutex<State>,
    changed: Condvar,
}

impl HeldCalls {
    pub(super) fn hold(&self, id: Uuid) {
        self.state.lock().held.insert(id);
    }

    pub(super) fn release(&self, id: Uuid) {
        self.state.lock().held.remove(&id);
        self.changed.notify_all();
    }

    /// Continues once none of these is held.
    pub(super) fn wait_until_released(&self, ids: impl IntoIterator<Item = Uuid>) {
        let ids: Vec<Uuid> = ids.into_iter().collect();
        let mut state = self.state.lock();
        while let Some(id) = ids.iter().copied().find(|id| state.held.contains(id)) {
            state.waiting.push(id);
            self.changed.notify_all();
            self.changed.wait_while(&mut state, |state| state.held.contains(&id));
            if let Some(place) = state.waiting.iter().position(|waiting| *waiting == id) {
                state.waiting.remove(place);
            }
        }
    }

    /// Waits until as many calls are held up because of this.
    pub(super) fn wait_until_held(&self, id: Uuid, calls: usize) {
        let held = |state: &State| state.waiting.iter().filter(|waiting| **waiting == id).count();
        self.changed.wait_while(&mut self.state.lock(), |state| held(state) < calls);
    }
}
