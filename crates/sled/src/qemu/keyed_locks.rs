use std::{collections::BTreeMap, sync::Arc};

use parking_lot::Mutex;

/// Turns at things of which each is changed by one at a time, so that one that takes long holds up no other.
#[derive(Debug)]
pub(super) struct KeyedLocks<K>(Mutex<BTreeMap<K, Arc<Mutex<()>>>>);

impl<K> Default for KeyedLocks<K> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K: Ord> KeyedLocks<K> {
    /// What is held while a thing is changed.
    pub(super) fn of(&self, thing: K) -> Arc<Mutex<()>> {
        Arc::clone(self.0.lock().entry(thing).or_default())
    }

    /// Forgets a thing that is gone.
    pub(super) fn forget(&self, thing: &K) {
        let mut turns = self.0.lock();
        // Whoever waits for it still has to wait for the same one as who comes next.
        if turns.get(thing).is_some_and(|turn| Arc::strong_count(turn) == 1) {
            turns.remove(thing);
        }
    }
}
