//! The live stream of a serial console (`docs/rules/compute-and-storage.md#serial-console`): over a WebSocket, or
//! passed to the host program.

pub(crate) mod handoff;
pub(crate) mod session;
#[cfg(not(target_family = "wasm"))]
mod socket;

use std::{sync::Arc, time::Duration};

use axum::{
    extract::Request,
    response::{IntoResponse as _, Response},
};
use croft_api::{Error, instance::InstancePath, serial::InstanceSerialConsoleStreamQuery};
use croft_control::instance;
use croft_sled::SerialLine;
use http::StatusCode;

use crate::{
    call::Call,
    closing::OpenStream,
    extract::{Path, Query},
    failure::{Failure, Result},
    routes::{OpenApiRouter, routes},
};
use handoff::{SerialStream, StreamHandoff};
use session::Session;

/// Maximum size of a message.
const CHUNK: usize = 16 * 1024;
/// Interval at which a silent peer is pinged, and its access is checked again.
const HEARTBEAT: Duration = Duration::from_secs(30);

/// Close code of a peer that goes away (RFC 6455, section 7.4.1).
const AWAY: u16 = 1001;
/// Close code of a failure.
const FAILED: u16 = 1011;

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new().routes(routes!(instance_serial_console_stream))
}

/// Stream an instance's serial console
///
/// A WebSocket. Its start and end are in the audit log, with the number of bytes in each direction. The server sends
/// the console's output in binary frames; binary frames sent by the client are the console's input.
#[utoipa::path(get, path = "/v1/instances/{instance}/serial-console/stream", tag = "instances",
    params(InstancePath, InstanceSerialConsoleStreamQuery),
    responses((status = "default", content_type = "*/*")),
    extensions(("x-dropshot-websocket" = json!({}))))]
async fn instance_serial_console_stream(
    call: Call,
    Path(path): Path<InstancePath>,
    Query(query): Query<InstanceSerialConsoleStreamQuery>,
    request: Request,
) -> Result<Response> {
    if let Some(handoff) = request.extensions().get::<StreamHandoff>().cloned() {
        handoff.fill(SerialStream::new(Viewer::admit(call, path, query).await?).await);
        return Ok(StatusCode::SWITCHING_PROTOCOLS.into_response());
    }
    #[cfg(not(target_family = "wasm"))]
    let answer = socket::answer(&call.app.clone(), request, || Viewer::admit(call, path, query)).await;
    #[cfg(target_family = "wasm")]
    let answer = Err(Failure::unreadable("expected connection upgrade"));
    answer
}

/// One viewer of one console.
struct Viewer {
    call: Arc<Call>,
    path: InstancePath,
    query: InstanceSerialConsoleStreamQuery,
    /// Counts the stream until its end is in the audit log.
    open: Arc<OpenStream>,
}

impl Viewer {
    /// Any signed-in user may open a stream. Errors about the instance are sent on the stream.
    async fn admit(call: Call, path: InstancePath, query: InstanceSerialConsoleStreamQuery) -> Result<Self> {
        call.authenticate().await?;
        // Before the response: the server waits for every stream that it has started.
        let open = call.app.closing.open_stream();
        let open = open.ok_or_else(|| Error::unavailable("too many streams are open"))?;
        Ok(Self { call: Arc::new(call), path, query, open: Arc::new(open) })
    }

    /// Starts to follow the line of the instance's machine, if the caller may use it.
    async fn session(&self) -> Result<Session> {
        self.call.check_source()?;
        let (path, query) = (self.path.clone(), self.query.clone());
        let begun = self
            .call
            .write(move |cx, caller| {
                instance::serial_stream_begin(cx, caller, &path.instance, query.project.as_ref())
            })
            .await?;
        Ok(Session::new(self, begun))
    }

    /// The line of the instance's machine, if the caller may still use it.
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

    /// Starts to follow the line, and returns the position.
    fn begin(&self, line: &SerialLine) -> u64 {
        line.attend();
        self.query.most_recent.map_or(0, |count| line.start_of_most_recent(count))
    }

    /// Returns why the stream must end, if the caller has lost access. A machine that shuts down is followed to its
    /// end.
    async fn check_access(&self) -> Option<CloseReason> {
        let failure = self.line().await.err()?;
        matches!(failure.status().as_u16(), 401 | 403 | 404).then(|| CloseReason::from(failure))
    }
}

/// Why a stream ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CloseReason {
    /// The close code of a WebSocket.
    pub code: u16,
    /// In words.
    pub reason: String,
}

impl CloseReason {
    fn closing() -> Self {
        Self { code: AWAY, reason: "the server is shutting down".into() }
    }

    fn ended() -> Self {
        Self { code: FAILED, reason: "the instance's machine has ended".into() }
    }
}

impl From<Failure> for CloseReason {
    fn from(failure: Failure) -> Self {
        Self { code: FAILED, reason: failure.message().to_owned() }
    }
}
