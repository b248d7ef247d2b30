//! An identity provider that responds to requests, for tests and the demo.

use std::{fmt::Write as _, io::Read as _};

use base64::{Engine as _, engine::general_purpose::STANDARD};
use flate2::read::DeflateDecoder;
use jiff::{SignedDuration, Timestamp};
use p256::ecdsa::{Signature, SigningKey, signature::hazmat::PrehashSigner as _};
use pkcs8::DecodePrivateKey as _;
use roxmltree::{Document, Node};

use crate::{
    budget::Budget,
    canonical::{Form, canonicalize},
    key::Hash,
    xml::SIGNATURE,
};

/// Maximum length of a request as XML, in bytes.
const MAX_REQUEST: u64 = 1 << 16;

/// A key that signs responses.
pub trait Signer {
    /// The URI of the signature algorithm with this hash.
    fn algorithm(&self, hash: &str) -> String;

    /// Signs the SHA-256 hash of the bytes.
    fn sign(&self, bytes: &[u8]) -> Vec<u8>;
}

impl<S: Signer + ?Sized> Signer for &S {
    fn algorithm(&self, hash: &str) -> String {
        (**self).algorithm(hash)
    }

    fn sign(&self, bytes: &[u8]) -> Vec<u8> {
        (**self).sign(bytes)
    }
}

/// The key of an identity provider: ECDSA on P-256.
pub struct IssuingKey(SigningKey);

impl IssuingKey {
    /// Parses a key in PKCS#8. Returns `None` if it is not a key on P-256.
    pub fn from_pkcs8(der: &[u8]) -> Option<Self> {
        SigningKey::from_pkcs8_der(der).ok().map(Self)
    }
}

impl Signer for IssuingKey {
    fn algorithm(&self, hash: &str) -> String {
        format!("http://www.w3.org/2001/04/xmldsig-more#ecdsa-{hash}")
    }

    fn sign(&self, bytes: &[u8]) -> Vec<u8> {
        let signature: Signature =
            self.0.sign_prehash(&Hash::Sha256.digest(bytes)).expect("a hash of the key's length");
        signature.to_bytes().to_vec()
    }
}

/// Encodes bytes in Base64, for certificates and responses in forms and records.
pub fn base64(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

/// The ID of the request in a query of the redirect binding. Returns `None` if it contains no request.
pub fn request_id(saml_request: &str) -> Option<String> {
    let mut xml = String::new();
    let compressed = STANDARD.decode(saml_request).ok()?;
    DeflateDecoder::new(compressed.as_slice()).take(MAX_REQUEST).read_to_string(&mut xml).ok()?;
    let document = Document::parse(&xml).ok()?;
    document.root_element().attribute("ID").filter(|id| is_id(id)).map(str::to_owned)
}

/// Whether a text is a valid ID of a request, which needs no escaping in XML.
pub fn is_id(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
}

/// The content of a response. All texts are already escaped XML.
#[derive(Clone, Debug)]
pub struct ResponseContent {
    /// The issuer.
    pub issuer: String,
    /// The audience.
    pub audience: String,
    /// The destination.
    pub acs_url: String,
    /// The ID of the request.
    pub in_response_to: Option<String>,
    /// The ID of the assertion.
    pub assertion_id: String,
    /// The time of issue.
    pub made: Timestamp,
    /// The end of validity.
    pub end: Timestamp,
    /// The subject's name, as XML.
    pub name_id: String,
    /// Attributes: names with their values, as XML.
    pub attributes: Vec<(String, Vec<String>)>,
    /// The status code.
    pub status: String,
}

impl ResponseContent {
    /// A valid response about `ada`, for this audience and destination.
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

    /// The unsigned response.
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

    /// The assertion of the response.
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

    /// The form field of the response with a signed assertion.
    pub fn field(&self, key: impl Signer) -> String {
        STANDARD.encode(sign(&self.xml(), &self.assertion_id, key))
    }
}

/// Signs the element with this ID. The signature is inserted after the element's issuer.
pub fn sign(text: &str, id: &str, key: impl Signer) -> String {
    let signature = signature(text, id, key);
    let document = Document::parse(text).expect("a document that was just written");
    let signed = document
        .descendants()
        .find(|node| node.attribute("ID") == Some(id))
        .expect("the element that is to be signed");
    let issuer = signed
        .children()
        .find(|node| node.tag_name().name() == "Issuer")
        .expect("an issuer in what is to be signed");
    let place = issuer.range().end;
    format!("{}{signature}{}", &text[..place], &text[place..])
}

/// A signature of the element with this ID, to be inserted anywhere.
pub fn signature(text: &str, id: &str, key: impl Signer) -> String {
    let form = Form::showing(&["xs"]);
    let document = Document::parse(text).expect("a document that was just written");
    let signed = document
        .descendants()
        .find(|node| node.attribute("ID") == Some(id))
        .expect("the element that is to be signed");
    let digest = STANDARD.encode(Hash::Sha256.digest(&canonical_bytes(signed, &form)));
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
    let parsed = Document::parse(&info).expect("a signature that was just written");
    let root: Node<'_, '_> = parsed.root_element();
    let value = STANDARD.encode(key.sign(&canonical_bytes(root, &Form::default())));
    format!(
        "<ds:Signature xmlns:ds=\"{SIGNATURE}\">{info}<ds:SignatureValue>{value}</ds:SignatureValue></ds:Signature>"
    )
}

/// The canonical form of the provider's own XML, without a bound on the work.
fn canonical_bytes<'a>(element: Node<'a, 'a>, form: &Form) -> Vec<u8> {
    canonicalize(element, form, None, &mut Budget::new(u64::MAX)).expect("a budget without end")
}
