//! Public keys of passkeys in COSE (RFC 9053, RFC 8230).

use ciborium::Value;
use p256::ecdsa::signature::Verifier as _;
use rsa::{BoxedUint, Pkcs1v15Sign, RsaPublicKey, traits::PublicKeyParts as _};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// Lengths of the moduli of RSA keys in bytes: 2048 to 4096 bits.
const RSA_LENGTHS: std::ops::RangeInclusive<usize> = 256..=512;

/// Supported signature algorithms in order of preference. Nearly all authenticators have the first. Some TPMs have only
/// RSA.
pub(crate) const ALGORITHMS: [i64; 3] = [ES256, ED25519, RS256];
const ES256: i64 = -7;
const ED25519: i64 = -8;
const RS256: i64 = -257;

// Labels of parameters: of all keys, of keys on curves, of RSA keys.
const KIND: i64 = 1;
const ALGORITHM: i64 = 3;
const CURVE: i64 = -1;
const X: i64 = -2;
const Y: i64 = -3;
const MODULUS: i64 = -1;
const EXPONENT: i64 = -2;

/// A public key, stored with its numbers in base64.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "algorithm", rename_all = "lowercase")]
pub(crate) enum PublicKey {
    /// ECDSA on P-256 with SHA-256. The point is uncompressed.
    Es256 {
        #[serde(with = "crate::base64url")]
        point: Vec<u8>,
    },
    /// Ed25519. The point is compressed.
    Ed25519 {
        #[serde(with = "crate::base64url")]
        point: Vec<u8>,
    },
    /// RSA PKCS#1 v1.5 with SHA-256.
    Rs256 {
        #[serde(with = "crate::base64url")]
        modulus: Vec<u8>,
        #[serde(with = "crate::base64url")]
        exponent: Vec<u8>,
    },
}

impl PublicKey {
    /// Parses a key. Returns `None` if it is of another kind, weak or malformed.
    pub(crate) fn from_cose(value: &Value) -> Option<Self> {
        let number = |label| parameter(value, label)?.as_integer()?.try_into().ok();
        let bytes = |label| parameter(value, label)?.as_bytes().cloned();
        let key = match (number(KIND)?, number(ALGORITHM)?) {
            (2, ES256) if number(CURVE) == Some(1) => {
                let point = [vec![4], coordinate(bytes(X)?)?, coordinate(bytes(Y)?)?].concat();
                Self::Es256 { point }
            }
            (1, ED25519) if number(CURVE) == Some(6) => Self::Ed25519 { point: bytes(X)? },
            (3, RS256) => Self::Rs256 { modulus: bytes(MODULUS)?, exponent: bytes(EXPONENT)? },
            _ => return None,
        };
        key.is_sound().then_some(key)
    }

    fn is_sound(&self) -> bool {
        match self {
            Self::Es256 { point } => p256_key(point).is_some(),
            Self::Ed25519 { point } => ed25519_key(point).is_some(),
            Self::Rs256 { modulus, exponent } => rsa_key(modulus, exponent).is_some(),
        }
    }

    /// Whether the signature of these bytes was made with this key.
    pub(crate) fn signed(&self, bytes: &[u8], signature: &[u8]) -> bool {
        match self {
            Self::Es256 { point } => p256_key(point).is_some_and(|key| {
                p256::ecdsa::Signature::from_der(signature)
                    .is_ok_and(|signature| key.verify(bytes, &signature).is_ok())
            }),
            Self::Ed25519 { point } => ed25519_key(point).is_some_and(|key| {
                ed25519_dalek::Signature::from_slice(signature)
                    .is_ok_and(|signature| key.verify_strict(bytes, &signature).is_ok())
            }),
            Self::Rs256 { modulus, exponent } => rsa_key(modulus, exponent).is_some_and(|key| {
                key.verify(Pkcs1v15Sign::new::<Sha256>(), &Sha256::digest(bytes), signature).is_ok()
            }),
        }
    }
}

/// A parameter of a key. A duplicate parameter counts as missing, because parsers differ in which one they use.
fn parameter(value: &Value, label: i64) -> Option<&Value> {
    let mut found = value.as_map()?.iter().filter(|(key, _)| *key == Value::from(label));
    found.next().filter(|_| found.next().is_none()).map(|(_, value)| value)
}

fn coordinate(bytes: Vec<u8>) -> Option<Vec<u8>> {
    (bytes.len() == 32).then_some(bytes)
}

fn p256_key(point: &[u8]) -> Option<p256::ecdsa::VerifyingKey> {
    p256::ecdsa::VerifyingKey::from_sec1_bytes(point).ok()
}

fn ed25519_key(point: &[u8]) -> Option<ed25519_dalek::VerifyingKey> {
    let key = ed25519_dalek::VerifyingKey::from_bytes(&point.try_into().ok()?).ok()?;
    (!key.is_weak()).then_some(key)
}

fn rsa_key(modulus: &[u8], exponent: &[u8]) -> Option<RsaPublicKey> {
    if modulus.len() > *RSA_LENGTHS.end() || exponent.len() > 4 {
        return None;
    }
    let number = BoxedUint::from_be_slice_vartime;
    let key = RsaPublicKey::new(number(modulus), number(exponent)).ok()?;
    RSA_LENGTHS.contains(&key.size()).then_some(key)
}
