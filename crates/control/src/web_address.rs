//! URLs that administrators configure and the server requests.

use http::{Uri, uri::Scheme};

/// A parsed `http` or `https` URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebAddress {
    /// Whether the scheme is `https`.
    pub is_encrypted: bool,
    /// The host name, or an address without brackets.
    pub host: String,
    /// The port, or the default port of the scheme.
    pub port: u16,
    /// Host and port as written, for the `Host` header.
    pub authority: String,
    /// Path and query, with a leading slash.
    pub path: String,
}

impl WebAddress {
    /// Parses a URL. User names are refused: credentials do not belong in URLs, and the part before the `@` can be made
    /// to look like the host.
    ///
    /// # Errors
    /// The reason why the URL is invalid, as text.
    pub fn parse(url: &str) -> Result<Self, String> {
        let uri: Uri = url.trim().parse().map_err(|error| format!("{error}"))?;
        let is_encrypted = match uri.scheme() {
            Some(scheme) if *scheme == Scheme::HTTPS => true,
            Some(scheme) if *scheme == Scheme::HTTP => false,
            _ => return Err("not an http or https address".to_owned()),
        };
        let authority = uri.authority().ok_or("not an http or https address")?;
        if authority.as_str().contains('@') {
            return Err("an address with a user name".to_owned());
        }
        let usual = if is_encrypted { 443 } else { 80 };
        let port = match authority.as_str().strip_prefix(authority.host()) {
            Some("") => usual,
            _ => authority.port_u16().filter(|port| *port > 0).ok_or("an address with an invalid port")?,
        };
        let host = authority.host().trim_start_matches('[').trim_end_matches(']').to_owned();
        Ok(Self {
            is_encrypted,
            host,
            port,
            authority: authority.to_string(),
            path: uri.path_and_query().map_or_else(|| "/".to_owned(), ToString::to_string),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_parsed() {
        let address = WebAddress::parse("https://Receiver.example/hook?x=1").unwrap();
        assert!(address.is_encrypted);
        assert_eq!((address.host.as_str(), address.port), ("Receiver.example", 443));
        assert_eq!((address.authority.as_str(), address.path.as_str()), ("Receiver.example", "/hook?x=1"));
        let address = WebAddress::parse(" http://[::1]:8080 ").unwrap();
        assert!(!address.is_encrypted);
        assert_eq!((address.host.as_str(), address.port), ("::1", 8080));
        assert_eq!((address.authority.as_str(), address.path.as_str()), ("[::1]:8080", "/"));
    }

    #[test]
    fn invalid_addresses_are_refused() {
        for url in
            ["", "x", "/x", "file:///etc/passwd", "ftp://x/", "http://", "http:///x", "https:x", "//x/y"]
        {
            assert!(WebAddress::parse(url).is_err(), "{url}");
        }
        for url in ["http://user@x/", "http://user:word@x/", "http://x@/", "http://@x/"] {
            assert!(WebAddress::parse(url).is_err(), "{url}");
        }
        for url in ["http://x:99999/", "http://x:0/", "http://x:y/", "http://x:/"] {
            assert!(WebAddress::parse(url).is_err(), "{url}");
        }
    }
}
