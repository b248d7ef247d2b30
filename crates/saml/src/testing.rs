//! A stand-in for an identity provider, for tests: it makes answers as real ones do, and signs them.
//!
//! Its keys stand in the source and protect nothing.

use std::fmt::Write as _;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use jiff::{SignedDuration, Timestamp};
use p256::ecdsa::signature::hazmat::PrehashSigner as _;
use pkcs8::DecodePrivateKey as _;
use roxmltree::{Document, Node};
use rsa::{RsaPrivateKey, pkcs1::DecodeRsaPrivateKey as _};

use crate::{
    canonical::{Form, canonicalize},
    key::Hash,
    xml::SIGNATURE,
};

/// The kind of a test provider's key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TestKey {
    /// RSA of 2048 bits.
    Rsa,
    /// RSA of 2048 bits, another pair.
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

    fn algorithm(self, hash: &str) -> String {
        let kind = if matches!(self, Self::Rsa | Self::OtherRsa) { "rsa" } else { "ecdsa" };
        format!("http://www.w3.org/2001/04/xmldsig-more#{kind}-{hash}")
    }

    fn sign(self, bytes: &[u8]) -> Vec<u8> {
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

/// What a test provider says; tests change what they are about.
#[derive(Clone, Debug)]
pub struct TestAnswer {
    /// Who says it.
    pub issuer: String,
    /// Whom it is meant for.
    pub audience: String,
    /// Where it is sent.
    pub acs_url: String,
    /// The request that it answers.
    pub in_response_to: Option<String>,
    /// The assertion's id.
    pub assertion_id: String,
    /// When it is made.
    pub made: Timestamp,
    /// Until when it holds.
    pub end: Timestamp,
    /// The subject's name, as XML.
    pub name_id: String,
    /// Attributes: names with their values, as XML.
    pub attributes: Vec<(String, Vec<String>)>,
    /// The status code.
    pub status: String,
}

impl TestAnswer {
    /// A good answer about `ada`, for the given audience and place.
    pub fn new(issuer: &str, audience: &str, acs_url: &str, now: Timestamp) -> Self {
        Self {
            issuer: issuer.to_owned(),
            audience: audience.to_owned(),
            acs_url: acs_url.to_owned(),
            in_response_to: None,
            assertion_id: "_assertion".to_owned(),
            made: now,
            end: now + SignedDuration::from_mins(5),
            name_id: "ada".to_owned(),
            attributes: Vec::new(),
            status: "urn:oasis:names:tc:SAML:2.0:status:Success".to_owned(),
        }
    }

    /// The answer, not signed.
    pub fn xml(&self) -> String {
        let Self { issuer, acs_url, made, status, .. } = self;
        let request = self.request();
        format!(
            "<samlp:Response xmlns:samlp=\"urn:oasis:names:tc:SAML:2.0:protocol\" ID=\"_response\" Version=\"2.0\" \
             IssueInstant=\"{made}\" Destination=\"{acs_url}\"{request}>\n  \
             <saml:Issuer xmlns:saml=\"urn:oasis:names:tc:SAML:2.0:assertion\">{issuer}</saml:Issuer>\n  \
             <samlp:Status><samlp:StatusCode Value=\"{status}\"/></samlp:Status>\n  {}\n</samlp:Response>",
            self.assertion()
        )
    }

    /// The assertion in it.
    pub fn assertion(&self) -> String {
        let Self { issuer, audience, acs_url, assertion_id, made, end, name_id, .. } = self;
        let request = self.request();
        format!(
            "<saml:Assertion xmlns:saml=\"urn:oasis:names:tc:SAML:2.0:assertion\" \
             xmlns:xs=\"http://www.w3.org/2001/XMLSchema\" ID=\"{assertion_id}\" Version=\"2.0\" IssueInstant=\"{made}\">\
             <saml:Issuer>{issuer}</saml:Issuer>\
             <saml:Subject><saml:NameID>{name_id}</saml:NameID>\
             <saml:SubjectConfirmation Method=\"urn:oasis:names:tc:SAML:2.0:cm:bearer\">\
             <saml:SubjectConfirmationData NotOnOrAfter=\"{end}\" Recipient=\"{acs_url}\"{request}/>\
             </saml:SubjectConfirmation></saml:Subject>\
             <saml:Conditions NotBefore=\"{made}\" NotOnOrAfter=\"{end}\"><saml:AudienceRestriction>\
             <saml:Audience>{audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>\
             <saml:AuthnStatement AuthnInstant=\"{made}\"><saml:AuthnContext><saml:AuthnContextClassRef>\
             urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext>\
             </saml:AuthnStatement>{}</saml:Assertion>",
            self.attribute_statement()
        )
    }

    fn request(&self) -> String {
        let request = self.in_response_to.as_ref();
        request.map_or_else(String::new, |id| format!(" InResponseTo=\"{id}\""))
    }

    fn attribute_statement(&self) -> String {
        if self.attributes.is_empty() {
            return String::new();
        }
        let mut text = "<saml:AttributeStatement>".to_owned();
        for (name, values) in &self.attributes {
            let _ = write!(text, "<saml:Attribute Name=\"{name}\">");
            for value in values {
                let _ = write!(
                    text,
                    "<saml:AttributeValue xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" \
                     xsi:type=\"xs:string\">{value}</saml:AttributeValue>"
                );
            }
            text.push_str("</saml:Attribute>");
        }
        text + "</saml:AttributeStatement>"
    }

    /// The form field of the answer with its assertion signed.
    pub fn field(&self, key: TestKey) -> String {
        STANDARD.encode(sign(&self.xml(), &self.assertion_id, key))
    }
}

/// The text with the element of this id signed; the signature stands after the element's issuer.
pub fn sign(text: &str, id: &str, key: TestKey) -> String {
    let signature = signature(text, id, key);
    let document = Document::parse(text).expect("a test document");
    let signed = document.descendants().find(|node| node.attribute("ID") == Some(id)).expect("the id");
    let issuer = signed.children().find(|node| node.tag_name().name() == "Issuer").expect("an issuer");
    let place = issuer.range().end;
    format!("{}{signature}{}", &text[..place], &text[place..])
}

/// A signature of the element of this id, to be put anywhere.
pub fn signature(text: &str, id: &str, key: TestKey) -> String {
    let form = Form::Exclusive(vec!["xs".to_owned()]);
    let document = Document::parse(text).expect("a test document");
    let signed = document.descendants().find(|node| node.attribute("ID") == Some(id)).expect("the id");
    let digest = STANDARD.encode(Hash::Sha256.digest(&canonicalize(signed, &form, None)));
    let info = format!(
        "<ds:SignedInfo xmlns:ds=\"{SIGNATURE}\">\
         <ds:CanonicalizationMethod Algorithm=\"http://www.w3.org/2001/10/xml-exc-c14n#\"/>\
         <ds:SignatureMethod Algorithm=\"{}\"/><ds:Reference URI=\"#{id}\"><ds:Transforms>\
         <ds:Transform Algorithm=\"http://www.w3.org/2000/09/xmldsig#enveloped-signature\"/>\
         <ds:Transform Algorithm=\"http://www.w3.org/2001/10/xml-exc-c14n#\">\
         <ec:InclusiveNamespaces xmlns:ec=\"http://www.w3.org/2001/10/xml-exc-c14n#\" PrefixList=\"xs\"/>\
         </ds:Transform></ds:Transforms>\
         <ds:DigestMethod Algorithm=\"http://www.w3.org/2001/04/xmlenc#sha256\"/>\
         <ds:DigestValue>{digest}</ds:DigestValue></ds:Reference></ds:SignedInfo>",
        key.algorithm("sha256")
    );
    let parsed = Document::parse(&info).expect("a signature");
    let root: Node<'_, '_> = parsed.root_element();
    let value = STANDARD.encode(key.sign(&canonicalize(root, &Form::Exclusive(Vec::new()), None)));
    format!(
        "<ds:Signature xmlns:ds=\"{SIGNATURE}\">{info}<ds:SignatureValue>{value}</ds:SignatureValue></ds:Signature>"
    )
}
