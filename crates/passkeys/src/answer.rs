//! What browsers and authenticators answer (WebAuthn level 3, section 5.8.1 and chapter 6).

use ciborium::Value as Cbor;
use serde::Deserialize;
use sha2::{Digest as _, Sha256};

use crate::{base64url, key::PublicKey};

/// Bytes of the longest name that an authenticator may give a passkey.
const MAX_ID: usize = 1023;
/// Bytes of a hash, of the flags, and of the counter after it.
const HASH: usize = 32;
const HEAD: usize = HASH + 1 + 4;
/// Bytes of the authenticator's model before the name of a new passkey.
const MODEL: usize = 16;

/// What a browser answers when a passkey was made.
#[derive(Deserialize)]
pub(crate) struct RegistrationResponse {
    #[serde(rename = "rawId", with = "base64url")]
    pub(crate) id: Vec<u8>,
    pub(crate) response: MadeResponse,
}

#[derive(Deserialize)]
pub(crate) struct MadeResponse {
    #[serde(rename = "clientDataJSON", with = "base64url")]
    pub(crate) client_data: Vec<u8>,
    #[serde(rename = "attestationObject", with = "base64url")]
    pub(crate) attestation: Vec<u8>,
    #[serde(default)]
    pub(crate) transports: Vec<String>,
}

/// What a browser answers when a passkey was used.
#[derive(Deserialize)]
pub(crate) struct AuthenticationResponse {
    #[serde(rename = "rawId", with = "base64url")]
    pub(crate) id: Vec<u8>,
    pub(crate) response: UsedResponse,
}

#[derive(Deserialize)]
pub(crate) struct UsedResponse {
    #[serde(rename = "clientDataJSON", with = "base64url")]
    pub(crate) client_data: Vec<u8>,
    #[serde(rename = "authenticatorData", with = "base64url")]
    pub(crate) data: Vec<u8>,
    #[serde(with = "base64url")]
    pub(crate) signature: Vec<u8>,
    #[serde(default, rename = "userHandle", with = "base64url::optional")]
    pub(crate) user: Option<Vec<u8>>,
}

/// What the browser says of itself.
#[derive(Deserialize)]
pub(crate) struct ClientData {
    #[serde(rename = "type")]
    pub(crate) kind: String,
    #[serde(with = "base64url")]
    pub(crate) challenge: Vec<u8>,
    pub(crate) origin: String,
    #[serde(default, rename = "crossOrigin")]
    pub(crate) is_framed: bool,
}

/// What the authenticator says.
#[derive(Debug)]
pub(crate) struct AuthenticatorData {
    pub(crate) rp_id_hash: [u8; HASH],
    flags: u8,
    pub(crate) counter: u32,
    /// The new passkey, if one was made.
    pub(crate) made: Option<(Vec<u8>, PublicKey)>,
}

impl AuthenticatorData {
    /// Reads what an authenticator wrote; `None` if it is not well-formed, or its key is none that was requested.
    pub(crate) fn read(bytes: &[u8]) -> Option<Self> {
        let (head, rest) = bytes.split_at_checked(HEAD)?;
        let (rp_id_hash, head) = head.split_first_chunk::<HASH>()?;
        let (flags, counter) = head.split_first()?;
        let mut data = Self {
            rp_id_hash: *rp_id_hash,
            flags: *flags,
            counter: u32::from_be_bytes(counter.try_into().ok()?),
            made: None,
        };
        if data.has(Flag::HasKey) {
            let (length, rest) = rest.split_at_checked(MODEL)?.1.split_first_chunk::<2>()?;
            let length = usize::from(u16::from_be_bytes(*length));
            let (id, rest) = rest.split_at_checked(length)?;
            // What follows the key is of extensions, and none was asked for.
            let key: Cbor = ciborium::from_reader(rest).ok()?;
            let is_named = (1..=MAX_ID).contains(&id.len());
            data.made = Some((id.to_vec(), PublicKey::from_cose(&key)?)).filter(|_| is_named);
        }
        Some(data)
    }

    pub(crate) fn has(&self, flag: Flag) -> bool {
        self.flags & 1 << flag as u8 != 0
    }

    /// Whether it is for a host name.
    pub(crate) fn is_for(&self, rp_id: &str) -> bool {
        self.rp_id_hash[..] == Sha256::digest(rp_id.as_bytes())[..]
    }
}

/// What an authenticator says in one bit, by the bit's place.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Flag {
    /// The user was present.
    Present = 0,
    /// It made sure who: by a PIN, a finger or a face.
    Verified = 2,
    /// The passkey may leave the device.
    CanBeCopied = 3,
    /// It has been copied to somewhere else.
    IsCopied = 4,
    /// A new passkey follows.
    HasKey = 6,
}

/// The authenticator's part of what was made. Who vouches for the authenticator is not asked, so its statement is not
/// looked at.
pub(crate) fn data_of(attestation: &[u8]) -> Option<AuthenticatorData> {
    let value: Cbor = ciborium::from_reader(attestation).ok()?;
    let mut found = value.as_map()?.iter().filter(|(key, _)| key.as_text() == Some("authData"));
    let data = found.next().filter(|_| found.next().is_none())?.1.as_bytes()?;
    AuthenticatorData::read(data)
}
