use axum::extract::FromRequestParts;
use http::request::Parts;
use serde::de::DeserializeOwned;

use crate::failure::Failure;

/// The parameters of the query string. Unknown keys are ignored, known ones may stand once.
pub struct Query<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Failure> {
        serde_urlencoded::from_str(parts.uri.query().unwrap_or_default())
            .map(Self)
            .map_err(|error| Failure::unreadable(format!("unable to parse query string: {error}")))
    }
}
