use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{Key, KeyKind, Lookup, Meta, Order, Table, record};

/// A device that asked for a token of whoever confirms it. Removed some time after it is not needed any more.
///
/// The token is made of the device's code, of which only a hash is kept, and of `token_salt`: neither the client
/// nor the database alone can tell it, and without this record the code is worth nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeviceRequest {
    /// Bookkeeping; the time of creation decides when the request expires.
    pub meta: Meta,
    /// The client that asks.
    pub client_id: Uuid,
    /// What the token is to be called.
    pub token_name: String,
    /// SHA-256 of the device's code. The code itself is kept nowhere.
    pub device_code_hash: Vec<u8>,
    /// The eight letters that a person types; none once they were used.
    pub user_code: Option<String>,
    /// How long the token is to be valid, in seconds; none leaves it to the silo.
    pub ttl_seconds: Option<u32>,
    /// The other part of the token.
    pub token_salt: Vec<u8>,
    /// SHA-256 of the token to be.
    pub token_hash: Vec<u8>,
    /// The token that was made, once somebody has confirmed.
    pub confirmed: Option<ConfirmedRequest>,
    /// Whether somebody wanted to confirm it, and the silo does not allow what it asks for.
    pub is_denied: bool,
}

/// What came of a [`DeviceRequest`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ConfirmedRequest {
    /// The token that was made.
    pub token_id: Uuid,
    /// When.
    pub time: Timestamp,
}

impl DeviceRequest {
    /// The key of [`DeviceRequest::CODE`].
    pub fn code(client_id: Uuid, device_code_hash: &[u8]) -> Key {
        Key::combined([client_id.into(), device_code_hash.into()])
    }
}

record! {
    DeviceRequest as request {
        table: Table::new("device_request").by_all(&[Order::Time]).unlogged();
        lookups: {
            /// The request of a client and its device's code.
            CODE: Lookup::unique("code", KeyKind::Bytes) =
                DeviceRequest::code(request.client_id, &request.device_code_hash);
            /// The request that a person means.
            USER_CODE: Lookup::unique("user_code", KeyKind::Text) = request.user_code.clone();
        }
    }
}
