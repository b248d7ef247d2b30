//! DNS forwarding: names that a VPC's name service does not know are resolved by resolvers that the host can reach.
//!
//! The namespace of a VPC has no route to these resolvers. Sockets on its loopback address, which packets of guests do
//! not reach, receive the queries of the name service. Each valid query is forwarded from a socket of the host to those
//! resolvers only, and the matching answer is returned. So guests can resolve what this host can resolve.

mod datagrams;
mod message;
mod streams;
mod upstreams;

use std::{
    collections::BTreeMap,
    fs, io,
    net::{Ipv4Addr, SocketAddr, TcpListener, UdpSocket},
    os::{fd::AsFd as _, unix::net::UnixStream},
    sync::Arc,
    thread::{self, JoinHandle},
    time::{Duration, Instant},
};

use croft_api::scalar::Vni;
use parking_lot::Mutex;
use rustix::{
    event::{PollFd, PollFlags, Timespec, poll},
    thread::{LinkNameSpaceType, move_into_link_name_space},
};

use self::{datagrams::Datagrams, streams::Streams, upstreams::Upstreams};
use super::commands::namespace_path;

/// The address and port that a VPC's name service forwards queries to.
pub(super) const ADDRESS: (Ipv4Addr, u16) = (Ipv4Addr::LOCALHOST, 5300);
/// Time limit for a response of one resolver.
const PATIENCE: Duration = Duration::from_secs(2);
/// Maximum size of a DNS message, in bytes.
const LONGEST: usize = 65_535;

/// The forwarders of this host's VPCs.
#[derive(Debug)]
pub(super) struct Forwarders {
    upstreams: Arc<Upstreams>,
    /// By VNI.
    running: Mutex<BTreeMap<u32, Forwarder>>,
}

impl Forwarders {
    /// Forwarders to these resolvers, or to the host's own resolvers if the list is empty.
    pub(super) fn to(resolvers: &[SocketAddr]) -> Self {
        let upstreams = Upstreams::of(resolvers);
        if upstreams.now().is_empty() {
            tracing::warn!(
                "this host has no resolvers configured, so guests can only resolve the names of their VPC"
            );
        }
        Self { upstreams: Arc::new(upstreams), running: Mutex::default() }
    }

    /// Starts a VPC's forwarder.
    pub(super) fn ensure(&self, vni: Vni, namespace: &str) -> io::Result<()> {
        let mut running = self.running.lock();
        if running.get(&vni.into()).is_some_and(Forwarder::runs) {
            return Ok(());
        }
        // The previous one must release its address first.
        running.remove(&vni.into());
        running.insert(vni.into(), Forwarder::start(namespace, &self.upstreams)?);
        Ok(())
    }

    /// Stops a VPC's forwarder, and drops its pending queries.
    pub(super) fn remove(&self, vni: Vni) {
        self.running.lock().remove(&vni.into());
    }
}

/// The forwarder of one VPC. It stops when it is dropped.
#[derive(Debug)]
struct Forwarder {
    /// Dropping it stops the thread.
    stop: Option<UnixStream>,
    thread: Option<JoinHandle<()>>,
}

impl Forwarder {
    fn start(namespace: &str, upstreams: &Arc<Upstreams>) -> io::Result<Self> {
        let inside = NamespaceSockets::open(namespace)?;
        let (stop, stopped) = UnixStream::pair()?;
        let upstreams = Arc::clone(upstreams);
        let work = move || {
            if let Err(error) = inside.serve(&stopped, &upstreams) {
                tracing::warn!(%error, "external names are not resolved in a VPC until its DNS forwarder restarts");
            }
        };
        let thread = thread::Builder::new().name("croft-names".into()).spawn(work)?;
        Ok(Self { stop: Some(stop), thread: Some(thread) })
    }

    fn runs(&self) -> bool {
        self.thread.as_ref().is_some_and(|thread| !thread.is_finished())
    }
}

impl Drop for Forwarder {
    fn drop(&mut self) {
        drop(self.stop.take());
        if self.thread.take().is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("a DNS forwarder panicked");
        }
    }
}

/// The sockets in a namespace.
struct NamespaceSockets {
    datagrams: UdpSocket,
    streams: TcpListener,
}

impl NamespaceSockets {
    /// A socket belongs to the namespace in which it was created: a short-lived thread enters the namespace to create
    /// it.
    fn open(namespace: &str) -> io::Result<Self> {
        let file = fs::File::open(namespace_path(namespace))?;
        let work = move || {
            move_into_link_name_space(file.as_fd(), Some(LinkNameSpaceType::Network))?;
            let inside = Self { datagrams: UdpSocket::bind(ADDRESS)?, streams: TcpListener::bind(ADDRESS)? };
            inside.datagrams.set_nonblocking(true)?;
            inside.streams.set_nonblocking(true)?;
            Ok(inside)
        };
        let thread = thread::Builder::new().name("croft-names".into()).spawn(work)?;
        thread.join().unwrap_or_else(|_| Err(io::Error::other("opening sockets panicked")))
    }

    /// Forwards until the other end of `stopped` is closed.
    fn serve(&self, stopped: &UnixStream, upstreams: &Upstreams) -> io::Result<()> {
        let mut datagrams = Datagrams::of(&self.datagrams);
        let streams = Streams::default();
        thread::scope(|scope| {
            loop {
                let asked = if datagrams.has_room() { PollFlags::IN } else { PollFlags::empty() };
                let mut watched = vec![
                    PollFd::new(stopped, PollFlags::IN),
                    PollFd::new(&self.streams, PollFlags::IN),
                    PollFd::new(&self.datagrams, asked),
                ];
                watched.extend(datagrams.sockets().map(|socket| PollFd::new(socket, PollFlags::IN)));
                wait(&mut watched, datagrams.deadline())?;
                let ready: Vec<bool> = watched.iter().map(|one| !one.revents().is_empty()).collect();
                let [is_stopped, connected, asked, answered @ ..] = ready.as_slice() else { continue };
                if *is_stopped {
                    return Ok(());
                }
                // Responses first: removing queries changes the positions of their sockets in the list.
                datagrams.take_answers(answered);
                datagrams.retry_timed_out(Instant::now());
                if *asked {
                    datagrams.take_questions(upstreams);
                }
                if *connected {
                    streams.accept(scope, &self.streams, stopped, upstreams);
                }
            }
        })
    }
}

/// Waits until one of these is ready, or until that time.
fn wait(watched: &mut [PollFd<'_>], deadline: Option<Instant>) -> io::Result<()> {
    let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
    let limit = left.map(Timespec::try_from).transpose().map_err(io::Error::other)?;
    match poll(watched, limit.as_ref()) {
        Err(rustix::io::Errno::INTR) => {
            watched.iter_mut().for_each(PollFd::clear_revents);
            Ok(())
        }
        other => Ok(other.map(drop)?),
    }
}
