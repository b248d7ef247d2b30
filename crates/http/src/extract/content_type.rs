use http::{HeaderMap, header};

use crate::failure::{Failure, Result};

/// The content types that some operation takes.
const KNOWN: [&str; 4] = [
    "application/json",
    "application/octet-stream",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
];

/// Checks that a body is JSON, or does not say what it is.
pub(super) fn require_json(headers: &HeaderMap) -> Result<()> {
    let Some(value) = headers.get(header::CONTENT_TYPE) else { return Ok(()) };
    let value = String::from_utf8_lossy(value.as_bytes());
    let mime = value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    match KNOWN.into_iter().find(|known| *known == mime) {
        Some("application/json") => Ok(()),
        Some(other) => {
            Err(Failure::unreadable(format!("expected content type \"application/json\", got \"{other}\"")))
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
    fn json_in_any_spelling() {
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
}
