//! The audit entry at the end of a viewer's session.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering::Relaxed},
};

use croft_control::instance::{self, StreamSession};
use croft_store::records::Transferred;

use super::{Viewer, feed::Input};
use crate::{call::Call, closing::OpenStream};

/// Number of bytes transferred so far.
#[derive(Debug, Default)]
struct Counts {
    typed: AtomicU64,
    shown: AtomicU64,
}

/// A session at a console. Its end is written to the audit log in any case, except if the process is killed.
pub(super) struct Session {
    call: Arc<Call>,
    open: Arc<OpenStream>,
    begun: StreamSession,
    counts: Arc<Counts>,
}

impl Session {
    pub(super) fn new(viewer: &Viewer, begun: StreamSession) -> Self {
        let (call, open) = (Arc::clone(&viewer.call), Arc::clone(&viewer.open));
        Self { call, open, begun, counts: Arc::default() }
    }

    /// Counts bytes that the viewer has sent.
    pub(super) fn typed(&self, bytes: usize) {
        self.counts.typed.fetch_add(bytes as u64, Relaxed);
    }

    /// Input that is counted.
    pub(super) fn keyboard(&self, input: Input) -> Keyboard {
        Keyboard { input, counts: Arc::clone(&self.counts) }
    }

    /// Counts bytes sent to the viewer.
    pub(super) fn shown(&self, bytes: usize) {
        self.counts.shown.fetch_add(bytes as u64, Relaxed);
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let (call, open, begun) = (Arc::clone(&self.call), Arc::clone(&self.open), self.begun);
        let counts = Arc::clone(&self.counts);
        let end = async move {
            // Read when the entry is written, so that all input counts.
            let transferred = Transferred {
                from_client: counts.typed.load(Relaxed),
                to_client: counts.shown.load(Relaxed),
            };
            let written = call.change(move |cx| instance::console_stream_end(cx, &begun, transferred)).await;
            if let Err(failure) = written {
                let reason = failure.message();
                tracing::warn!(%reason, "cannot record the end of a console session in the audit log");
            }
            drop(open);
        };
        self.call.app.parts.tasks.spawn(Box::pin(end));
    }
}

/// The input of a viewer.
pub struct Keyboard {
    input: Input,
    counts: Arc<Counts>,
}

impl Keyboard {
    /// Writes input.
    pub fn write(&self, bytes: &[u8]) {
        self.counts.typed.fetch_add(bytes.len() as u64, Relaxed);
        self.input.write(bytes);
    }
}
