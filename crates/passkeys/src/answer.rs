//! Responses of browsers and authenticators (WebAuthn level 3, section 5.8.1 and chapter 6).

use ciborium::Value as Cbor;
use serde::Deserialize;
use sha2::{Digest as _, Sha256};

use crate::{base64url, key::PublicKey};

/// Maximum length of a credential ID, in bytes.
const MAX_ID: usize = 1023;
/// Length of a hash, in bytes. The flags and the counter follow.
const HASH: usize = 32;
const HEAD: usize = HASH + 1 + 4;
/// Length of the AAGUID before the ID of a new passkey, in bytes.
const MODEL: usize = 16;

/// The response of a browser to the creation of a passkey.
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

/// The response of a browser to the use of a passkey.
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

/// The client data, written by the browser.
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

/// The authenticator data.
#[derive(Debug)]
pub(crate) struct AuthenticatorData {
    pub(crate) rp_id_hash: [u8; HASH],
    flags: u8,
    pub(crate) counter: u32,
    /// The ID and key of the new passkey, if one was created.
    pub(crate) made: Option<(Vec<u8>, PublicKey)>,
}

impl AuthenticatorData {
    /// Parses authenticator data. Returns `None` if it is malformed, or its key is of an unsupported kind.
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
            // Extensions follow the key, but none were requested.
            let key: Cbor = ciborium::from_reader(rest).ok()?;
            let is_named = (1..=MAX_ID).contains(&id.len());
            data.made = Some((id.to_vec(), PublicKey::from_cose(&key)?)).filter(|_| is_named);
        }
        Some(data)
    }

    pub(crate) fn has(&self, flag: Flag) -> bool {
        self.flags & 1 << flag as u8 != 0
    }

    /// Whether the data is for this relying party ID.
    pub(crate) fn is_for(&self, rp_id: &str) -> bool {
        self.rp_id_hash[..] == Sha256::digest(rp_id.as_bytes())[..]
    }
}

/// A flag of the authenticator data, by the position of its bit.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Flag {
    /// The user was present.
    Present = 0,
    /// The user was verified by a PIN or biometrics.
    Verified = 2,
    /// The passkey may be copied to other devices.
    CanBeCopied = 3,
    /// The passkey has been copied to another device.
    IsCopied = 4,
    /// A new passkey follows.
    HasKey = 6,
}

/// The authenticator data of an attestation object. The attestation statement is ignored, because authenticators need
/// not be certified.
pub(crate) fn data_of(attestation: &[u8]) -> Option<AuthenticatorData> {
    let value: Cbor = ciborium::from_reader(attestation).ok()?;
    let mut found = value.as_map()?.iter().filter(|(key, _)| key.as_text() == Some("authData"));
    let data = found.next().filter(|_| found.next().is_none())?.1.as_bytes()?;
    AuthenticatorData::read(data)
}
