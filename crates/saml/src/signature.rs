//! Enveloped XML signatures, in the one shape that SAML allows (core specification, section 5.4).
//!
//! A signature stands directly in what it signs and refers to it by id; nothing else is looked up, fetched or
//! transformed. The key comes from the provider's metadata alone: what the signature says about keys is not read.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use roxmltree::Node;

use crate::{
    canonical::{Form, canonicalize},
    key::{Algorithm, Hash, VerificationKey},
    refusal::Refusal,
    xml::{self, SIGNATURE},
};

const ENVELOPED: &str = "http://www.w3.org/2000/09/xmldsig#enveloped-signature";
/// Bytes of a signature's value or a digest in Base64; 8192-bit RSA needs a good thousand.
const MAX_VALUE: usize = 4096;

/// Checks that a signature, which stands in `signed`, covers all of it and was made with one of the keys.
pub(crate) fn verify<'a>(
    signed: Node<'a, 'a>,
    signature: Node<'a, 'a>,
    keys: &[VerificationKey],
) -> Result<(), Refusal> {
    let info = xml::only_child(signature, SIGNATURE, "SignedInfo").ok_or_else(|| malformed("SignedInfo"))?;
    let algorithm = algorithm(info)?;
    check_reference(signed, signature, info)?;
    let form = xml::only_child(info, SIGNATURE, "CanonicalizationMethod")
        .ok_or_else(|| malformed("CanonicalizationMethod"))?;
    let bytes = canonicalize(info, &Form::read(form).map_err(Refusal::Extraction)?, None);
    let value = value(signature, "SignatureValue")?;
    if keys.iter().any(|key| key.verifies(algorithm, &bytes, &value)) {
        return Ok(());
    }
    Err(Refusal::Extraction(
        "the signature was made with none of the provider's keys, or of something else".into(),
    ))
}

fn algorithm(info: Node<'_, '_>) -> Result<Algorithm, Refusal> {
    let method =
        xml::only_child(info, SIGNATURE, "SignatureMethod").ok_or_else(|| malformed("SignatureMethod"))?;
    let name = method.attribute("Algorithm").unwrap_or_default();
    Algorithm::parse(name).ok_or_else(|| Refusal::AlgorithmNotAllowed(name.to_owned()))
}

/// Checks that what was signed is the element in which the signature stands, whole but for the signature itself.
fn check_reference<'a>(
    signed: Node<'a, 'a>,
    signature: Node<'a, 'a>,
    info: Node<'a, 'a>,
) -> Result<(), Refusal> {
    let reference = xml::only_child(info, SIGNATURE, "Reference").ok_or_else(|| malformed("Reference"))?;
    let target = reference.attribute("URI").and_then(|uri| uri.strip_prefix('#'));
    if target.is_none_or(str::is_empty) || target != signed.attribute("ID") {
        return Err(Refusal::Extraction("the signature refers to something else than it stands in".into()));
    }
    let form = transforms(reference)?;
    let method =
        xml::only_child(reference, SIGNATURE, "DigestMethod").ok_or_else(|| malformed("DigestMethod"))?;
    let name = method.attribute("Algorithm").unwrap_or_default();
    let hash = Hash::of_digest(name).ok_or_else(|| Refusal::AlgorithmNotAllowed(name.to_owned()))?;
    let digest = hash.digest(&canonicalize(signed, &form, Some(signature.id())));
    if digest == value(reference, "DigestValue")? {
        return Ok(());
    }
    Err(Refusal::Extraction("the content is not what was signed".into()))
}

/// The canonical form of what was signed. The only other transformation is leaving out the signature.
fn transforms(reference: Node<'_, '_>) -> Result<Form, Refusal> {
    let list = xml::only_child(reference, SIGNATURE, "Transforms").ok_or_else(|| malformed("Transforms"))?;
    let listed: Vec<_> = list.children().filter(Node::is_element).collect();
    let is_enveloped = |node: &Node<'_, '_>| node.attribute("Algorithm") == Some(ENVELOPED);
    match listed.as_slice() {
        [first] if is_enveloped(first) => Ok(Form::Inclusive),
        [first, second] if is_enveloped(first) => Form::read(*second).map_err(Refusal::Extraction),
        _ => Err(Refusal::Extraction("a signature of something that was transformed".into())),
    }
}

fn value(parent: Node<'_, '_>, name: &'static str) -> Result<Vec<u8>, Refusal> {
    let element = xml::only_child(parent, SIGNATURE, name).ok_or_else(|| malformed(name))?;
    let mut text = xml::text(element).ok_or_else(|| malformed(name))?;
    text.retain(|c| !c.is_ascii_whitespace());
    let bytes = (text.len() <= MAX_VALUE).then(|| STANDARD.decode(text).ok()).flatten();
    bytes.ok_or_else(|| malformed(name))
}

fn malformed(part: &str) -> Refusal {
    Refusal::Extraction(format!("a signature without one well-formed {part}"))
}
