//! Responses of identity providers (`docs/rules/identity-and-system.md#answers-of-providers`).

mod assertion;
mod structure;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use jiff::{SignedDuration, Timestamp};
use roxmltree::Node;

use crate::{
    VerificationKey,
    budget::Budget,
    refusal::{Refusal, quote},
    signature,
    xml::{self, ASSERTION, PROTOCOL},
};
use structure::ResponseParts;

/// Maximum age of a response.
pub const MAX_AGE: SignedDuration = SignedDuration::from_secs(90);
/// Maximum difference between the provider's clock and ours.
pub const SKEW: SignedDuration = SignedDuration::from_secs(180);

/// Steps for one node of a document, over all passes.
const STEPS_PER_NODE: usize = 8;

const SUCCESS: &str = "urn:oasis:names:tc:SAML:2.0:status:Success";

/// What a service provider expects of a response.
#[derive(Clone, Copy, Debug)]
pub struct ServiceProvider<'a> {
    /// The required issuer.
    pub idp_entity_id: &'a str,
    /// The required audience of the assertion: the service provider's entity ID.
    pub client_id: &'a str,
    /// The required destination.
    pub acs_url: &'a str,
    /// The keys of the provider.
    pub keys: &'a [VerificationKey],
    /// The time.
    pub now: Timestamp,
}

/// The content of an accepted response. All of it was signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assertion {
    /// The ID of the assertion, which must not be accepted twice.
    pub id: String,
    /// The time until which the assertion would be accepted again if it were not remembered.
    pub acceptable_until: Timestamp,
    /// The ID of the request. `None` if the response is unsolicited, or if the ID is only in an unsigned part, where
    /// anyone can add it.
    pub in_response_to: Option<String>,
    /// The name of the subject.
    pub name_id: String,
    /// Names of attributes with their values, in the order of the assertion.
    pub attributes: Vec<(String, Vec<String>)>,
}

impl Assertion {
    /// All values of all attributes with exactly this name.
    pub fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let named = self.attributes.iter().filter(move |(known, _)| known == name);
        named.flat_map(|(_, values)| values.iter().map(String::as_str))
    }
}

