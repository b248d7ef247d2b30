//! The service provider's own key, with which it signs requests.

use std::fmt;

use rsa::{RsaPrivateKey, pkcs1::DecodeRsaPrivateKey as _, traits::PublicKeyParts as _};

use crate::{
    VerificationKey,
    key::{Algorithm, Hash},
};

/// The longest modulus, in bytes.
const GREATEST_KEY: usize = 512;

/// An RSA key that signs requests.
#[derive(Clone)]
pub struct KeyPair(RsaPrivateKey);

/// Why a key pair is not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyPairError {
    /// The certificate is not one in DER with a key that is supported.
    #[error("public_cert is not a DER-encoded X.509 certificate with a supported key")]
    Certificate,
    /// The key is not what it should be.
    #[error("private_key is not an RSA private key in DER-encoded PKCS#1 form: {0}")]
    Key(String),
    /// The two do not belong together.
    #[error("data signed with key not verified with certificate! they are not of one pair")]
    Mismatch,
}

impl KeyPair {
    /// The key from PKCS#1 in DER, of at most 4096 bits: the time that a signature takes grows with the cube of them.
    pub fn from_pkcs1(der: &[u8]) -> Result<Self, KeyPairError> {
        let key = RsaPrivateKey::from_pkcs1_der(der).map_err(|error| KeyPairError::Key(error.to_string()))?;
        if key.size() > GREATEST_KEY {
            return Err(KeyPairError::Key("it has more than 4096 bits".to_owned()));
        }
        Ok(Self(key))
    }

    /// Checks that a certificate and a key, both in DER, belong together.
    pub fn check(certificate: &[u8], key: &[u8]) -> Result<(), KeyPairError> {
        const SAMPLE: &[u8] = b"croft";
        let certificate = VerificationKey::from_certificate(certificate).ok_or(KeyPairError::Certificate)?;
        let key = Self::from_pkcs1(key)?;
        let signature = key.0.sign(Hash::Sha256.padding(), &Hash::Sha256.digest(SAMPLE));
        let signature = signature.map_err(|error| KeyPairError::Key(error.to_string()))?;
        if certificate.verifies(Algorithm::Rsa(Hash::Sha256), SAMPLE, &signature) {
            return Ok(());
        }
        Err(KeyPairError::Mismatch)
    }

    /// The RSA-SHA256 signature of some bytes.
    pub(crate) fn sign(&self, bytes: &[u8]) -> Vec<u8> {
        let signed = self.0.sign(Hash::Sha256.padding(), &Hash::Sha256.digest(bytes));
        signed.expect("a key that has passed its checks has room for a SHA-256 signature")
    }
}

impl fmt::Debug for KeyPair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyPair")
    }
}
