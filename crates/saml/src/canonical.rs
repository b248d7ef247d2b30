//! Canonical XML without comments: the bytes that signatures are made of.
//!
//! [Exclusive](https://www.w3.org/TR/xml-exc-c14n/) canonical form is what SAML asks for;
//! [inclusive](https://www.w3.org/TR/xml-c14n) form is what XML signatures fall back to when nothing is said.

use std::collections::BTreeSet;

use roxmltree::{Attribute, Node, NodeId, NodeType};

use crate::xml::qualified_name;

const XML_NAMESPACE: &str = "http://www.w3.org/XML/1998/namespace";
const EXCLUSIVE: &str = "http://www.w3.org/2001/10/xml-exc-c14n#";
const INCLUSIVE: &str = "http://www.w3.org/TR/2001/REC-xml-c14n-20010315";

/// Which namespaces a canonical form shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// All that are in scope.
    Inclusive,
    /// Those in use, and those with the listed prefixes; the empty one stands for the default namespace.
    Exclusive(Vec<String>),
}

impl Form {
    /// Reads the element that names a canonical form, `Transform` or `CanonicalizationMethod`.
    pub(crate) fn read(element: Node<'_, '_>) -> Result<Self, String> {
        match element.attribute("Algorithm") {
            Some(EXCLUSIVE) => Ok(Self::Exclusive(prefixes(element)?)),
            Some(INCLUSIVE) if !element.has_children() => Ok(Self::Inclusive),
            other => Err(format!("canonical form {} is not supported", other.unwrap_or("without a name"))),
        }
    }
}

fn prefixes(element: Node<'_, '_>) -> Result<Vec<String>, String> {
    let mut listed = Vec::new();
    for child in element.children().filter(Node::is_element) {
        if !child.has_tag_name((EXCLUSIVE, "InclusiveNamespaces")) {
            return Err("a canonical form with an unknown parameter".to_owned());
        }
        let list = child.attribute("PrefixList").unwrap_or_default().split_ascii_whitespace();
        listed.extend(list.map(|prefix| if prefix == "#default" { "" } else { prefix }.to_owned()));
    }
    Ok(listed)
}

/// The canonical bytes of an element and what is in it, `without` one node.
pub(crate) fn canonicalize<'a>(element: Node<'a, 'a>, form: &Form, without: Option<NodeId>) -> Vec<u8> {
    let mut writer = Writer { form, without, apex: element.id(), shown: Vec::new(), out: Vec::new() };
    writer.element(element);
    writer.out
}

struct Writer<'f, 'a> {
    form: &'f Form,
    without: Option<NodeId>,
    apex: NodeId,
    /// Declarations written on the elements around this one: prefix and name, the last one valid.
    shown: Vec<(&'a str, &'a str)>,
    out: Vec<u8>,
}

impl<'a> Writer<'_, 'a> {
    fn node(&mut self, node: Node<'a, 'a>) {
        if Some(node.id()) == self.without {
            return;
        }
        match node.node_type() {
            NodeType::Element => self.element(node),
            NodeType::Text => self.text(node.text().unwrap_or_default()),
            NodeType::PI => self.instruction(node),
            NodeType::Comment | NodeType::Root => {}
        }
    }

    fn element(&mut self, element: Node<'a, 'a>) {
        let name = qualified_name(element);
        let outer = self.shown.len();
        self.push("<");
        self.push(name);
        self.declarations(element, name);
        for attribute in self.attributes(element) {
            self.push(" ");
            self.push(&element.document().input_text()[attribute.range_qname()]);
            self.push("=\"");
            self.value(attribute.value());
            self.push("\"");
        }
        self.push(">");
        for child in element.children() {
            self.node(child);
        }
        self.push("</");
        self.push(name);
        self.push(">");
        self.shown.truncate(outer);
    }

    fn declarations(&mut self, element: Node<'a, 'a>, name: &'a str) {
        for prefix in self.needed(element, name) {
            let selector = (!prefix.is_empty()).then_some(prefix);
            let uri = element.lookup_namespace_uri(selector).unwrap_or_default();
            let shown = self.shown.iter().rev().find(|(known, _)| *known == prefix).map(|(_, uri)| *uri);
            if prefix == "xml" || shown.unwrap_or_default() == uri {
                continue;
            }
            self.push(if prefix.is_empty() { " xmlns" } else { " xmlns:" });
            self.push(prefix);
            self.push("=\"");
            self.value(uri);
            self.push("\"");
            self.shown.push((prefix, uri));
        }
    }

    /// The prefixes whose declarations this element must show, in order; the empty one first.
    fn needed(&self, element: Node<'a, 'a>, name: &'a str) -> BTreeSet<&'a str> {
        let in_scope = element.namespaces().map(|namespace| namespace.name().unwrap_or_default());
        match self.form {
            Form::Inclusive => in_scope.chain([""]).collect(),
            Form::Exclusive(listed) => {
                let source = element.document().input_text();
                let names = element.attributes().map(|attribute| &source[attribute.range_qname()]);
                let of_attributes = names.filter_map(|name| Some(name.split_once(':')?.0));
                let of_element = name.split_once(':').map_or("", |(prefix, _)| prefix);
                let listed = in_scope.chain([""]).filter(|prefix| listed.iter().any(|known| known == prefix));
                of_attributes.chain([of_element]).chain(listed).collect()
            }
        }
    }

    /// The attributes in order. The inclusive form also shows the `xml:` ones that the outermost element inherits.
    fn attributes(&self, element: Node<'a, 'a>) -> Vec<Attribute<'a, 'a>> {
        let mut attributes: Vec<_> = element.attributes().collect();
        if *self.form == Form::Inclusive && element.id() == self.apex {
            let inherited = element.ancestors().skip(1).flat_map(|ancestor| ancestor.attributes());
            for attribute in inherited.filter(|attribute| attribute.namespace() == Some(XML_NAMESPACE)) {
                if !attributes.iter().any(|own| key(own) == key(&attribute)) {
                    attributes.push(attribute);
                }
            }
        }
        attributes.sort_by(|a, b| key(a).cmp(&key(b)));
        attributes
    }

    fn instruction(&mut self, node: Node<'_, '_>) {
        let Some(instruction) = node.pi() else { return };
        self.push("<?");
        self.push(instruction.target);
        if let Some(value) = instruction.value {
            self.push(" ");
            self.push(value);
        }
        self.push("?>");
    }

    fn text(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                '&' => self.push("&amp;"),
                '<' => self.push("&lt;"),
                '>' => self.push("&gt;"),
                '\r' => self.push("&#xD;"),
                _ => self.push(c.encode_utf8(&mut [0; 4])),
            }
        }
    }

    fn value(&mut self, text: &str) {
        for c in text.chars() {
            match c {
                '&' => self.push("&amp;"),
                '<' => self.push("&lt;"),
                '"' => self.push("&quot;"),
                '\t' => self.push("&#x9;"),
                '\n' => self.push("&#xA;"),
                '\r' => self.push("&#xD;"),
                _ => self.push(c.encode_utf8(&mut [0; 4])),
            }
        }
    }

    fn push(&mut self, text: &str) {
        self.out.extend_from_slice(text.as_bytes());
    }
}

fn key<'a>(attribute: &Attribute<'a, 'a>) -> (&'a str, &'a str) {
    (attribute.namespace().unwrap_or_default(), attribute.name())
}
