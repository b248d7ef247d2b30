//! Answers of identity providers (`docs/rules/identity-and-system.md#answers-of-providers`).

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

/// How old an answer may be.
pub const MAX_AGE: SignedDuration = SignedDuration::from_secs(90);
/// How far the provider's clock may be from ours.
pub const SKEW: SignedDuration = SignedDuration::from_secs(180);

/// What looking at one node of a document counts as, over all passes.
const STEPS_PER_NODE: usize = 8;

const SUCCESS: &str = "urn:oasis:names:tc:SAML:2.0:status:Success";

/// What a service provider knows when an answer arrives.
#[derive(Clone, Copy, Debug)]
pub struct ServiceProvider<'a> {
    /// Who the answer must come from.
    pub idp_entity_id: &'a str,
    /// The audience that the assertion must be meant for: the service provider's own entity id.
    pub client_id: &'a str,
    /// Where the answer must have been sent.
    pub acs_url: &'a str,
    /// The keys that may have signed it.
    pub keys: &'a [VerificationKey],
    /// The time.
    pub now: Timestamp,
}

/// What an accepted answer says. All of it was signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assertion {
    /// The assertion's id, which must not be accepted twice.
    pub id: String,
    /// Until when the assertion would be accepted again, were it not remembered.
    pub acceptable_until: Timestamp,
    /// The request that it answers; `None` when nobody asked, or when that is named outside of what is signed alone,
    /// where anybody could have put it.
    pub in_response_to: Option<String>,
    /// Whom it is about.
    pub name_id: String,
    /// Names of attributes with their values, in the order of the assertion.
    pub attributes: Vec<(String, Vec<String>)>,
}

impl Assertion {
    /// Every value of every attribute of exactly this name.
    pub fn values<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        let named = self.attributes.iter().filter(move |(known, _)| known == name);
        named.flat_map(|(_, values)| values.iter().map(String::as_str))
    }
}

impl ServiceProvider<'_> {
    /// Checks the value of the form field `SAMLResponse` and answers what it says.
    ///
    /// # Errors
    /// Why the answer is not accepted, also when checking it would take more work than the `budget` has.
    pub fn accept(&self, field: &str, budget: &mut Budget) -> Result<Assertion, Refusal> {
        // Spaces are dropped, Base64 and UTF-8 decoded.
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
        // Finding the parts, looking for ids, and reading the assertion: each goes over all nodes.
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

    /// Every signature must be good, and there must be one.
    fn check_signatures(&self, parts: &ResponseParts<'_>, budget: &mut Budget) -> Result<(), Refusal> {
        if parts.signatures.is_empty() {
            return Err(Refusal::Unsigned);
        }
        for (signed, signature) in &parts.signatures {
            signature::verify(*signed, *signature, self.keys, budget)?;
        }
        Ok(())
    }

    /// What the answer says around the assertion. It may be unsigned: these checks only ever refuse.
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

    /// Checks when a message was made, and answers that time.
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

    /// Checks the attributes `NotBefore` and `NotOnOrAfter`, as far as they are there.
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
