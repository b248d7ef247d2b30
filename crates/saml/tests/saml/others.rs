//! Responses signed with the test keys by another implementation (xmlsec1 1.2), with content that is affected by
//! canonicalization: comments, character references, CDATA, reset default namespaces, and attributes that must be
//! sorted.

use croft_saml::testing::TestKey;

use crate::{accept_with, refusal};

macro_rules! signed {
    ($name:literal) => {
        ($name, include_str!(concat!("signed/", $name, ".xml")))
    };
}

#[test]
fn signatures_of_xmlsec_are_verified() {
    let cases = [
        (TestKey::Rsa, signed!("assertion-rsa-sha256")),
        (TestKey::Rsa, signed!("assertion-prefix-list")),
        (TestKey::P256, signed!("response-p256")),
        (TestKey::P521, signed!("assertion-p521")),
    ];
    for (key, (name, text)) in cases {
        let accepted = accept_with(&[key], text).unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
        assert_eq!(accepted.name_id, "ada&co@example \u{2014} \"q\" > \rz", "{name}");
        assert_eq!(accepted.values("groups").collect::<Vec<_>>(), ["dev&<ops>"], "{name}");
        // Changes a letter of the signed content in every text.
        assert!(accept_with(&[key], &text.replacen("ada&amp;", "adb&amp;", 1)).is_err(), "{name}");
        assert!(accept_with(&[key], &text.replacen("a&#9;b", "a b", 1)).is_err(), "{name}");
    }
}

#[test]
fn the_inclusive_form_is_not_supported() {
    let start = "could not extract SAMLResponse assertion! ";
    let form = "only exclusive canonicalization without comments is supported";
    let cases = [
        // Without a canonicalization transform, the inclusive form is the default.
        (
            TestKey::Rsa,
            signed!("assertion-inclusive"),
            "a signature with transforms other than enveloped signature and exclusive canonicalization",
        ),
        // Another canonicalization of the content or of SignedInfo.
        (TestKey::P384, signed!("assertion-p384"), form),
        (TestKey::Rsa, signed!("response-rsa-sha224"), form),
    ];
    for (key, (name, text), reason) in cases {
        let refusal = accept_with(&[key], text).unwrap_err().to_string();
        assert_eq!(refusal, format!("{start}{reason}"), "{name}");
    }
}

#[test]
fn the_key_that_a_signature_brings_along_is_not_trusted() {
    let (_, text) = signed!("response-p256");
    assert!(text.contains("<ds:X509Certificate>MII"));
    assert_eq!(
        refusal(text),
        "could not extract SAMLResponse assertion! \
         the signature does not verify with any of the provider's keys"
    );
}
