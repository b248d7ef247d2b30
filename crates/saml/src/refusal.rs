use crate::budget::Exceeded;

/// Maximum number of characters of a sender's text in a refusal.
const QUOTED: usize = 100;

/// The reason why a response is not accepted. The texts are part of the wire
/// (`docs/rules/identity-and-system.md#answers-of-providers`).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The field is not Base64.
    #[error("error base64 decoding SAMLResponse! {0}")]
    Base64(String),
    /// The decoded field is not UTF-8.
    #[error("decoded SAMLResponse not utf8 string! {0}")]
    Utf8(String),
    /// The text is not XML, or not a response.
    #[error("could not parse SAMLResponse string! {0}")]
    Xml(String),
    /// The response has no issuer.
    #[error("SAMLResponse has no issuer!")]
    NoIssuer,
    /// The issuer of the response is empty.
    #[error("SAMLResponse has a blank issuer!")]
    BlankIssuer,
    /// The response has this other issuer. The expected one is not stated, because anyone can send a response.
    #[error("SAMLResponse issuer {0} does not match configured idp entity id")]
    WrongIssuer(String),
    /// Status, structure, signature, destination, audience or times are invalid.
    #[error("could not extract SAMLResponse assertion! {0}")]
    Extraction(String),
    /// Neither the response nor its assertion is signed.
    #[error("assertion is missing signature!")]
    Unsigned,
    /// The signature algorithm is unsafe or unknown.
    #[error("signature algorithm {0} is not allowed")]
    AlgorithmNotAllowed(String),
    /// The assertion has no subject.
    #[error("no subject in assertion")]
    NoSubject,
    /// The subject has no name.
    #[error("no subject name id in assertion")]
    NoNameId,
}

impl From<Exceeded> for Refusal {
    fn from(error: Exceeded) -> Self {
        Self::Extraction(error.to_string())
    }
}

/// Shortens a sender's text to one line of limited length.
pub(crate) fn quote(text: &str) -> String {
    let mut characters = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut quoted: String = characters.by_ref().take(QUOTED).collect();
    if characters.next().is_some() {
        quoted.push('\u{2026}');
    }
    quoted
}
