//! What a viewer of a console leaves in the audit log when they go.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering::Relaxed},
};

use croft_control::instance::{self, SerialSession};
use croft_sled::SerialLine;
use croft_store::records::Transferred;

use super::Viewer;
use crate::{call::Call, closing::OpenStream};

/// Bytes that have passed so far.
#[derive(Debug, Default)]
struct Counts {
    typed: AtomicU64,
    shown: AtomicU64,
}

/// A session at a console. However it ends, its end is written into the audit log; only the end of the process itself
/// leaves none.
pub(super) struct Session {
    call: Arc<Call>,
    open: Arc<OpenStream>,
    begun: SerialSession,
    counts: Arc<Counts>,
}

impl Session {
    pub(super) fn new(viewer: &Viewer, begun: SerialSession) -> Self {
        let (call, open) = (Arc::clone(&viewer.call), Arc::clone(&viewer.open));
        Self { call, open, begun, counts: Arc::default() }
    }

    /// The line that is followed.
    pub(super) fn line(&self) -> crate::failure::Result<Arc<SerialLine>> {
        self.call.serial_line(self.begun.machine_id)
    }

    /// What is typed on.
    pub(super) fn keyboard(&self, line: &Arc<SerialLine>) -> Keyboard {
        Keyboard { line: Arc::clone(line), counts: Arc::clone(&self.counts) }
    }

    /// Counts what was sent to the viewer.
    pub(super) fn shown(&self, bytes: usize) {
        self.counts.shown.fetch_add(bytes as u64, Relaxed);
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        let (call, open, begun) = (Arc::clone(&self.call), Arc::clone(&self.open), self.begun);
        let counts = Arc::clone(&self.counts);
        let end = async move {
            // Read when it is written: what is typed by then counts.
            let transferred = Transferred {
                from_client: counts.typed.load(Relaxed),
                to_client: counts.shown.load(Relaxed),
            };
            let written = call.change(move |cx| instance::serial_stream_end(cx, &begun, transferred)).await;
            if let Err(failure) = written {
                let reason = failure.message();
                tracing::warn!(%reason, "cannot record the end of a serial console session in the audit log");
            }
            drop(open);
        };
        self.call.app.parts.tasks.spawn(Box::pin(end));
    }
}

/// What a viewer types on.
pub struct Keyboard {
    line: Arc<SerialLine>,
    counts: Arc<Counts>,
}

impl Keyboard {
    /// Types.
    pub fn write(&self, bytes: &[u8]) {
        self.counts.typed.fetch_add(bytes.len() as u64, Relaxed);
        self.line.write(bytes);
    }
}
