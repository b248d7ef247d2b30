//! Limits of documents, which are checked before they are parsed.
//!
//! The parser compares each attribute of an element with the others, looks up each prefix among the namespaces in
//! scope, and copies these from each element to its children. Without limits on depth, attributes and declarations,
//! time and memory would be out of proportion to the length of the document. The sender of a response is unknown until
//! the document is verified.

use crate::budget::Budget;

/// Maximum depth of nested elements.
const MAX_DEPTH: usize = 64;
/// Maximum number of elements.
const MAX_ELEMENTS: usize = 10_000;
/// Maximum number of attributes of an element, including namespace declarations.
const MAX_ATTRIBUTES: usize = 64;
/// Maximum number of attributes in the document.
const MAX_ATTRIBUTES_IN_ALL: usize = 20_000;
/// Maximum length of a start tag with its attributes, in bytes.
const MAX_TAG: usize = 16 << 10;
/// Maximum number of namespace declarations in the document. Usually there are two for each attribute value.
const MAX_DECLARATIONS: usize = 4096;
/// Maximum number of namespace declarations on an element and its ancestors.
const MAX_IN_SCOPE: usize = 64;
/// Maximum length of the document, in bytes.
const MAX_LENGTH: usize = 1 << 20;

/// Refuses documents that are too deep, too wide or too long, and documents with a document type: SAML does not use
/// entities, and parsers were often attacked through them. Counts the work of parsing the document.
pub(crate) fn check(text: &str, budget: &mut Budget) -> Result<(), String> {
    if text.len() > MAX_LENGTH {
        return Err(format!("more than {MAX_LENGTH} bytes"));
    }
    // The text is read here and by the parser.
    budget.spend(2 * text.len()).map_err(|error| error.to_string())?;
    Scan::of(text, budget).map(drop)
}

/// What was found in the document so far.
#[derive(Default)]
struct Scan {
    /// The number of namespaces declared by each open element.
    open: Vec<usize>,
    /// The sum of these.
    in_scope: usize,
    elements: usize,
    attributes: usize,
    declarations: usize,
}

impl Scan {
    fn of(text: &str, budget: &mut Budget) -> Result<Self, String> {
        let mut scan = Self::default();
        let mut rest = text;
        while let Some(start) = rest.find('<') {
            let markup = &rest[start..];
            rest = &markup[scan.markup(markup, budget)?..];
        }
        Ok(scan)
    }

    /// Counts the markup at the start of the text. Returns its length.
    fn markup(&mut self, text: &str, budget: &mut Budget) -> Result<usize, String> {
        // The end is searched for after the start: `<!-->` starts a comment and does not end it.
        let after = |start: &str, end: &str| {
            let position = text[start.len()..].find(end).ok_or("unterminated markup")?;
            Ok::<_, String>(start.len() + position + end.len())
        };
        if text.starts_with("<!--") {
            return after("<!--", "-->");
        }
        if text.starts_with("<![CDATA[") {
            return after("<![CDATA[", "]]>");
        }
        if text.starts_with("<?") {
            return after("<?", "?>");
        }
        if text.starts_with("<!") {
            return Err("a document type is not allowed".to_owned());
        }
        if text.starts_with("</") {
            self.in_scope -= self.open.pop().unwrap_or(0);
            return after("</", ">");
        }
        let tag = StartTag::read(text)?;
        self.opens(&tag)?;
        let attributes = tag.attributes;
        let steps = (1 + attributes) * (1 + self.in_scope + tag.declarations) + attributes * attributes;
        budget.spend(steps).map_err(|error| error.to_string())?;
        if !tag.is_empty {
            self.open.push(tag.declarations);
            self.in_scope += tag.declarations;
        }
        Ok(tag.length)
    }

    fn opens(&mut self, tag: &StartTag) -> Result<(), String> {
        self.elements += 1;
        self.attributes += tag.attributes;
        self.declarations += tag.declarations;
        let depth = self.open.len() + usize::from(!tag.is_empty);
        for (count, most, what) in [
            (depth, MAX_DEPTH, "levels of nested elements"),
            (self.elements, MAX_ELEMENTS, "elements"),
            (self.attributes, MAX_ATTRIBUTES_IN_ALL, "attributes"),
            (self.declarations, MAX_DECLARATIONS, "namespace declarations"),
            (self.in_scope + tag.declarations, MAX_IN_SCOPE, "namespace declarations in scope"),
        ] {
            if count > most {
                return Err(format!("more than {most} {what}"));
            }
        }
        Ok(())
    }
}

/// The relevant parts of a start tag or empty-element tag.
#[derive(Default)]
struct StartTag {
    length: usize,
    attributes: usize,
    declarations: usize,
    is_empty: bool,
}

