//! The page that posts a response again, from this site: without TLS, a browser does not send the cookie of the request
//! when another site's page posts the response.

use axum::response::{IntoResponse as _, Response};
use croft_control::saml::Form;
use http::{HeaderValue, header};

use crate::{failure::Result, html::attribute};

/// The field that marks the form as posted by this page, so that it is relayed only once.
const MARK: &str = "croft_relayed";
/// Submits the form. The button is for browsers without scripts.
const SCRIPT: &str = "document.forms[0].submit()";
/// The page's content security policy: it may run this script, by its hash, and post to this server.
const POLICY: HeaderValue = HeaderValue::from_static(
    "default-src 'none'; script-src 'sha256-ePniVEkSivX/c7XWBGafqh8tSpiRrKiqYeqbG7N1TOE='; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
);

/// Whether a form was posted by this page.
pub(super) fn is_relayed(body: &[u8]) -> bool {
    form_urlencoded::parse(body).any(|(name, _)| name == MARK)
}

/// The page for a form.
pub(super) fn page(body: &[u8]) -> Result<Response> {
    let form = Form::read(body)?;
    let relay_state = form.relay_state.map_or_else(String::new, |state| field("RelayState", &state));
    let html = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
         content=\"width=device-width\"><title>Signing in</title></head>\n<body><main><h1>Signing in</h1>\n\
         <form method=\"post\">{}{relay_state}{}<button>Continue</button></form></main>\n<script>{SCRIPT}</script>\
         </body></html>\n",
        field("SAMLResponse", &form.response),
        field(MARK, "1"),
    );
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-store")),
        (header::CONTENT_SECURITY_POLICY, POLICY),
    ];
    Ok((headers, html).into_response())
}

fn field(name: &str, value: &str) -> String {
    format!("<input type=\"hidden\" name=\"{name}\" value=\"{}\">", attribute(value))
}

#[cfg(test)]
mod tests {
    use base64::{Engine as _, prelude::BASE64_STANDARD};
    use sha2::{Digest as _, Sha256};

    use super::*;

    #[test]
    fn the_policy_names_the_script() {
        let hash = BASE64_STANDARD.encode(Sha256::digest(SCRIPT));
        assert!(POLICY.to_str().unwrap().contains(&format!("'sha256-{hash}'")), "{hash}");
    }

    #[test]
    fn form_of_the_relay_page_is_recognized() {
        assert!(is_relayed(b"SAMLResponse=a&croft_relayed=1"));
        assert!(!is_relayed(b"SAMLResponse=croft_relayed"));
    }
}
