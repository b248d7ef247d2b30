//! An identity provider for tests, which creates and signs responses as real ones do.
//!
//! Its keys are in the source and protect nothing.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use p256::ecdsa::signature::hazmat::PrehashSigner as _;
use pkcs8::DecodePrivateKey as _;
use rsa::{RsaPrivateKey, pkcs1::DecodeRsaPrivateKey as _};

pub use crate::issuing::{ResponseContent as TestAnswer, sign, signature};
use crate::{issuing::Signer, key::Hash, xml::SIGNATURE};

/// The keys of test providers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestKey {
    /// RSA of 2048 bits.
    Rsa,
    /// Another RSA key of 2048 bits.
    OtherRsa,
    /// ECDSA on P-256.
    P256,
    /// ECDSA on P-384.
    P384,
    /// ECDSA on P-521.
    P521,
}

impl TestKey {
    /// The certificate in DER.
    pub fn certificate(self) -> &'static [u8] {
        match self {
            Self::Rsa => include_bytes!("testing/rsa.cert.der"),
            Self::OtherRsa => include_bytes!("testing/other.cert.der"),
            Self::P256 => include_bytes!("testing/p256.cert.der"),
            Self::P384 => include_bytes!("testing/p384.cert.der"),
            Self::P521 => include_bytes!("testing/p521.cert.der"),
        }
    }

    /// The private key in DER: PKCS#1 for RSA, PKCS#8 for the others.
    pub fn private_key(self) -> &'static [u8] {
        match self {
            Self::Rsa => include_bytes!("testing/rsa.key.der"),
            Self::OtherRsa => include_bytes!("testing/other.key.der"),
            Self::P256 => include_bytes!("testing/p256.key.der"),
            Self::P384 => include_bytes!("testing/p384.key.der"),
            Self::P521 => include_bytes!("testing/p521.key.der"),
        }
    }

    /// Metadata of a provider that signs with this key.
    pub fn metadata(self, sso_location: &str) -> String {
        let certificate = STANDARD.encode(self.certificate());
        format!(
            "<md:EntityDescriptor xmlns:md=\"urn:oasis:names:tc:SAML:2.0:metadata\" entityID=\"https://idp.example\">\
             <md:IDPSSODescriptor protocolSupportEnumeration=\"urn:oasis:names:tc:SAML:2.0:protocol\">\
             <md:KeyDescriptor use=\"signing\"><ds:KeyInfo xmlns:ds=\"{SIGNATURE}\"><ds:X509Data>\
             <ds:X509Certificate>{certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>\
             <md:SingleSignOnService Binding=\"urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST\" \
             Location=\"https://idp.example/post\"/>\
             <md:SingleSignOnService Binding=\"urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect\" \
             Location=\"{sso_location}\"/></md:IDPSSODescriptor></md:EntityDescriptor>"
        )
    }
}

impl Signer for TestKey {
    fn algorithm(&self, hash: &str) -> String {
        let kind = if matches!(self, Self::Rsa | Self::OtherRsa) { "rsa" } else { "ecdsa" };
        format!("http://www.w3.org/2001/04/xmldsig-more#{kind}-{hash}")
    }

    fn sign(&self, bytes: &[u8]) -> Vec<u8> {
        let digest = Hash::Sha256.digest(bytes);
        let key = self.private_key();
        match self {
            Self::Rsa | Self::OtherRsa => {
                let key = RsaPrivateKey::from_pkcs1_der(key).expect("a test key");
                key.sign(Hash::Sha256.padding(), &digest).expect("a test signature")
            }
            Self::P256 => {
                let key = p256::ecdsa::SigningKey::from_pkcs8_der(key).expect("a test key");
                let signature: p256::ecdsa::Signature = key.sign_prehash(&digest).expect("a test signature");
                signature.to_bytes().to_vec()
            }
            Self::P384 => {
                let key = p384::ecdsa::SigningKey::from_pkcs8_der(key).expect("a test key");
                let signature: p384::ecdsa::Signature = key.sign_prehash(&digest).expect("a test signature");
                signature.to_bytes().to_vec()
            }
            Self::P521 => {
                let key = p521::ecdsa::SigningKey::from_pkcs8_der(key).expect("a test key");
                let signature: p521::ecdsa::Signature = key.sign_prehash(&digest).expect("a test signature");
                signature.to_bytes().to_vec()
            }
        }
    }
}
