//! Accepts and serves HTTP/1.1 and HTTP/2 connections with limits, and shuts down gracefully.

use std::{io, net::SocketAddr, sync::Arc, time::Duration};

use axum::body::Body;
use croft_http::{Edge, Encrypted, Peer};
use hyper::{
    Request, Uri, Version,
    body::Incoming,
    header::{HOST, HeaderValue},
    service::service_fn,
};
use hyper_util::{
    rt::{TokioExecutor, TokioIo, TokioTimer},
    server::conn::auto,
};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpListener, TcpStream},
    sync::{Notify, OwnedSemaphorePermit, Semaphore, watch},
    task::JoinSet,
    time::{sleep, timeout},
};
use tokio_rustls::TlsAcceptor;

use crate::{
    body_timeout::{BodyTimeout, whole_body},
    failure::{ExitKind, Failure, Result},
};

/// Maximum number of open connections; more wait in the kernel.
const MAX_CONNECTIONS: u32 = 4096;
/// Time limit for a TLS handshake, for a client's first request, and for the head of each HTTP/1.1 request. For the
/// body see [`BodyTimeout`].
const CLIENT_TIMEOUT: Duration = Duration::from_secs(30);
/// Interval of HTTP/2 pings.
const PING_INTERVAL: Duration = Duration::from_secs(30);
/// Time limit for the response to a ping.
const PING_TIMEOUT: Duration = Duration::from_secs(20);
/// Maximum number of concurrent requests on one HTTP/2 connection; more wait at the client.
const MAX_STREAMS: u32 = 100;
/// Maximum size of the head of a request, in bytes.
const MAX_HEAD: u32 = 64 * 1024;
/// Time limit for a client to read what was sent. Without it, a client that never reads its responses could hold a
/// connection, and the memory of the response, forever.
#[cfg(target_os = "linux")]
const UNREAD: Duration = Duration::from_mins(1);
/// Time limit for requests in progress when the server shuts down.
const DRAIN: Duration = Duration::from_secs(10);

/// Starts listening. `option` is the name of the option with the address.
pub async fn bind(address: SocketAddr, option: &str) -> Result<TcpListener> {
    TcpListener::bind(address).await.map_err(|error| refusal(address, option, &error))
}

/// Why an address cannot be listened on.
pub fn refusal(address: SocketAddr, option: &str, error: &io::Error) -> Failure {
    let failure = Failure::new(ExitKind::Address, format!("cannot listen on {address}: {error}"));
    match error.kind() {
        io::ErrorKind::AddrInUse => failure.hint(format!(
            "another program uses this port; choose another one with {option}, or 0 for any free port"
        )),
        io::ErrorKind::PermissionDenied => {
            failure.hint(format!("ports below 1024 need privileges; choose a higher one with {option}"))
        }
        io::ErrorKind::AddrNotAvailable => {
            failure.hint("this host has no such address; use 0.0.0.0 for all of its IPv4 addresses")
        }
        _ => failure,
    }
}

/// Raises the soft limit of open files to the hard limit: each connection is one file, and the usual soft limit of 1024
/// is too low.
pub fn raise_file_limit() {
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit { current: limit.maximum, ..limit };
    if let Err(error) = setrlimit(Resource::Nofile, raised) {
        tracing::warn!(%error, "cannot raise the limit of open files");
    }
}

/// An address where connections are accepted.
pub struct Listener {
    listener: TcpListener,
    tls: Option<TlsAcceptor>,
}

impl Listener {
    /// Accepts connections that are not encrypted.
    pub const fn plain(listener: TcpListener) -> Self {
        Self { listener, tls: None }
    }

    /// Accepts connections with TLS.
    pub const fn encrypted(listener: TcpListener, tls: TlsAcceptor) -> Self {
        Self { listener, tls: Some(tls) }
    }

