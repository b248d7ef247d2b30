//! Asking an identity provider to sign somebody in: the redirect binding.

use std::io::Write as _;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use flate2::{Compression, write::DeflateEncoder};
use jiff::Timestamp;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::{KeyPair, xml::escape};

/// What is left as it is in a query value: RFC 3986's unreserved characters.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
const RSA_SHA256: &str = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256";

/// A request to sign somebody in.
#[derive(Clone, Copy, Debug)]
pub struct AuthnRequest<'a> {
    /// The request's id, which the answer repeats: a letter or `_`, then letters, digits, `-`, `_` or `.`.
    pub id: &'a str,
    /// When it is made.
    pub time: Timestamp,
    /// Where the provider takes requests.
    pub destination: &'a str,
    /// What the provider knows us as.
    pub issuer: &'a str,
    /// Where the answer is to be posted.
    pub acs_url: &'a str,
}

impl AuthnRequest<'_> {
    /// The request as XML.
    pub fn to_xml(&self) -> String {
        let time = self.time.strftime("%Y-%m-%dT%H:%M:%SZ");
        format!(
            "<samlp:AuthnRequest xmlns:samlp=\"urn:oasis:names:tc:SAML:2.0:protocol\" \
             xmlns:saml=\"urn:oasis:names:tc:SAML:2.0:assertion\" ID=\"{}\" Version=\"2.0\" IssueInstant=\"{time}\" \
             Destination=\"{}\" ProtocolBinding=\"urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST\" \
             AssertionConsumerServiceURL=\"{}\"><saml:Issuer>{}</saml:Issuer><samlp:NameIDPolicy \
             Format=\"urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified\" AllowCreate=\"true\"/>\
             </samlp:AuthnRequest>",
            escape(self.id),
            escape(self.destination),
            escape(self.acs_url),
            escape(self.issuer),
        )
    }

    /// The address to send the browser to, signed if there is a key pair. The signature covers the query exactly as
    /// it stands in the address.
    pub fn location(&self, relay_state: &str, signer: Option<&KeyPair>) -> String {
        let mut query = format!(
            "SAMLRequest={}&RelayState={}",
            encode(&STANDARD.encode(deflate(self.to_xml().as_bytes()))),
            encode(relay_state)
        );
        if let Some(signer) = signer {
            query = format!("{query}&SigAlg={}", encode(RSA_SHA256));
            let signature = STANDARD.encode(signer.sign(query.as_bytes()));
            query = format!("{query}&Signature={}", encode(&signature));
        }
        let separator = if self.destination.contains('?') { '&' } else { '?' };
        format!("{}{separator}{query}", self.destination)
    }
}

fn encode(text: &str) -> String {
    utf8_percent_encode(text, ENCODED).to_string()
}

fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    let written = encoder.write_all(bytes).and_then(|()| encoder.finish());
    written.expect("memory takes every byte")
}
