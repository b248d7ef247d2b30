//! The header `api-version`, with which clients of this API state their version of the contract.

use croft_api::Error;
use http::HeaderMap;

use crate::failure::Result;

/// The version of the contract, and the default for clients that state none.
pub const VERSION: &str = "20250730.0.0";

/// The header's name.
pub(crate) const NAME: &str = "api-version";

/// Refuses clients of a newer version of the contract, which would misinterpret responses. Clients of older versions
/// are served: their operations either exist or are reported as missing.
pub(crate) fn check(headers: &HeaderMap) -> Result<()> {
    let mut named = headers.get_all(NAME).iter();
    let Some(first) = named.next() else { return Ok(()) };
    let asked = first.to_str().ok().filter(|_| named.next().is_none());
    let Some((text, asked)) = asked.and_then(|text| Some((text, parse(text)?))) else {
        let text = format!("bad header api-version: not a version such as {VERSION}");
        return Err(Error::Parse(text).into());
    };
    if parse(VERSION).is_some_and(|spoken| asked > spoken) {
        let text = format!(
            "this server has version {VERSION} of the API, but the request needs the newer version {text}: \
             use a client for version {VERSION}, or a newer server"
        );
        return Err(Error::Parse(text).into());
    }
    Ok(())
}

/// The numbers of a version. A suffix such as `-rc.1` is ignored.
fn parse(text: &str) -> Option<[u64; 3]> {
    let numbers = text.split(['-', '+']).next()?;
    let mut numbers = numbers
        .split('.')
        .map(|number| number.parse().ok().filter(|_| number.bytes().all(|byte| byte.is_ascii_digit())));
    let version = [numbers.next()??, numbers.next()??, numbers.next()??];
    numbers.next().is_none().then_some(version)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_three_numbers() {
        assert_eq!(parse("20250730.0.0"), Some([20_250_730, 0, 0]));
        assert_eq!(parse("1.2.3-rc.1+x"), Some([1, 2, 3]));
        for text in ["", "1", "1.2", "1.2.3.4", "a.b.c", "+1.2.3", "1..3", "1.2.99999999999999999999"] {
            assert_eq!(parse(text), None, "{text}");
        }
        assert!(parse(VERSION).is_some());
    }
}
