use bytes::Bytes;
use http::HeaderMap;
use serde::de::DeserializeOwned;

use super::{content_type::require_form, json::MAX_BODY, part::Whole};
use crate::failure::{Failure, Result};

/// A body in the form of a query string, as OAuth has it. Unknown fields are ignored, known ones may stand once. What cannot
/// be read is left to the handler: OAuth has a form of its own for refusals.
pub struct Form<T>(pub Result<T>);

impl<T: DeserializeOwned> Whole for Form<T> {
    const LIMIT: usize = MAX_BODY;

    fn of(headers: &HeaderMap, body: Bytes) -> Result<Self> {
        Ok(Self(require_form(headers).and_then(|()| parse(&body))))
    }
}

fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T> {
    let read = |body: &[u8]| serde_urlencoded::from_bytes::<T>(body).map_err(|error| error.to_string());
    read(body).map_err(|error| unread(body, &error, &|body| read(body).err()))
}

fn unread(body: &[u8], error: &str, error_of: &dyn Fn(&[u8]) -> Option<String>) -> Failure {
    let path = key_of(body, error, error_of).map_or_else(String::new, |key| format!("{key}: "));
    Failure::unreadable(format!("unable to parse URL-encoded body: {path}{error}"))
}

/// The key of the value that cannot be read; none if no value is at fault. `error_of` reads a body as the same type.
fn key_of(body: &[u8], error: &str, error_of: &dyn Fn(&[u8]) -> Option<String>) -> Option<String> {
    let fails = |body: &[u8]| error_of(body).is_some_and(|text| text == error);
    if fails(b"") {
        return None;
    }
    // A bad value is bad alone too. That other keys are missing is not said of one that stands twice.
    let is_bad = |pair: &&[u8]| fails(pair) && fails(&[pair, &b"&"[..], pair].concat());
    let pair = body.split(|byte| *byte == b'&').find(is_bad)?;
    form_urlencoded::parse(pair).next().map(|(key, _)| key.into_owned())
}

#[cfg(test)]
mod tests {
    use croft_api::device::{DeviceAccessTokenRequest, DeviceAuthRequest};

    use super::*;

    const ID: &str = "client_id=5e9b5f2c-7d4f-4f0f-9a3c-6c1e2d3b4a5f";

    fn refusal(text: &str) -> String {
        let failure = parse::<DeviceAuthRequest>(text.as_bytes()).expect_err("refused");
        failure.message().strip_prefix("unable to parse URL-encoded body: ").expect("the prefix").to_owned()
    }

    #[test]
    fn texts() {
        assert_eq!(refusal(""), "missing field `client_id`");
        assert!(refusal("client_id=x").starts_with("client_id: "));
        assert_eq!(
            refusal(&format!("{ID}&ttl_seconds=0")),
            "ttl_seconds: invalid value: integer `0`, expected a nonzero u32"
        );
        assert_eq!(refusal(&format!("{ID}&ttl_seconds=-3")), "ttl_seconds: invalid digit found in string");
        assert!(refusal(&format!("{ID}&{ID}")).contains("duplicate field `client_id`"));
    }

    #[test]
    fn the_path_is_that_of_a_deserializer_which_keeps_it() {
        fn agree<T: DeserializeOwned>(pairs: &[&str]) {
            let mut bodies = vec![String::new()];
            for _ in 0..3 {
                let longer =
                    |body: &String| pairs.iter().map(|pair| format!("{body}&{pair}")).collect::<Vec<_>>();
                bodies.extend(bodies.iter().flat_map(longer).collect::<Vec<_>>());
            }
            for body in bodies {
                let deserializer =
                    serde_urlencoded::Deserializer::new(form_urlencoded::parse(body.as_bytes()));
                let expected = serde_path_to_error::deserialize::<_, T>(deserializer).err();
                let expected = expected.map(|error| format!("unable to parse URL-encoded body: {error}"));
                let text = parse::<T>(body.as_bytes()).err().map(|failure| failure.message().to_owned());
                assert_eq!(text, expected, "{body}");
            }
        }
        agree::<DeviceAuthRequest>(&[
            ID,
            "client_id=",
            "client%5Fid=x",
            "ttl_seconds=0",
            "ttl_seconds=-3",
            "ttl_seconds=9",
            "x=0",
            "=",
            "",
        ]);
        agree::<DeviceAccessTokenRequest>(&[
            ID,
            "client_id=x",
            "grant_type=g",
            "device_code=d",
            "more",
            "%ff=%ff",
        ]);
    }

    #[test]
    fn what_is_not_asked_for_is_ignored() {
        let request =
            parse::<DeviceAuthRequest>(format!("{ID}&scope=a+b&ttl_seconds=60").as_bytes()).unwrap();
        assert_eq!(request.ttl_seconds.map(u32::from), Some(60));
    }
}
