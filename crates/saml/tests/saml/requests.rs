use std::io::Read as _;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use croft_saml::{AuthnRequest, KeyPair, KeyPairError, VerificationKey, testing::TestKey};
use rsa::{Pkcs1v15Sign, RsaPublicKey, pkcs1::DecodeRsaPrivateKey as _};
use sha2::{Digest as _, Sha256};

use crate::{ACS, CLIENT, now};

fn request(destination: &str) -> AuthnRequest<'_> {
    AuthnRequest { id: "_42", time: now(), destination, issuer: CLIENT, acs_url: ACS }
}

/// The decoded query parameters of an address, in order.
fn parameters(location: &str) -> Vec<(String, String)> {
    let (_, query) = location.split_once('?').unwrap();
    let decode = |text: &str| percent_encoding::percent_decode_str(text).decode_utf8().unwrap().into_owned();
    query.split('&').map(|pair| pair.split_once('=').unwrap()).map(|(k, v)| (decode(k), decode(v))).collect()
}

#[test]
fn a_request_as_the_provider_reads_it() {
    let location = request("https://idp.example/sso").location("relay+/=", None).unwrap();
    assert!(location.starts_with("https://idp.example/sso?SAMLRequest="), "{location}");
    let parameters = parameters(&location);
    assert_eq!(parameters.len(), 2);
    assert_eq!(parameters[1], ("RelayState".to_owned(), "relay+/=".to_owned()));
    let mut text = String::new();
    let bytes = STANDARD.decode(&parameters[0].1).unwrap();
    flate2::read::DeflateDecoder::new(&bytes[..]).read_to_string(&mut text).unwrap();
    let document = roxmltree::Document::parse(&text).unwrap();
    let root = document.root_element();
    let protocol = "urn:oasis:names:tc:SAML:2.0:protocol";
    assert!(root.has_tag_name((protocol, "AuthnRequest")));
    assert_eq!(root.attribute("ID"), Some("_42"));
    assert_eq!(root.attribute("Version"), Some("2.0"));
    assert_eq!(root.attribute("IssueInstant"), Some("2026-03-01T12:00:00Z"));
    assert_eq!(root.attribute("Destination"), Some("https://idp.example/sso"));
    assert_eq!(root.attribute("AssertionConsumerServiceURL"), Some(ACS));
    assert_eq!(root.attribute("ProtocolBinding"), Some("urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST"));
    assert_eq!(root.first_element_child().unwrap().text(), Some(CLIENT));
    let policy = root.last_element_child().unwrap();
    assert_eq!(policy.attribute("Format"), Some("urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified"));
}

#[test]
fn a_location_with_a_query_of_its_own() {
    let location = request("https://idp.example/sso?tenant=1").location("", None).unwrap();
    assert!(location.starts_with("https://idp.example/sso?tenant=1&SAMLRequest="));
}

#[test]
fn markup_in_settings_stays_text() {
    let hostile = AuthnRequest { issuer: "a<b>&\"c", ..request("https://idp.example/?a=\"&b=<") };
    let text = hostile.to_xml();
    let document = roxmltree::Document::parse(&text).unwrap();
    assert_eq!(document.root_element().first_element_child().unwrap().text(), Some("a<b>&\"c"));
    assert_eq!(document.root_element().attribute("Destination"), Some("https://idp.example/?a=\"&b=<"));
}

#[test]
fn a_signature_of_the_query_as_it_is_sent() {
    let pair = KeyPair::from_pkcs1(TestKey::Rsa.private_key()).unwrap();
    let location = request("https://idp.example/sso?x=1")
        .location("r s", Some((&pair, &mut |bytes| bytes.fill(7))))
        .unwrap();
    let names: Vec<_> = parameters(&location).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["x", "SAMLRequest", "RelayState", "SigAlg", "Signature"]);
    let (signed, signature) = location.split_once("&Signature=").unwrap();
    let signed = &signed[signed.find("SAMLRequest=").unwrap()..];
    assert!(signed.ends_with("&SigAlg=http%3A%2F%2Fwww.w3.org%2F2001%2F04%2Fxmldsig-more%23rsa-sha256"));
    let signature = percent_encoding::percent_decode_str(signature).decode_utf8().unwrap();
    let signature = STANDARD.decode(&*signature).unwrap();
    let key = rsa::RsaPrivateKey::from_pkcs1_der(TestKey::Rsa.private_key()).unwrap();
    let digest = Sha256::digest(signed.as_bytes());
    RsaPublicKey::from(&key).verify(Pkcs1v15Sign::new::<Sha256>(), &digest, &signature).unwrap();
    assert_eq!(format!("{pair:?}"), "KeyPair");
}

#[test]
fn a_key_that_would_take_long_to_sign_with_is_refused() {
    let error = KeyPair::from_pkcs1(include_bytes!("keys/too-long.der")).unwrap_err();
    assert_eq!(error, KeyPairError::Key("it has more than 4096 bits".to_owned()));
    // Refused by its length of 700 kB before it is parsed.
    let error = KeyPair::from_pkcs1(&vec![0x30; 700_000]).unwrap_err();
    assert_eq!(error, KeyPairError::Key("it has more than 4096 bits".to_owned()));
}

#[test]
fn keys_that_are_too_short_are_refused() {
    let error = KeyPair::from_pkcs1(include_bytes!("keys/1024.der")).unwrap_err();
    assert_eq!(error, KeyPairError::Key("it does not have 2048 to 4096 bits".to_owned()));
    assert!(VerificationKey::from_certificate(include_bytes!("keys/1024.cert.der")).is_none());
    let mut padded = TestKey::Rsa.certificate().to_vec();
    padded.resize(20_000, 0);
    assert!(VerificationKey::from_certificate(&padded).is_none());
}
