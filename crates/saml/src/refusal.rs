use crate::budget::Exceeded;

/// Most characters of a sender's text that a refusal repeats.
const QUOTED: usize = 100;

/// Why an answer of an identity provider is not accepted. The texts are the wire's
/// (`docs/rules/identity-and-system.md#answers-of-providers`).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The field is not Base64.
    #[error("error base64 decoding SAMLResponse! {0}")]
    Base64(String),
    /// The decoded field is not text.
    #[error("decoded SAMLResponse not utf8 string! {0}")]
    Utf8(String),
    /// The text is not XML, or not an answer.
    #[error("could not parse SAMLResponse string! {0}")]
    Xml(String),
    /// The answer does not say who made it.
    #[error("SAMLResponse has no issuer!")]
    NoIssuer,
    /// The answer's issuer is empty.
    #[error("SAMLResponse has a blank issuer!")]
    BlankIssuer,
    /// The answer comes from somebody else: from whom. Who it should come from is not said: anybody may ask.
    #[error("SAMLResponse issuer {0} does not match configured idp entity id")]
    WrongIssuer(String),
    /// Status, structure, signature, destination, audience or times are wrong.
    #[error("could not extract SAMLResponse assertion! {0}")]
    Extraction(String),
    /// Neither the answer nor the assertion in it is signed.
    #[error("assertion is missing signature!")]
    Unsigned,
    /// The signature is made in a way that is not safe, or not known.
    #[error("signature algorithm {0} is not allowed")]
    AlgorithmNotAllowed(String),
    /// The assertion has no subject.
    #[error("no subject in assertion")]
    NoSubject,
    /// The assertion does not name whom it is about.
    #[error("no subject name id in assertion")]
    NoNameId,
}

impl From<Exceeded> for Refusal {
    fn from(error: Exceeded) -> Self {
        Self::Extraction(error.to_string())
    }
}

/// A sender's text as a refusal repeats it: one line, and not more than it takes to recognize it.
pub(crate) fn quote(text: &str) -> String {
    let mut characters = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    let mut quoted: String = characters.by_ref().take(QUOTED).collect();
    if characters.next().is_some() {
        quoted.push('\u{2026}');
    }
    quoted
}
