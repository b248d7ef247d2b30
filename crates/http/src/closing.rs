//! The end of the server, for what lasts longer than a request: streams say goodbye instead of breaking off.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
};

use event_listener::Event;

/// Streams that may be open at the same time. Nothing else bounds them: a connection that has become a stream is no
/// longer one of those that the server counts, and no request either.
const MAX_STREAMS: usize = 2048;

/// Whether the server is about to go, and how many streams still have to end.
#[derive(Clone, Default)]
pub struct Closing(Arc<State>);

#[derive(Default)]
struct State {
    begun: AtomicBool,
    streams: AtomicUsize,
    changed: Event,
}

/// A stream that is open; dropping it ends it.
pub(crate) struct OpenStream(Closing);

impl Closing {
    /// Ends every stream.
    pub fn begin(&self) {
        self.0.begun.store(true, SeqCst);
        self.0.changed.notify(usize::MAX);
    }

    /// Whether the end has begun.
    pub(crate) fn has_begun(&self) -> bool {
        self.0.begun.load(SeqCst)
    }

    /// Waits until the end has begun.
    pub async fn begun(&self) {
        self.until(|state| state.begun.load(SeqCst)).await;
    }

    /// Waits until no stream is open.
    pub async fn drained(&self) {
        self.until(|state| state.streams.load(SeqCst) == 0).await;
    }

    /// Streams that are open now.
    pub fn streams(&self) -> usize {
        self.0.streams.load(SeqCst)
    }

    /// Counts a stream for as long as the answer lives; `None` when too many are open.
    pub(crate) fn open_stream(&self) -> Option<OpenStream> {
        let before = self.0.streams.fetch_add(1, SeqCst);
        let stream = OpenStream(self.clone());
        (before < MAX_STREAMS).then_some(stream)
    }

    async fn until(&self, reached: impl Fn(&State) -> bool) {
        loop {
            let listener = self.0.changed.listen();
            if reached(&self.0) {
                return;
            }
            listener.await;
        }
    }
}

impl Drop for OpenStream {
    fn drop(&mut self) {
        self.0.0.streams.fetch_sub(1, SeqCst);
        self.0.0.changed.notify(usize::MAX);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_bounded_and_make_room_again() {
        let closing = Closing::default();
        let mut open: Vec<_> = (0..MAX_STREAMS).map(|_| closing.open_stream().unwrap()).collect();
        assert!(closing.open_stream().is_none());
        assert_eq!(closing.streams(), MAX_STREAMS);
        open.pop();
        assert!(closing.open_stream().is_some());
    }
}
