use axum::extract::FromRequestParts;
use http::request::Parts;
use serde::de::DeserializeOwned;

use crate::failure::{Failure, Result};

/// The parameters of the query string. Unknown keys are ignored, known ones must not be repeated.
pub struct Query<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Query<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self> {
        parse(parts).map(Self)
    }
}

pub(super) fn parse<T: DeserializeOwned>(parts: &Parts) -> Result<T> {
    serde_urlencoded::from_str(parts.uri.query().unwrap_or_default()).map_err(unreadable)
}

fn unreadable(reason: serde_urlencoded::de::Error) -> Failure {
    Failure::unreadable(format!("unable to parse query string: {reason}"))
}
