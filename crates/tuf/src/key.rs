//! Keys and signatures.

use p256::{ecdsa::signature::Verifier as _, pkcs8::DecodePublicKey as _};
use rsa::{RsaPublicKey, traits::PublicKeyParts as _};
use serde::Deserialize;
use sha2::Sha256;

/// Minimum length of RSA keys, in bits.
const LEAST_RSA_BITS: usize = 2048;

/// A key in the form of root roles.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct NamedKey {
    keytype: String,
    scheme: String,
    keyval: KeyValue,
}

#[derive(Clone, Debug, Deserialize)]
struct KeyValue {
    public: String,
}

/// A key that verifies signatures. The same key under different IDs is one key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Key {
    Ed25519(ed25519_dalek::VerifyingKey),
    P256(p256::ecdsa::VerifyingKey),
    RsaPss(RsaPublicKey),
}

impl Key {
    /// Parses a key. Returns `None` if its kind is unknown or it is malformed.
    pub(crate) fn named(key: &NamedKey) -> Option<Self> {
        let public = key.keyval.public.trim();
        match (key.keytype.as_str(), key.scheme.as_str()) {
            ("ed25519", "ed25519") => {
                let bytes: [u8; 32] = hex::decode(public).ok()?.try_into().ok()?;
                let key = ed25519_dalek::VerifyingKey::from_bytes(&bytes).ok()?;
                (!key.is_weak()).then_some(Self::Ed25519(key))
            }
            ("ecdsa" | "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp256") => {
                p256::ecdsa::VerifyingKey::from_public_key_pem(public).ok().map(Self::P256)
            }
            ("rsa", "rsassa-pss-sha256") => {
                let key = RsaPublicKey::from_public_key_pem(public).ok()?;
                (key.n().bits() as usize >= LEAST_RSA_BITS).then_some(Self::RsaPss(key))
            }
            _ => None,
        }
    }

    /// Whether the signature of these bytes was made with this key.
    pub(crate) fn signed(&self, bytes: &[u8], signature: &[u8]) -> bool {
        match self {
            Self::Ed25519(key) => ed25519_dalek::Signature::from_slice(signature)
                .is_ok_and(|signature| key.verify_strict(bytes, &signature).is_ok()),
            Self::P256(key) => p256::ecdsa::Signature::from_der(signature)
                .is_ok_and(|signature| key.verify(bytes, &signature).is_ok()),
            Self::RsaPss(key) => rsa::pss::Signature::try_from(signature).is_ok_and(|signature| {
                let key = rsa::pss::VerifyingKey::<Sha256>::new(key.clone());
                rsa::signature::Verifier::verify(&key, bytes, &signature).is_ok()
            }),
        }
    }
}