impl ServiceProvider<'_> {
    /// Checks the value of the form field `SAMLResponse` and returns its content.
    ///
    /// # Errors
    /// The response is not accepted, or checking it would exceed the `budget`.
    pub fn accept(&self, field: &str, budget: &mut Budget) -> Result<Assertion, Refusal> {
        // Remove spaces, decode Base64 and UTF-8.
        budget.spend(3 * field.len())?;
        let mut field = field.to_owned();
        field.retain(|c| !c.is_ascii_whitespace());
        let bytes = STANDARD.decode(field).map_err(|error| Refusal::Base64(error.to_string()))?;
        let text = String::from_utf8(bytes).map_err(|error| Refusal::Utf8(error.to_string()))?;
        self.accept_xml(&text, budget)
    }

    fn accept_xml(&self, text: &str, budget: &mut Budget) -> Result<Assertion, Refusal> {
        let document = xml::parse(text, budget).map_err(Refusal::Xml)?;
        let response = document.root_element();
        if !response.has_tag_name((PROTOCOL, "Response")) {
            let name = quote(response.tag_name().name());
            return Err(Refusal::Xml(format!("the outermost element is {name}")));
        }
        // Finding the parts, searching for IDs, and reading the assertion visit all nodes.
        budget.spend(STEPS_PER_NODE * document.descendants().count())?;
        self.check_issuer(response)?;
        check_status(response)?;
        let parts = ResponseParts::of(response)?;
        self.check_signatures(&parts, budget)?;
        self.check_envelope(response)?;
        let response_is_signed = parts.signatures.iter().any(|(signed, _)| *signed == response);
        assertion::Reader { provider: self, response, response_is_signed, assertion: parts.assertion }.read()
    }

    fn check_issuer(&self, parent: Node<'_, '_>) -> Result<(), Refusal> {
        let issuer = xml::only_child(parent, ASSERTION, "Issuer").ok_or(Refusal::NoIssuer)?;
        let found = xml::text(issuer).unwrap_or_default();
        if found.is_empty() {
            return Err(Refusal::BlankIssuer);
        }
        if found != self.idp_entity_id {
            return Err(Refusal::WrongIssuer(quote(&found)));
        }
        Ok(())
    }

    /// Checks that there is at least one signature and that all are valid.
    fn check_signatures(&self, parts: &ResponseParts<'_>, budget: &mut Budget) -> Result<(), Refusal> {
        if parts.signatures.is_empty() {
            return Err(Refusal::Unsigned);
        }
        for (signed, signature) in &parts.signatures {
            signature::verify(*signed, *signature, self.keys, budget)?;
        }
        Ok(())
    }

    /// Checks the parts of the response outside the assertion. They may be unsigned, but can only cause a refusal.
    fn check_envelope(&self, response: Node<'_, '_>) -> Result<(), Refusal> {
        check_version(response)?;
        self.check_age(response)?;
        match response.attribute("Destination") {
            Some(destination) if destination != self.acs_url => Err(Refusal::Extraction(format!(
                "the response is for {}, not for {}",
                quote(destination),
                self.acs_url
            ))),
            _ => Ok(()),
        }
    }

    /// Checks the time of issue of a message, and returns it.
    fn check_age(&self, message: Node<'_, '_>) -> Result<Timestamp, Refusal> {
        let made = xml::time(message, "IssueInstant").map_err(Refusal::Extraction)?;
        let made = made.ok_or_else(|| Refusal::Extraction("no issue time".to_owned()))?;
        if self.now.duration_since(made) > MAX_AGE {
            return Err(Refusal::Extraction(format!("issued too long ago, at {made}")));
        }
        if made.duration_since(self.now) > SKEW {
            return Err(Refusal::Extraction(format!("issued in the future, at {made}")));
        }
        Ok(made)
    }

    /// Checks the attributes `NotBefore` and `NotOnOrAfter`, if present.
    fn check_window(&self, element: Node<'_, '_>) -> Result<(), Refusal> {
        let time = |attribute| xml::time(element, attribute).map_err(Refusal::Extraction);
        if let Some(start) = time("NotBefore")?
            && start.duration_since(self.now) > SKEW
        {
            return Err(Refusal::Extraction(format!("not valid before {start}")));
        }
        if let Some(end) = time("NotOnOrAfter")?
            && self.now.duration_since(end) >= SKEW
        {
            return Err(Refusal::Extraction(format!("not valid on or after {end}")));
        }
        Ok(())
    }
}

fn check_version(message: Node<'_, '_>) -> Result<(), Refusal> {
    match message.attribute("Version") {
        Some("2.0") => Ok(()),
        _ => Err(Refusal::Extraction("not SAML version 2.0".to_owned())),
    }
}

fn check_status(response: Node<'_, '_>) -> Result<(), Refusal> {
    let status = xml::only_child(response, PROTOCOL, "Status");
    let code = status.and_then(|status| xml::only_child(status, PROTOCOL, "StatusCode"));
    let value = code.and_then(|code| code.attribute("Value"));
    if value == Some(SUCCESS) {
        return Ok(());
    }
    let inner = code.and_then(|code| xml::only_child(code, PROTOCOL, "StatusCode"));
    let inner = inner.and_then(|code| code.attribute("Value")).unwrap_or_default();
    let message = status.and_then(|status| xml::only_child(status, PROTOCOL, "StatusMessage"));
    let message = message.and_then(xml::text).unwrap_or_default();
    let parts = [value.unwrap_or("no status"), inner, &message];
    let parts: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).map(quote).collect();
    Err(Refusal::Extraction(format!("the provider refused: {}", parts.join(": "))))
}
