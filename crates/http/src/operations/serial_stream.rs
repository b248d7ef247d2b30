//! The live stream of a serial console (`domain/compute-and-storage.md`, section 3.14).

use std::{sync::Arc, time::Duration};

use axum::{
    body::Bytes,
    extract::{
        FromRequestParts as _, Request, State, WebSocketUpgrade,
        ws::{CloseFrame, Message, WebSocket, close_code},
    },
    response::{IntoResponse as _, Response},
};
use croft_api::{Error, instance::InstancePath, serial::InstanceSerialConsoleStreamQuery};
use croft_control::instance;
use croft_sled::SerialLine;
use http::{HeaderMap, HeaderName, header};
use tokio::time::{Instant, timeout};
use utoipa_axum::{router::OpenApiRouter, routes};

use crate::{
    app::App,
    call::Call,
    closing::OpenStream,
    extract::{Path, Query},
    failure::{Failure, Result},
};

/// Largest frame sent.
const CHUNK: usize = 16 * 1024;
/// Largest frame taken: nobody types more at once, and a paste is cut by its sender.
const MAX_INPUT: usize = 64 * 1024;
/// Longest reason that a close frame can carry, in bytes.
const MAX_REASON: usize = 123;
/// How often a silent peer is asked whether it is there, and its access is looked at again.
const HEARTBEAT: Duration = Duration::from_secs(30);
/// A peer that has not taken a frame, or not said a word, for this long is gone.
const PATIENCE: Duration = Duration::from_secs(90);

pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(instance_serial_console_stream))
}

/// Follow an instance's serial console, and type on it
///
/// A WebSocket. The server sends the console's output in binary frames; binary frames sent by the client are typed
/// on the console.
#[utoipa::path(get, path = "/v1/instances/{instance}/serial-console/stream", tag = "instances",
    params(InstancePath, InstanceSerialConsoleStreamQuery),
    responses((status = "default", content_type = "*/*")),
    extensions(("x-dropshot-websocket" = json!({}))))]
async fn instance_serial_console_stream(
    call: Call,
    Path(path): Path<InstancePath>,
    Query(query): Query<InstanceSerialConsoleStreamQuery>,
    State(app): State<App>,
    request: Request,
) -> Result<Response> {
    let upgrade = upgrade(&app, request).await?;
    call.authenticate().await?;
    // Before the answer: a server that ends waits for every stream that it has promised.
    let open = app.closing.open_stream().ok_or_else(|| Error::unavailable("too many streams are open"))?;
    let stream = Stream { call, path, query, _open: open };
    Ok(upgrade.on_upgrade(move |socket| stream.run(socket)).into_response())
}

async fn upgrade(app: &App, request: Request) -> Result<WebSocketUpgrade> {
    let (mut parts, _) = request.into_parts();
    check_handshake(&parts.headers)?;
    let upgrade = WebSocketUpgrade::from_request_parts(&mut parts, app)
        .await
        .map_err(|_| Failure::unreadable("expected connection upgrade"))?;
    Ok(upgrade.max_message_size(MAX_INPUT).max_frame_size(MAX_INPUT).write_buffer_size(0))
}

/// The checks of a handshake in the order in which clients are told about them.
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

/// One viewer of one console.
struct Stream {
    call: Call,
    path: InstancePath,
    query: InstanceSerialConsoleStreamQuery,
    /// Counted for as long as it lasts.
    _open: OpenStream,
}

impl Stream {
    async fn run(self, mut socket: WebSocket) {
        let end = match self.line().await {
            Ok(line) => self.follow(&mut socket, &line).await,
            Err(failure) => Some((close_code::ERROR, failure.message().to_owned())),
        };
        if let Some((code, reason)) = end {
            let reason = reason[..reason.floor_char_boundary(MAX_REASON)].to_owned();
            let close = CloseFrame { code, reason: reason.into() };
            // Whoever has gone meanwhile needs no goodbye.
            let _ = timeout(Duration::from_secs(1), socket.send(Message::Close(Some(close)))).await;
        }
    }

    /// The line of the instance's machine, if the caller may type on it.
    async fn line(&self) -> Result<Arc<SerialLine>> {
        self.call.check_source()?;
        let (path, query) = (self.path.clone(), self.query.clone());
        let machine = self
            .call
            .read(move |cx, caller| {
                instance::serial_stream_machine(cx, caller, &path.instance, query.project.as_ref())
            })
            .await?;
        self.call.serial_line(machine)
    }

    /// Passes bytes on until one side ends; answers how to say goodbye, unless the peer has gone.
    async fn follow(&self, socket: &mut WebSocket, line: &Arc<SerialLine>) -> Option<(u16, String)> {
        let mut offset = self.query.most_recent.map_or(0, |count| line.start_of_most_recent(count));
        let mut heartbeat = tokio::time::interval(HEARTBEAT);
        heartbeat.reset();
        let mut heard = Instant::now();
        loop {
            tokio::select! {
                () = self.call.app.closing.begun() => {
                    return Some((close_code::AWAY, "the server is going down".into()));
                }
                message = socket.recv() => {
                    heard = Instant::now();
                    match message? {
                        Ok(Message::Binary(typed)) => line.write(&typed),
                        Ok(Message::Close(_)) | Err(_) => return None,
                        Ok(Message::Text(_) | Message::Ping(_) | Message::Pong(_)) => {}
                    }
                }
                () = line.grown_past(offset) => {
                    let chunk = line.follow_from(offset, CHUNK);
                    if chunk.bytes.is_empty() {
                        return Some((close_code::ERROR, "the instance's machine has ended".into()));
                    }
                    offset = chunk.end();
                    send(socket, Message::Binary(chunk.bytes.into())).await?;
                }
                _ = heartbeat.tick() => {
                    if heard.elapsed() > PATIENCE {
                        return None;
                    }
                    send(socket, Message::Ping(Bytes::new())).await?;
                    // A machine that goes down is followed to its last word; somebody who may not look is not.
                    if let Err(failure) = self.line().await
                        && matches!(failure.status().as_u16(), 401 | 403 | 404)
                    {
                        return Some((close_code::ERROR, failure.message().to_owned()));
                    }
                }
            }
        }
    }
}

/// Sends a frame, waiting for a slow peer for a while; `None` when it is gone.
async fn send(socket: &mut WebSocket, message: Message) -> Option<()> {
    timeout(PATIENCE, socket.send(message)).await.ok()?.ok()
}
