//! The latest transactions that were run again.

use std::{
    collections::VecDeque,
    time::{Duration, Instant},
};

use parking_lot::Mutex;

use super::Access;
use crate::Retry;

/// Maximum number kept until they are taken; then the oldest are dropped.
const MOST: usize = 1000;

struct Entry {
    access: Access,
    attempt: u32,
    lost: Duration,
    time: Instant,
}

/// Those that have not been taken.
#[derive(Default)]
pub(crate) struct Retries(Mutex<VecDeque<Entry>>);

impl Retries {
    /// A run that began at a time has just collided; `attempt` counts from 1.
    #[cfg_attr(
        not(feature = "postgres"),
        expect(dead_code, reason = "nothing collides with SQLite's one writer")
    )]
    pub(crate) fn add(&self, access: Access, attempt: u32, begun: Instant) {
        let time = Instant::now();
        let mut entries = self.0.lock();
        if entries.len() == MOST {
            entries.pop_front();
        }
        entries.push_back(Entry { access, attempt, lost: time.duration_since(begun), time });
    }

    /// Takes them, the oldest first.
    pub(crate) fn take(&self) -> Vec<Retry> {
        let entries = std::mem::take(&mut *self.0.lock());
        let retry = |entry: Entry| Retry {
            access: match entry.access {
                Access::Read => "read",
                Access::Write => "write",
            },
            attempt: entry.attempt,
            lost: entry.lost,
            age: entry.time.elapsed(),
        };
        entries.into_iter().map(retry).collect()
    }
}

#[cfg(all(test, feature = "postgres"))]
mod tests {
    use super::*;

    #[test]
    fn latest_retries_are_kept_until_taken() {
        let retries = Retries::default();
        for attempt in 1..=1010 {
            retries.add(Access::Write, attempt, Instant::now());
        }
        let taken = retries.take();
        assert_eq!((taken.len(), taken[0].attempt, taken[0].access), (MOST, 11, "write"));
        assert!(taken.is_sorted_by_key(|retry| retry.attempt));
        assert_eq!(retries.take(), []);
    }
}
