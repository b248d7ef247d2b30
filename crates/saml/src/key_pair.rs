//! The service provider's key, which signs requests.

use std::{convert::Infallible, fmt};

use rsa::{
    RsaPrivateKey,
    pkcs1::DecodeRsaPrivateKey as _,
    rand_core::{TryCryptoRng, TryRng},
    traits::PublicKeyParts as _,
};

use crate::{
    VerificationKey,
    key::{Algorithm, Hash, is_rsa_length},
};

/// Maximum length of a private key in DER, in bytes. A key of 4096 bits has about 2350.
const MAX_DER: usize = 2400;

/// An RSA key that signs requests.
#[derive(Clone)]
pub struct KeyPair(RsaPrivateKey);

/// The reason why a key pair is not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyPairError {
    /// The certificate is not in DER, or its key is not supported.
    #[error("public_cert is not a DER-encoded X.509 certificate with a supported key")]
    Certificate,
    /// The key is malformed.
    #[error("private_key is not an RSA private key in DER-encoded PKCS#1 form: {0}")]
    Key(String),
    /// The certificate and the key are not a pair.
    #[error("data signed with key not verified with certificate! they are not of one pair")]
    Mismatch,
}

/// A function that fills a slice with random bytes.
pub type FillRandom<'a> = &'a mut dyn FnMut(&mut [u8]);

impl KeyPair {
    /// Parses a key in PKCS#1 DER with 2048 to 4096 bits. The time of a signature grows with the cube of that number.
    ///
    /// # Errors
    /// The key is malformed or of another length.
    pub fn from_pkcs1(der: &[u8]) -> Result<Self, KeyPairError> {
        // Refuse long keys before any computation.
        if der.len() > MAX_DER {
            return Err(KeyPairError::Key("it has more than 4096 bits".to_owned()));
        }
        let key = RsaPrivateKey::from_pkcs1_der(der).map_err(|error| KeyPairError::Key(error.to_string()))?;
        if !is_rsa_length(key.size()) {
            return Err(KeyPairError::Key("it does not have 2048 to 4096 bits".to_owned()));
        }
        Ok(Self(key))
    }

    /// Checks that a certificate and a key, both in DER, are a pair.
    ///
    /// # Errors
    /// They are not a pair, or one of them is not usable.
    pub fn check(certificate: &[u8], key: &[u8], random: FillRandom<'_>) -> Result<(), KeyPairError> {
        const SAMPLE: &[u8] = b"croft";
        let certificate = VerificationKey::from_certificate(certificate).ok_or(KeyPairError::Certificate)?;
        let signature = Self::from_pkcs1(key)?.sign(SAMPLE, random)?;
        if certificate.verifies(Algorithm::Rsa(Hash::Sha256), SAMPLE, &signature) {
            return Ok(());
        }
        Err(KeyPairError::Mismatch)
    }

    /// Signs bytes with RSA-SHA256. Anyone can request a signed request and measure the time, so random bytes blind the
    /// computation to make its time independent of the key.
    pub(crate) fn sign(&self, bytes: &[u8], random: FillRandom<'_>) -> Result<Vec<u8>, KeyPairError> {
        let digest = Hash::Sha256.digest(bytes);
        let signed = self.0.sign_with_rng(&mut Blinding(random), Hash::Sha256.padding(), &digest);
        signed.map_err(|error| KeyPairError::Key(error.to_string()))
    }
}

impl fmt::Debug for KeyPair {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyPair")
    }
}

/// The random bytes in the form that the computation requires.
struct Blinding<'a>(FillRandom<'a>);

impl TryRng for Blinding<'_> {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        let mut bytes = [0; 4];
        (self.0)(&mut bytes);
        Ok(u32::from_le_bytes(bytes))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let mut bytes = [0; 8];
        (self.0)(&mut bytes);
        Ok(u64::from_le_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        (self.0)(bytes);
        Ok(())
    }
}

impl TryCryptoRng for Blinding<'_> {}
