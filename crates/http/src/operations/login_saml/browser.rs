//! Binds a response of an identity provider to the browser that made the request, with a cookie for each request.
//!
//! A page of the provider posts the response, so over TLS the cookie must be sent with cross-site requests. Without TLS
//! browsers do not accept such cookies; then the cookie is sent with same-site requests only, and the response is
//! [posted again](super::relayed) by a page of this server.

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use croft_control::saml::REQUEST_LIFE;
use http::{HeaderMap, HeaderName, HeaderValue, header, request::Parts};

use crate::{app::App, call::Call, cross_site::is_foreign};

/// Prefix of the cookies' names for encrypted requests. Browsers accept these cookies only from this host over TLS.
const SECURE: &str = "__Host-saml-";
/// Prefix for unencrypted requests.
const PLAIN: &str = "saml-";
/// Maximum number of open requests of a browser, because cookies are sent with every request.
const MOST: usize = 8;

/// A cookie: the suffix of its name, and the secret.
type Cookie = (String, String);

/// The browser, as far as it can be identified.
#[derive(Debug)]
pub(super) struct Browser {
    cookies: Vec<Cookie>,
    is_foreign: bool,
}

impl FromRequestParts<App> for Browser {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Infallible> {
        let cookies = cookies(&parts.headers, app.is_secure(&parts.extensions));
        Ok(Self { cookies, is_foreign: is_foreign(&parts.headers) })
    }
}

/// The cookies of open requests, the oldest first. Cookies that were set without encryption are ignored for encrypted
/// requests.
fn cookies(headers: &HeaderMap, secure: bool) -> Vec<Cookie> {
    let prefix = prefix(secure);
    let values = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let pairs = values.flat_map(|value| value.split(';')).filter_map(|pair| pair.trim().split_once('='));
    let mut found: Vec<Cookie> = pairs
        .filter_map(|(name, value)| Some((name.strip_prefix(prefix)?.to_owned(), value.to_owned())))
        .filter(|(number, _)| is_number(number))
        .collect();
    found.sort_unstable();
    found
}

const fn prefix(secure: bool) -> &'static str {
    if secure { SECURE } else { PLAIN }
}

/// Whether this is a valid suffix of a cookie's name: sixteen hexadecimal digits.
fn is_number(text: &str) -> bool {
    text.len() == 16 && text.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
}

impl Browser {
    /// The secrets that the browser presented.
    pub(super) fn secrets(&self) -> Vec<String> {
        self.cookies.iter().map(|(_, secret)| secret.clone()).collect()
    }

    /// The headers that set the cookie of a new request, and remove those of the oldest requests if there are too many.
    pub(super) fn cookies_for(&self, call: &Call, secret: &str) -> Vec<(HeaderName, HeaderValue)> {
        let parts = &call.app.parts;
        let mut bytes = [0; 4];
        parts.random.fill(&mut bytes);
        // Sorted by time, so that the oldest can be determined.
        let number = format!("{:08x}{}", parts.clock.now().as_second(), hex::encode(bytes));
        let surplus = (self.cookies.len() + 1).saturating_sub(MOST);
        let ended = self.cookies.iter().take(surplus).map(|(number, _)| (number.as_str(), "", 0));
        let begun = [(number.as_str(), secret, REQUEST_LIFE.as_secs())];
        let cookies = begun.into_iter().chain(ended);
        cookies.map(|(number, value, age)| set(call.is_secure(), number, value, age)).collect()
    }

    /// The header that removes the cookie of a request that was answered.
    pub(super) fn forget(&self, call: &Call, secret: &str) -> Option<(HeaderName, HeaderValue)> {
        let (number, _) = self.cookies.iter().find(|(_, known)| known == secret)?;
        Some(set(call.is_secure(), number, "", 0))
    }

    /// Whether the browser may have a secret that it did not send, because another site's page caused the request.
    pub(super) fn may_have_kept_back(&self, call: &Call) -> bool {
        !call.is_secure() && self.is_foreign && self.cookies.is_empty()
    }
}

fn set(secure: bool, number: &str, value: &str, max_age: i64) -> (HeaderName, HeaderValue) {
    let about = if secure {
        "Path=/; HttpOnly; SameSite=None; Secure"
    } else {
        "Path=/login; HttpOnly; SameSite=Lax"
    };
    let text = format!("{}{number}={value}; {about}; Max-Age={max_age}", prefix(secure));
    (header::SET_COOKIE, HeaderValue::try_from(text).expect("hexadecimal digits and numbers are header text"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(secure: bool, texts: &[&'static str]) -> Vec<Cookie> {
        cookies(&texts.iter().map(|text| (header::COOKIE, HeaderValue::from_static(text))).collect(), secure)
    }

    #[test]
    fn request_cookies_are_found_among_others() {
        let texts = ["session=a; saml-0000000200000000=new;saml-0000000100000000=old", "saml-x=y; b"];
        let expected = [("0000000100000000", "old"), ("0000000200000000", "new")];
        assert_eq!(found(false, &texts), expected.map(|(number, value)| (number.into(), value.into())));
        assert!(found(true, &texts).is_empty(), "cookies without the prefix may have been set by others");
        assert_eq!(found(true, &["__Host-saml-0000000100000000=a"]).len(), 1);
        assert!(found(false, &["__Host-saml-0000000100000000=a"]).is_empty());
    }

    #[test]
    fn cookie_texts() {
        let text = |secure, value, age| set(secure, "0000000100000000", value, age).1;
        assert_eq!(
            text(true, "ab", 1800),
            "__Host-saml-0000000100000000=ab; Path=/; HttpOnly; SameSite=None; Secure; Max-Age=1800"
        );
        assert_eq!(
            text(false, "", 0),
            "saml-0000000100000000=; Path=/login; HttpOnly; SameSite=Lax; Max-Age=0"
        );
    }
}
