//! The outermost layer, which every request and response passes.
//!
//! It assigns the request ID, normalizes the path, enforces limits, and writes error bodies, security headers, the log
//! line and measurements, so that no handler can forget them.

use std::{
    any::Any,
    convert::Infallible,
    future::Future,
    net::IpAddr,
    panic::AssertUnwindSafe,
    pin::Pin,
    sync::{Arc, OnceLock},
    task::{Context, Poll},
    time::Duration,
};

use axum::{Router, body::Body, extract::Request, response::IntoResponse as _, response::Response};
use bytes::Bytes;
use croft_api::{Error, Timestamp, Uuid};
use futures_util::FutureExt as _;
use http::{Extensions, HeaderName, HeaderValue, Method, StatusCode, Uri, header};
use tower::Service;

use crate::{
    answer_cache::{CachedAnswer, Key, Reusable},
    api_version,
    app::App,
    call::Peer,
    change_position,
    endpoint::Endpoint,
    failure::{Failure, Result},
    path::normalize,
    proxy::{apply_forwarded, is_trusted},
    reply,
    transport::STRICT_TRANSPORT,
};

/// The header that names a request in the log.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Security headers of pages and their assets (`docs/rules/identity-and-system.md#headers-of-pages`).
static OF_PAGES: [(HeaderName, HeaderValue); 3] = [
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'self'; style-src 'unsafe-inline' 'self'; frame-src 'none'; object-src 'none'; \
             form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
        ),
    ),
    (header::X_FRAME_OPTIONS, HeaderValue::from_static("DENY")),
    (header::REFERRER_POLICY, HeaderValue::from_static("same-origin")),
];

/// Headers of API responses: no caching by intermediaries, and the response depends on the requested version.
static OF_DATA: [(HeaderName, HeaderValue); 2] = [
    (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
    (header::VARY, HeaderValue::from_static(api_version::NAME)),
];

/// Headers of all responses.
static NO_SNIFFING: (HeaderName, HeaderValue) =
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));

/// Facts about a request that become known during its processing.
pub(crate) struct RequestContext {
    /// The request's id.
    pub(crate) id: Uuid,
    /// When it arrived.
    pub(crate) started: Timestamp,
    /// The operation, once the request is routed.
    pub(crate) endpoint: OnceLock<Arc<Endpoint>>,
    /// The caller, once authenticated.
    pub(crate) caller: OnceLock<Uuid>,
    /// Whether the client wants to know the position of the change log.
    pub(crate) wants_position: bool,
    /// The position of the change log when the first rule read, if the client wants to know it.
    pub(crate) position: OnceLock<i64>,
}

/// The URI as sent by the client, before normalization.
#[derive(Clone)]
pub struct RequestedUri(pub Uri);

/// The outermost layer.
#[derive(Clone)]
pub struct Edge {
    app: App,
    router: Router,
}

impl Edge {
    /// Adds the layer to the routes.
    pub fn new(app: App, router: Router) -> Self {
        Self { app, router }
    }

    /// Whether to accept a connection from an address. Connections from trusted proxies are accepted: their requests
    /// name the clients.
    pub fn admits(&self, peer: IpAddr) -> bool {
        self.app.sources.allow(peer) || is_trusted(&self.app.parts.settings.trusted_proxies, peer)
    }

    /// Processes a request.
    pub async fn handle(mut self, mut request: Request) -> Response {
        let connected = request.extensions().get::<Peer>().map(|peer| peer.0);
        apply_forwarded(&self.app.parts.settings.trusted_proxies, &mut request);
        let observed = Observed::new(&self.app, &request);
        let secure = self.app.is_secure(request.extensions());
        let answer = self.route(&observed, connected, request).await;
        let mut response = answer.unwrap_or_else(axum::response::IntoResponse::into_response);
        let failure = response.extensions_mut().remove::<Arc<Failure>>();
        if let Some(failure) = &failure {
            let allow = response.headers_mut().remove(header::ALLOW);
            response = failure.render(observed.trace.id);
            allow_each(&mut response, allow.as_ref());
        }
        let kind: &[_] = if is_of_page(&observed.path, &response) { &OF_PAGES } else { &OF_DATA };
        let headers = response.headers_mut();
        for (name, value) in kind.iter().chain([&NO_SNIFFING]).chain(secure.then_some(&STRICT_TRANSPORT)) {
            // Headers that are already set are kept.
            headers.entry(name).or_insert_with(|| value.clone());
        }
        let id = observed.trace.id.to_string();
        headers.insert(REQUEST_ID, HeaderValue::try_from(id).expect("a UUID is header text"));
        if let Some(position) = observed.trace.position.get() {
            change_position::add(headers, *position);
        }
        observed.finish(response.status(), failure.as_deref());
        response
    }

    async fn route(
        &mut self,
        observed: &Observed,
        connected: Option<IpAddr>,
        mut request: Request,
    ) -> Result<Response> {
        check_source(&self.app, request.extensions())?;
        api_version::check(request.headers())?;
        if let Some(answer) = self.app.refuse_plain(connected, &request) {
            return answer;
        }
        let requested = request.uri().clone();
        if let Some(uri) = normalize(&requested)? {
            *request.uri_mut() = uri;
        }
        let reuse = self.reuse(&request);
        if let Some(answer) = reuse.as_ref().and_then(|reuse| self.given_again(observed, reuse)) {
            return Ok(answer);
        }
        request.extensions_mut().insert(RequestedUri(requested));
        request.extensions_mut().insert(Arc::clone(&observed.trace));
        // A panic in a handler is one failed request, not a closed connection.
        let answer = AssertUnwindSafe(self.router.call(request)).catch_unwind().await;
        let answer = answer.map_err(|panic| Error::internal(format!("panic: {}", text_of(&*panic))))?;
        let mut response = answer.into_response();
        if let (Some(reuse), Some(Reusable(body))) = (reuse, response.extensions_mut().remove()) {
            self.keep(observed, reuse, body);
        }
        Ok(response)
    }

