//! Authentication requests to an identity provider by the redirect binding.

#[cfg(not(target_family = "wasm"))]
use std::io::Write as _;

use base64::{Engine as _, engine::general_purpose::STANDARD};
#[cfg(not(target_family = "wasm"))]
use flate2::{Compression, write::DeflateEncoder};
use jiff::Timestamp;
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use crate::{FillRandom, KeyPair, KeyPairError, xml::escape};

/// Encodes everything in a query value except the unreserved characters of RFC 3986.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');
const RSA_SHA256: &str = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256";

/// An authentication request.
#[derive(Clone, Copy, Debug)]
pub struct AuthnRequest<'a> {
    /// The ID, which the response repeats: a letter or `_`, then letters, digits, `-`, `_` or `.`.
    pub id: &'a str,
    /// The time of issue.
    pub time: Timestamp,
    /// The URL that accepts requests.
    pub destination: &'a str,
    /// The entity ID of this service provider.
    pub issuer: &'a str,
    /// The URL that the response is posted to.
    pub acs_url: &'a str,
}

impl AuthnRequest<'_> {
    /// The request as XML.
    pub fn to_xml(&self) -> String {
        // Whole seconds are formatted without a fraction.
        let time = Timestamp::from_second(self.time.as_second()).unwrap_or(self.time);
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

    /// The URL to redirect the browser to, signed if there is a key pair. The signature covers the query as it is
    /// encoded in the URL.
    ///
    /// # Errors
    /// The key pair cannot sign.
    pub fn location(
        &self,
        relay_state: &str,
        signer: Option<(&KeyPair, FillRandom<'_>)>,
    ) -> Result<String, KeyPairError> {
        let mut query = format!(
            "SAMLRequest={}&RelayState={}",
            encode(&STANDARD.encode(deflate(self.to_xml().as_bytes()))),
            encode(relay_state)
        );
        if let Some((key, random)) = signer {
            query = format!("{query}&SigAlg={}", encode(RSA_SHA256));
            let signature = STANDARD.encode(key.sign(query.as_bytes(), random)?);
            query = format!("{query}&Signature={}", encode(&signature));
        }
        let separator = if self.destination.contains('?') { '&' } else { '?' };
        Ok(format!("{}{separator}{query}", self.destination))
    }
}

fn encode(text: &str) -> String {
    utf8_percent_encode(text, ENCODED).to_string()
}

#[cfg(not(target_family = "wasm"))]
fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::default());
    let written = encoder.write_all(bytes).and_then(|()| encoder.finish());
    written.expect("memory takes every byte")
}

#[cfg(target_family = "wasm")]
use stored as deflate;

/// The DEFLATE format with stored blocks (RFC 1951, section 3.2.4). In the preview, a compressor would have to be
/// downloaded, and requests are not sent anywhere.
#[cfg(any(target_family = "wasm", test))]
fn stored(bytes: &[u8]) -> Vec<u8> {
    let (mut blocks, mut rest) = (Vec::with_capacity(bytes.len() + 5), bytes);
    loop {
        let length = u16::try_from(rest.len()).unwrap_or(u16::MAX);
        let (block, after) = rest.split_at(usize::from(length));
        blocks.push(u8::from(after.is_empty()));
        blocks.extend(length.to_le_bytes());
        blocks.extend((!length).to_le_bytes());
        blocks.extend(block);
        if after.is_empty() {
            return blocks;
        }
        rest = after;
    }
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use flate2::read::DeflateDecoder;

    use super::*;

    #[test]
    fn blocks_that_are_not_compressed_are_read_as_what_they_hold() {
        for length in [0, 1, 0xffff, 0x10000, 200_000] {
            let bytes: Vec<u8> = (0..=u8::MAX).cycle().take(length).collect();
            let mut read = Vec::new();
            DeflateDecoder::new(&*stored(&bytes)).read_to_end(&mut read).unwrap();
            assert!(read == bytes, "{length}");
        }
    }
}
