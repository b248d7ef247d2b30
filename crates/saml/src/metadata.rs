//! Metadata of an identity provider.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use roxmltree::Node;

use crate::{
    VerificationKey,
    budget::Budget,
    refusal::quote,
    xml::{self, METADATA, SIGNATURE},
};

/// Maximum number of signing certificates. All of them may be tried for each response.
pub const MAX_SIGNING_CERTIFICATES: usize = 8;
const REDIRECT: &str = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect";

/// The relevant part of an identity provider's metadata.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metadata {
    /// The URL that browsers send requests to: the first location for the redirect binding.
    pub sso_location: String,
    /// The certificates of signing keys, in DER.
    pub signing_certificates: Vec<Vec<u8>>,
}

/// The reason why metadata is refused. The texts are part of the wire
/// (`docs/rules/identity-and-system.md#identity-providers`).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MetadataError {
    /// Not XML, or not an entity descriptor.
    #[error("idp_metadata_document_string could not be parsed as an EntityDescriptor! {0}")]
    NotAnEntity(String),
    /// The entity is not an identity provider.
    #[error("no md:IDPSSODescriptor section")]
    NoProvider,
    /// There is no signing certificate with a supported key.
    #[error("no signing key found in IDP metadata")]
    NoSigningKey,
    /// There are more signing certificates than a key rotation needs.
    #[error("more than {MAX_SIGNING_CERTIFICATES} signing keys in IDP metadata")]
    TooManySigningKeys,
    /// There is no location for requests.
    #[error("zero redirect binding locations")]
    NoLocation,
    /// The location for requests is not an http or https URL.
    #[error("the redirect binding location is no http or https address")]
    BadLocation,
}

impl Metadata {
    /// Parses an entity descriptor.
    pub fn parse(text: &str) -> Result<Self, MetadataError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let document = xml::parse(text, &mut Budget::default()).map_err(MetadataError::NotAnEntity)?;
        let entity = document.root_element();
        if !entity.has_tag_name((METADATA, "EntityDescriptor")) {
            let reason = format!("the outermost element is {}", quote(entity.tag_name().name()));
            return Err(MetadataError::NotAnEntity(reason));
        }
        let provider =
            xml::children(entity, METADATA, "IDPSSODescriptor").next().ok_or(MetadataError::NoProvider)?;
        let signing_certificates = signing_certificates(provider);
        if signing_certificates.is_empty() {
            return Err(MetadataError::NoSigningKey);
        }
        if signing_certificates.len() > MAX_SIGNING_CERTIFICATES {
            return Err(MetadataError::TooManySigningKeys);
        }
        let location = xml::children(provider, METADATA, "SingleSignOnService")
            .filter(|service| service.attribute("Binding") == Some(REDIRECT))
            .find_map(|service| service.attribute("Location"))
            .ok_or(MetadataError::NoLocation)?;
        Ok(Self { sso_location: web_address(location)?, signing_certificates })
    }
}

fn signing_certificates(provider: Node<'_, '_>) -> Vec<Vec<u8>> {
    let keys = xml::children(provider, METADATA, "KeyDescriptor")
        .filter(|key| matches!(key.attribute("use"), None | Some("signing")));
    let certificates = keys
        .flat_map(|key| key.descendants().filter(|node| node.has_tag_name((SIGNATURE, "X509Certificate"))));
    let mut found: Vec<Vec<u8>> = Vec::new();
    for certificate in certificates {
        let mut text = xml::text(certificate).unwrap_or_default();
        text.retain(|c| !c.is_ascii_whitespace());
        let der = STANDARD.decode(text).unwrap_or_default();
        if VerificationKey::from_certificate(&der).is_some() && !found.contains(&der) {
            found.push(der);
        }
    }
    found
}

/// A URL that browsers can be redirected to: http or https, without characters that would end a header line.
fn web_address(location: &str) -> Result<String, MetadataError> {
    let location = location.trim();
    let is_web = location.starts_with("https://") || location.starts_with("http://");
    let is_plain = location.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'#');
    if is_web && is_plain { Ok(location.to_owned()) } else { Err(MetadataError::BadLocation) }
}
