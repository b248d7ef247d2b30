//! The thread that writes samples.

use std::{
    sync::Arc,
    thread::{self, JoinHandle},
};

use parking_lot::{Condvar, Mutex};

use super::Shared;
use crate::StoreError;

#[derive(Default)]
struct FlushRequests {
    flush: bool,
    end: bool,
}

#[derive(Default)]
struct FlushSignal {
    wishes: Mutex<FlushRequests>,
    rung: Condvar,
}

/// The thread, which ends when this is dropped, after a last flush.
pub(super) struct Flusher {
    bell: Arc<FlushSignal>,
    thread: Option<JoinHandle<()>>,
}

impl Flusher {
    pub(super) fn start(shared: Arc<Shared>) -> Result<Self, StoreError> {
        let bell = Arc::<FlushSignal>::default();
        let heard = Arc::clone(&bell);
        let thread = thread::Builder::new()
            .name("croft-telemetry".into())
            .spawn(move || run(&shared, &heard))
            .map_err(|error| StoreError::Unavailable(format!("cannot start a thread: {error}")))?;
        Ok(Self { bell, thread: Some(thread) })
    }

    /// Has it flush now.
    pub(super) fn wake(&self) {
        self.bell.wishes.lock().flush = true;
        self.bell.rung.notify_one();
    }
}

impl Drop for Flusher {
    fn drop(&mut self) {
        self.bell.wishes.lock().end = true;
        self.bell.rung.notify_one();
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            tracing::error!("the thread that writes samples panicked");
        }
    }
}

fn run(shared: &Shared, bell: &FlushSignal) {
    let mut failing = false;
    loop {
        let end = {
            let mut wishes = bell.wishes.lock();
            if !wishes.flush && !wishes.end {
                bell.rung.wait_for(&mut wishes, shared.options.flush_interval);
            }
            wishes.flush = false;
            wishes.end
        };
        let flushed = shared.flush();
        match &flushed {
            Ok(()) if failing => tracing::info!("samples can be written again"),
            // Logged once, not every few seconds.
            Err(error) if !failing => tracing::error!(%error, "samples cannot be written"),
            Ok(()) | Err(_) => {}
        }
        failing = flushed.is_err();
        if end {
            return;
        }
    }
}
