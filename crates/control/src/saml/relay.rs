//! The relay state: where to go after signing in.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use croft_api::{identity_provider::RedirectQuery, scalar::RelativeUri};

/// Encodes the relay state.
pub(super) fn write(redirect_uri: Option<&RelativeUri>) -> String {
    let state = RedirectQuery { redirect_uri: redirect_uri.cloned() };
    let text = serde_json::to_string(&state).expect("a text is plain JSON");
    BASE64_STANDARD.encode(text)
}

/// Decodes the relay state. It comes back through the browser and can be forged: an invalid state, or one that leads to
/// another site, leads to the front page.
pub(super) fn read(text: Option<&str>) -> Option<RelativeUri> {
    let bytes = BASE64_STANDARD.decode(text?).ok()?;
    serde_json::from_slice::<RedirectQuery>(&bytes).ok()?.redirect_uri
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_json(text: &str) -> Option<String> {
        read(Some(&BASE64_STANDARD.encode(text))).map(|uri| uri.to_string())
    }

    #[test]
    fn relay_state_round_trips() {
        let uri: RelativeUri = "/projects/web?a=b#c".parse().unwrap();
        assert_eq!(read(Some(&write(Some(&uri)))), Some(uri.clone()));
        assert_eq!(read(Some(&write(None))), None);
        let text = BASE64_STANDARD.decode(write(Some(&uri))).unwrap();
        assert_eq!(text, br#"{"redirect_uri":"/projects/web?a=b#c"}"#);
        assert_eq!(BASE64_STANDARD.decode(write(None)).unwrap(), br#"{"redirect_uri":null}"#);
    }

    #[test]
    fn relay_states_to_other_sites_are_ignored() {
        assert_eq!(read_json(r#"{"redirect_uri":"/a"}"#).as_deref(), Some("/a"));
        for uri in
            ["//evil.example", "https://evil.example", "/\\evil.example", "", "a", "javascript:alert(1)"]
        {
            assert_eq!(read_json(&serde_json::json!({ "redirect_uri": uri }).to_string()), None, "{uri}");
        }
        for text in ["", "{", "[]", "{}", r#"{"redirect_uri":5}"#, "null"] {
            assert_eq!(read_json(text), None, "{text}");
        }
        assert_eq!(read(Some("not base64!")), None);
        assert_eq!(read(Some("")), None);
        assert_eq!(read(None), None);
    }
}
