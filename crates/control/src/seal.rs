//! Encryption of secrets that the server must read again, such as private keys, so that a stolen database does not
//! disclose them.
//!
//! Secrets are sealed with the server's [secret key](SecretKey), which is stored outside of the database and passed in
//! the [`Environment`](crate::Environment). A sealed text can be opened only for the purpose and the owner that it was
//! sealed for, so that nobody with write access to the database can swap two of them.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use chacha20poly1305::{
    XChaCha20Poly1305, XNonce,
    aead::{Aead as _, KeyInit as _, Payload},
};
use croft_api::{Error, Result};
use hmac::{Hmac, Mac as _};
use sha2::Sha256;
use uuid::Uuid;
use zeroize::Zeroizing;

use crate::Random;

/// Length of a secret key in bytes.
pub const KEY_LENGTH: usize = 32;
/// Long enough for random nonces.
const NONCE_LENGTH: usize = 24;
/// The key of one server, or of all servers that share a database.
#[derive(Clone)]
pub struct SecretKey(Zeroizing<[u8; KEY_LENGTH]>);

impl SecretKey {
    /// Takes unpredictable bytes as a key.
    pub fn new(bytes: [u8; KEY_LENGTH]) -> Self {
        Self(Zeroizing::new(bytes))
    }

    /// Generates a key.
    pub fn generate(random: &mut dyn Random) -> Self {
        let mut key = Self::new([0; KEY_LENGTH]);
        random.fill_bytes(&mut *key.0);
        key
    }

    /// The bytes of the key, for storing it.
    pub fn reveal(&self) -> &[u8; KEY_LENGTH] {
        &self.0
    }

    /// Seals a secret for one purpose of one owner. Returns text.
    ///
    /// # Errors
    /// `Internal` for a secret that does not fit into memory.
    pub fn seal(&self, random: &mut dyn Random, purpose: &str, owner: Uuid, secret: &[u8]) -> Result<String> {
        let mut sealed = vec![0; NONCE_LENGTH];
        random.fill_bytes(&mut sealed);
        let nonce = XNonce::try_from(sealed.as_slice()).map_err(Error::internal)?;
        let payload = Payload { msg: secret, aad: &bound_to(purpose, owner) };
        let text = self.cipher().encrypt(&nonce, payload);
        sealed.extend(text.map_err(|_| Error::internal("a secret is too long to be sealed"))?);
        Ok(BASE64_STANDARD.encode(sealed))
    }

    /// Opens what [`SecretKey::seal`] sealed for the same purpose and owner.
    ///
    /// # Errors
    /// `Internal` if it was sealed with another key or for another owner, or was changed since.
    pub fn open(&self, purpose: &str, owner: Uuid, sealed: &str) -> Result<Zeroizing<Vec<u8>>> {
        let broken = || {
            Error::internal(format!(
                "the {purpose} of {owner} does not open: it was sealed with another key, or changed"
            ))
        };
        let sealed = BASE64_STANDARD.decode(sealed).map_err(|_| broken())?;
        let (nonce, text) = sealed.split_at_checked(NONCE_LENGTH).ok_or_else(broken)?;
        let nonce = XNonce::try_from(nonce).map_err(|_| broken())?;
        let payload = Payload { msg: text, aad: &bound_to(purpose, owner) };
        self.cipher().decrypt(&nonce, payload).map(Zeroizing::new).map_err(|_| broken())
    }

    /// A keyed hash, for one purpose of one owner, of a secret that is only compared. For secrets with too little
    /// entropy for a plain hash.
    pub(crate) fn fingerprint(&self, purpose: &str, owner: Uuid, secret: &[u8]) -> [u8; 32] {
        self.keyed_hash(purpose, owner, secret).finalize().into_bytes().into()
    }

    /// Whether a secret has this fingerprint. Takes constant time.
    pub(crate) fn has_fingerprint(&self, purpose: &str, owner: Uuid, secret: &[u8], hash: &[u8]) -> bool {
        self.keyed_hash(purpose, owner, secret).verify_slice(hash).is_ok()
    }

    fn keyed_hash(&self, purpose: &str, owner: Uuid, secret: &[u8]) -> Hmac<Sha256> {
        let mut hash = Hmac::<Sha256>::new_from_slice(&*self.0).expect("HMAC takes keys of any length");
        hash.update(&bound_to(purpose, owner));
        // Purposes do not contain this byte, so the boundary to the secret is unambiguous.
        hash.update(&[0]);
        hash.update(secret);
        hash
    }

    fn cipher(&self) -> XChaCha20Poly1305 {
        XChaCha20Poly1305::new((&*self.0).into())
    }
}

impl std::fmt::Debug for SecretKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SecretKey(..)")
    }
}

fn bound_to(purpose: &str, owner: Uuid) -> Vec<u8> {
    [owner.as_bytes(), purpose.as_bytes()].concat()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::SeededRandom;

    fn random() -> SeededRandom {
        SeededRandom::new([7; 32])
    }

    proptest! {
        #[test]
        fn sealed_secrets_can_be_opened(secret: Vec<u8>, key: [u8; 32], owner: u128) {
            let (key, owner) = (SecretKey::new(key), Uuid::from_u128(owner));
            let sealed = key.seal(&mut random(), "test", owner, &secret).unwrap();
            prop_assert_eq!(&*key.open("test", owner, &sealed).unwrap(), &secret);
        }

        #[test]
        fn unsealed_text_cannot_be_opened(text: String) {
            prop_assert!(SecretKey::new([1; 32]).open("test", Uuid::nil(), &text).is_err());
        }
    }

    #[test]
    fn sealed_secret_opens_only_for_its_key_purpose_and_owner() {
        let key = SecretKey::new([1; 32]);
        let sealed = key.seal(&mut random(), "test", Uuid::nil(), b"secret").unwrap();
        assert!(!sealed.contains("secret"));
        assert!(SecretKey::new([2; 32]).open("test", Uuid::nil(), &sealed).is_err());
        assert!(key.open("other", Uuid::nil(), &sealed).is_err());
        let error = key.open("test", Uuid::max(), &sealed).unwrap_err();
        assert!(error.detail().unwrap().starts_with("the test of ffffffff-"), "{error}");
        let mut changed = BASE64_STANDARD.decode(&sealed).unwrap();
        *changed.last_mut().unwrap() ^= 1;
        assert!(key.open("test", Uuid::nil(), &BASE64_STANDARD.encode(changed)).is_err());
    }

    #[test]
    fn sealing_twice_gives_different_texts() {
        let (key, mut random) = (SecretKey::generate(&mut random()), random());
        let mut seal = || key.seal(&mut random, "test", Uuid::nil(), b"secret").unwrap();
        assert_ne!(seal(), seal());
        assert_eq!(format!("{key:?}"), "SecretKey(..)");
    }
}
