//! Credentials in requests, and the text of the session cookie.

use croft_control::Credentials;
use http::{HeaderMap, HeaderName, HeaderValue, header};

/// The name of the session cookie for unencrypted requests.
const PLAIN: &str = "session";
/// The name for encrypted requests. With this prefix browsers accept the cookie only from this host over TLS, so that
/// neither another host of the same domain nor an attacker on the network can replace it. The other name is ignored for
/// encrypted requests.
const SECURE: &str = "__Host-session";

/// The credentials of a request, unverified; `secure` tells whether the request was encrypted.
pub(crate) fn credentials(headers: &HeaderMap, secure: bool) -> Credentials {
    let authorization = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    Credentials {
        session_cookie: session_cookie(headers, name(secure)).map(str::to_owned),
        authorization: authorization.map(str::to_owned),
    }
}

const fn name(secure: bool) -> &'static str {
    if secure { SECURE } else { PLAIN }
}

/// The value of the session cookie, if the request has one. A cookie that is not text is invalid, not absent.
fn session_cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let cookies =
        headers.get_all(header::COOKIE).iter().flat_map(|value| value.as_bytes().split(|b| *b == b';'));
    cookies
        .filter_map(|pair| pair.trim_ascii().strip_prefix(name.as_bytes())?.strip_prefix(b"="))
        .map(|value| str::from_utf8(value).unwrap_or_default())
        .next()
}

/// The value of an `Authorization: Bearer` header. The scheme is case-insensitive.
pub(crate) fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(header::AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}

/// How session cookies are set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SessionCookie {
    /// Whether users reach the server over TLS only.
    pub(crate) secure: bool,
    /// The absolute lifetime of a session in seconds.
    pub(crate) max_age: i64,
}

impl SessionCookie {
    /// The header that sets the cookie.
    pub(crate) fn begin(self, secret: &str) -> HeaderValue {
        text(self.secure, secret, self.max_age)
    }

    /// The headers that remove the cookie, under both names.
    pub(crate) fn end(self) -> impl Iterator<Item = (HeaderName, HeaderValue)> {
        let ended = [true, false].into_iter().filter(move |secure| self.secure || !secure);
        ended.map(|secure| (header::SET_COOKIE, text(secure, "", 0)))
    }
}

fn text(secure: bool, value: &str, max_age: i64) -> HeaderValue {
    let (name, only) = (name(secure), if secure { "Secure; " } else { "" });
    let text = format!("{name}={value}; Path=/; HttpOnly; SameSite=Lax; {only}Max-Age={max_age}");
    HeaderValue::try_from(text).expect("hexadecimal digits and numbers are header text")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(secure: bool, cookies: &[&'static str]) -> Option<String> {
        let headers = cookies.iter().map(|text| (header::COOKIE, HeaderValue::from_static(text))).collect();
        credentials(&headers, secure).session_cookie
    }

    fn session(cookies: &[&'static str]) -> Option<String> {
        found(false, cookies)
    }

    #[test]
    fn only_the_host_prefixed_cookie_is_accepted_over_tls() {
        let both = &["session=theirs; __Host-session=ours"];
        assert_eq!(found(true, both).as_deref(), Some("ours"));
        assert_eq!(found(false, both).as_deref(), Some("theirs"));
        assert_eq!(found(true, &["session=theirs"]), None);
    }

    #[test]
    fn session_cookie_is_found_among_others() {
        assert_eq!(session(&[]), None);
        assert_eq!(session(&["a=b"]), None);
        assert_eq!(session(&["a=b; session=xyz; c=d"]).as_deref(), Some("xyz"));
        assert_eq!(session(&["sessions=1", "session=2"]).as_deref(), Some("2"));
        assert_eq!(session(&["session="]).as_deref(), Some(""));
    }

    #[test]
    fn cookie_that_is_no_text_is_refused() {
        let value = HeaderValue::from_bytes(b"session=\xff").unwrap();
        let headers = [(header::COOKIE, value)].into_iter().collect();
        assert_eq!(credentials(&headers, false).session_cookie.as_deref(), Some(""));
    }

    #[test]
    fn cookie_texts() {
        let plain = SessionCookie { secure: false, max_age: 86_400 };
        assert_eq!(plain.begin("ab"), "session=ab; Path=/; HttpOnly; SameSite=Lax; Max-Age=86400");
        let end = |cookie: SessionCookie| cookie.end().map(|(_, value)| value).collect::<Vec<_>>();
        assert_eq!(end(plain), ["session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0"]);
        let secure = SessionCookie { secure: true, ..plain };
        assert_eq!(
            secure.begin("ab"),
            "__Host-session=ab; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=86400"
        );
        let both = [
            "__Host-session=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0",
            "session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0",
        ];
        assert_eq!(end(secure), both);
    }
}