impl StartTag {
    fn read(text: &str) -> Result<Self, String> {
        let mut tag = Self::default();
        let mut quote = None;
        // The end of the last attribute, or the start of the tag.
        let mut start = 0;
        for (position, byte) in text.bytes().enumerate().skip(1).take(MAX_TAG) {
            match (quote, byte) {
                (None, b'>') => {
                    tag.is_empty = text.as_bytes()[position - 1] == b'/';
                    tag.length = position + 1;
                    return Ok(tag);
                }
                (None, b'"' | b'\'') => {
                    quote = Some(byte);
                    tag.attribute(&text[start..position])?;
                }
                (Some(open), byte) if open == byte => {
                    quote = None;
                    start = position + 1;
                }
                _ => {}
            }
        }
        if text.len() > MAX_TAG {
            return Err(format!("an element with a tag of more than {MAX_TAG} bytes"));
        }
        Err("unterminated markup".to_owned())
    }

    /// Counts an attribute, given the text before its value.
    fn attribute(&mut self, text: &str) -> Result<(), String> {
        self.attributes += 1;
        if self.attributes > MAX_ATTRIBUTES {
            return Err(format!("an element with more than {MAX_ATTRIBUTES} attributes"));
        }
        let name = text.trim_end_matches(|c: char| c == '=' || c.is_ascii_whitespace());
        let name = name.rsplit(|c: char| c.is_ascii_whitespace()).next().unwrap_or_default();
        self.declarations += usize::from(name == "xmlns" || name.starts_with("xmlns:"));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn check(text: &str) -> Result<(), String> {
        super::check(text, &mut Budget::default())
    }

    #[test]
    fn ordinary_documents_pass() {
        let text = "<?xml version=\"1.0\"?><!-- <<<< --><a b='>' c=\"/\"><d/>x<![CDATA[<a><a>]]></a>";
        assert_eq!(check(text), Ok(()));
        assert_eq!(check(&"<a/>".repeat(10_000)), Ok(()));
        assert_eq!(check(&"<a xmlns = 'b'\nxmlns:c='d'></a>".repeat(2000)), Ok(()));
        assert_eq!(check(""), Ok(()));
        assert_eq!(check("</a></a>"), Ok(()));
    }

    #[test]
    fn nothing_hides_from_the_scan_in_what_is_not_markup() {
        let deep = "<x>".repeat(65);
        for hidden in [
            format!("<!--><a b=\"-->{deep}"),
            format!("<?><a b=\"?>{deep}"),
            format!("<![CDATA[]><a b=\"]]>{deep}"),
            format!("<!--<a b='-->{deep}"),
        ] {
            assert_eq!(check(&hidden).unwrap_err(), "more than 64 levels of nested elements", "{hidden}");
        }
    }

    #[test]
    fn excess_is_refused() {
        let nested = |count: usize, tag: &str| tag.repeat(count);
        let cases = [
            (nested(65, "<a>"), "more than 64 levels of nested elements"),
            ("<a/>".repeat(10_001), "more than 10000 elements"),
            (format!("<a{}/>", " b=''".repeat(65)), "an element with more than 64 attributes"),
            (format!("<a{}/>", " b=''".repeat(60)).repeat(334), "more than 20000 attributes"),
            ("<a xmlns='b'/>".repeat(4097), "more than 4096 namespace declarations"),
            (nested(33, "<a xmlns='b' xmlns:c='d'>"), "more than 64 namespace declarations in scope"),
            (
                format!("{}<a\n xmlns:e = 'f'/>", nested(32, "<a xmlns='b' xmlns:c='d'>")),
                "more than 64 namespace declarations in scope",
            ),
            (format!("<a b='{}'/>", " ".repeat(MAX_TAG)), "an element with a tag of more than 16384 bytes"),
            (" ".repeat(MAX_LENGTH + 1), "more than 1048576 bytes"),
            ("<!DOCTYPE a><a/>".to_owned(), "a document type is not allowed"),
            ("<a b='".to_owned(), "unterminated markup"),
            ("<!-- ".to_owned(), "unterminated markup"),
        ];
        for (text, expected) in cases {
            assert_eq!(check(&text).unwrap_err(), expected);
        }
        let error = super::check("<a/>", &mut Budget::new(5)).unwrap_err();
        assert_eq!(error, "it would take too much work to verify");
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(2000) })]

        /// The scan finds all elements and attributes of every document that the parser accepts.
        #[test]
        fn the_scan_sees_what_the_parser_sees(pieces in prop::collection::vec(prop::sample::select(vec![
            "<!--", "-->", "--", "->", ">", "<![CDATA[", "]]>", "]", "<?x", "<?", "?>", "?", "<a", "<b", "</a>", "</b>",
            "/>", " c='", " d=\"", "'", "\"", " xmlns='e'", " xmlns:f = \"g\"", "<", "/", " ", "x", "<a>", "<b/>",
        ]), 0..24)) {
            let text = format!("<a>{}</a>", pieces.concat());
            let Ok(document) = roxmltree::Document::parse(&text) else { return Ok(()) };
            let scan = Scan::of(&text, &mut Budget::default()).unwrap();
            let elements: Vec<_> = document.descendants().filter(roxmltree::Node::is_element).collect();
            prop_assert_eq!(scan.elements, elements.len());
            let attributes: usize = elements.iter().map(|element| element.attributes().count()).sum();
            prop_assert_eq!(scan.attributes - scan.declarations, attributes);
        }
    }
}
