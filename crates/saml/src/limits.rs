//! What a document may cost before anybody parses it.
//!
//! The parser compares each attribute of an element with the others and hands namespaces from each element down to
//! the next, so that depth, attributes and declarations without bound would cost time and memory out of proportion
//! to the document's length. Whoever posts to the assertion consumer is unknown until the document is checked.

/// Elements within each other.
const MAX_DEPTH: usize = 64;
/// Attributes of one element.
const MAX_ATTRIBUTES: usize = 64;
/// Declarations of namespaces in the document.
const MAX_DECLARATIONS: usize = 1024;
/// Bytes of the document.
const MAX_LENGTH: usize = 1 << 20;

/// Refuses what is too deep, too wide or too long, and everything with a document type: entities have no place in
/// SAML and have been the way into many parsers.
pub(crate) fn check(text: &str) -> Result<(), String> {
    if text.len() > MAX_LENGTH {
        return Err(format!("more than {MAX_LENGTH} bytes"));
    }
    let declarations = text.matches("xmlns").count();
    if declarations > MAX_DECLARATIONS {
        return Err(format!("more than {MAX_DECLARATIONS} declarations of namespaces"));
    }
    let mut depth = 0_usize;
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        let tag = &rest[start..];
        let (length, change) = measure(tag)?;
        match change {
            Change::Opens => depth += 1,
            Change::Closes => depth = depth.saturating_sub(1),
            Change::Neither => {}
        }
        if depth > MAX_DEPTH {
            return Err(format!("more than {MAX_DEPTH} elements within each other"));
        }
        rest = &tag[length..];
    }
    Ok(())
}

enum Change {
    Opens,
    Closes,
    Neither,
}

/// The length of the markup at the start of `tag`, and what it does to the depth.
fn measure(tag: &str) -> Result<(usize, Change), String> {
    let until = |end: &str| {
        let position = tag.find(end).ok_or("markup without an end")?;
        Ok::<_, String>((position + end.len(), Change::Neither))
    };
    if tag.starts_with("<!--") {
        return until("-->");
    }
    if tag.starts_with("<![CDATA[") {
        return until("]]>");
    }
    if tag.starts_with("<?") {
        return until("?>");
    }
    if tag.starts_with("<!") {
        return Err("a document type is not allowed".to_owned());
    }
    if tag.starts_with("</") {
        return until(">").map(|(length, _)| (length, Change::Closes));
    }
    start_tag(tag)
}

fn start_tag(tag: &str) -> Result<(usize, Change), String> {
    let mut quote = None;
    let mut attributes = 0;
    let mut last = 0;
    for (position, byte) in tag.bytes().enumerate().skip(1) {
        match (quote, byte) {
            (None, b'>') => {
                let change = if last == b'/' { Change::Neither } else { Change::Opens };
                return Ok((position + 1, change));
            }
            (None, b'"' | b'\'') => {
                quote = Some(byte);
                attributes += 1;
                if attributes > MAX_ATTRIBUTES {
                    return Err(format!("an element with more than {MAX_ATTRIBUTES} attributes"));
                }
            }
            (Some(open), byte) if open == byte => quote = None,
            _ => {}
        }
        last = byte;
    }
    Err("markup without an end".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_documents_pass() {
        let text = "<?xml version=\"1.0\"?><!-- <<<< --><a b='>' c=\"/\"><d/>x<![CDATA[<a><a>]]></a>";
        assert_eq!(check(text), Ok(()));
        assert_eq!(check(&"<a/>".repeat(10_000)), Ok(()));
        assert_eq!(check(""), Ok(()));
    }

    #[test]
    fn excess_is_refused() {
        let cases = [
            ("<a>".repeat(65), "more than 64 elements within each other"),
            (format!("<a{}/>", " b=''".repeat(65)), "an element with more than 64 attributes"),
            ("<a xmlns='b'/>".repeat(1025), "more than 1024 declarations of namespaces"),
            (" ".repeat(MAX_LENGTH + 1), "more than 1048576 bytes"),
            ("<!DOCTYPE a><a/>".to_owned(), "a document type is not allowed"),
            ("<a b='".to_owned(), "markup without an end"),
            ("<!-- ".to_owned(), "markup without an end"),
        ];
        for (text, expected) in cases {
            assert_eq!(check(&text).unwrap_err(), expected);
        }
    }
}
