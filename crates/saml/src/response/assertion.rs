use roxmltree::Node;

use super::{Assertion, MAX_AGE, ServiceProvider, check_version};
use crate::{
    refusal::{Refusal, quote},
    xml::{self, ASSERTION},
};

const BEARER: &str = "urn:oasis:names:tc:SAML:2.0:cm:bearer";
/// Supported conditions. An unknown one makes an assertion invalid (core specification, 2.5.1).
const CONDITIONS: [&str; 3] = ["AudienceRestriction", "OneTimeUse", "ProxyRestriction"];

/// Reads an assertion after its signature, or that of its response, was verified.
pub(super) struct Reader<'p, 'a> {
    pub(super) provider: &'p ServiceProvider<'p>,
    pub(super) response: Node<'a, 'a>,
    pub(super) response_is_signed: bool,
    pub(super) assertion: Node<'a, 'a>,
}

impl<'a> Reader<'_, 'a> {
    pub(super) fn read(&self) -> Result<Assertion, Refusal> {
        check_version(self.assertion)?;
        self.provider.check_issuer(self.assertion)?;
        let made = self.provider.check_age(self.assertion)?;
        let id = self.assertion.attribute("ID").filter(|id| !id.is_empty());
        let id = id.ok_or_else(|| refused("an assertion without an ID"))?;
        self.check_conditions()?;
        self.check_authentication()?;
        let subject = self.subject()?;
        let name_id = name_id(subject)?;
        let in_response_to = self.confirm(subject)?;
        Ok(Assertion {
            id: id.to_owned(),
            acceptable_until: made.checked_add(MAX_AGE).unwrap_or(made),
            in_response_to,
            name_id,
            attributes: self.attributes()?,
        })
    }

    fn check_conditions(&self) -> Result<(), Refusal> {
        let conditions = xml::only_child(self.assertion, ASSERTION, "Conditions")
            .ok_or_else(|| refused("an assertion without conditions"))?;
        self.provider.check_window(conditions)?;
        let known = |node: &Node<'_, '_>| CONDITIONS.iter().any(|name| node.has_tag_name((ASSERTION, *name)));
        if let Some(unknown) = conditions.children().find(|node| node.is_element() && !known(node)) {
            return Err(refused(format!("an unknown condition {}", quote(unknown.tag_name().name()))));
        }
        let mut restrictions = xml::children(conditions, ASSERTION, "AudienceRestriction").peekable();
        if restrictions.peek().is_none() {
            return Err(refused("an assertion without an audience"));
        }
        for restriction in restrictions {
            let mut audiences = xml::children(restriction, ASSERTION, "Audience");
            if !audiences.any(|audience| xml::text(audience).as_deref() == Some(self.provider.client_id)) {
                return Err(refused(format!(
                    "an assertion that is not for the audience {}",
                    self.provider.client_id
                )));
            }
        }
        Ok(())
    }

    /// The assertion must contain an authentication statement. Attributes alone are not sufficient for a sign-in.
    fn check_authentication(&self) -> Result<(), Refusal> {
        let mut statements = xml::children(self.assertion, ASSERTION, "AuthnStatement").peekable();
        if statements.peek().is_none() {
            return Err(refused("an assertion without an authentication statement"));
        }
        for statement in statements {
            let end = xml::time(statement, "SessionNotOnOrAfter").map_err(Refusal::Extraction)?;
            if end.is_some_and(|end| self.provider.now.duration_since(end) >= super::SKEW) {
                return Err(refused("the session at the provider has ended"));
            }
        }
        Ok(())
    }

    fn subject(&self) -> Result<Node<'a, 'a>, Refusal> {
        let mut subjects = xml::children(self.assertion, ASSERTION, "Subject");
        let subject = subjects.next().ok_or(Refusal::NoSubject)?;
        if subjects.next().is_some() {
            return Err(refused("more than one subject"));
        }
        Ok(subject)
    }

    /// Checks that the bearer may use the assertion: one subject confirmation must match this service provider and the
    /// time. Returns the ID of the request.
    fn confirm(&self, subject: Node<'a, 'a>) -> Result<Option<String>, Refusal> {
        let bearers = xml::children(subject, ASSERTION, "SubjectConfirmation")
            .filter(|confirmation| confirmation.attribute("Method") == Some(BEARER));
        let mut reason = refused("a subject without a bearer confirmation");
        for confirmation in bearers {
            match self.check_confirmation(confirmation) {
                Ok(request) => return Ok(request),
                Err(refusal) => reason = refusal,
            }
        }
        Err(reason)
    }

    fn check_confirmation(&self, confirmation: Node<'_, '_>) -> Result<Option<String>, Refusal> {
        let data = xml::only_child(confirmation, ASSERTION, "SubjectConfirmationData")
            .ok_or_else(|| refused("a subject confirmation without data"))?;
        if data.attribute("Recipient") != Some(self.provider.acs_url) {
            return Err(refused(format!(
                "the subject confirmation is not for the recipient {}",
                self.provider.acs_url
            )));
        }
        if !data.has_attribute("NotOnOrAfter") {
            return Err(refused("a subject confirmation without an expiry time"));
        }
        self.provider.check_window(data)?;
        let requests = [data, self.response].map(|node| node.attribute("InResponseTo"));
        match requests {
            [Some(signed), Some(outer)] if signed != outer => Err(refused("a response to two requests")),
            [signed, outer] => Ok(signed.or(outer.filter(|_| self.response_is_signed)).map(str::to_owned)),
        }
    }

    fn attributes(&self) -> Result<Vec<(String, Vec<String>)>, Refusal> {
        let statements = xml::children(self.assertion, ASSERTION, "AttributeStatement");
        let attributes = statements.flat_map(|statement| xml::children(statement, ASSERTION, "Attribute"));
        attributes
            .map(|attribute| {
                let name =
                    attribute.attribute("Name").ok_or_else(|| refused("an attribute without a name"))?;
                // Values that are not text, such as nested elements, cannot be names of groups.
                let values = xml::children(attribute, ASSERTION, "AttributeValue").filter_map(xml::text);
                Ok((name.to_owned(), values.collect()))
            })
            .collect()
    }
}

fn name_id(subject: Node<'_, '_>) -> Result<String, Refusal> {
    let name = xml::only_child(subject, ASSERTION, "NameID").and_then(xml::text);
    name.filter(|name| !name.is_empty()).ok_or(Refusal::NoNameId)
}

fn refused(reason: impl Into<String>) -> Refusal {
    Refusal::Extraction(reason.into())
}
