//! What is sent: server-sent events as text.

use bytes::{BufMut as _, Bytes, BytesMut};
use croft_api::event::{Reset, ResetReason};
use croft_control::event;
use croft_store::Change;
use serde::Serialize;

/// What every stream begins with: how long a client waits before it connects again, in milliseconds.
pub(super) const PREAMBLE: &[u8] = b"retry: 2000\n\n";

/// A change, with its place in the log.
pub(super) fn change(change: &Change) -> Bytes {
    message("change", change.seq, &event::to_view(change))
}

/// A reset; what comes after it is after this place in the log.
pub(super) fn reset(position: i64, reason: ResetReason) -> Bytes {
    message("reset", position, &Reset { reason })
}

/// Nothing, so that proxies keep the connection and the client knows how far the log was read for it.
pub(super) fn heartbeat(position: i64) -> Bytes {
    Bytes::from(format!(":\nid: {position}\n\n"))
}

fn message(name: &str, position: i64, data: &impl Serialize) -> Bytes {
    let data = serde_json::to_string(data).expect("events are plain JSON");
    Bytes::from(format!("event: {name}\nid: {position}\ndata: {data}\n\n"))
}

/// Several messages as one piece.
pub(super) fn join(pieces: &[Bytes]) -> Bytes {
    match pieces {
        [piece] => piece.clone(),
        pieces => {
            let mut joined = BytesMut::with_capacity(pieces.iter().map(Bytes::len).sum());
            for piece in pieces {
                joined.put_slice(piece);
            }
            joined.freeze()
        }
    }
}
