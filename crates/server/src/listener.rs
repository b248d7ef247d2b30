//! Connections: taken, limited, served, and in the end finished rather than cut.

use std::{io, net::SocketAddr, sync::Arc, time::Duration};

use axum::body::Body;
use croft_http::{Edge, Encrypted, Peer};
use hyper::{Request, body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::{
    io::{AsyncRead, AsyncWrite},
    net::{TcpListener, TcpStream},
    sync::{OwnedSemaphorePermit, Semaphore, watch},
    task::JoinSet,
    time::{sleep, timeout},
};
use tokio_rustls::TlsAcceptor;

use crate::{
    failure::{ExitKind, Failure, Result},
    patience::{self, Patient},
};

/// Connections open at the same time; more wait in the kernel until one ends.
const MAX_CONNECTIONS: u32 = 4096;
/// A client has this long for a request's head. For the body see [`Patient`].
const CLIENT_PATIENCE: Duration = Duration::from_secs(30);
/// What was sent to a client may wait this long to be taken. Whoever asks and never reads the answer would otherwise
/// keep a connection, and the answer's memory, for ever.
#[cfg(target_os = "linux")]
const UNREAD: Duration = Duration::from_mins(1);
/// Requests under way have this long to finish when the server ends.
const DRAIN: Duration = Duration::from_secs(10);

/// Begins listening. `option` is the one that the address was given with.
pub async fn bind(address: SocketAddr, option: &str) -> Result<TcpListener> {
    TcpListener::bind(address).await.map_err(|error| {
        let failure = Failure::new(ExitKind::Address, format!("cannot listen on {address}: {error}"));
        match error.kind() {
            io::ErrorKind::AddrInUse => failure.hint(format!(
                "another program uses this port; choose another with {option}, or 0 for any free one"
            )),
            io::ErrorKind::PermissionDenied => {
                failure.hint(format!("ports below 1024 need privileges; choose a greater one with {option}"))
            }
            io::ErrorKind::AddrNotAvailable => {
                failure.hint("this host has no such address; 0.0.0.0 stands for all it has")
            }
            _ => failure,
        }
    })
}

/// Lets this process open as many files as the system allows it: each connection is one, and the usual soft limit of
/// 1024 stems from programs that could not count further.
pub fn raise_file_limit() {
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit { current: limit.maximum, ..limit };
    if let Err(error) = setrlimit(Resource::Nofile, raised) {
        tracing::warn!(%error, "cannot raise the limit of open files");
    }
}

/// A place where connections come in.
pub struct Door {
    listener: TcpListener,
    tls: Option<TlsAcceptor>,
}

impl Door {
    /// A door for connections that are not encrypted.
    pub const fn plain(listener: TcpListener) -> Self {
        Self { listener, tls: None }
    }

    /// A door for connections that begin with a TLS handshake.
    pub const fn encrypted(listener: TcpListener, tls: TlsAcceptor) -> Self {
        Self { listener, tls: Some(tls) }
    }

    async fn keep_open(self, house: House) {
        loop {
            let (stream, peer, permit) = accept(&self.listener, &house.permits).await;
            if !house.edge.admits(peer.ip().to_canonical()) {
                // Closed with its stream. Whoever keeps trying is not to fill the log.
                tracing::debug!(%peer, "a connection from an address that is not allowed was closed");
                continue;
            }
            tokio::spawn(house.clone().guest(stream, peer, self.tls.clone(), permit));
        }
    }
}

/// What all connections share.
#[derive(Clone)]
struct House {
    edge: Edge,
    permits: Arc<Semaphore>,
    ending: watch::Receiver<bool>,
}

/// Serves until `end`, then finishes what was begun.
pub async fn serve(doors: Vec<Door>, edge: Edge, end: impl Future<Output = ()>) {
    let permits = Arc::new(Semaphore::new(MAX_CONNECTIONS as usize));
    let (end_all, ending) = watch::channel(false);
    let house = House { edge, permits: permits.clone(), ending };
    let mut open = JoinSet::new();
    for door in doors {
        open.spawn(door.keep_open(house.clone()));
    }
    drop(house);
    end.await;
    open.shutdown().await;
    // Without receivers there is nothing left to finish.
    let _ = end_all.send(true);
    if timeout(DRAIN, permits.acquire_many(MAX_CONNECTIONS)).await.is_err() {
        tracing::warn!("some requests did not finish in time and are cut off");
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
                // Out of file descriptors, most likely: trying again at once would only burn the CPU.
                tracing::warn!(%error, "cannot take a connection");
                sleep(Duration::from_millis(100)).await;
            }
        }
    }
}

