use axum::extract::{FromRequestParts, RawPathParams};
use http::request::Parts;
use serde::de::{
    DeserializeOwned,
    value::{Error as Reason, MapDeserializer},
};

use crate::failure::{Failure, Result};

/// The parameters of the path.
pub struct Path<T>(pub T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Path<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self> {
        let params = RawPathParams::from_request_parts(parts, state)
            .await
            .map_err(|_| Failure::unreadable("invalid path encoding"))?;
        T::deserialize(MapDeserializer::new(params.iter())).map(Self).map_err(unreadable)
    }
}

fn unreadable(reason: Reason) -> Failure {
    Failure::unreadable(format!("bad parameter in URL path: {reason}"))
}
