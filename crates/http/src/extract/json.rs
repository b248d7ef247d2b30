use axum::{
    body::Body,
    extract::{FromRequest, Request},
};
use bytes::{Bytes, BytesMut};
use http::{HeaderMap, header};
use http_body_util::BodyExt as _;
use serde::{Deserialize, de::DeserializeOwned};

use super::content_type::require_json;
use crate::failure::{Failure, Result};

/// Maximum size of a body, in bytes. Operations with other limits have their own extractors.
pub const MAX_BODY: usize = 1_048_576;
/// How much of an oversized body is read and discarded, so that the client gets to read the response.
const MAX_DISCARDED: usize = 8 * MAX_BODY;

/// A JSON body. `null` counts as absent and unknown fields are ignored, depending on the types.
pub struct Json<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Json<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, _: &S) -> Result<Self> {
        let (headers, body) = whole_within(request, MAX_BODY).await?;
        require_json(&headers)?;
        read_body(&body).map(Self)
    }
}

/// Reads the headers and the whole body of a request. The size is checked before the content type.
pub(super) async fn whole_within(request: Request, max: usize) -> Result<(HeaderMap, Bytes)> {
    let (parts, body) = request.into_parts();
    let declared = parts.headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok());
    let declared = declared.and_then(|text| text.parse().ok()).unwrap_or(0);
    let body = collect(body, declared, max).await?;
    Ok((parts.headers, body))
}

async fn collect(mut body: Body, declared: usize, max: usize) -> Result<Bytes> {
    let mut kept = BytesMut::with_capacity(declared.min(max));
    let mut received = 0;
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(Failure::from_body)?;
        let Ok(data) = frame.into_data() else { continue };
        received += data.len();
        if received > max + MAX_DISCARDED {
            break;
        }
        if received <= max {
            kept.extend_from_slice(&data);
        }
    }
    if received > max {
        let text = format!("request body exceeded maximum size of {max} bytes");
        return Err(Failure::unreadable(text));
    }
    Ok(kept.freeze())
}

/// Parses a JSON body.
///
/// # Errors
/// The text that the contract prescribes, with the path to the invalid value.
pub fn read_body<'a, T: Deserialize<'a>>(body: &'a [u8]) -> Result<T> {
    let mut deserializer = serde_json::Deserializer::from_slice(body);
    let value = serde_path_to_error::deserialize(&mut deserializer).map_err(|error| unreadable(&error))?;
    deserializer.end().map_err(|error| unreadable(&error))?;
    Ok(value)
}

fn unreadable(reason: &dyn std::fmt::Display) -> Failure {
    Failure::unreadable(format!("unable to parse JSON body: {reason}"))
}

#[cfg(test)]
mod tests {
    use croft_api::{instance::InstanceCreate, project::ProjectCreate};

    use super::*;

    fn refusal<T: DeserializeOwned>(text: &str) -> String {
        read_body::<T>(text.as_bytes()).err().expect("refused").message().to_owned()
    }

    #[test]
    fn error_messages() {
        let project = refusal::<ProjectCreate>;
        assert_eq!(project(""), "unable to parse JSON body: EOF while parsing a value at line 1 column 0");
        assert!(project("{").starts_with("unable to parse JSON body: EOF while parsing an object"));
        assert!(project("{}").starts_with("unable to parse JSON body: missing field `name`"));
        assert_eq!(
            project(r#"{"name":"Web","description":""}"#),
            "unable to parse JSON body: name must begin with an ASCII lowercase character at line 1 column 31"
        );
        assert!(
            project(r#"{"name":"a_b","description":""}"#)
                .starts_with("unable to parse JSON body: name contains invalid character: \"_\"")
        );
        assert!(
            project(r#"{"name":"a","name":"b","description":""}"#)
                .starts_with("unable to parse JSON body: duplicate field `name`")
        );
        assert!(
            project(r#"{"name":"a","description":""} x"#)
                .starts_with("unable to parse JSON body: trailing characters at line 1")
        );
        assert!(project("[1,2]").starts_with("unable to parse JSON body: invalid type: sequence"));
        assert!(project(&"[".repeat(10_000)).starts_with("unable to parse JSON body: "));
    }

    #[test]
    fn errors_name_the_path_of_the_field() {
        let body = r#"{"name":"a","description":"","hostname":"a","memory":1,"ncpus":-3}"#;
        let text = refusal::<InstanceCreate>(body);
        assert!(text.starts_with("unable to parse JSON body: ncpus: invalid value: integer `-3`"), "{text}");
        assert!(text.contains(" at line 1 column "), "{text}");
    }
}
