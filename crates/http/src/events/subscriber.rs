//! One stream from the reader's side: its filter and its queue.

use std::{
    collections::BTreeSet,
    net::IpAddr,
    task::{Context, Poll, Waker},
};

use bytes::Bytes;
use croft_api::{Uuid, event::ResetReason};
use croft_control::Credentials;
use croft_store::Change;
use parking_lot::{Mutex, MutexGuard};

use super::wire;

/// Maximum number of bytes queued for a client. A client that exceeds it is too slow.
const MOST_WAITING: usize = 256 * 1024;

/// The filter of a stream.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Filter {
    /// Only resources in this project.
    pub(super) project: Option<Uuid>,
    /// Only these kinds.
    pub(super) kinds: Option<BTreeSet<&'static str>>,
}

impl Filter {
    /// Whether a change matches.
    pub(super) fn accepts(&self, change: &Change) -> bool {
        self.project.is_none_or(|project| change.project == Some(project))
            && self.kinds.as_ref().is_none_or(|kinds| kinds.contains(change.kind.as_str()))
    }
}

/// The client of a stream, and its queue.
pub(super) struct Subscriber {
    pub(super) user: Uuid,
    pub(super) silo: Uuid,
    /// Who has signed in, and whose credentials these are.
    pub(super) actor: Uuid,
    pub(super) credentials: Credentials,
    pub(super) source: Option<IpAddr>,
    pub(super) filter: Filter,
    /// The last change that the stream has processed.
    pub(super) from: i64,
    waiting: Mutex<Waiting>,
}

#[derive(Default)]
struct Waiting {
    pieces: Vec<Bytes>,
    bytes: usize,
    ended: bool,
    /// Notifies the stream when the queue is not empty.
    waker: Option<Waker>,
}

/// The state of the queue. After the last item the stream ends.
#[derive(Debug)]
pub(super) struct StreamChunk {
    pub(super) pieces: Vec<Bytes>,
    pub(super) last: bool,
}

impl Subscriber {
    pub(super) fn new(
        (user, silo): (Uuid, Uuid),
        actor: Uuid,
        credentials: Credentials,
        source: Option<IpAddr>,
        filter: Filter,
        from: i64,
    ) -> Self {
        Self { user, silo, actor, credentials, source, filter, from, waiting: Mutex::default() }
    }

    /// Queues data. The position is how far the log has been read. Returns false if the client is too slow; the stream
    /// then ends with a message about that.
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
            waiting.pieces = vec![wire::reset(position, ResetReason::Lagging)];
            waiting.ended = true;
        }
        wake(waiting);
        keeps_up
    }

    /// Queues a heartbeat, unless something else is queued.
    pub(super) fn send_heartbeat(&self, position: i64) {
        if self.waiting.lock().pieces.is_empty() {
            self.push(wire::heartbeat(position), position);
        }
    }

    /// Ends the stream after the queued data.
    pub(super) fn end(&self) {
        let mut waiting = self.waiting.lock();
        waiting.ended = true;
        wake(waiting);
    }

    /// Takes the queued data, once there is some. Only the most recent caller is notified.
    pub(super) fn poll_take(&self, cx: &mut Context<'_>) -> Poll<StreamChunk> {
        let mut waiting = self.waiting.lock();
        if waiting.pieces.is_empty() && !waiting.ended {
            match &mut waiting.waker {
                Some(waker) => waker.clone_from(cx.waker()),
                none => *none = Some(cx.waker().clone()),
            }
            return Poll::Pending;
        }
        waiting.bytes = 0;
        Poll::Ready(StreamChunk { pieces: std::mem::take(&mut waiting.pieces), last: waiting.ended })
    }
}

fn wake(mut waiting: MutexGuard<'_, Waiting>) {
    let waker = waiting.waker.take();
    drop(waiting);
    if let Some(waker) = waker {
        waker.wake();
    }
}

#[cfg(test)]
mod tests {
    use std::{
        sync::{
            Arc,
            atomic::{AtomicBool, Ordering::SeqCst},
        },
        task::Wake,
    };

    use super::*;

    fn subscriber() -> Subscriber {
        let nobody = (Uuid::nil(), Uuid::nil());
        Subscriber::new(nobody, nobody.0, Credentials::default(), None, Filter::default(), 0)
    }

    #[test]
    fn slow_clients_are_disconnected() {
        let subscriber = subscriber();
        let piece = Bytes::from(vec![b'x'; 1024]);
        let pushed = (0_u32..1000).take_while(|_| subscriber.push(piece.clone(), 7)).count();
        assert_eq!(pushed, MOST_WAITING / 1024);
        assert!(!subscriber.push(piece, 8));
        let StreamChunk { pieces, last } = take(&subscriber);
        assert!(last);
        assert_eq!(pieces, ["event: reset\nid: 7\ndata: {\"reason\":\"lagging\"}\n\n"]);
    }

    #[test]
    fn at_most_one_heartbeat_is_pending() {
        let subscriber = subscriber();
        subscriber.send_heartbeat(3);
        subscriber.send_heartbeat(4);
        let StreamChunk { pieces, last } = take(&subscriber);
        assert!(!last);
        assert_eq!(pieces, [":\nid: 3\n\n"]);
        assert!(subscriber.poll_take(&mut Context::from_waker(Waker::noop())).is_pending());
    }

    #[test]
    fn waiters_wake_on_data_and_on_close() {
        let piece = |subscriber: &Subscriber| {
            subscriber.push(Bytes::from_static(b"x"), 1);
        };
        for tell in [piece, Subscriber::end] {
            let subscriber = subscriber();
            let woken = Arc::new(WakeFlag::default());
            let waker = Waker::from(Arc::clone(&woken));
            assert!(subscriber.poll_take(&mut Context::from_waker(&waker)).is_pending());
            tell(&subscriber);
            assert!(woken.0.load(SeqCst));
            take(&subscriber);
        }
    }

    #[derive(Default)]
    struct WakeFlag(AtomicBool);

    impl Wake for WakeFlag {
        fn wake(self: Arc<Self>) {
            self.0.store(true, SeqCst);
        }
    }

    fn take(subscriber: &Subscriber) -> StreamChunk {
        match subscriber.poll_take(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(chunk) => chunk,
            Poll::Pending => panic!("no chunk is ready"),
        }
    }
}
