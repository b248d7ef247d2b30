//! Paths before routing: empty segments are ignored, ambiguous ones are refused.

use http::{Uri, uri::PathAndQuery};
use percent_encoding::percent_decode_str;

use crate::failure::{Failure, Result};

/// The same URI without empty path segments; `None` if it has none.
///
/// # Errors
/// A segment that is not UTF-8 once decoded, or that is `.` or `..`.
pub(crate) fn normalize(uri: &Uri) -> Result<Option<Uri>> {
    let path = uri.path();
    let mut empty = false;
    for segment in path.split('/').skip(1) {
        empty |= segment.is_empty();
        if segment.contains(['%', '.']) {
            let decoded = percent_decode_str(segment).decode_utf8();
            if decoded.is_err() || decoded.is_ok_and(|text| text == "." || text == "..") {
                return Err(Failure::unreadable("invalid path encoding"));
            }
        }
    }
    if !empty || path == "/" {
        return Ok(None);
    }
    let mut clean = String::with_capacity(path.len());
    for segment in path.split('/').filter(|segment| !segment.is_empty()) {
        clean.push('/');
        clean.push_str(segment);
    }
    if clean.is_empty() {
        clean.push('/');
    }
    if let Some(query) = uri.query() {
        clean.push('?');
        clean.push_str(query);
    }
    let mut parts = uri.clone().into_parts();
    parts.path_and_query =
        Some(PathAndQuery::try_from(clean).map_err(|_| Failure::unreadable("invalid path encoding"))?);
    Uri::from_parts(parts).map(Some).map_err(|_| Failure::unreadable("invalid path encoding"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clean(text: &'static str) -> String {
        let uri = Uri::from_static(text);
        normalize(&uri).unwrap().unwrap_or(uri).to_string()
    }

    #[test]
    fn empty_segments_are_ignored() {
        assert_eq!(clean("/"), "/");
        assert_eq!(clean("//"), "/");
        assert_eq!(clean("/v1/projects"), "/v1/projects");
        assert_eq!(clean("/v1/projects/?limit=1"), "/v1/projects?limit=1");
        assert_eq!(clean("//v1///projects//web/"), "/v1/projects/web");
        assert_eq!(clean("/v1/a%2Fb?x=//"), "/v1/a%2Fb?x=//");
    }

    #[test]
    fn ambiguous_segments_are_refused() {
        for text in ["/v1/../me", "/.", "/a/./b", "/%2e%2E/x", "/%ff", "/v1/%c3%28"] {
            let failure = normalize(&Uri::from_static(text)).unwrap_err();
            assert_eq!(failure.message(), "invalid path encoding", "{text}");
        }
    }
}