    async fn run(self, context: ServerContext) {
        loop {
            let (stream, peer, permit) = accept(&self.listener, &context.permits).await;
            if !context.edge.admits(peer.ip().to_canonical()) {
                // The connection closes when the stream is dropped. Repeated attempts must not fill the log.
                tracing::debug!(%peer, "closed a connection from an address that is not on the allow-list");
                continue;
            }
            tokio::spawn(context.clone().accept_connection(stream, peer, self.tls.clone(), permit));
        }
    }
}

/// The state shared by all connections.
#[derive(Clone)]
struct ServerContext {
    edge: Edge,
    permits: Arc<Semaphore>,
    ending: watch::Receiver<bool>,
}

/// Serves until `end`, then finishes requests in progress.
pub async fn serve(listeners: Vec<Listener>, edge: Edge, end: impl Future<Output = ()>) {
    let permits = Arc::new(Semaphore::new(MAX_CONNECTIONS as usize));
    let (end_all, ending) = watch::channel(false);
    let context = ServerContext { edge, permits: permits.clone(), ending };
    let mut running = JoinSet::new();
    for listener in listeners {
        running.spawn(listener.run(context.clone()));
    }
    drop(context);
    end.await;
    running.shutdown().await;
    // Without receivers there is nothing left to finish.
    let _ = end_all.send(true);
    if timeout(DRAIN, permits.acquire_many(MAX_CONNECTIONS)).await.is_err() {
        tracing::warn!("some requests did not finish in time and were aborted");
    }
}

async fn accept(
    listener: &TcpListener,
    permits: &Arc<Semaphore>,
) -> (TcpStream, SocketAddr, OwnedSemaphorePermit) {
    let permit = permits.clone().acquire_owned().await.expect("nobody closes the semaphore");
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => return (stream, peer, permit),
            Err(error) => {
                // Most likely out of file descriptors: an immediate retry would only use CPU time.
                tracing::warn!(%error, "cannot accept a connection");
                sleep(Duration::from_millis(100)).await;
            }
        }
    }
}

fn prepare(stream: &TcpStream) -> io::Result<()> {
    // Responses are written as a whole; Nagle's algorithm would only delay them.
    stream.set_nodelay(true)?;
    #[cfg(target_os = "linux")]
    {
        let milliseconds = u32::try_from(UNREAD.as_millis()).unwrap_or(u32::MAX);
        rustix::net::sockopt::set_tcp_user_timeout(stream, milliseconds)?;
    }
    Ok(())
}

impl ServerContext {
    /// Serves one connection.
    async fn accept_connection(
        mut self,
        stream: TcpStream,
        peer: SocketAddr,
        tls: Option<TlsAcceptor>,
        permit: OwnedSemaphorePermit,
    ) {
        if let Err(error) = prepare(&stream) {
            tracing::debug!(%error, "cannot set the options of a connection");
        }
        match tls {
            None => self.serve_connection(stream, peer, Encrypted(false)).await,
            Some(tls) => {
                let handshake = timeout(CLIENT_TIMEOUT, tls.accept(stream));
                let accepted = tokio::select! {
                    accepted = handshake => accepted.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into())),
                    () = ended(&mut self.ending) => return,
                };
                match accepted {
                    Ok(stream) => self.serve_connection(stream, peer, Encrypted(true)).await,
                    Err(error) => tracing::debug!(%error, %peer, "a TLS handshake failed"),
                }
            }
        }
        drop(permit);
    }

    /// Serves the requests of a connection. The version of HTTP is detected from the first bytes.
    async fn serve_connection(
        mut self,
        stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
        peer: SocketAddr,
        encrypted: Encrypted,
    ) {
        // A listener for IPv6 and IPv4 reports IPv4 addresses in their IPv6 form.
        let from = Peer(peer.ip().to_canonical());
        let edge = self.edge;
        let has_begun = Arc::new(Notify::new());
        let begin = has_begun.clone();
        let service = service_fn(move |mut request: Request<Incoming>| {
            begin.notify_one();
            move_authority_to_host(&mut request);
            request.extensions_mut().insert(from);
            request.extensions_mut().insert(encrypted);
            let whole = whole_body(request.uri().path());
            let request = request.map(|body| Body::new(BodyTimeout::new(body, whole)));
            let answer = edge.clone().handle(request);
            async move { Ok::<_, std::convert::Infallible>(answer.await) }
        });
        let protocols = protocols();
        let connection = protocols.serve_connection_with_upgrades(TokioIo::new(stream), service);
        tokio::pin!(connection);
        let done = tokio::select! {
            done = connection.as_mut() => done,
            () = first_request_is_late(&has_begun) => {
                tracing::debug!(%peer, "closed a connection that sent no request");
                return;
            }
            () = ended(&mut self.ending) => {
                connection.as_mut().graceful_shutdown();
                connection.await
            }
        };
        if let Err(error) = done {
            tracing::debug!(error, %peer, "the connection failed");
        }
    }
}

