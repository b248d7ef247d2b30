//! One stream as the reader of the log sees it: what it is about, and what waits to be sent.

use std::{collections::BTreeSet, net::IpAddr};

use bytes::Bytes;
use croft_api::{Uuid, event::ResetReason};
use croft_control::Credentials;
use croft_store::Change;
use event_listener::{Event, EventListener};
use parking_lot::Mutex;

use super::wire;

/// Bytes that may wait for a client. One that leaves more waiting is too slow.
const MOST_WAITING: usize = 256 * 1024;

/// Which changes a stream is about.
#[derive(Clone, Debug, Default)]
pub(super) struct Filter {
    /// Only what is in this project.
    pub(super) project: Option<Uuid>,
    /// Only these kinds.
    pub(super) kinds: Option<BTreeSet<&'static str>>,
}

impl Filter {
    /// Whether a change is among them.
    pub(super) fn accepts(&self, change: &Change) -> bool {
        self.project.is_none_or(|project| change.project == Some(project))
            && self.kinds.as_ref().is_none_or(|kinds| kinds.contains(change.kind.as_str()))
    }
}

/// Who follows the log, and what waits for them.
pub(super) struct Subscriber {
    pub(super) user: Uuid,
    pub(super) silo: Uuid,
    pub(super) credentials: Credentials,
    pub(super) source: Option<IpAddr>,
    pub(super) filter: Filter,
    /// The last change that the stream has already dealt with.
    pub(super) from: i64,
    waiting: Mutex<Waiting>,
    news: Event,
}

#[derive(Default)]
struct Waiting {
    pieces: Vec<Bytes>,
    bytes: usize,
    ended: bool,
}

/// What a stream finds when it looks.
pub(super) enum Taken {
    /// To be sent. After the last piece the stream ends.
    Pieces { pieces: Vec<Bytes>, last: bool },
    /// Nothing yet; the listener tells when to look again.
    Nothing(EventListener),
}

impl Subscriber {
    pub(super) fn new(
        (user, silo): (Uuid, Uuid),
        credentials: Credentials,
        source: Option<IpAddr>,
        filter: Filter,
        from: i64,
    ) -> Self {
        let (waiting, news) = Default::default();
        Self { user, silo, credentials, source, filter, from, waiting, news }
    }

    /// Has something sent. The position is where the log was read up to with it. Answers whether the client keeps up; one
    /// that does not is told so and nothing more.
    pub(super) fn push(&self, piece: Bytes, position: i64) -> bool {
        let mut waiting = self.waiting.lock();
        if waiting.ended {
            return false;
        }
        waiting.bytes += piece.len();
        let keeps_up = waiting.bytes <= MOST_WAITING;
        if keeps_up {
            waiting.pieces.push(piece);
        } else {
            *waiting =
                Waiting { pieces: vec![wire::reset(position, ResetReason::Lagging)], bytes: 0, ended: true };
        }
        drop(waiting);
        self.news.notify(1);
        keeps_up
    }

    /// Has a heartbeat sent, unless there is something else to be sent anyway.
    pub(super) fn beat(&self, position: i64) {
        if self.waiting.lock().pieces.is_empty() {
            self.push(wire::heartbeat(position), position);
        }
    }

    /// Ends the stream after what waits already.
    pub(super) fn end(&self) {
        self.waiting.lock().ended = true;
        self.news.notify(1);
    }

    /// Takes what waits.
    pub(super) fn take(&self) -> Taken {
        let listener = self.news.listen();
        let mut waiting = self.waiting.lock();
        if waiting.pieces.is_empty() && !waiting.ended {
            return Taken::Nothing(listener);
        }
        waiting.bytes = 0;
        Taken::Pieces { pieces: std::mem::take(&mut waiting.pieces), last: waiting.ended }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn subscriber() -> Subscriber {
        let nobody = (Uuid::nil(), Uuid::nil());
        Subscriber::new(nobody, Credentials::default(), None, Filter::default(), 0)
    }

    #[test]
    fn a_client_that_does_not_read_is_told_once_and_costs_no_more() {
        let subscriber = subscriber();
        let piece = Bytes::from(vec![b'x'; 1024]);
        let taken = (0_u32..1000).take_while(|_| subscriber.push(piece.clone(), 7)).count();
        assert_eq!(taken, MOST_WAITING / 1024);
        assert!(!subscriber.push(piece, 8));
        let Taken::Pieces { pieces, last } = subscriber.take() else { panic!("there is something") };
        assert!(last);
        assert_eq!(pieces, ["event: reset\nid: 7\ndata: {\"reason\":\"lagging\"}\n\n"]);
    }

    #[test]
    fn a_heartbeat_waits_for_nothing_else() {
        let subscriber = subscriber();
        subscriber.beat(3);
        subscriber.beat(4);
        let Taken::Pieces { pieces, last } = subscriber.take() else { panic!("there is something") };
        assert!(!last);
        assert_eq!(pieces, [":\nid: 3\n\n"]);
        assert!(matches!(subscriber.take(), Taken::Nothing(_)));
    }
}