fn prepare(stream: &TcpStream) -> io::Result<()> {
    // Answers are written whole; waiting for more to send would only delay them.
    stream.set_nodelay(true)?;
    #[cfg(target_os = "linux")]
    {
        let milliseconds = u32::try_from(UNREAD.as_millis()).unwrap_or(u32::MAX);
        rustix::net::sockopt::set_tcp_user_timeout(stream, milliseconds)?;
    }
    Ok(())
}

impl House {
    /// Looks after one connection from its beginning to its end.
    async fn guest(
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
            None => self.converse(stream, peer, Encrypted(false)).await,
            Some(tls) => {
                let handshake = timeout(CLIENT_PATIENCE, tls.accept(stream));
                let shaken = tokio::select! {
                    shaken = handshake => shaken.unwrap_or_else(|_| Err(io::ErrorKind::TimedOut.into())),
                    () = ended(&mut self.ending) => return,
                };
                match shaken {
                    Ok(stream) => self.converse(stream, peer, Encrypted(true)).await,
                    Err(error) => tracing::debug!(%error, %peer, "a TLS handshake failed"),
                }
            }
        }
        drop(permit);
    }

    /// Answers the requests of a connection.
    async fn converse(
        mut self,
        stream: impl AsyncRead + AsyncWrite + Unpin + Send + 'static,
        peer: SocketAddr,
        encrypted: Encrypted,
    ) {
        // One that listens to IPv6 and IPv4 alike sees addresses of IPv4 in a form that nobody else writes.
        let from = Peer(peer.ip().to_canonical());
        let edge = self.edge;
        let service = service_fn(move |mut request: Request<Incoming>| {
            request.extensions_mut().insert(from);
            request.extensions_mut().insert(encrypted);
            let whole = patience::whole_body(request.uri().path());
            let request = request.map(|body| Body::new(Patient::new(body, whole)));
            let answer = edge.clone().handle(request);
            async move { Ok::<_, std::convert::Infallible>(answer.await) }
        });
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(CLIENT_PATIENCE)
            .max_buf_size(64 * 1024)
            .serve_connection(TokioIo::new(stream), service)
            .with_upgrades();
        tokio::pin!(connection);
        let done = tokio::select! {
            done = connection.as_mut() => done,
            () = ended(&mut self.ending) => {
                connection.as_mut().graceful_shutdown();
                connection.await
            }
        };
        if let Err(error) = done {
            tracing::debug!(%error, %peer, "the connection broke");
        }
    }
}

/// Resolves when the server is about to end.
async fn ended(ending: &mut watch::Receiver<bool>) {
    drop(ending.wait_for(|ending| *ending).await);
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[tokio::test]
    async fn answers_that_nobody_reads_are_given_up() {
        let listener = bind(SocketAddr::from(([127, 0, 0, 1], 0)), "--listen").await.unwrap();
        let stream = TcpStream::connect(listener.local_addr().unwrap()).await.unwrap();
        prepare(&stream).unwrap();
        assert!(stream.nodelay().unwrap());
        assert_eq!(rustix::net::sockopt::tcp_user_timeout(&stream).unwrap(), 60_000);
    }
}
