//! Range requests (RFC 9110, section 14).

use std::ops::Range;

use http::{HeaderMap, header};

use crate::failure::{Failure, Result};

/// The requested range of a content of `length` bytes; `None` for all of it.
///
/// # Errors
/// The request asks for several ranges, is malformed, or asks for a range after the end.
pub(crate) fn requested(headers: &HeaderMap, length: u64) -> Result<Option<Range<u64>>> {
    let mut values = headers.get_all(header::RANGE).into_iter();
    let Some(value) = values.next() else { return Ok(None) };
    if values.next().is_some() {
        return Err(Failure::unreadable("only one range is supported"));
    }
    let text = value.to_str().ok().and_then(|text| text.trim().strip_prefix("bytes="));
    let text = text.ok_or_else(|| Failure::unreadable("the unit of the range is not bytes"))?;
    if text.contains(',') {
        return Err(Failure::unreadable("only one range is supported"));
    }
    let unreadable = || Failure::unreadable("the range is not first-last, first- or -length");
    let (first, last) = text.split_once('-').ok_or_else(unreadable)?;
    let number = |text: &str| {
        let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        // A number that is too large for its type is after the end.
        if digits { Ok(text.parse::<u64>().unwrap_or(u64::MAX)) } else { Err(unreadable()) }
    };
    let range = match (first.trim(), last.trim()) {
        ("", suffix) => length.saturating_sub(number(suffix)?)..length,
        (first, "") => number(first)?..length,
        (first, last) => {
            let (first, last) = (number(first)?, number(last)?);
            if last < first {
                return Err(unreadable());
            }
            first..last.saturating_add(1).min(length)
        }
    };
    if range.start >= range.end { Err(Failure::unsatisfiable(length)) } else { Ok(Some(range)) }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn parsed(text: &'static str) -> Result<Option<Range<u64>>, u16> {
        let mut headers = HeaderMap::new();
        headers.insert(header::RANGE, HeaderValue::from_static(text));
        requested(&headers, 10).map_err(|failure| failure.status().as_u16())
    }

    #[test]
    fn single_byte_range_is_parsed() {
        assert_eq!(requested(&HeaderMap::new(), 10).unwrap(), None);
        let readable = [
            ("bytes=0-0", 0..1),
            ("bytes=2-5", 2..6),
            ("bytes=2-", 2..10),
            ("bytes=-3", 7..10),
            ("bytes=-30", 0..10),
            ("bytes=9-99999999999999999999999", 9..10),
        ];
        for (text, range) in readable {
            assert_eq!(parsed(text), Ok(Some(range)), "{text}");
        }
        for text in ["bytes=10-", "bytes=10-12", "bytes=-0", "bytes=99999999999999999999999-"] {
            assert_eq!(parsed(text), Err(416), "{text}");
        }
        for text in
            ["bytes=5-2", "bytes=-", "bytes=a-b", "bytes=1-2,4-5", "bytes=+1-2", "lines=1-2", "1-2", ""]
        {
            assert_eq!(parsed(text), Err(400), "{text}");
        }
    }
}
