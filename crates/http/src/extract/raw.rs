use axum::extract::{FromRequest, Request};
use bytes::Bytes;
use http::HeaderMap;

use super::{
    json::MAX_BODY,
    part::{Whole, receive},
};
use crate::failure::{Failure, Result};

/// A body as it was sent, of whatever type, within the usual size.
pub struct Raw(pub Bytes);

impl<S: Send + Sync> FromRequest<S> for Raw {
    type Rejection = Failure;

    async fn from_request(request: Request, _: &S) -> Result<Self> {
        receive(request).await
    }
}

impl Whole for Raw {
    const LIMIT: usize = MAX_BODY;

    fn of(_: &HeaderMap, body: Bytes) -> Result<Self> {
        Ok(Self(body))
    }
}
