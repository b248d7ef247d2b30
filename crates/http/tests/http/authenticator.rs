//! A software authenticator, including the part of the browser.

use base64::{Engine as _, prelude::BASE64_URL_SAFE_NO_PAD};
use ciborium::Value as Cbor;
use p256::ecdsa::{Signature, SigningKey, signature::Signer as _};
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

/// Flag: user present.
pub const PRESENT: u8 = 1;
/// Flag: user verified.
pub const VERIFIED: u8 = 4;
const HAS_KEY: u8 = 64;

/// An authenticator with one key.
pub struct Authenticator {
    key: SigningKey,
    pub id: Vec<u8>,
    pub flags: u8,
    pub counter: u32,
    /// The origin of the page.
    pub origin: String,
    /// The relying party ID (host name) that is passed to the authenticator.
    pub rp_id: String,
    pub is_framed: bool,
}

pub fn base64url(bytes: &[u8]) -> String {
    BASE64_URL_SAFE_NO_PAD.encode(bytes)
}

impl Authenticator {
    pub fn new(number: u8, origin: &str) -> Self {
        let host = origin.split_once("://").unwrap().1;
        Self {
            key: SigningKey::from_slice(&[number; 32]).unwrap(),
            id: vec![number; 16],
            flags: PRESENT,
            counter: 0,
            origin: origin.to_owned(),
            rp_id: host.split(':').next().unwrap().to_owned(),
            is_framed: false,
        }
    }

    fn client_data(&self, kind: &str, options: &Value) -> Vec<u8> {
        let data = json!({
            "type": kind, "challenge": options["challenge"], "origin": self.origin, "crossOrigin": self.is_framed,
        });
        data.to_string().into_bytes()
    }

    fn data(&self, flags: u8) -> Vec<u8> {
        let mut data = Sha256::digest(self.rp_id.as_bytes()).to_vec();
        data.push(flags);
        data.extend(self.counter.to_be_bytes());
        data
    }

    /// Encodes the public key in COSE.
    fn cose(&self) -> Cbor {
        let point = self.key.verifying_key().to_sec1_point(false);
        let bytes = point.as_bytes();
        let number = |number: i64| Cbor::from(number);
        Cbor::Map(vec![
            (number(1), number(2)),
            (number(3), number(-7)),
            (number(-1), number(1)),
            (number(-2), Cbor::Bytes(bytes[1..33].to_vec())),
            (number(-3), Cbor::Bytes(bytes[33..].to_vec())),
        ])
    }

    /// Returns the result of `navigator.credentials.create()`.
    pub fn make(&self, options: &Value) -> Value {
        let mut data = self.data(self.flags | HAS_KEY);
        data.extend([0; 16]);
        data.extend(u16::try_from(self.id.len()).unwrap().to_be_bytes());
        data.extend(&self.id);
        ciborium::into_writer(&self.cose(), &mut data).unwrap();
        let text = |text: &str| Cbor::Text(text.to_owned());
        let object = Cbor::Map(vec![
            (text("fmt"), text("none")),
            (text("attStmt"), Cbor::Map(Vec::new())),
            (text("authData"), Cbor::Bytes(data)),
        ]);
        let mut attestation = Vec::new();
        ciborium::into_writer(&object, &mut attestation).unwrap();
        json!({
            "id": base64url(&self.id), "rawId": base64url(&self.id), "type": "public-key",
            "authenticatorAttachment": "cross-platform", "clientExtensionResults": {},
            "response": {
                "clientDataJSON": base64url(&self.client_data("webauthn.create", options)),
                "attestationObject": base64url(&attestation),
                "transports": ["usb"],
            },
        })
    }

    /// Returns the result of `navigator.credentials.get()`.
    pub fn answer(&self, options: &Value) -> Value {
        let data = self.data(self.flags);
        let client_data = self.client_data("webauthn.get", options);
        let signed = [&data[..], &Sha256::digest(&client_data)].concat();
        let signature: Signature = self.key.sign(&signed);
        json!({
            "id": base64url(&self.id), "rawId": base64url(&self.id), "type": "public-key",
            "clientExtensionResults": {},
            "response": {
                "clientDataJSON": base64url(&client_data),
                "authenticatorData": base64url(&data),
                "signature": base64url(signature.to_der().as_bytes()),
                "userHandle": null,
            },
        })
    }
}
