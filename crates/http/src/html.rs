//! Escaping of text in HTML.

/// Escapes text for an attribute value in HTML.
pub fn attribute(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_for_attributes() {
        assert_eq!(attribute("a \"b\" <c> & d"), "a &quot;b&quot; &lt;c&gt; &amp; d");
    }
}
