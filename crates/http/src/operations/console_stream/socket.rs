//! Streams of consoles over a WebSocket.

use std::time::Duration;

use axum::{
    body::Bytes,
    extract::{
        FromRequestParts as _, Request, WebSocketUpgrade,
        ws::{CloseFrame, Message, WebSocket},
    },
    response::{IntoResponse as _, Response},
};
use http::{HeaderMap, HeaderName, header};
use tokio::time::{Instant, timeout};

use super::{CloseReason, HEARTBEAT, Viewer, feed::Feed, session::Session};
use crate::{
    app::App,
    failure::{Failure, Result},
};

/// Maximum size of a received frame. Clients split long input.
const MAX_INPUT: usize = 64 * 1024;
/// Maximum length of the reason in a close frame, in bytes.
const MAX_REASON: usize = 123;
/// A peer that has neither accepted nor sent a frame for this long is disconnected.
const PEER_TIMEOUT: Duration = Duration::from_secs(90);

/// Answers a handshake. Access is checked after the handshake has been validated.
pub(super) async fn answer<F>(app: &App, request: Request, admit: impl FnOnce() -> F) -> Result<Response>
where
    F: Future<Output = Result<Viewer>>,
{
    let upgrade = upgrade(app, request).await?;
    let viewer = admit().await?;
    Ok(upgrade.on_upgrade(move |socket| viewer.run(socket)).into_response())
}

async fn upgrade(app: &App, request: Request) -> Result<WebSocketUpgrade> {
    let (mut parts, _) = request.into_parts();
    check_handshake(&parts.headers)?;
    let upgrade = WebSocketUpgrade::from_request_parts(&mut parts, app)
        .await
        .map_err(|_| Failure::unreadable("expected connection upgrade"))?;
    Ok(upgrade.max_message_size(MAX_INPUT).max_frame_size(MAX_INPUT).write_buffer_size(0))
}

/// The checks of a handshake, in the order in which clients are told about them.
fn check_handshake(headers: &HeaderMap) -> Result<()> {
    let has = |name: HeaderName, token: &str| {
        let values = headers.get_all(name).into_iter().filter_map(|value| value.to_str().ok());
        values.flat_map(|value| value.split(',')).any(|item| item.trim().eq_ignore_ascii_case(token))
    };
    let checks = [
        (has(header::CONNECTION, "upgrade"), "expected connection upgrade"),
        (has(header::UPGRADE, "websocket"), "unexpected protocol for upgrade"),
        (has(header::SEC_WEBSOCKET_VERSION, "13"), "missing or invalid websocket version"),
        (headers.contains_key(header::SEC_WEBSOCKET_KEY), "missing websocket key"),
    ];
    match checks.into_iter().find(|(good, _)| !good) {
        Some((_, text)) => Err(Failure::unreadable(text)),
        None => Ok(()),
    }
}

impl Viewer {
    async fn run(self, mut socket: WebSocket) {
        let end = match self.session().await {
            Ok((session, mut feed)) => self.follow(&mut socket, &mut feed, &session).await,
            Err(failure) => Some(failure.into()),
        };
        if let Some(CloseReason { code, reason }) = end {
            let reason = reason[..reason.floor_char_boundary(MAX_REASON)].to_owned();
            let close = CloseFrame { code, reason: reason.into() };
            // The peer may have disconnected.
            let _ = timeout(Duration::from_secs(1), socket.send(Message::Close(Some(close)))).await;
        }
    }

    /// Transfers bytes until one side ends. Returns the close reason, unless the peer has disconnected.
    async fn follow(
        &self,
        socket: &mut WebSocket,
        feed: &mut Feed,
        session: &Session,
    ) -> Option<CloseReason> {
        let mut heartbeat = tokio::time::interval(HEARTBEAT);
        heartbeat.reset();
        let mut heard = Instant::now();
        loop {
            tokio::select! {
                () = self.call.app.closing.begun() => return Some(CloseReason::closing()),
                message = socket.recv() => {
                    heard = Instant::now();
                    match message? {
                        Ok(Message::Binary(typed)) => {
                            session.typed(typed.len());
                            if timeout(PEER_TIMEOUT, feed.write(&typed)).await.is_err() {
                                return Some(CloseReason::ended());
                            }
                        }
                        Ok(Message::Close(_)) | Err(_) => return None,
                        Ok(Message::Text(_) | Message::Ping(_) | Message::Pong(_)) => {}
                    }
                }
                output = feed.next() => {
                    let Some(output) = output else { return Some(CloseReason::ended()) };
                    session.shown(output.len());
                    send(socket, Message::Binary(output.into())).await?;
                }
                _ = heartbeat.tick() => {
                    if heard.elapsed() > PEER_TIMEOUT {
                        return None;
                    }
                    send(socket, Message::Ping(Bytes::new())).await?;
                    if let Some(goodbye) = self.check_access().await {
                        return Some(goodbye);
                    }
                }
            }
        }
    }
}

/// Sends a frame, with a time limit; `None` if the peer is gone.
async fn send(socket: &mut WebSocket, message: Message) -> Option<()> {
    timeout(PEER_TIMEOUT, socket.send(message)).await.ok()?.ok()
}
