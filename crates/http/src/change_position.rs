//! The position of the change log in answers, for clients that ask for it.
//!
//! A client that follows the stream of events knows by it which changes an answer contains already, and from where to open the
//! stream so that nothing is missed. It asks with `Prefer: change-position` (RFC 7240); an answer that was read from the
//! database then has the header `change-position`.
//!
//! A page cannot put a preference into a request that its HTML preloads, but the console takes the answer for its own. So whatever a
//! page of the server asks for has the header as well; browsers say so by `Sec-Fetch-Site` (W3C Fetch Metadata).

use http::{HeaderMap, HeaderName, HeaderValue, header};

/// The header of answers: all changes up to the one with this id are contained.
pub(crate) const CHANGE_POSITION: HeaderName = HeaderName::from_static("change-position");
/// The header by which clients say what they prefer (RFC 7240, section 2).
const PREFER: HeaderName = HeaderName::from_static("prefer");

/// Says from where a browser's page sends a request (W3C Fetch Metadata, section 2.3). Pages cannot set it.
const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Whether a request asks for the position, or comes from a page of this server.
pub(crate) fn is_wanted(headers: &HeaderMap) -> bool {
    is_preferred(headers) || headers.get(SEC_FETCH_SITE).is_some_and(|site| site == "same-origin")
}

fn is_preferred(headers: &HeaderMap) -> bool {
    let preferences = headers.get_all(PREFER).iter().filter_map(|value| value.to_str().ok());
    preferences
        .flat_map(|value| value.split(','))
        .any(|preference| preference.trim().eq_ignore_ascii_case(CHANGE_POSITION.as_str()))
}

/// Says in an answer up to which change it is.
pub(crate) fn add(headers: &mut HeaderMap, position: i64) {
    headers.insert(CHANGE_POSITION, position.into());
    headers
        .insert(HeaderName::from_static("preference-applied"), HeaderValue::from_static("change-position"));
    // The answer to a client that does not ask is another.
    headers.append(header::VARY, HeaderValue::from_static("prefer, sec-fetch-site"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn preference_may_be_one_of_several() {
        for (values, expected) in [
            (&["change-position"][..], true),
            (&["return=minimal, Change-Position"], true),
            (&["wait=5", "change-position"], true),
            (&["change-position=1"], false),
            (&["change-positions"], false),
            (&[], false),
        ] {
            let mut headers = HeaderMap::new();
            for value in values {
                headers.append(PREFER, HeaderValue::from_static(value));
            }
            assert_eq!(is_wanted(&headers), expected, "{values:?}");
        }
    }

    #[test]
    fn same_origin_requests_always_get_the_position() {
        for (site, expected) in
            [("same-origin", true), ("same-site", false), ("cross-site", false), ("none", false)]
        {
            let headers = HeaderMap::from_iter([(SEC_FETCH_SITE, HeaderValue::from_static(site))]);
            assert_eq!(is_wanted(&headers), expected, "{site}");
        }
    }
}
