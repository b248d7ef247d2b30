use axum::extract::{FromRequest, Request};
use bytes::Bytes;

use super::json::{MAX_BODY, whole_within};
use crate::failure::{Failure, Result};

/// A body of any type, unparsed, within the usual size limit.
pub struct Raw(pub Bytes);

impl<S: Send + Sync> FromRequest<S> for Raw {
    type Rejection = Failure;

    async fn from_request(request: Request, _: &S) -> Result<Self> {
        let (_, body) = whole_within(request, MAX_BODY).await?;
        Ok(Self(body))
    }
}
