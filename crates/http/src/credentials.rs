//! What a request shows to say who sends it, and the session cookie's exact text.

use croft_control::Credentials;
use http::{HeaderMap, HeaderValue, header};

/// The cookie that names a session.
const COOKIE: &str = "session";

/// The secrets that came with a request, unverified.
pub fn credentials(headers: &HeaderMap) -> Credentials {
    let authorization = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    Credentials {
        session_cookie: session_cookie(headers).map(str::to_owned),
        authorization: authorization.map(str::to_owned),
    }
}

/// The value of the session cookie, if the request has one. A cookie that is not text is a bad one, not none.
fn session_cookie(headers: &HeaderMap) -> Option<&str> {
    let cookies =
        headers.get_all(header::COOKIE).iter().flat_map(|value| value.as_bytes().split(|b| *b == b';'));
    cookies
        .filter_map(|pair| pair.trim_ascii().strip_prefix(COOKIE.as_bytes())?.strip_prefix(b"="))
        .map(|value| str::from_utf8(value).unwrap_or_default())
        .next()
}

/// The value of an `Authorization: Bearer` header. The scheme's case does not matter.
pub(crate) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// How session cookies are set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SessionCookie {
    /// Whether people reach the server over TLS only.
    pub(crate) secure: bool,
    /// Seconds after which a session ends however busy it is.
    pub(crate) max_age: i64,
}

impl SessionCookie {
    /// The header that begins a session.
    pub(crate) fn begin(self, secret: &str) -> HeaderValue {
        self.text(secret, self.max_age)
    }

    /// The header that ends one.
    pub(crate) fn end(self) -> HeaderValue {
        self.text("", 0)
    }

    fn text(self, value: &str, max_age: i64) -> HeaderValue {
        let secure = if self.secure { "Secure; " } else { "" };
        let text = format!("{COOKIE}={value}; Path=/; HttpOnly; SameSite=Lax; {secure}Max-Age={max_age}");
        HeaderValue::try_from(text).expect("hexadecimal digits and numbers are header text")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn session(cookies: &[&'static str]) -> Option<String> {
        let headers = cookies.iter().map(|text| (header::COOKIE, HeaderValue::from_static(text))).collect();
        credentials(&headers).session_cookie
    }

    #[test]
    fn the_session_among_other_cookies() {
        assert_eq!(session(&[]), None);
        assert_eq!(session(&["a=b"]), None);
        assert_eq!(session(&["a=b; session=xyz; c=d"]).as_deref(), Some("xyz"));
        assert_eq!(session(&["sessions=1", "session=2"]).as_deref(), Some("2"));
        assert_eq!(session(&["session="]).as_deref(), Some(""));
    }

    #[test]
    fn a_cookie_that_is_not_text_is_a_bad_one() {
        let value = HeaderValue::from_bytes(b"session=\xff").unwrap();
        let headers = [(header::COOKIE, value)].into_iter().collect();
        assert_eq!(credentials(&headers).session_cookie.as_deref(), Some(""));
    }

    #[test]
    fn cookie_texts() {
        let plain = SessionCookie { secure: false, max_age: 86_400 };
        assert_eq!(plain.begin("ab"), "session=ab; Path=/; HttpOnly; SameSite=Lax; Max-Age=86400");
        assert_eq!(plain.end(), "session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0");
        let secure = SessionCookie { secure: true, ..plain };
        assert_eq!(secure.begin("ab"), "session=ab; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=86400");
        assert_eq!(secure.end(), "session=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0");
    }
}
