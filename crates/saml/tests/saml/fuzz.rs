//! No input causes a panic, and no input without a valid signature is accepted.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use croft_saml::{Budget, Metadata, ServiceProvider, VerificationKey, testing::TestKey};
use proptest::prelude::*;

use crate::{ACS, CLIENT, ISSUER, answer, now, signed};

/// Fragments of responses, in any order.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "<samlp:Response xmlns:samlp=\"urn:oasis:names:tc:SAML:2.0:protocol\" ID=\"_r\" Version=\"2.0\">",
        "</samlp:Response>",
        "<saml:Assertion xmlns:saml=\"urn:oasis:names:tc:SAML:2.0:assertion\" ID=\"_a\">",
        "</saml:Assertion>",
        "<saml:Issuer xmlns:saml=\"urn:oasis:names:tc:SAML:2.0:assertion\">https://idp.example</saml:Issuer>",
        "<ds:Signature xmlns:ds=\"http://www.w3.org/2000/09/xmldsig#\">",
        "</ds:Signature>",
        "<!-- -->",
        "<![CDATA[x]]>",
        "<!DOCTYPE a [<!ENTITY b \"c\">]>",
        "&b;",
        "&#0;",
        "<a xmlns=\"\" xmlns:p=\"q\" p:c='d'>",
        "</a>",
        "<?x y?>",
        "\u{0}",
        "é",
    ]);
    prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
}

fn try_field(field: &str) -> bool {
    let keys = [VerificationKey::from_certificate(TestKey::Rsa.certificate()).unwrap()];
    let provider =
        ServiceProvider { idp_entity_id: ISSUER, client_id: CLIENT, acs_url: ACS, keys: &keys, now: now() };
    provider.accept(field, &mut Budget::default()).is_ok()
}

proptest! {
    #[test]
    fn any_field(field in ".{0,200}") {
        prop_assert!(!try_field(&field));
    }

    #[test]
    fn any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        prop_assert!(!try_field(&STANDARD.encode(&bytes)));
        prop_assert!(VerificationKey::from_certificate(&bytes).is_none());
    }

    #[test]
    fn any_order_of_pieces(text in pieces()) {
        prop_assert!(!try_field(&STANDARD.encode(&text)));
        prop_assert!(Metadata::parse(&text).is_err());
    }

    /// A valid response with some bytes changed yields the same assertion or is refused.
    #[test]
    fn a_damaged_answer(at in 0_usize..4000, with in any::<u8>(), cut in prop::option::of(0_usize..4000)) {
        let mut bytes = signed(&answer()).into_bytes();
        let at = at % bytes.len();
        bytes[at] = with;
        if let Some(cut) = cut {
            bytes.truncate(cut);
        }
        let keys = [VerificationKey::from_certificate(TestKey::Rsa.certificate()).unwrap()];
        let provider =
            ServiceProvider { idp_entity_id: ISSUER, client_id: CLIENT, acs_url: ACS, keys: &keys, now: now() };
        if let Ok(assertion) = provider.accept(&STANDARD.encode(&bytes), &mut Budget::default()) {
            prop_assert_eq!(assertion.name_id, "ada");
        }
    }

    #[test]
    fn damaged_certificates(at in 0_usize..2000, with in any::<u8>(), length in 0_usize..2000) {
        for key in [TestKey::Rsa, TestKey::P256, TestKey::P521] {
            let mut bytes = key.certificate().to_vec();
            let place = at % bytes.len();
            bytes[place] = with;
            bytes.truncate(length);
            let _ = VerificationKey::from_certificate(&bytes);
        }
    }
}
