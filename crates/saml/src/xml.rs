//! The parts of XML that SAML needs.

use jiff::Timestamp;
use roxmltree::{Document, Node, ParsingOptions};

use crate::{budget::Budget, limits, refusal::quote};

pub(crate) const PROTOCOL: &str = "urn:oasis:names:tc:SAML:2.0:protocol";
pub(crate) const ASSERTION: &str = "urn:oasis:names:tc:SAML:2.0:assertion";
pub(crate) const METADATA: &str = "urn:oasis:names:tc:SAML:2.0:metadata";
pub(crate) const SIGNATURE: &str = "http://www.w3.org/2000/09/xmldsig#";

/// Maximum number of nodes of a document.
const MAX_NODES: u32 = 50_000;

/// Parses a document within the limits, without a document type and entities.
pub(crate) fn parse<'a>(text: &'a str, budget: &mut Budget) -> Result<Document<'a>, String> {
    limits::check(text, budget)?;
    let options = ParsingOptions { allow_dtd: false, nodes_limit: MAX_NODES, ..ParsingOptions::default() };
    Document::parse_with_options(text, options).map_err(|error| quote(&error.to_string()))
}

/// The child elements with this name.
pub(crate) fn children<'a, 'input>(
    parent: Node<'a, 'input>,
    namespace: &'static str,
    name: &'static str,
) -> impl Iterator<Item = Node<'a, 'input>> {
    parent.children().filter(move |child| child.has_tag_name((namespace, name)))
}

/// The child element with this name, if there is exactly one.
pub(crate) fn only_child<'a, 'input>(
    parent: Node<'a, 'input>,
    namespace: &'static str,
    name: &'static str,
) -> Option<Node<'a, 'input>> {
    let mut found = children(parent, namespace, name);
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

/// The trimmed text of an element. Comments and processing instructions do not split it: the canonical form omits
/// comments, so an attacker could otherwise shorten signed text by inserting one. Returns `None` for elements with
/// child elements.
pub(crate) fn text(element: Node<'_, '_>) -> Option<String> {
    if element.children().any(|child| child.is_element()) {
        return None;
    }
    let parts: String = element.children().filter(Node::is_text).filter_map(|child| child.text()).collect();
    Some(parts.trim().to_owned())
}

/// The value of an attribute that contains a time, if present.
pub(crate) fn time(element: Node<'_, '_>, attribute: &str) -> Result<Option<Timestamp>, String> {
    let Some(value) = element.attribute(attribute) else { return Ok(None) };
    let time = value.trim().parse().map_err(|_| format!("{attribute} \"{}\" is not a time", quote(value)))?;
    Ok(Some(time))
}

/// The name of an element with its prefix.
pub(crate) fn qualified_name<'input>(element: Node<'_, 'input>) -> &'input str {
    let source = &element.document().input_text()[element.range()];
    let name = source.strip_prefix('<').unwrap_or(source);
    let end = name.find(|c: char| c.is_ascii_whitespace() || c == '/' || c == '>').unwrap_or(name.len());
    &name[..end]
}

/// Escapes text for XML content and for values in double quotes.
pub(crate) fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            _ => escaped.push(c),
        }
    }
    escaped
}
