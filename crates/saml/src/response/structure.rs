use std::collections::HashMap;

use roxmltree::Node;

use crate::{
    refusal::Refusal,
    xml::{ASSERTION, SIGNATURE},
};

/// The relevant parts of a response, after checking that each of them is unique.
pub(super) struct ResponseParts<'a> {
    /// The only assertion.
    pub(super) assertion: Node<'a, 'a>,
    /// Signed elements with their signatures.
    pub(super) signatures: Vec<(Node<'a, 'a>, Node<'a, 'a>)>,
}

impl<'a> ResponseParts<'a> {
    /// Finds the parts. There must be one assertion in the whole document, directly in the response, and signatures
    /// only in these two, so that elements cannot be confused.
    pub(super) fn of(response: Node<'a, 'a>) -> Result<Self, Refusal> {
        let assertion = only_assertion(response)?;
        let mut signatures: Vec<(Node<'a, 'a>, Node<'a, 'a>)> = Vec::new();
        for signature in response.descendants().filter(|node| node.has_tag_name((SIGNATURE, "Signature"))) {
            let signed = [response, assertion].into_iter().find(|part| signature.parent() == Some(*part));
            let signed = signed.ok_or_else(|| refused("a signature in an unexpected place"))?;
            if signatures.iter().any(|(known, _)| *known == signed) {
                return Err(refused("two signatures in one place"));
            }
            signatures.push((signed, signature));
        }
        check_ids(response, &signatures)?;
        Ok(Self { assertion, signatures })
    }
}

fn only_assertion<'a>(response: Node<'a, 'a>) -> Result<Node<'a, 'a>, Refusal> {
    let is_named = |node: &Node<'a, 'a>, name| node.has_tag_name((ASSERTION, name));
    if response.descendants().any(|node| is_named(&node, "EncryptedAssertion")) {
        return Err(refused("encrypted assertions are not supported"));
    }
    let mut assertions = response.descendants().filter(|node| is_named(node, "Assertion"));
    let first = assertions.next().ok_or_else(|| refused("no assertion"))?;
    if assertions.next().is_some() {
        return Err(refused("more than one assertion"));
    }
    if first.parent() != Some(response) {
        return Err(refused("an assertion in an unexpected place"));
    }
    Ok(first)
}

/// The IDs of signed elements must be unique among all attributes that could be IDs.
fn check_ids<'a>(response: Node<'a, 'a>, signatures: &[(Node<'a, 'a>, Node<'a, 'a>)]) -> Result<(), Refusal> {
    let mut owners: HashMap<&str, usize> = HashMap::new();
    for attribute in response.descendants().flat_map(|node| node.attributes()) {
        if attribute.name().eq_ignore_ascii_case("id") {
            *owners.entry(attribute.value()).or_default() += 1;
        }
    }
    let unique = |node: &Node<'_, '_>| node.attribute("ID").is_some_and(|id| owners.get(id) == Some(&1));
    if signatures.iter().all(|(signed, _)| unique(signed)) {
        return Ok(());
    }
    Err(refused("the signed element has no unique ID"))
}

fn refused(reason: &str) -> Refusal {
    Refusal::Extraction(reason.to_owned())
}
