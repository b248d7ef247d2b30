//! Keys of identity providers, and the signature algorithms that are accepted.

use p256::ecdsa::signature::hazmat::PrehashVerifier as _;
use rsa::{Pkcs1v15Sign, RsaPublicKey, traits::PublicKeyParts as _};
use sha2::{Digest as _, Sha224, Sha256, Sha384, Sha512};
use x509_cert::{
    Certificate,
    der::{Decode as _, referenced::OwnedToRef as _},
};

const MORE: &str = "http://www.w3.org/2001/04/xmldsig-more#";
const ENCRYPTION: &str = "http://www.w3.org/2001/04/xmlenc#";

/// Maximum length of a certificate in DER, in bytes. Most have one or two thousand.
const MAX_CERTIFICATE: usize = 16 << 10;

/// Whether an RSA modulus of this length in bytes is neither weak nor too slow.
pub(crate) fn is_rsa_length(bytes: usize) -> bool {
    (2048 / 8..=4096 / 8).contains(&bytes)
}

/// Accepted hash functions. MD5 and SHA-1 are excluded because of known collisions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Hash {
    Sha224,
    Sha256,
    Sha384,
    Sha512,
}

impl Hash {
    /// The function with this URI of a `DigestMethod`.
    pub(crate) fn of_digest(uri: &str) -> Option<Self> {
        let (family, name) = uri.split_at(uri.find('#')? + 1);
        match (family, name) {
            (MORE, "sha224") => Some(Self::Sha224),
            (ENCRYPTION, "sha256") => Some(Self::Sha256),
            (MORE, "sha384") => Some(Self::Sha384),
            (ENCRYPTION, "sha512") => Some(Self::Sha512),
            _ => None,
        }
    }

    fn of_name(name: &str) -> Option<Self> {
        match name {
            "sha224" => Some(Self::Sha224),
            "sha256" => Some(Self::Sha256),
            "sha384" => Some(Self::Sha384),
            "sha512" => Some(Self::Sha512),
            _ => None,
        }
    }

    pub(crate) fn digest(self, bytes: &[u8]) -> Vec<u8> {
        match self {
            Self::Sha224 => Sha224::digest(bytes).to_vec(),
            Self::Sha256 => Sha256::digest(bytes).to_vec(),
            Self::Sha384 => Sha384::digest(bytes).to_vec(),
            Self::Sha512 => Sha512::digest(bytes).to_vec(),
        }
    }

    pub(crate) fn padding(self) -> Pkcs1v15Sign {
        match self {
            Self::Sha224 => Pkcs1v15Sign::new::<Sha224>(),
            Self::Sha256 => Pkcs1v15Sign::new::<Sha256>(),
            Self::Sha384 => Pkcs1v15Sign::new::<Sha384>(),
            Self::Sha512 => Pkcs1v15Sign::new::<Sha512>(),
        }
    }
}

/// An accepted `SignatureMethod`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Algorithm {
    Rsa(Hash),
    Ecdsa(Hash),
}

impl Algorithm {
    pub(crate) fn parse(uri: &str) -> Option<Self> {
        let (kind, hash) = uri.strip_prefix(MORE)?.split_once('-')?;
        let hash = Hash::of_name(hash)?;
        match kind {
            "rsa" => Some(Self::Rsa(hash)),
            "ecdsa" => Some(Self::Ecdsa(hash)),
            _ => None,
        }
    }
}

/// A public key that verifies responses.
#[derive(Clone, Debug)]
pub struct VerificationKey(Key);

#[derive(Clone, Debug)]
enum Key {
    Rsa(RsaPublicKey),
    P256(p256::ecdsa::VerifyingKey),
    P384(p384::ecdsa::VerifyingKey),
    P521(p521::ecdsa::VerifyingKey),
}

impl VerificationKey {
    /// The key of a certificate in DER: RSA of 2048 to 4096 bits, or ECDSA on P-256, P-384 or P-521. Returns `None` for
    /// other keys, and for certificates longer than 16 KiB.
    ///
    /// The rest of the certificate is ignored: the operator trusts the key itself by providing the metadata, as the
    /// metadata profile of SAML requires.
    pub fn from_certificate(der: &[u8]) -> Option<Self> {
        if der.len() > MAX_CERTIFICATE {
            return None;
        }
        let certificate = Certificate::from_der(der).ok()?;
        let info = certificate.tbs_certificate().subject_public_key_info();
        let rsa = || {
            RsaPublicKey::try_from(info.owned_to_ref())
                .ok()
                .filter(|key| is_rsa_length(key.size()))
                .map(Key::Rsa)
        };
        let p256 = || p256::ecdsa::VerifyingKey::try_from(info.owned_to_ref()).ok().map(Key::P256);
        let p384 = || p384::ecdsa::VerifyingKey::try_from(info.owned_to_ref()).ok().map(Key::P384);
        let p521 = || p521::ecdsa::VerifyingKey::try_from(info.owned_to_ref()).ok().map(Key::P521);
        rsa().or_else(p256).or_else(p384).or_else(p521).map(Self)
    }

    /// Whether the signature of these bytes was made with this key.
    pub(crate) fn verifies(&self, algorithm: Algorithm, bytes: &[u8], signature: &[u8]) -> bool {
        match (&self.0, algorithm) {
            (Key::Rsa(key), Algorithm::Rsa(hash)) => {
                key.verify(hash.padding(), &hash.digest(bytes), signature).is_ok()
            }
            (Key::P256(key), Algorithm::Ecdsa(hash)) => {
                let signature = p256::ecdsa::Signature::from_slice(signature);
                signature.is_ok_and(|signature| key.verify_prehash(&hash.digest(bytes), &signature).is_ok())
            }
            (Key::P384(key), Algorithm::Ecdsa(hash)) => {
                let signature = p384::ecdsa::Signature::from_slice(signature);
                signature.is_ok_and(|signature| key.verify_prehash(&hash.digest(bytes), &signature).is_ok())
            }
            (Key::P521(key), Algorithm::Ecdsa(hash)) => {
                let signature = p521::ecdsa::Signature::from_slice(signature);
                signature.is_ok_and(|signature| key.verify_prehash(&hash.digest(bytes), &signature).is_ok())
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_sound_algorithms_are_known() {
        for hash in ["sha224", "sha256", "sha384", "sha512"] {
            assert!(Algorithm::parse(&format!("{MORE}rsa-{hash}")).is_some());
            assert!(Algorithm::parse(&format!("{MORE}ecdsa-{hash}")).is_some());
        }
        for uri in [
            "http://www.w3.org/2000/09/xmldsig#rsa-sha1",
            "http://www.w3.org/2000/09/xmldsig#hmac-sha1",
            "http://www.w3.org/2001/04/xmldsig-more#rsa-md5",
            "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha1",
            "http://www.w3.org/2001/04/xmldsig-more#hmac-sha256",
            "",
        ] {
            assert_eq!(Algorithm::parse(uri), None, "{uri}");
        }
        assert_eq!(Hash::of_digest("http://www.w3.org/2001/04/xmlenc#sha256"), Some(Hash::Sha256));
        assert_eq!(Hash::of_digest("http://www.w3.org/2000/09/xmldsig#sha1"), None);
        assert_eq!(Hash::of_digest("sha256"), None);
    }
}
