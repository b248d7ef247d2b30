//! Protection against cross-site request forgery.

use http::{HeaderMap, header, uri::Authority};

/// Whether a browser says that another site caused this request.
///
/// `Sec-Fetch-Site` decides if it is present: browsers send it to trustworthy origins. Otherwise an `Origin` must match
/// the host that the request was sent to. A client that sends neither is not a browser acting for another site.
pub(crate) fn is_foreign(headers: &HeaderMap) -> bool {
    if let Some(site) = headers.get("sec-fetch-site") {
        return !matches!(site.as_bytes(), b"same-origin" | b"none");
    }
    let Some(origin) = headers.get(header::ORIGIN) else { return false };
    let host = headers.get(header::HOST).map(http::HeaderValue::as_bytes);
    let named = origin.to_str().ok().and_then(|origin| origin.split_once("://")).map(|(_, rest)| rest);
    !matches!((named, host), (Some(named), Some(host)) if same_host(named, host))
}

fn same_host(named: &str, host: &[u8]) -> bool {
    let valid = named.parse::<Authority>().is_ok();
    valid && named.as_bytes().eq_ignore_ascii_case(host)
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn foreign(pairs: &[(&'static str, &'static str)]) -> bool {
        is_foreign(&pairs.iter().map(|(k, v)| (k.parse().unwrap(), HeaderValue::from_static(v))).collect())
    }

    #[test]
    fn fetch_metadata_takes_precedence() {
        assert!(!foreign(&[("sec-fetch-site", "same-origin"), ("origin", "http://proxy"), ("host", "api")]));
        assert!(!foreign(&[("sec-fetch-site", "none")]));
        assert!(foreign(&[("sec-fetch-site", "cross-site"), ("origin", "http://api"), ("host", "api")]));
        assert!(foreign(&[("sec-fetch-site", "same-site")]));
    }

    #[test]
    fn origin_must_match_without_fetch_metadata() {
        assert!(!foreign(&[("host", "api")]));
        assert!(!foreign(&[("host", "api:8080"), ("origin", "http://api:8080")]));
        assert!(!foreign(&[("host", "API"), ("origin", "https://api")]));
        assert!(foreign(&[("host", "api:8080"), ("origin", "http://api:9090")]));
        assert!(foreign(&[("host", "api"), ("origin", "null")]));
        assert!(foreign(&[("origin", "http://api")]));
        assert!(foreign(&[("host", ""), ("origin", "http://")]));
    }
}
