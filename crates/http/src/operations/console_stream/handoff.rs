//! Streams of consoles for host programs that have no socket to upgrade.

use std::{pin::pin, sync::Arc};

use futures_util::future::{Either, select};
use parking_lot::Mutex;

use super::{
    CloseReason, HEARTBEAT, Viewer,
    feed::Feed,
    session::{Keyboard, Session},
};
use crate::app::Pending;

/// The host program adds this to a request for the stream of a console, to get the stream itself instead of a WebSocket. After
/// a response with status 101 it contains the stream.
#[derive(Clone, Default)]
pub struct StreamHandoff(Arc<Mutex<Option<ConsoleStream>>>);

impl StreamHandoff {
    pub(super) fn fill(&self, stream: ConsoleStream) {
        *self.0.lock() = Some(stream);
    }

    /// The stream, which can be taken once.
    pub fn take(&self) -> Option<ConsoleStream> {
        self.0.lock().take()
    }
}

/// A viewer's connection to a console.
pub struct ConsoleStream {
    viewer: Viewer,
    followed: Result<(Session, Feed), CloseReason>,
    heartbeat: Pending<()>,
}

impl ConsoleStream {
    pub(super) async fn new(viewer: Viewer) -> Self {
        let followed = viewer.session().await.map_err(CloseReason::from);
        let heartbeat = viewer.call.app.parts.tasks.sleep(HEARTBEAT);
        Self { viewer, followed, heartbeat }
    }

    /// The input of the console; `None` if the viewer has none.
    pub fn keyboard(&self) -> Option<Keyboard> {
        self.followed.as_ref().ok().map(|(session, feed)| session.keyboard(feed.input()))
    }

    /// The next output.
    ///
    /// # Errors
    /// The stream has ended.
    pub async fn next(&mut self) -> Result<Vec<u8>, CloseReason> {
        let (session, feed) = self.followed.as_mut().map_err(|reason| reason.clone())?;
        let app = &self.viewer.call.app;
        loop {
            let (output, end) = (pin!(feed.next_handed()), pin!(app.closing.begun()));
            match select(output, select(end, &mut self.heartbeat)).await {
                Either::Left((None, _)) => return Err(CloseReason::ended()),
                Either::Left((Some(output), _)) => {
                    session.shown(output.len());
                    return Ok(output);
                }
                Either::Right((Either::Left(_), _)) => return Err(CloseReason::closing()),
                Either::Right((Either::Right(_), _)) => {
                    self.heartbeat = app.parts.tasks.sleep(HEARTBEAT);
                    if let Some(goodbye) = self.viewer.check_access().await {
                        return Err(goodbye);
                    }
                }
            }
        }
    }
}
