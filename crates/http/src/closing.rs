//! The end of the server, for what lasts longer than a request: streams say goodbye instead of breaking off.

use std::sync::{
    Arc,
    atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst},
};

use event_listener::Event;

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
#[cfg(not(target_family = "wasm"))]
pub(crate) struct OpenStream(Closing);

impl Closing {
    /// Tells every stream to end.
    pub fn begin(&self) {
        self.0.begun.store(true, SeqCst);
        self.0.changed.notify(usize::MAX);
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

    /// Counts a stream for as long as the answer lives.
    #[cfg(not(target_family = "wasm"))]
    pub(crate) fn open_stream(&self) -> OpenStream {
        self.0.streams.fetch_add(1, SeqCst);
        OpenStream(self.clone())
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

#[cfg(not(target_family = "wasm"))]
impl Drop for OpenStream {
    fn drop(&mut self) {
        self.0.0.streams.fetch_sub(1, SeqCst);
        self.0.0.changed.notify(usize::MAX);
    }
}
