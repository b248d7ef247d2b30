//! Shutdown of streams, so that they end properly instead of breaking off.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
};

use event_listener::Event;

/// Maximum number of open streams. There is no other limit: a connection that has become a stream counts neither as a
/// connection nor as a request.
const MAX_STREAMS: usize = 2048;

/// Whether the server is shutting down, and the number of open streams.
#[derive(Clone, Default)]
pub struct Closing(Arc<State>);

#[derive(Default)]
struct State {
    begun: AtomicBool,
    streams: AtomicUsize,
    changed: Event,
}

/// An open stream; dropping it ends it.
pub(crate) struct OpenStream(Closing);

impl Closing {
    /// Starts the shutdown.
    pub fn begin(&self) {
        self.0.begun.store(true, SeqCst);
        self.0.changed.notify(usize::MAX);
    }

    /// Whether the shutdown has started.
    pub(crate) fn has_begun(&self) -> bool {
        self.0.begun.load(SeqCst)
    }

    /// Waits for the start of the shutdown.
    pub async fn begun(&self) {
        self.until(|state| state.begun.load(SeqCst)).await;
    }

    /// Waits until no stream is open.
    pub async fn drained(&self) {
        self.until(|state| state.streams.load(SeqCst) == 0).await;
    }

    /// The number of open streams.
    pub fn streams(&self) -> usize {
        self.0.streams.load(SeqCst)
    }

    /// Counts a stream until the result is dropped; `None` if too many are open.
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
    fn the_number_of_streams_is_limited() {
        let closing = Closing::default();
        let mut open: Vec<_> = (0..MAX_STREAMS).map(|_| closing.open_stream().unwrap()).collect();
        assert!(closing.open_stream().is_none());
        assert_eq!(closing.streams(), MAX_STREAMS);
        open.pop();
        assert!(closing.open_stream().is_some());
    }
}
