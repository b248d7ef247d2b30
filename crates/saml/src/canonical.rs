//! [Exclusive canonical XML](https://www.w3.org/TR/xml-exc-c14n/) without comments: the bytes that are signed.
//!
//! SAML recommends this form, and providers use it. The inclusive form is not supported: in it, every element includes
//! all namespaces that are in scope, so that a short text could cause much work.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use roxmltree::{Attribute, Node, NodeId, NodeType};

use crate::{
    budget::{Budget, Exceeded},
    xml::qualified_name,
};

pub(crate) const EXCLUSIVE: &str = "http://www.w3.org/2001/10/xml-exc-c14n#";
/// Maximum number of prefixes in a `PrefixList`.
const MAX_LISTED: usize = 32;

/// The parameter of the canonical form: prefixes whose declarations are included wherever they are in scope, even if
/// they are not used. The empty prefix is the default namespace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Form(BTreeSet<String>);

impl Form {
    /// The form that includes the declarations of these prefixes.
    #[cfg(feature = "issuing")]
    pub(crate) fn showing(prefixes: &[&str]) -> Self {
        Self(prefixes.iter().map(|&prefix| prefix.to_owned()).collect())
    }

    /// Parses the element that specifies a canonical form, `Transform` or `CanonicalizationMethod`.
    pub(crate) fn read(element: Node<'_, '_>) -> Result<Self, String> {
        if element.attribute("Algorithm") != Some(EXCLUSIVE) {
            return Err("only exclusive canonicalization without comments is supported".to_owned());
        }
        let mut listed = BTreeSet::new();
        for child in element.children().filter(Node::is_element) {
            if !child.has_tag_name((EXCLUSIVE, "InclusiveNamespaces")) {
                return Err("canonicalization with an unknown parameter".to_owned());
            }
            for prefix in child.attribute("PrefixList").unwrap_or_default().split_ascii_whitespace() {
                listed.insert(if prefix == "#default" { "" } else { prefix }.to_owned());
                if listed.len() > MAX_LISTED {
                    return Err(format!("canonicalization with more than {MAX_LISTED} prefixes"));
                }
            }
        }
        Ok(Self(listed))
    }
}

/// The canonical form of an element and its content, omitting the node `without`.
pub(crate) fn canonicalize<'a>(
    element: Node<'a, 'a>,
    form: &Form,
    without: Option<NodeId>,
    budget: &mut Budget,
) -> Result<Vec<u8>, Exceeded> {
    let mut writer = Writer { form, without, shown: HashMap::new(), out: Vec::new(), budget };
    writer.element(element)?;
    Ok(writer.out)
}

struct Writer<'f, 'a> {
    form: &'f Form,
    without: Option<NodeId>,
    /// The namespaces declared by the enclosing elements in the output, by prefix.
    shown: HashMap<&'a str, &'a str>,
    out: Vec<u8>,
    budget: &'f mut Budget,
}

