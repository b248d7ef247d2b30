use http::{HeaderMap, header};

use crate::failure::{Failure, Result};

/// The default content type of a body.
const JSON: &str = "application/json";
const FORM: &str = "application/x-www-form-urlencoded";

/// The supported content types.
const KNOWN: [&str; 4] = [JSON, "application/octet-stream", FORM, "multipart/form-data"];

/// Checks that a body is JSON, or has no content type.
pub(super) fn require_json(headers: &HeaderMap) -> Result<()> {
    require(headers, JSON)
}

/// Checks that a body is a form.
pub(super) fn require_form(headers: &HeaderMap) -> Result<()> {
    require(headers, FORM)
}

fn require(headers: &HeaderMap, expected: &str) -> Result<()> {
    let said = headers.get(header::CONTENT_TYPE).map_or(JSON.as_bytes(), |value| value.as_bytes());
    let said = String::from_utf8_lossy(said);
    let mime = said.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    match KNOWN.into_iter().find(|known| *known == mime) {
        Some(known) if known == expected => Ok(()),
        Some(other) => {
            Err(Failure::unreadable(format!("expected content type \"{expected}\", got \"{other}\"")))
        }
        None => Err(Failure::unreadable(mime)),
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn refusal(value: &'static str) -> Option<String> {
        let headers = [(header::CONTENT_TYPE, HeaderValue::from_static(value))].into_iter().collect();
        require_json(&headers).err().map(|failure| failure.message().to_owned())
    }

    #[test]
    fn json_content_type_is_case_insensitive() {
        assert!(require_json(&HeaderMap::new()).is_ok());
        assert_eq!(refusal("application/json"), None);
        assert_eq!(refusal("Application/JSON; charset=utf-8"), None);
    }

    #[test]
    fn known_and_unknown_types() {
        let form = "expected content type \"application/json\", got \"application/x-www-form-urlencoded\"";
        assert_eq!(refusal("application/x-www-form-urlencoded").as_deref(), Some(form));
        assert_eq!(refusal("Text/Plain; charset=utf-8").as_deref(), Some("text/plain"));
    }

    #[test]
    fn form_requires_its_content_type() {
        let typed = |value| [(header::CONTENT_TYPE, HeaderValue::from_static(value))].into_iter().collect();
        assert!(require_form(&typed("application/x-www-form-urlencoded; charset=utf-8")).is_ok());
        let expected =
            "expected content type \"application/x-www-form-urlencoded\", got \"application/json\"";
        for headers in [HeaderMap::new(), typed("application/json")] {
            assert_eq!(require_form(&headers).unwrap_err().message(), expected);
        }
    }
}
