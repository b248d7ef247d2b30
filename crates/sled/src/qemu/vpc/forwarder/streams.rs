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

/// Connections of one VPC at a time. Further ones are closed.
const MOST: usize = 16;
/// How long a connection is kept, whatever it is used for.
const LIFE: Duration = Duration::from_secs(30);

/// The connections of one VPC.
#[derive(Debug, Default)]
pub(super) struct Streams {
    open: AtomicUsize,
}

impl Streams {
    /// Takes a connection, in a thread of its own.
    pub(super) fn accept<'scope>(
        &'scope self,
        scope: &'scope Scope<'scope, '_>,
        inside: &TcpListener,
        stopped: &'scope UnixStream,
        upstreams: &'scope Upstreams,
    ) {
        // One that has gone again is no loss.
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

/// What a connection has to keep to.
struct Connection<'a> {
    stopped: &'a UnixStream,
    deadline: Instant,
}

impl Connection<'_> {
    /// Answers one question after the other, until the other end has no more.
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

    /// A message with its length before it; `None` if the stream has ended.
    fn read(&self, stream: &TcpStream, deadline: Instant) -> io::Result<Option<Vec<u8>>> {
        let mut length = [0; 2];
        if !self.fill(stream, &mut length, deadline)? {
            return Ok(None);
        }
        let mut message = vec![0; usize::from(u16::from_be_bytes(length))];
        let is_whole = self.fill(stream, &mut message, deadline)?;
        if is_whole { Ok(Some(message)) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }

    /// Reads as much as there is room for. False if the stream ended before the first byte.
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
    // In one piece: some resolvers take a lone length for all there is.
    let whole: Vec<u8> = length.to_be_bytes().into_iter().chain(message.iter().copied()).collect();
    stream.write_all(&whole)
}