    /// What is needed to cache the response; `None` if it cannot be cached.
    fn reuse(&self, request: &Request) -> Option<Reuse> {
        let key = Key::of(request, self.app.is_secure(request.extensions()))?;
        // Read before everything else: after a later commit the response is one of an earlier version.
        let version = self.app.parts.database.version()?;
        Some(Reuse { key, version })
    }

    /// The cached response to the same request, if nothing has changed since.
    fn given_again(&self, observed: &Observed, reuse: &Reuse) -> Option<Response> {
        let answer_cache = self.app.answer_cache.find(&reuse.key, reuse.version, observed.started)?;
        let _ = observed.trace.endpoint.set(answer_cache.endpoint);
        let _ = observed.trace.caller.set(answer_cache.caller);
        if let Some(position) = answer_cache.position {
            let _ = observed.trace.position.set(position);
        }
        Some(reply::again(answer_cache.body))
    }

    fn keep(&self, observed: &Observed, Reuse { key, version }: Reuse, body: Bytes) {
        let (endpoint, caller) = (observed.trace.endpoint.get(), observed.trace.caller.get());
        if let (Some(endpoint), Some(&caller)) = (endpoint, caller) {
            let answer = CachedAnswer {
                body,
                endpoint: Arc::clone(endpoint),
                caller,
                position: observed.trace.position.get().copied(),
                made: observed.started,
            };
            self.app.answer_cache.keep(key, version, answer);
        }
    }
}

/// A request whose response may be cached, and the version of the database when it arrived.
struct Reuse {
    key: Key,
    version: i64,
}

/// Refuses clients that are not on the allow-list: behind a trusted proxy, or on a connection that was accepted under
/// an earlier list. Every list refuses an unknown client address.
fn check_source(app: &App, extensions: &Extensions) -> Result<()> {
    let source = extensions.get::<Peer>().map(|peer| peer.0);
    if app.sources.allow_from(source) { Ok(()) } else { Err(Error::Forbidden.into()) }
}

/// Whether a response is a page, an asset, or a redirect to one. Everything else is data.
fn is_of_page(path: &str, response: &Response) -> bool {
    let kind = response.headers().get(header::CONTENT_TYPE).map(HeaderValue::as_bytes);
    let is_page = kind.is_some_and(|kind| kind.starts_with(b"text/html"));
    is_page || path.starts_with("/assets/") || response.status().is_redirection()
}

/// The message of a panic.
fn text_of(panic: &(dyn Any + Send)) -> &str {
    let literal = panic.downcast_ref::<&str>().copied();
    literal.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("without a text")
}

/// An `Allow` header for each method of the path.
fn allow_each(response: &mut Response, allow: Option<&HeaderValue>) {
    let methods = allow.and_then(|value| value.to_str().ok()).unwrap_or_default();
    for method in methods.split(',').filter(|method| !method.is_empty()) {
        if let Ok(value) = HeaderValue::from_str(method.trim()) {
            response.headers_mut().append(header::ALLOW, value);
        }
    }
}

/// A request being measured. Dropping it unfinished means that the client has disconnected.
struct Observed {
    app: App,
    trace: Arc<RequestContext>,
    method: Method,
    path: String,
    started: Duration,
    finished: bool,
}

impl Observed {
    fn new(app: &App, request: &Request) -> Self {
        let started = app.parts.clock.now();
        let trace = RequestContext {
            id: app.new_id(),
            started,
            endpoint: OnceLock::new(),
            caller: OnceLock::new(),
            wants_position: change_position::is_wanted(request.headers()),
            position: OnceLock::new(),
        };
        Self {
            app: app.clone(),
            trace: Arc::new(trace),
            method: request.method().clone(),
            path: request.uri().path().to_owned(),
            started: app.parts.clock.monotonic(),
            finished: false,
        }
    }

    fn finish(mut self, status: StatusCode, failure: Option<&Failure>) {
        self.finished = true;
        let detail = failure.map(|failure| failure.detail().unwrap_or(failure.message()));
        self.note(status, detail);
    }

    fn note(&self, status: StatusCode, detail: Option<&str>) {
        let latency = self.app.parts.clock.monotonic().saturating_sub(self.started);
        let endpoint = self.trace.endpoint.get().unwrap_or(&self.app.endpoints.other);
        endpoint.latencies.record(status, latency, || self.app.parts.clock.now());
        macro_rules! line {
            ($level:ident) => {
                tracing::$level!(
                    target: "croft::request",
                    request_id = %self.trace.id,
                    method = %self.method,
                    path = self.path,
                    operation = endpoint.id,
                    status = status.as_u16(),
                    latency_us = u64::try_from(latency.as_micros()).unwrap_or(u64::MAX),
                    caller = self.trace.caller.get().map(tracing::field::display),
                    detail,
                )
            };
        }
        match status.as_u16() {
            500 => line!(error),
            501..=599 => line!(warn),
            _ => line!(info),
        }
    }
}

impl Drop for Observed {
    fn drop(&mut self) {
        if !self.finished {
            // Not an HTTP status: the client has closed the connection. Proxies use the same number.
            let gone = StatusCode::from_u16(499).expect("499 is in the range of statuses");
            self.note(gone, Some("the client went away"));
        }
    }
}

impl Service<Request> for Edge {
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let edge = self.clone();
        Box::pin(async move { Ok(edge.handle(request).await) })
    }
}
