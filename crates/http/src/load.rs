//! Admission control: a limited number of requests is processed, further ones get 503.

use std::sync::{
    Arc,
    atomic::{AtomicU64, AtomicUsize, Ordering::Relaxed},
};

/// The number of requests in progress.
#[derive(Clone)]
pub struct Load(Arc<Counters>);

struct Counters {
    limit: usize,
    in_flight: AtomicUsize,
    refused: AtomicU64,
}

/// The permit for a request; released when dropped, also when the client disconnects.
pub(crate) struct InFlightGuard(Arc<Counters>);

impl Load {
    /// Admits at most `limit` requests at a time.
    pub(crate) fn new(limit: usize) -> Self {
        Self(Arc::new(Counters { limit, in_flight: AtomicUsize::new(0), refused: AtomicU64::new(0) }))
    }

    /// Takes a slot, if one is free.
    pub(crate) fn enter(&self) -> Option<InFlightGuard> {
        if self.0.in_flight.fetch_add(1, Relaxed) < self.0.limit {
            return Some(InFlightGuard(Arc::clone(&self.0)));
        }
        self.0.in_flight.fetch_sub(1, Relaxed);
        self.0.refused.fetch_add(1, Relaxed);
        None
    }

    /// The number of requests in progress.
    pub fn in_flight(&self) -> usize {
        self.0.in_flight.load(Relaxed)
    }

    /// The number of requests refused since the start.
    pub fn refused(&self) -> u64 {
        self.0.refused.load(Relaxed)
    }
}

impl Drop for InFlightGuard {
    fn drop(&mut self) {
        self.0.in_flight.fetch_sub(1, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn full_server_refuses_until_a_slot_is_released() {
        let load = Load::new(2);
        let first = load.enter().unwrap();
        let _second = load.enter().unwrap();
        assert!(load.enter().is_none());
        assert_eq!((load.in_flight(), load.refused()), (2, 1));
        drop(first);
        assert!(load.enter().is_some());
    }
}
