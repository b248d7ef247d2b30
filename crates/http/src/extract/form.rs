use axum::extract::{FromRequest, Request};
use serde::de::DeserializeOwned;

use super::{
    content_type::require_form,
    json::{MAX_BODY, whole_within},
};
use crate::failure::{Failure, Result};

/// A form body, as used by OAuth. Unknown fields are ignored, known ones must not be repeated. Errors are left to the
/// handler, because OAuth has its own error format.
pub struct Form<T>(pub Result<T>);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Form<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, _: &S) -> Result<Self> {
        let (headers, body) = whole_within(request, MAX_BODY).await?;
        Ok(Self(require_form(&headers).and_then(|()| parse(&body))))
    }
}

fn parse<T: DeserializeOwned>(body: &[u8]) -> Result<T> {
    let deserializer = serde_urlencoded::Deserializer::new(form_urlencoded::parse(body));
    serde_path_to_error::deserialize(deserializer)
        .map_err(|error| Failure::unreadable(format!("unable to parse URL-encoded body: {error}")))
}

#[cfg(test)]
mod tests {
    use croft_api::device::DeviceAuthRequest;

    use super::*;

    const ID: &str = "client_id=5e9b5f2c-7d4f-4f0f-9a3c-6c1e2d3b4a5f";

    fn refusal(text: &str) -> String {
        let failure = parse::<DeviceAuthRequest>(text.as_bytes()).expect_err("refused");
        failure.message().strip_prefix("unable to parse URL-encoded body: ").expect("the prefix").to_owned()
    }

    #[test]
    fn error_messages() {
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
    fn unknown_content_is_ignored() {
        let request =
            parse::<DeviceAuthRequest>(format!("{ID}&scope=a+b&ttl_seconds=60").as_bytes()).unwrap();
        assert_eq!(request.ttl_seconds.map(u32::from), Some(60));
    }
}
