//! Trusted reverse proxies, and the client addresses that they report.
//!
//! Anybody can send the headers of proxies, so they are used only if a trusted proxy sent them. Of a chain of addresses
//! only the part that trusted proxies wrote is used: from the right, up to the first address that is not a trusted
//! proxy.

use std::{fmt, net::IpAddr, str::FromStr};

use croft_api::scalar::{IpNet, Ipv4Net, Ipv6Net};
use http::{HeaderMap, HeaderName, Request, header};

use crate::call::{Encrypted, Peer};

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
const X_FORWARDED_PROTO: HeaderName = HeaderName::from_static("x-forwarded-proto");

/// Addresses of trusted proxies: one address, or a network as in `10.0.0.0/8`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrustedProxy(IpNet);

/// The error for a text that is neither an address nor a network, or is a network of all addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotANetwork {
    text: String,
    everybody: bool,
}

impl fmt::Display for NotANetwork {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { text, everybody } = self;
        if *everybody {
            write!(formatter, "{text:?} would trust every client: name the addresses of the proxies")
        } else {
            write!(formatter, "{text:?} is neither an IP address nor a network such as 10.0.0.0/8")
        }
    }
}

impl std::error::Error for NotANetwork {}

impl FromStr for TrustedProxy {
    type Err = NotANetwork;

    fn from_str(text: &str) -> Result<Self, NotANetwork> {
        let refuse = |everybody| NotANetwork { text: text.to_owned(), everybody };
        let net = if text.contains('/') {
            text.parse::<IpNet>().map_err(|_| refuse(false))?.to_canonical()
        } else {
            let net = match text.parse::<IpAddr>().map_err(|_| refuse(false))?.to_canonical() {
                IpAddr::V4(address) => Ipv4Net::new(address, Ipv4Net::MAX_WIDTH).map(IpNet::V4),
                IpAddr::V6(address) => Ipv6Net::new(address, Ipv6Net::MAX_WIDTH).map(IpNet::V6),
            };
            net.map_err(|_| refuse(false))?
        };
        if net.width() == 0 { Err(refuse(true)) } else { Ok(Self(net)) }
    }
}

impl TrustedProxy {
    fn contains(self, address: IpAddr) -> bool {
        self.0.contains(address)
    }
}

/// Replaces the peer by the client that a trusted proxy reports. If the proxy reports none, the client address is
/// unknown, not that of the proxy.
pub(crate) fn apply_forwarded<B>(trusted: &[TrustedProxy], request: &mut Request<B>) {
    let Some(&Peer(peer)) = request.extensions().get::<Peer>() else { return };
    if !is_trusted(trusted, peer) {
        return;
    }
    let headers = request.headers();
    let (client, https) =
        match (headers.contains_key(X_FORWARDED_FOR), headers.contains_key(header::FORWARDED)) {
            (true, false) => by_x_forwarded(trusted, headers),
            (false, _) => by_forwarded(trusted, headers),
            // A proxy that sets one of the two headers may pass on the client's other one, so both together are
            // ambiguous.
            (true, true) => {
                let (client, https) = by_x_forwarded(trusted, headers);
                (client.filter(|_| client == by_forwarded(trusted, headers).0), https)
            }
        };
    match client {
        Some(client) => request.extensions_mut().insert(Peer(client)),
        None => request.extensions_mut().remove::<Peer>(),
    };
    if https {
        request.extensions_mut().insert(Encrypted(true));
    }
}

/// Whether an address is that of a trusted proxy.
pub(crate) fn is_trusted(trusted: &[TrustedProxy], address: IpAddr) -> bool {
    trusted.iter().any(|proxy| proxy.contains(address))
}

/// The client, and whether it speaks HTTPS, by `X-Forwarded-For` and `X-Forwarded-Proto`.
fn by_x_forwarded(trusted: &[TrustedProxy], headers: &HeaderMap) -> (Option<IpAddr>, bool) {
    let mut client = None;
    for hop in list(headers, &X_FORWARDED_FOR).rev() {
        client = node(hop);
        if !client.is_some_and(|address| is_trusted(trusted, address)) {
            break;
        }
    }
    (client, x_forwarded_https(headers))
}

fn x_forwarded_https(headers: &HeaderMap) -> bool {
    list(headers, &X_FORWARDED_PROTO).next_back().is_some_and(|scheme| scheme.eq_ignore_ascii_case("https"))
}

/// The client, and whether it speaks HTTPS, by `Forwarded` (RFC 7239).
fn by_forwarded(trusted: &[TrustedProxy], headers: &HeaderMap) -> (Option<IpAddr>, bool) {
    let (mut client, mut https) = (None, x_forwarded_https(headers));
    for hop in list(headers, &header::FORWARDED).rev() {
        if let Some(scheme) = parameter(hop, "proto") {
            https = scheme.eq_ignore_ascii_case("https");
        }
        client = parameter(hop, "for").and_then(node);
        if !client.is_some_and(|address| is_trusted(trusted, address)) {
            break;
        }
    }
    (client, https)
}

/// The elements of a header with a list, over all its lines. Valid elements contain no comma, not even quoted. A line
/// that is not text ends the trustworthy part, like an element without information.
fn list<'a>(headers: &'a HeaderMap, name: &HeaderName) -> impl DoubleEndedIterator<Item = &'a str> {
    headers.get_all(name).iter().flat_map(|line| line.to_str().unwrap_or_default().split(',')).map(str::trim)
}

/// A parameter of an element of `Forwarded`, without its quotes.
fn parameter<'a>(element: &'a str, wanted: &str) -> Option<&'a str> {
    element.split(';').find_map(|pair| {
        let (name, value) = pair.split_once('=')?;
        let value = value.trim();
        let unquoted = value.strip_prefix('"').and_then(|value| value.strip_suffix('"'));
        name.trim().eq_ignore_ascii_case(wanted).then_some(unquoted.unwrap_or(value))
    })
}

