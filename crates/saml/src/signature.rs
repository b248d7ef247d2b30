//! Enveloped XML signatures in the only form that SAML allows (core specification, section 5.4).
//!
//! A signature is a child of the element that it signs and refers to it by ID. Nothing else is looked up, fetched or
//! transformed. The key is one of the provider's metadata. Keys in the signature are ignored.
//!
//! `SignedInfo` is verified first. The content that it refers to is canonicalized only if it was signed with one of the
//! provider's keys, because the sender is unknown until then.

use base64::{Engine as _, engine::general_purpose::STANDARD};
use roxmltree::Node;

use crate::{
    budget::Budget,
    canonical::{Form, canonicalize},
    key::{Algorithm, Hash, VerificationKey},
    refusal::{Refusal, quote},
    xml::{self, SIGNATURE},
};

const ENVELOPED: &str = "http://www.w3.org/2000/09/xmldsig#enveloped-signature";
/// Maximum length of a signature value or digest in Base64, in bytes. RSA of 4096 bits needs 684.
const MAX_VALUE: usize = 2048;
/// Maximum length of a `SignedInfo`, in bytes.
const MAX_SIGNED_INFO: usize = 16 << 10;
/// Maximum number of elements of a `SignedInfo`. The accepted form has 11.
const MAX_SIGNED_INFO_ELEMENTS: usize = 32;
/// Steps for trying one key. The slowest, ECDSA on P-521, takes about a millisecond.
const STEPS_PER_KEY: usize = 100_000;

/// Checks that a signature inside `signed` covers all of that element and was made with one of the keys.
pub(crate) fn verify<'a>(
    signed: Node<'a, 'a>,
    signature: Node<'a, 'a>,
    keys: &[VerificationKey],
    budget: &mut Budget,
) -> Result<(), Refusal> {
    let info = xml::only_child(signature, SIGNATURE, "SignedInfo").ok_or_else(|| malformed("SignedInfo"))?;
    let elements = info.descendants().filter(Node::is_element);
    if info.range().len() > MAX_SIGNED_INFO || elements.count() > MAX_SIGNED_INFO_ELEMENTS {
        return Err(Refusal::Extraction("a signature with a SignedInfo that is too long".to_owned()));
    }
    let reference = Reference::read(signed, info)?;
    check_key(signature, info, keys, budget)?;
    let content = canonicalize(signed, &reference.form, Some(signature.id()), budget)?;
    budget.spend(content.len())?;
    if reference.hash.digest(&content) == reference.digest {
        return Ok(());
    }
    Err(Refusal::Extraction("the digest does not match the content".into()))
}

/// Checks that `SignedInfo` was signed with one of the keys.
fn check_key<'a>(
    signature: Node<'a, 'a>,
    info: Node<'a, 'a>,
    keys: &[VerificationKey],
    budget: &mut Budget,
) -> Result<(), Refusal> {
    let algorithm = algorithm(info)?;
    let form = xml::only_child(info, SIGNATURE, "CanonicalizationMethod")
        .ok_or_else(|| malformed("CanonicalizationMethod"))?;
    let form = Form::read(form).map_err(Refusal::Extraction)?;
    let value = value(signature, "SignatureValue")?;
    let bytes = canonicalize(info, &form, None, budget)?;
    for key in keys {
        budget.spend(STEPS_PER_KEY + bytes.len())?;
        if key.verifies(algorithm, &bytes, &value) {
            return Ok(());
        }
    }
    Err(Refusal::Extraction("the signature does not verify with any of the provider's keys".into()))
}

fn algorithm(info: Node<'_, '_>) -> Result<Algorithm, Refusal> {
    let method =
        xml::only_child(info, SIGNATURE, "SignatureMethod").ok_or_else(|| malformed("SignatureMethod"))?;
    let name = method.attribute("Algorithm").unwrap_or_default();
    Algorithm::parse(name).ok_or_else(|| Refusal::AlgorithmNotAllowed(quote(name)))
}

/// The reference of a signature to its content.
struct Reference {
    form: Form,
    hash: Hash,
    digest: Vec<u8>,
}

impl Reference {
    /// Reads the reference, which must be to the whole parent element of the signature, without the signature itself.
    fn read(signed: Node<'_, '_>, info: Node<'_, '_>) -> Result<Self, Refusal> {
        let reference =
            xml::only_child(info, SIGNATURE, "Reference").ok_or_else(|| malformed("Reference"))?;
        let target = reference.attribute("URI").and_then(|uri| uri.strip_prefix('#'));
        if target.is_none_or(str::is_empty) || target != signed.attribute("ID") {
            return Err(Refusal::Extraction("the signature does not refer to its parent element".into()));
        }
        let form = transforms(reference)?;
        let method =
            xml::only_child(reference, SIGNATURE, "DigestMethod").ok_or_else(|| malformed("DigestMethod"))?;
        let name = method.attribute("Algorithm").unwrap_or_default();
        let hash = Hash::of_digest(name).ok_or_else(|| Refusal::AlgorithmNotAllowed(quote(name)))?;
        Ok(Self { form, hash, digest: value(reference, "DigestValue")? })
    }
}

/// The canonical form of the content. The only other allowed transform removes the signature.
fn transforms(reference: Node<'_, '_>) -> Result<Form, Refusal> {
    let list = xml::only_child(reference, SIGNATURE, "Transforms").ok_or_else(|| malformed("Transforms"))?;
    let listed: Vec<_> = list.children().filter(Node::is_element).collect();
    match listed.as_slice() {
        [first, second] if first.attribute("Algorithm") == Some(ENVELOPED) => {
            Form::read(*second).map_err(Refusal::Extraction)
        }
        _ => Err(Refusal::Extraction(
            "a signature with transforms other than enveloped signature and exclusive canonicalization"
                .into(),
        )),
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
    Refusal::Extraction(format!("a signature without exactly one well-formed {part}"))
}
