//! DNS over TCP, for long answers.

use std::{
    io::{self, Read as _, Write as _},
    net::{SocketAddr, TcpListener, TcpStream},
    os::unix::net::UnixStream,
    sync::atomic::{AtomicUsize, Ordering},
    thread::{self, Scope},
    time::{Duration, Instant},
};

use rustix::event::{PollFd, PollFlags};

use super::{PATIENCE, message, upstreams::Upstreams, wait};

/// Maximum number of connections of one VPC. Further ones are closed.
const MOST: usize = 16;
/// Maximum lifetime of a connection.
const LIFE: Duration = Duration::from_secs(30);

/// The connections of one VPC.
#[derive(Debug, Default)]
pub(super) struct Streams {
    open: AtomicUsize,
}

impl Streams {
    /// Accepts a connection and serves it on its own thread.
    pub(super) fn accept<'scope>(
        &'scope self,
        scope: &'scope Scope<'scope, '_>,
        inside: &TcpListener,
        stopped: &'scope UnixStream,
        upstreams: &'scope Upstreams,
    ) {
        // The client may have closed it already.
        let Ok((stream, _)) = inside.accept() else { return };
        if self.open.fetch_add(1, Ordering::Relaxed) >= MOST {
            self.open.fetch_sub(1, Ordering::Relaxed);
            return;
        }
        let work = move || {
            let deadline = Instant::now() + LIFE;
            if let Err(error) = (Connection { stopped, deadline }).serve(&stream, upstreams) {
                tracing::debug!(%error, "a DNS connection failed");
            }
            self.open.fetch_sub(1, Ordering::Relaxed);
        };
        if let Err(error) = thread::Builder::new().name("croft-names".into()).spawn_scoped(scope, work) {
            self.open.fetch_sub(1, Ordering::Relaxed);
            tracing::warn!(%error, "refused a DNS connection");
        }
    }
}

/// The limits of a connection.
struct Connection<'a> {
    stopped: &'a UnixStream,
    deadline: Instant,
}

impl Connection<'_> {
    /// Answers queries one after the other, until the client closes the connection.
    fn serve(&self, stream: &TcpStream, upstreams: &Upstreams) -> io::Result<()> {
        stream.set_nonblocking(false)?;
        stream.set_write_timeout(Some(PATIENCE))?;
        while let Some(question) = self.read(stream, self.deadline)? {
            if !message::is_question(&question) {
                return Err(io::Error::other("no question"));
            }
            let resolvers = upstreams.now();
            let reply = resolvers.iter().find_map(|resolver| self.ask(*resolver, &question).ok());
            let Some(reply) = reply.or_else(|| message::failure(&question)) else { return Ok(()) };
            write(stream, &reply)?;
        }
        Ok(())
    }

    fn ask(&self, resolver: SocketAddr, question: &[u8]) -> io::Result<Vec<u8>> {
        let stream = TcpStream::connect_timeout(&resolver, PATIENCE)?;
        stream.set_write_timeout(Some(PATIENCE))?;
        write(&stream, question)?;
        let reply = self.read(&stream, self.deadline.min(Instant::now() + PATIENCE))?;
        let reply = reply.filter(|reply| message::answers(reply, question));
        reply.ok_or_else(|| io::Error::other("another answer"))
    }

    /// Reads a message with its length prefix; `None` at the end of the stream.
    fn read(&self, stream: &TcpStream, deadline: Instant) -> io::Result<Option<Vec<u8>>> {
        let mut length = [0; 2];
        if !self.fill(stream, &mut length, deadline)? {
            return Ok(None);
        }
        let mut message = vec![0; usize::from(u16::from_be_bytes(length))];
        let is_whole = self.fill(stream, &mut message, deadline)?;
        if is_whole { Ok(Some(message)) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }

    /// Fills the buffer. Returns false if the stream ends before the first byte.
    fn fill(&self, mut stream: &TcpStream, buffer: &mut [u8], deadline: Instant) -> io::Result<bool> {
        let mut filled = 0;
        while filled < buffer.len() {
            if Instant::now() >= deadline {
                return Err(io::ErrorKind::TimedOut.into());
            }
            let mut watched = [PollFd::new(stream, PollFlags::IN), PollFd::new(self.stopped, PollFlags::IN)];
            wait(&mut watched, Some(deadline))?;
            let [readable, stopped] = watched.map(|one| !one.revents().is_empty());
            if stopped {
                return Err(io::ErrorKind::Interrupted.into());
            }
            if readable {
                match stream.read(&mut buffer[filled..])? {
                    0 if filled == 0 => return Ok(false),
                    0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                    length => filled += length,
                }
            }
        }
        Ok(true)
    }
}

fn write(mut stream: &TcpStream, message: &[u8]) -> io::Result<()> {
    let length = u16::try_from(message.len()).map_err(io::Error::other)?;
    // In one write: some resolvers take a separate length for the whole message.
    let whole: Vec<u8> = length.to_be_bytes().into_iter().chain(message.iter().copied()).collect();
    stream.write_all(&whole)
}
