//! The service provider's own key, with which it signs requests.

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

/// Bytes of a private key in DER: one of 4096 bits has about 2350.
const MAX_DER: usize = 2400;

/// An RSA key that signs requests.
#[derive(Clone)]
pub struct KeyPair(RsaPrivateKey);

/// Why a key pair is not accepted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KeyPairError {
    /// The certificate is not one in DER with a key that is supported.
    #[error("public_cert is not a DER-encoded X.509 certificate with a supported key")]
    Certificate,
    /// The key is malformed.
    #[error("private_key is not an RSA private key in DER-encoded PKCS#1 form: {0}")]
    Key(String),
    /// The two do not belong together.
    #[error("data signed with key not verified with certificate! they are not of one pair")]
    Mismatch,
}

/// What fills a slice with unpredictable bytes.
pub type FillRandom<'a> = &'a mut dyn FnMut(&mut [u8]);

impl KeyPair {
    /// The key from PKCS#1 in DER, of 2048 to 4096 bits: the time that a signature takes grows with the cube of them.
    ///
    /// # Errors
    /// It is no such key.
    pub fn from_pkcs1(der: &[u8]) -> Result<Self, KeyPairError> {
        // Before anything is computed with the numbers in it.
        if der.len() > MAX_DER {
            return Err(KeyPairError::Key("it has more than 4096 bits".to_owned()));
        }
        let key = RsaPrivateKey::from_pkcs1_der(der).map_err(|error| KeyPairError::Key(error.to_string()))?;
        if !is_rsa_length(key.size()) {
            return Err(KeyPairError::Key("it does not have 2048 to 4096 bits".to_owned()));
        }
        Ok(Self(key))
    }

    /// Checks that a certificate and a key, both in DER, belong together.
    ///
    /// # Errors
    /// They do not, or one of them cannot be used at all.
    pub fn check(certificate: &[u8], key: &[u8], random: FillRandom<'_>) -> Result<(), KeyPairError> {
        const SAMPLE: &[u8] = b"croft";
        let certificate = VerificationKey::from_certificate(certificate).ok_or(KeyPairError::Certificate)?;
        let signature = Self::from_pkcs1(key)?.sign(SAMPLE, random)?;
        if certificate.verifies(Algorithm::Rsa(Hash::Sha256), SAMPLE, &signature) {
            return Ok(());
        }
        Err(KeyPairError::Mismatch)
    }

    /// The RSA-SHA256 signature of some bytes. Anybody may have a request signed and measure how long it takes; the
    /// random bytes blind the computation, so that its time does not depend on the key.
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

/// Random bytes as the computation asks for them.
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