/// Both versions of HTTP, with their limits.
fn protocols() -> auto::Builder<TokioExecutor> {
    let mut protocols = auto::Builder::new(TokioExecutor::new());
    protocols
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(CLIENT_TIMEOUT)
        .max_buf_size(MAX_HEAD as usize);
    protocols
        .http2()
        .timer(TokioTimer::new())
        .keep_alive_interval(PING_INTERVAL)
        .keep_alive_timeout(PING_TIMEOUT)
        .max_concurrent_streams(MAX_STREAMS)
        .max_header_list_size(MAX_HEAD);
    protocols
}

/// HTTP/2 has the host in the request's target (RFC 9113, section 8.3.1), and a `Host` field beside it is ignored. The
/// rest of the server reads the field and expects targets without a host, as in HTTP/1.1.
fn move_authority_to_host<B>(request: &mut Request<B>) {
    if request.version() != Version::HTTP_2 {
        return;
    }
    request.headers_mut().remove(HOST);
    let authority = request.uri().authority().map(|authority| HeaderValue::from_str(authority.as_str()));
    if let Some(Ok(host)) = authority {
        request.headers_mut().insert(HOST, host);
    }
    if let Some(target) = request.uri().path_and_query().cloned() {
        *request.uri_mut() = Uri::from(target);
    }
}

/// Resolves when the time limit for the first request is exceeded.
async fn first_request_is_late(has_begun: &Notify) {
    if timeout(CLIENT_TIMEOUT, has_begun.notified()).await.is_ok() {
        std::future::pending::<()>().await;
    }
}

/// Resolves when the server shuts down.
async fn ended(ending: &mut watch::Receiver<bool>) {
    drop(ending.wait_for(|ending| *ending).await);
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn the_host_of_http_2_is_read_from_the_target() {
        let request = |version, uri: &str| {
            let request = Request::builder().version(version).uri(uri).header(HOST, "other.test");
            let mut request = request.body(()).unwrap();
            move_authority_to_host(&mut request);
            (request.headers()[HOST].clone(), request.uri().to_string())
        };
        let by_2 = request(Version::HTTP_2, "https://croft.test:8443/v1/me?x=1");
        assert_eq!(by_2, (HeaderValue::from_static("croft.test:8443"), "/v1/me?x=1".to_owned()));
        let by_1 = request(Version::HTTP_11, "/v1/me");
        assert_eq!(by_1, (HeaderValue::from_static("other.test"), "/v1/me".to_owned()));
    }

    #[tokio::test(start_paused = true)]
    async fn idle_timeout_applies_only_before_the_first_request() {
        let has_begun = Notify::new();
        first_request_is_late(&has_begun).await;
        has_begun.notify_one();
        let later = timeout(CLIENT_TIMEOUT * 100, first_request_is_late(&has_begun)).await;
        assert!(later.is_err(), "closing an idle connection");
    }

    #[tokio::test]
    async fn connections_of_clients_that_do_not_read_are_closed() {
        let listener = bind(SocketAddr::from(([127, 0, 0, 1], 0)), "--listen").await.unwrap();
        let stream = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        prepare(&stream).unwrap();
        assert!(stream.nodelay().unwrap());
        assert_eq!(rustix::net::sockopt::tcp_user_timeout(&stream).unwrap(), 60_000);
    }
}
