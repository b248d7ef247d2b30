//! The live streams of consoles (`docs/rules/compute-and-storage.md#serial-console`,
//! `docs/rules/compute-and-storage.md#graphical-console`): over a WebSocket, or passed to the host program.

mod feed;
pub(crate) mod handoff;
pub(crate) mod session;
#[cfg(not(target_family = "wasm"))]
mod socket;

use std::{sync::Arc, time::Duration};

use axum::{
    extract::Request,
    response::{IntoResponse as _, Response},
};
use croft_api::{
    Error, instance::InstancePath, project::OptionalProjectSelector, scalar::NameOrId,
    serial::InstanceSerialConsoleStreamQuery,
};
use croft_control::{
    Caller, Cx,
    instance::{self, Console},
};
use http::StatusCode;

use crate::{
    call::Call,
    closing::OpenStream,
    extract::{Path, Query},
    failure::{Failure, Result},
    routes::{OpenApiRouter, routes},
};
use feed::Feed;
use handoff::{ConsoleStream, StreamHandoff};
use session::Session;

/// How much is read from a machine at a time.
const CHUNK: usize = 16 * 1024;
/// Interval at which a silent peer is pinged, and its access is checked again.
const HEARTBEAT: Duration = Duration::from_secs(30);

/// Close code of a peer that goes away (RFC 6455, section 7.4.1).
const AWAY: u16 = 1001;
/// Close code of a failure.
const FAILED: u16 = 1011;

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(instance_serial_console_stream))
        .extensions(routes!(instance_graphical_console_stream))
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
    let InstanceSerialConsoleStreamQuery { project, most_recent } = query;
    let followed = Followed { console: Console::Serial, instance: path.instance, project, most_recent };
    open(call, followed, request).await
}

/// Stream an instance's graphical console
///
/// A WebSocket. Its start and end are in the audit log, with the number of bytes in each direction. Its binary frames, put
/// together, are the bytes of a connection to a server of the Remote Framebuffer protocol (RFC 6143), which asks for no
/// password.
#[utoipa::path(get, path = "/experimental/v1/instances/{instance}/graphical-console/stream", tag = "instances",
    params(InstancePath, OptionalProjectSelector),
    responses((status = "default", content_type = "*/*")),
    extensions(("x-dropshot-websocket" = json!({}))))]
async fn instance_graphical_console_stream(
    call: Call,
    Path(path): Path<InstancePath>,
    Query(OptionalProjectSelector { project }): Query<OptionalProjectSelector>,
    request: Request,
) -> Result<Response> {
    let console = Console::Graphical;
    let followed = Followed { console, instance: path.instance, project, most_recent: None };
    open(call, followed, request).await
}

async fn open(call: Call, followed: Followed, request: Request) -> Result<Response> {
    if let Some(handoff) = request.extensions().get::<StreamHandoff>().cloned() {
        handoff.fill(ConsoleStream::new(Viewer::admit(call, followed).await?).await);
        return Ok(StatusCode::SWITCHING_PROTOCOLS.into_response());
    }
    #[cfg(not(target_family = "wasm"))]
    let answer = socket::answer(&call.app.clone(), request, || Viewer::admit(call, followed)).await;
    #[cfg(target_family = "wasm")]
    let answer = Err(Failure::unreadable("expected connection upgrade"));
    answer
}

/// What a viewer has asked for.
#[derive(Clone)]
struct Followed {
    console: Console,
    instance: NameOrId,
    project: Option<NameOrId>,
    /// How much of a serial line's earlier output; all that is kept if absent.
    most_recent: Option<u64>,
}

/// One viewer of one console.
struct Viewer {
    call: Arc<Call>,
    followed: Followed,
    /// Counts the stream until its end is in the audit log.
    open: Arc<OpenStream>,
}

impl Viewer {
    /// Any signed-in user may open a stream. Errors about the instance are sent on the stream.
    async fn admit(call: Call, followed: Followed) -> Result<Self> {
        call.authenticate().await?;
        // Before the response: the server waits for every stream that it has started.
        let open = call.app.closing.open_stream();
        let open = open.ok_or_else(|| Error::unavailable("too many streams are open"))?;
        Ok(Self { call: Arc::new(call), followed, open: Arc::new(open) })
    }

    /// Starts to follow the console of the instance's machine, if the caller may use it.
    async fn session(&self) -> Result<(Session, Feed)> {
        self.call.check_source()?;
        let Followed { console, instance, project, .. } = self.followed.clone();
        let begun = self
            .call
            .write(move |cx, caller| {
                instance::console_stream_begin(cx, caller, console, &instance, project.as_ref())
            })
            .await?;
        // Before the console is opened: what fails from here on has a beginning and an end in the audit log.
        let session = Session::new(self, begun);
        let feed = Feed::open(&self.call, &self.followed, begun.machine_id).await?;
        Ok((session, feed))
    }

    /// Returns why the stream must end, if the caller has lost access. A machine that shuts down is followed to its
    /// end.
    async fn check_access(&self) -> Option<CloseReason> {
        let failure = self.has_access().await.err()?;
        matches!(failure.status().as_u16(), 401 | 403 | 404).then(|| CloseReason::from(failure))
    }

    async fn has_access(&self) -> Result<()> {
        self.call.check_source()?;
        let Followed { console, instance, project, .. } = self.followed.clone();
        let rule = move |cx: &mut Cx<'_, '_>, caller: &Caller| {
            instance::console_stream_machine(cx, caller, console, &instance, project.as_ref()).map(drop)
        };
        self.call.read(rule).await
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