/// The address of a node, optionally with a port, and with brackets for IPv6.
fn node(text: &str) -> Option<IpAddr> {
    let address = match text.strip_prefix('[') {
        Some(rest) => rest.split_once(']')?.0,
        None if text.matches(':').count() == 1 => text.split_once(':')?.0,
        None => text,
    };
    address.parse::<IpAddr>().ok().map(|address| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    /// The client's address and whether the client uses HTTPS.
    fn seen(peer: &str, headers: &[(&'static str, &'static str)]) -> (String, bool) {
        let trusted = ["10.0.0.0/8", "2001:db8::1"].map(|text| text.parse().unwrap());
        let mut request = Request::new(());
        request.extensions_mut().insert(Peer(peer.parse().unwrap()));
        for (name, value) in headers {
            request.headers_mut().append(*name, HeaderValue::from_static(value));
        }
        apply_forwarded(&trusted, &mut request);
        let https = request.extensions().get::<Encrypted>().is_some_and(|encrypted| encrypted.0);
        let client = request.extensions().get::<Peer>();
        (client.map_or_else(|| "unknown".to_owned(), |peer| peer.0.to_string()), https)
    }

    #[test]
    fn headers_of_other_peers_are_ignored() {
        let claims = [("x-forwarded-for", "192.0.2.1"), ("x-forwarded-proto", "https")];
        assert_eq!(seen("192.0.2.7", &claims), ("192.0.2.7".to_owned(), false));
        assert_eq!(seen("2001:db8::2", &[("forwarded", "for=192.0.2.1")]), ("2001:db8::2".to_owned(), false));
    }

    #[test]
    fn client_is_the_rightmost_address_that_is_no_proxy() {
        let client = |headers: &[(&'static str, &'static str)]| seen("10.0.0.1", headers).0;
        assert_eq!(client(&[]), "unknown");
        assert_eq!(client(&[("x-forwarded-for", "192.0.2.1")]), "192.0.2.1");
        assert_eq!(
            client(&[("x-forwarded-for", "6.6.6.6, 192.0.2.1")]),
            "192.0.2.1",
            "the first address may be forged"
        );
        assert_eq!(client(&[("x-forwarded-for", "6.6.6.6, 192.0.2.1, 10.9.9.9")]), "192.0.2.1");
        assert_eq!(client(&[("x-forwarded-for", "6.6.6.6"), ("x-forwarded-for", "192.0.2.1")]), "192.0.2.1");
        assert_eq!(client(&[("x-forwarded-for", "10.0.0.3, 10.0.0.2")]), "10.0.0.3", "all are proxies");
        assert_eq!(client(&[("x-forwarded-for", "192.0.2.1, nonsense, 10.0.0.2")]), "unknown");
        assert_eq!(client(&[("x-forwarded-for", "")]), "unknown");
        assert_eq!(client(&[("x-forwarded-for", "192.0.2.1:4711, 2001:db8::1")]), "192.0.2.1");
        assert_eq!(client(&[("x-forwarded-for", "::ffff:192.0.2.1")]), "192.0.2.1");
    }

    #[test]
    fn standard_forwarded_header_is_equivalent() {
        let client = |text: &'static str| seen("2001:db8::1", &[("forwarded", text)]);
        assert_eq!(client("for=192.0.2.1;proto=https"), ("192.0.2.1".to_owned(), true));
        assert_eq!(
            client("for=6.6.6.6, FOR=\"[2001:db8::9]:80\"; Proto=HTTPS"),
            ("2001:db8::9".to_owned(), true)
        );
        assert_eq!(
            client("for=192.0.2.1;proto=https, for=10.0.0.1;proto=http"),
            ("192.0.2.1".to_owned(), true)
        );
        assert_eq!(client("for=192.0.2.1;proto=http"), ("192.0.2.1".to_owned(), false));
        assert_eq!(client("for=unknown;proto=https"), ("unknown".to_owned(), true));
        for (forwarded, client) in
            [("for=6.6.6.6", "unknown"), ("for=_x", "unknown"), ("for=192.0.2.1", "192.0.2.1")]
        {
            let both = [("x-forwarded-for", "192.0.2.1"), ("forwarded", forwarded)];
            assert_eq!(
                seen("10.0.0.1", &both),
                (client.to_owned(), false),
                "either may come from the client"
            );
        }
    }

    #[test]
    fn last_proxy_determines_the_protocol() {
        let https = |text: &'static str| {
            seen("10.0.0.1", &[("x-forwarded-for", "192.0.2.1"), ("x-forwarded-proto", text)]).1
        };
        assert!(https("https"));
        assert!(https("http, HTTPS"));
        assert!(!https("https, http"));
        assert!(!https(""));
    }

    #[test]
    fn networks_and_addresses() {
        for text in ["10.0.0.0/8", "192.0.2.7", "fd00::/8", "::1", "::ffff:10.0.0.1"] {
            text.parse::<TrustedProxy>().unwrap();
        }
        for text in ["", "proxy", "10.0.0.0/33", "10.0.0/8"] {
            let error = text.parse::<TrustedProxy>().unwrap_err().to_string();
            assert!(error.contains("is neither an IP address nor a network"), "{error}");
        }
        for text in ["0.0.0.0/0", "::/0", "10.0.0.1/0", "::ffff:0.0.0.0/96"] {
            let error = text.parse::<TrustedProxy>().unwrap_err().to_string();
            assert!(error.contains("would trust every client"), "{error}");
        }
        assert!("::ffff:10.0.0.0/104".parse::<TrustedProxy>().unwrap().contains("10.1.2.3".parse().unwrap()));
    }
}
