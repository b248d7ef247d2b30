//! Encoding of server-sent events.

use bytes::{BufMut as _, Bytes, BytesMut};
use croft_api::event::{Reset, ResetReason};
use croft_control::event;
use croft_store::Change;
use serde::Serialize;

/// The first event of every stream: the reconnection delay of clients, in milliseconds.
pub(super) const PREAMBLE: &[u8] = b"retry: 2000\n\n";

/// A change, with its position in the log as the id.
pub(super) fn change(change: &Change) -> Bytes {
    message("change", change.seq, &event::to_view(change))
}

/// A reset, with the position in the log as the id.
pub(super) fn reset(position: i64, reason: ResetReason) -> Bytes {
    message("reset", position, &Reset { reason })
}

/// A heartbeat, which keeps the connection open and tells the client how far the log has been read.
pub(super) fn heartbeat(position: i64) -> Bytes {
    Bytes::from(format!(":\nid: {position}\n\n"))
}

fn message(name: &str, position: i64, data: &impl Serialize) -> Bytes {
    let data = serde_json::to_string(data).expect("events are plain JSON");
    Bytes::from(format!("event: {name}\nid: {position}\ndata: {data}\n\n"))
}

/// Concatenates messages.
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