impl<'a> Writer<'_, 'a> {
    fn node(&mut self, node: Node<'a, 'a>) -> Result<(), Exceeded> {
        self.budget.spend(1)?;
        if Some(node.id()) == self.without {
            return Ok(());
        }
        match node.node_type() {
            NodeType::Element => self.element(node),
            NodeType::Text => self.text(node.text().unwrap_or_default()),
            NodeType::PI => self.instruction(node),
            NodeType::Comment | NodeType::Root => Ok(()),
        }
    }

    fn element(&mut self, element: Node<'a, 'a>) -> Result<(), Exceeded> {
        let name = qualified_name(element);
        self.push("<")?;
        self.push(name)?;
        let hidden = self.declarations(element, name)?;
        for attribute in self.attributes(element)? {
            self.push(" ")?;
            self.push(written_name(element, &attribute))?;
            self.push("=\"")?;
            self.value(attribute.value())?;
            self.push("\"")?;
        }
        self.push(">")?;
        for child in element.children() {
            self.node(child)?;
        }
        self.push("</")?;
        self.push(name)?;
        self.push(">")?;
        for (prefix, uri) in hidden {
            match uri {
                Some(uri) => self.shown.insert(prefix, uri),
                None => self.shown.remove(prefix),
            };
        }
        Ok(())
    }

    /// Writes the declarations that this element needs. Returns the enclosing declarations that it replaces.
    fn declarations(
        &mut self,
        element: Node<'a, 'a>,
        name: &'a str,
    ) -> Result<Vec<(&'a str, Option<&'a str>)>, Exceeded> {
        let mut hidden = Vec::new();
        for (prefix, uri) in self.needed(element, name)? {
            let shown = self.shown.get(prefix).copied();
            if prefix == "xml" || shown.unwrap_or_default() == uri {
                continue;
            }
            self.push(if prefix.is_empty() { " xmlns" } else { " xmlns:" })?;
            self.push(prefix)?;
            self.push("=\"")?;
            self.value(uri)?;
            self.push("\"")?;
            self.shown.insert(prefix, uri);
            hidden.push((prefix, shown));
        }
        Ok(hidden)
    }

    /// The namespaces that this element uses, and those of the prefix list that are in scope, sorted by prefix.
    fn needed(
        &mut self,
        element: Node<'a, 'a>,
        name: &'a str,
    ) -> Result<BTreeMap<&'a str, &'a str>, Exceeded> {
        let mut needed = BTreeMap::new();
        let prefix = name.split_once(':').map_or("", |(prefix, _)| prefix);
        needed.insert(prefix, element.tag_name().namespace().unwrap_or_default());
        for attribute in element.attributes() {
            self.budget.spend(1)?;
            if let Some((prefix, _)) = written_name(element, &attribute).split_once(':') {
                needed.insert(prefix, attribute.namespace().unwrap_or_default());
            }
        }
        if self.form.0.is_empty() {
            return Ok(needed);
        }
        if self.form.0.contains("") {
            needed.insert("", element.default_namespace().unwrap_or_default());
        }
        for namespace in element.namespaces() {
            self.budget.spend(1)?;
            let prefix = namespace.name().unwrap_or_default();
            if self.form.0.contains(prefix) {
                needed.insert(prefix, namespace.uri());
            }
        }
        Ok(needed)
    }

    /// The attributes in canonical order.
    fn attributes(&mut self, element: Node<'a, 'a>) -> Result<Vec<Attribute<'a, 'a>>, Exceeded> {
        let mut attributes: Vec<_> = element.attributes().collect();
        self.budget.spend(attributes.len() * attributes.len().checked_ilog2().unwrap_or(0) as usize)?;
        attributes.sort_by(|a, b| key(a).cmp(&key(b)));
        Ok(attributes)
    }

    fn instruction(&mut self, node: Node<'_, '_>) -> Result<(), Exceeded> {
        let Some(instruction) = node.pi() else { return Ok(()) };
        self.push("<?")?;
        self.push(instruction.target)?;
        if let Some(value) = instruction.value {
            self.push(" ")?;
            self.push(value)?;
        }
        self.push("?>")
    }

    fn text(&mut self, text: &str) -> Result<(), Exceeded> {
        self.escaped(text, |c| match c {
            '&' => Some("&amp;"),
            '<' => Some("&lt;"),
            '>' => Some("&gt;"),
            '\r' => Some("&#xD;"),
            _ => None,
        })
    }

    fn value(&mut self, text: &str) -> Result<(), Exceeded> {
        self.escaped(text, |c| match c {
            '&' => Some("&amp;"),
            '<' => Some("&lt;"),
            '"' => Some("&quot;"),
            '\t' => Some("&#x9;"),
            '\n' => Some("&#xA;"),
            '\r' => Some("&#xD;"),
            _ => None,
        })
    }

    fn escaped(&mut self, text: &str, escape: impl Fn(char) -> Option<&'static str>) -> Result<(), Exceeded> {
        let mut plain = 0;
        for (place, c) in text.char_indices() {
            if let Some(escaped) = escape(c) {
                self.push(&text[plain..place])?;
                self.push(escaped)?;
                plain = place + c.len_utf8();
            }
        }
        self.push(&text[plain..])
    }

    fn push(&mut self, text: &str) -> Result<(), Exceeded> {
        self.budget.spend(text.len())?;
        self.out.extend_from_slice(text.as_bytes());
        Ok(())
    }
}

/// The name of an attribute with its prefix.
fn written_name<'a>(element: Node<'a, 'a>, attribute: &Attribute<'a, 'a>) -> &'a str {
    &element.document().input_text()[attribute.range_qname()]
}

fn key<'a>(attribute: &Attribute<'a, 'a>) -> (&'a str, &'a str) {
    (attribute.namespace().unwrap_or_default(), attribute.name())
}
