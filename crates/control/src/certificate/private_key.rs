use ed25519_dalek::{SigningKey, VerifyingKey};
use p256::{
    NistP256,
    elliptic_curve::ALGORITHM_OID as ELLIPTIC_CURVE,
    pkcs8::{
        AssociatedOid as _, DecodePrivateKey as _, ObjectIdentifier, PrivateKeyInfoRef,
        SubjectPublicKeyInfoRef,
    },
};
use p384::NistP384;
use rsa::{
    RsaPrivateKey, RsaPublicKey,
    pkcs1::{ALGORITHM_OID as RSA, DecodeRsaPrivateKey as _},
    traits::{PrivateKeyParts as _, PublicKeyParts as _},
};
use rustls_pki_types::{PrivateKeyDer, pem::PemObject as _};

/// Sizes of RSA keys that the TLS listener supports, in bits.
const RSA_BITS: std::ops::RangeInclusive<u32> = 2048..=4096;

/// A private key that the TLS listener can sign with.
pub(super) enum PrivateKey {
    Rsa(Box<RsaPrivateKey>),
    P256(p256::SecretKey),
    P384(p384::SecretKey),
    Ed25519(Box<SigningKey>),
}

impl PrivateKey {
    /// Reads the first private key of a PEM text: PKCS#8, PKCS#1 or SEC1.
    pub(super) fn from_pem(text: &str) -> Result<Self, String> {
        let key = PrivateKeyDer::from_pem_slice(text.as_bytes()).map_err(|error| match error {
            rustls_pki_types::pem::Error::NoItemsFound => {
                "no PKCS#8, PKCS#1 or SEC1 key in PEM was found (encrypted keys are not supported)".to_owned()
            }
            error => error.to_string(),
        })?;
        match key {
            PrivateKeyDer::Pkcs8(key) => Self::from_pkcs8(key.secret_pkcs8_der()),
            PrivateKeyDer::Pkcs1(key) => {
                Self::rsa(RsaPrivateKey::from_pkcs1_der(key.secret_pkcs1_der()).map_err(text_of)?)
            }
            PrivateKeyDer::Sec1(key) => Self::from_sec1(key.secret_sec1_der()),
            _ => Err("keys of this kind are not supported".to_owned()),
        }
    }

    fn from_pkcs8(der: &[u8]) -> Result<Self, String> {
        let info = PrivateKeyInfoRef::try_from(der).map_err(text_of)?;
        match info.algorithm.oid {
            RSA => Self::rsa(RsaPrivateKey::from_pkcs8_der(der).map_err(text_of)?),
            ed25519_dalek::pkcs8::ALGORITHM_OID => {
                Ok(Self::Ed25519(Box::new(SigningKey::from_pkcs8_der(der).map_err(text_of)?)))
            }
            ELLIPTIC_CURVE => {
                let curve: ObjectIdentifier = info
                    .algorithm
                    .parameters_oid()
                    .map_err(|_| "the key does not specify its curve".to_owned())?;
                match curve {
                    NistP256::OID => Ok(Self::P256(p256::SecretKey::from_pkcs8_der(der).map_err(text_of)?)),
                    NistP384::OID => Ok(Self::P384(p384::SecretKey::from_pkcs8_der(der).map_err(text_of)?)),
                    other => Err(format!("the curve {other} is not supported; P-256 and P-384 are")),
                }
            }
            other => Err(format!("keys of algorithm {other} are not supported; RSA, ECDSA and Ed25519 are")),
        }
    }

    fn from_sec1(der: &[u8]) -> Result<Self, String> {
        if let Ok(key) = p256::SecretKey::from_sec1_der(der) {
            return Ok(Self::P256(key));
        }
        p384::SecretKey::from_sec1_der(der)
            .map(Self::P384)
            .map_err(|_| "it is not a key of the curve P-256 or P-384".to_owned())
    }

    fn rsa(key: RsaPrivateKey) -> Result<Self, String> {
        let bits = key.n().bits();
        if !RSA_BITS.contains(&bits) {
            let (least, most) = (RSA_BITS.start(), RSA_BITS.end());
            return Err(format!("RSA keys of {bits} bits are not supported; use {least} to {most} bits"));
        }
        if key.primes().len() != 2 {
            return Err("RSA keys with more than two primes are not supported".to_owned());
        }
        key.validate().map_err(text_of)?;
        Ok(Self::Rsa(Box::new(key)))
    }

    /// Whether the public key, a SubjectPublicKeyInfo in DER, belongs to this key.
    pub(super) fn belongs_to(&self, public: &[u8]) -> bool {
        let Ok(public) = SubjectPublicKeyInfoRef::try_from(public) else { return false };
        match self {
            Self::Rsa(key) => {
                RsaPublicKey::try_from(public).is_ok_and(|public| public == key.to_public_key())
            }
            Self::P256(key) => {
                p256::PublicKey::try_from(public).is_ok_and(|public| public == key.public_key())
            }
            Self::P384(key) => {
                p384::PublicKey::try_from(public).is_ok_and(|public| public == key.public_key())
            }
            Self::Ed25519(key) => {
                VerifyingKey::try_from(public).is_ok_and(|public| public == key.verifying_key())
            }
        }
    }
}

fn text_of(error: impl std::fmt::Display) -> String {
    error.to_string()
}
