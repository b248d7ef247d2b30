//! Texts in pages.

/// A text as it stands in an attribute of HTML.
pub fn attribute(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_into_a_page_stays_within_its_attribute() {
        assert_eq!(attribute("a \"b\" <c> & d"), "a &quot;b&quot; &lt;c&gt; &amp; d");
    }
}
