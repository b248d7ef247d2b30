//! Responses without a signature, or with an invalid one.

use crate::{accept_with, answer, refusal, sign, signed};
use croft_saml::testing::{TestKey, signature};

const NO_KEY_MATCHES: &str = "could not extract SAMLResponse assertion! \
                         the signature does not verify with any of the provider's keys";
const OF_OTHER_CONTENT: &str =
    "could not extract SAMLResponse assertion! the digest does not match the content";

#[test]
fn unsigned() {
    assert_eq!(refusal(&answer().xml()), "assertion is missing signature!");
}

#[test]
fn signed_by_somebody_else() {
    for key in [TestKey::OtherRsa, TestKey::P256, TestKey::P521] {
        assert_eq!(refusal(&sign(&answer().xml(), "_assertion", key)), NO_KEY_MATCHES);
        assert_eq!(refusal(&sign(&answer().xml(), "_response", key)), NO_KEY_MATCHES);
    }
    // A valid signature does not compensate for an invalid one.
    let inner = sign(&answer().xml(), "_assertion", TestKey::Rsa);
    assert_eq!(refusal(&sign(&inner, "_response", TestKey::OtherRsa)), NO_KEY_MATCHES);
    let inner = sign(&answer().xml(), "_assertion", TestKey::OtherRsa);
    assert_eq!(refusal(&sign(&inner, "_response", TestKey::Rsa)), NO_KEY_MATCHES);
}

#[test]
fn changed_after_signing() {
    let text = signed(&answer());
    assert_eq!(refusal(&text.replace(">ada<", ">eve<")), OF_OTHER_CONTENT);
    assert_eq!(refusal(&text.replace("Recipient=", "Data=\"\" Recipient=")), OF_OTHER_CONTENT);
    assert_eq!(refusal(&text.replace("<saml:Subject>", "<saml:Subject> ")), OF_OTHER_CONTENT);
    // Changes that do not affect the canonical form are accepted.
    let spaced = text.replace("<saml:Subject>", "<saml:Subject  ><!-- hello -->");
    assert_eq!(accept_with(&[TestKey::Rsa], &spaced).unwrap().name_id, "ada");
    let response = sign(&answer().xml(), "_response", TestKey::Rsa);
    assert_eq!(refusal(&response.replace("\n  <samlp:Status>", "<samlp:Status>")), OF_OTHER_CONTENT);
}

#[test]
fn weak_algorithms() {
    let text = signed(&answer());
    let sha1 = "http://www.w3.org/2000/09/xmldsig#rsa-sha1";
    let weak = text.replace("http://www.w3.org/2001/04/xmldsig-more#rsa-sha256", sha1);
    assert_eq!(refusal(&weak), format!("signature algorithm {sha1} is not allowed"));
    let sha1 = "http://www.w3.org/2000/09/xmldsig#sha1";
    let weak = text.replace("http://www.w3.org/2001/04/xmlenc#sha256", sha1);
    assert_eq!(refusal(&weak), format!("signature algorithm {sha1} is not allowed"));
    let hmac = "http://www.w3.org/2001/04/xmldsig-more#hmac-sha256";
    let weak = text.replace("http://www.w3.org/2001/04/xmldsig-more#rsa-sha256", hmac);
    assert_eq!(refusal(&weak), format!("signature algorithm {hmac} is not allowed"));
}

#[test]
fn signatures_in_another_shape() {
    let text = signed(&answer());
    let swaps = [
        ("URI=\"#_assertion\"", "URI=\"\""),
        ("URI=\"#_assertion\"", "URI=\"#_response\""),
        ("URI=\"#_assertion\"", "URI=\"#\""),
        ("URI=\"#_assertion\"", "URI=\"https://evil.example/x\""),
        (" URI=\"#_assertion\"", ""),
        (
            "http://www.w3.org/2000/09/xmldsig#enveloped-signature",
            "http://www.w3.org/TR/1999/REC-xslt-19991116",
        ),
        ("http://www.w3.org/2000/09/xmldsig#enveloped-signature", "http://www.w3.org/2001/10/xml-exc-c14n#"),
        ("http://www.w3.org/2001/10/xml-exc-c14n#", "http://www.w3.org/2001/10/xml-exc-c14n#WithComments"),
        ("<ds:SignatureValue>", "<ds:SignatureValue>AAAA"),
        ("<ds:SignatureValue>", "<ds:SignatureValue>*"),
        ("<ds:DigestValue>", "<ds:DigestValue>AAAA"),
        ("<ds:DigestValue>", "<ds:DigestValue/><ds:DigestValue>"),
        ("</ds:Reference>", "</ds:Reference><ds:Reference URI=\"#_response\"/>"),
        ("ds:SignedInfo", "ds:Unsigned"),
        ("</ds:Transforms>", "<ds:Transform Algorithm=\"x\"/></ds:Transforms>"),
    ];
    for (from, to) in swaps {
        let changed = text.replace(from, to);
        assert_ne!(changed, text);
        let refusal = refusal(&changed);
        assert!(refusal.starts_with("could not extract SAMLResponse assertion! "), "{to}: {refusal}");
    }
}

#[test]
fn a_signature_of_another_answer() {
    let mut other = answer();
    other.name_id = "eve".into();
    let foreign = signature(&other.xml(), "_assertion", TestKey::Rsa);
    let text = answer().xml();
    let place = text.find("<saml:Subject>").unwrap();
    let spliced = format!("{}{foreign}{}", &text[..place], &text[place..]);
    assert_eq!(refusal(&spliced), OF_OTHER_CONTENT);
}
