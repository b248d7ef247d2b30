//! Serial streams for host programs that have no socket to upgrade.

use std::{pin::pin, sync::Arc};

use croft_sled::SerialLine;
use futures_util::future::{Either, select};
use parking_lot::Mutex;

use super::{
    CHUNK, CloseReason, HEARTBEAT, Viewer,
    session::{Keyboard, Session},
};
use crate::app::Pending;

/// The host program adds this to a request for a serial stream, to get the stream itself instead of a WebSocket. After
/// a response with status 101 it contains the stream.
#[derive(Clone, Default)]
pub struct StreamHandoff(Arc<Mutex<Option<SerialStream>>>);

impl StreamHandoff {
    pub(super) fn fill(&self, stream: SerialStream) {
        *self.0.lock() = Some(stream);
    }

    /// The stream, which can be taken once.
    pub fn take(&self) -> Option<SerialStream> {
        self.0.lock().take()
    }
}

/// A viewer's connection to a serial console.
pub struct SerialStream {
    viewer: Viewer,
    followed: Result<(Session, Arc<SerialLine>), CloseReason>,
    offset: u64,
    heartbeat: Pending<()>,
}

impl SerialStream {
    pub(super) async fn new(viewer: Viewer) -> Self {
        let followed = viewer.session().await.and_then(|session| {
            let line = session.line()?;
            Ok((session, line))
        });
        let offset = followed.as_ref().map_or(0, |(_, line)| viewer.begin(line));
        let heartbeat = viewer.call.app.parts.tasks.sleep(HEARTBEAT);
        Self { viewer, followed: followed.map_err(CloseReason::from), offset, heartbeat }
    }

    /// The input of the line; `None` if the viewer has none.
    pub fn keyboard(&self) -> Option<Keyboard> {
        self.followed.as_ref().ok().map(|(session, line)| session.keyboard(line))
    }

    /// The next output.
    ///
    /// # Errors
    /// The stream has ended.
    pub async fn next(&mut self) -> Result<Vec<u8>, CloseReason> {
        let (session, line) = self.followed.as_ref().map_err(Clone::clone)?;
        let app = &self.viewer.call.app;
        loop {
            let (grown, end) = (pin!(line.grown_past(self.offset)), pin!(app.closing.begun()));
            match select(grown, select(end, &mut self.heartbeat)).await {
                Either::Left(_) => break,
                Either::Right((Either::Left(_), _)) => return Err(CloseReason::closing()),
                Either::Right((Either::Right(_), _)) => {
                    self.heartbeat = app.parts.tasks.sleep(HEARTBEAT);
                    if let Some(goodbye) = self.viewer.check_access().await {
                        return Err(goodbye);
                    }
                }
            }
        }
        let chunk = line.follow_from(self.offset, CHUNK);
        if chunk.bytes.is_empty() {
            return Err(CloseReason::ended());
        }
        self.offset = chunk.end();
        session.shown(chunk.bytes.len());
        Ok(chunk.bytes)
    }
}
