use axum::extract::{FromRequest, Request};
use bytes::Bytes;

use super::json::whole;
use crate::failure::{Failure, Result};

/// A body as it was sent, of whatever type, within the usual size.
pub struct Raw(pub Bytes);

impl<S: Send + Sync> FromRequest<S> for Raw {
    type Rejection = Failure;

    async fn from_request(request: Request, _: &S) -> Result<Self> {
        Ok(Self(whole(request).await?.1))
    }
}
