use bytes::Bytes;
use http::HeaderMap;

use super::{json::MAX_BODY, part::Whole};
use crate::failure::Result;

/// A body as it was sent, of whatever type, within the usual size.
pub struct Raw(pub Bytes);

impl Whole for Raw {
    const LIMIT: usize = MAX_BODY;

    fn of(_: &HeaderMap, body: Bytes) -> Result<Self> {
        Ok(Self(body))
    }
}
