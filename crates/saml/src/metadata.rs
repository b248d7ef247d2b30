//! What an identity provider says about itself.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use roxmltree::Node;

use crate::{
    VerificationKey,
    budget::Budget,
    refusal::quote,
    xml::{self, METADATA, SIGNATURE},
};

/// Certificates whose keys may sign answers. Each is tried with each answer, so there must not be any number of them.
pub const MAX_SIGNING_CERTIFICATES: usize = 8;
const REDIRECT: &str = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect";

/// What is of use in an identity provider's metadata.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Metadata {
    /// Where a browser is sent with a request: the first location for the redirect binding.
    pub sso_location: String,
    /// The certificates, in DER, whose keys may sign answers.
    pub signing_certificates: Vec<Vec<u8>>,
}

/// Why metadata are refused. The texts are the wire's (`docs/rules/identity-and-system.md#identity-providers`).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MetadataError {
    /// Not XML, or no entity descriptor.
    #[error("idp_metadata_document_string could not be parsed as an EntityDescriptor! {0}")]
    NotAnEntity(String),
    /// The entity is no identity provider.
    #[error("no md:IDPSSODescriptor section")]
    NoProvider,
    /// There is no certificate for signing, or none with a key that is supported.
    #[error("no signing key found in IDP metadata")]
    NoSigningKey,
    /// There are more certificates for signing than a change of keys needs.
    #[error("more than {MAX_SIGNING_CERTIFICATES} signing keys in IDP metadata")]
    TooManySigningKeys,
    /// There is no place to send browsers to.
    #[error("zero redirect binding locations")]
    NoLocation,
    /// The place to send browsers to is not on the web.
    #[error("the redirect binding location is no http or https address")]
    BadLocation,
}

impl Metadata {
    /// Reads an entity descriptor.
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

/// An address that a browser may be sent to: a scheme of the web, and nothing that would end a header line.
fn web_address(location: &str) -> Result<String, MetadataError> {
    let location = location.trim();
    let is_web = location.starts_with("https://") || location.starts_with("http://");
    let is_plain = location.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'#');
    if is_web && is_plain { Ok(location.to_owned()) } else { Err(MetadataError::BadLocation) }
}
