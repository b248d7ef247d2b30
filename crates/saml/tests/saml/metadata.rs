use base64::{Engine as _, engine::general_purpose::STANDARD};
use croft_saml::{KeyPair, KeyPairError, Metadata, testing::TestKey};

fn check(certificate: &[u8], key: &[u8]) -> Result<(), KeyPairError> {
    KeyPair::check(certificate, key, &mut |bytes| bytes.fill(7))
}

fn refusal(text: &str) -> String {
    Metadata::parse(text).unwrap_err().to_string()
}

#[test]
fn what_a_provider_says_about_itself() {
    let text = TestKey::Rsa.metadata("https://idp.example/sso?a=1&amp;b=2");
    let metadata = Metadata::parse(&text).unwrap();
    assert_eq!(metadata.sso_location, "https://idp.example/sso?a=1&b=2");
    assert_eq!(metadata.signing_certificates, [TestKey::Rsa.certificate().to_vec()]);
    assert!(Metadata::parse(&format!("\u{feff}<?xml version=\"1.0\"?>{text}")).is_ok());
    assert!(Metadata::parse(&text.replace(" use=\"signing\"", "")).is_ok());

    // A second key, as during a rotation, with line breaks; and a certificate of an unknown kind.
    let certificate = STANDARD.encode(TestKey::P256.certificate());
    let (first, second) = certificate.split_at(70);
    let key = |text: &str| {
        format!(
            "<md:KeyDescriptor><ds:KeyInfo xmlns:ds=\"http://www.w3.org/2000/09/xmldsig#\"><ds:X509Data>\
                 <ds:X509Certificate>{text}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></md:KeyDescriptor>"
        )
    };
    let more = format!("{}{}<md:SingleSign", key(&format!("\n {first}\n {second}\n")), key("AAAA"));
    let metadata = Metadata::parse(&text.replacen("<md:SingleSign", &more, 1)).unwrap();
    assert_eq!(metadata.signing_certificates.len(), 2);
    assert_eq!(metadata.signing_certificates[1], TestKey::P256.certificate());
}

#[test]
fn more_keys_than_a_change_needs() {
    let text = TestKey::Rsa.metadata("https://idp.example/sso");
    let (start, end) = text.split_at(text.find("<md:KeyDescriptor").unwrap());
    let certificates = (0..9).map(|number| {
        // The last byte is part of the certificate's signature, which is not checked.
        let mut der = TestKey::Rsa.certificate().to_vec();
        let last = der.len() - 1;
        der[last] = number;
        format!("<ds:X509Certificate>{}</ds:X509Certificate>", STANDARD.encode(der))
    });
    let more = format!(
        "<md:KeyDescriptor><ds:KeyInfo xmlns:ds=\"http://www.w3.org/2000/09/xmldsig#\"><ds:X509Data>{}\
         </ds:X509Data></ds:KeyInfo></md:KeyDescriptor>",
        certificates.collect::<String>()
    );
    assert_eq!(refusal(&format!("{start}{more}{end}")), "more than 8 signing keys in IDP metadata");
}

#[test]
fn metadata_of_no_use() {
    let text = TestKey::Rsa.metadata("https://idp.example/sso");
    let start = "idp_metadata_document_string could not be parsed as an EntityDescriptor! ";
    assert!(refusal("").starts_with(start));
    assert!(refusal("<!DOCTYPE a><a/>").starts_with(start));
    assert_eq!(refusal("<a/>"), format!("{start}the outermost element is a"));
    assert_eq!(refusal(&text.replace("IDPSSO", "SPSSO")), "no md:IDPSSODescriptor section");
    assert_eq!(
        refusal(&text.replace("\"signing\"", "\"encryption\"")),
        "no signing key found in IDP metadata"
    );
    assert_eq!(refusal(&text.replace("MII", "")), "no signing key found in IDP metadata");
    assert_eq!(refusal(&text.replace("HTTP-Redirect", "HTTP-Other")), "zero redirect binding locations");
    for location in ["javascript:alert(1)", "/sso", "https://a b", "https://a#b", ""] {
        let text = TestKey::Rsa.metadata(location);
        assert_eq!(refusal(&text), "the redirect binding location is no http or https address", "{location}");
    }
}

#[test]
fn key_pairs() {
    let (certificate, key) = (TestKey::Rsa.certificate(), TestKey::Rsa.private_key());
    assert_eq!(check(certificate, key), Ok(()));
    let mismatch = check(TestKey::OtherRsa.certificate(), key).unwrap_err();
    assert!(mismatch.to_string().starts_with("data signed with key not verified with certificate!"));
    let mismatch = check(TestKey::P256.certificate(), key).unwrap_err();
    assert_eq!(mismatch, KeyPairError::Mismatch);
    assert_eq!(check(key, key), Err(KeyPairError::Certificate));
    for bad in [&[][..], certificate, TestKey::P256.private_key(), &key[..100]] {
        assert!(matches!(check(certificate, bad), Err(KeyPairError::Key(_))));
    }
}
