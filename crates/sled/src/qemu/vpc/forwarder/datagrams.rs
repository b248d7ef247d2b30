//! DNS over UDP.

use std::{
    io,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket},
    time::Instant,
};

use super::{LONGEST, PATIENCE, message, upstreams::Upstreams};

/// Maximum number of pending queries of one VPC. Further ones wait in the socket's buffer, or are dropped.
const MOST: usize = 64;

/// The pending queries of one VPC.
pub(super) struct Datagrams<'a> {
    inside: &'a UdpSocket,
    waiting: Vec<Waiting>,
    buffer: Vec<u8>,
}

/// A query that was forwarded.
struct Waiting {
    from: SocketAddr,
    question: Vec<u8>,
    /// The resolvers that have not been tried, in reverse order.
    others: Vec<SocketAddr>,
    /// A socket for this query alone, so that its port is unpredictable.
    socket: UdpSocket,
    deadline: Instant,
}

impl<'a> Datagrams<'a> {
    pub(super) fn of(inside: &'a UdpSocket) -> Self {
        Self { inside, waiting: Vec::new(), buffer: vec![0; LONGEST] }
    }

    pub(super) fn has_room(&self) -> bool {
        self.waiting.len() < MOST
    }

    /// The sockets that receive responses.
    pub(super) fn sockets(&self) -> impl Iterator<Item = &UdpSocket> {
        self.waiting.iter().map(|waiting| &waiting.socket)
    }

    /// The earliest timeout.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.waiting.iter().map(|waiting| waiting.deadline).min()
    }

    /// Receives queries while there is room.
    pub(super) fn take_questions(&mut self, upstreams: &Upstreams) {
        while self.has_room() {
            // The error belongs to an earlier response, or there is nothing left to receive.
            let Ok((length, from)) = self.inside.recv_from(&mut self.buffer) else { return };
            let question = self.buffer[..length].to_vec();
            if message::is_question(&question) {
                let mut others = upstreams.now();
                others.reverse();
                self.ask(from, question, others);
            }
        }
    }

    /// Sends a query to the first of these resolvers that works. If none does, returns an error response.
    fn ask(&mut self, from: SocketAddr, question: Vec<u8>, mut others: Vec<SocketAddr>) {
        while let Some(resolver) = others.pop() {
            match send(&question, resolver) {
                Ok(socket) => {
                    let deadline = Instant::now() + PATIENCE;
                    return self.waiting.push(Waiting { from, question, others, socket, deadline });
                }
                Err(error) => tracing::debug!(%resolver, %error, "cannot query a resolver"),
            }
        }
        if let Some(failure) = message::failure(&question) {
            self.answer(from, &failure);
        }
    }

    fn answer(&self, to: SocketAddr, reply: &[u8]) {
        if let Err(error) = self.inside.send_to(reply, to) {
            tracing::debug!(%error, "cannot send a DNS answer");
        }
    }

    /// Receives responses from sockets that are ready.
    pub(super) fn take_answers(&mut self, ready: &[bool]) {
        let is_ready = |place: usize| ready.get(place).is_some_and(|ready| *ready);
        let waiting = std::mem::take(&mut self.waiting);
        for (place, one) in waiting.into_iter().enumerate() {
            if !is_ready(place) {
                self.waiting.push(one);
                continue;
            }
            match one.socket.recv(&mut self.buffer) {
                Ok(length) if message::answers(&self.buffer[..length], &one.question) => {
                    self.answer(one.from, &self.buffer[..length]);
                }
                Ok(_) => self.waiting.push(one),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => self.waiting.push(one),
                Err(_) => self.ask(one.from, one.question, one.others),
            }
        }
    }

    /// Queries the next resolver for queries that have timed out.
    pub(super) fn retry_timed_out(&mut self, now: Instant) {
        let (late, waiting) =
            std::mem::take(&mut self.waiting).into_iter().partition(|waiting| waiting.deadline <= now);
        self.waiting = waiting;
        let late: Vec<Waiting> = late;
        for one in late {
            self.ask(one.from, one.question, one.others);
        }
    }
}

fn send(question: &[u8], resolver: SocketAddr) -> io::Result<UdpSocket> {
    let any: IpAddr =
        if resolver.is_ipv4() { Ipv4Addr::UNSPECIFIED.into() } else { Ipv6Addr::UNSPECIFIED.into() };
    let socket = UdpSocket::bind((any, 0))?;
    socket.set_nonblocking(true)?;
    // A connected socket receives only datagrams of its peer, and ICMP errors.
    socket.connect(resolver)?;
    socket.send(question)?;
    Ok(socket)
}
