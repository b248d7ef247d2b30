//! What handlers are given, apart from how it is waited for: what is the same for all of them is compiled once.

use axum::extract::OriginalUri;
use bytes::Bytes;
use http::{HeaderMap, Method, request::Parts};

use crate::{app::App, failure::Result};

/// What is read of a request before its body arrives.
pub(crate) trait Part: Sized {
    fn taken_from(parts: &mut Parts, app: &App) -> Result<Self>;
}

impl Part for Method {
    fn taken_from(parts: &mut Parts, _: &App) -> Result<Self> {
        Ok(parts.method.clone())
    }
}

impl Part for HeaderMap {
    fn taken_from(parts: &mut Parts, _: &App) -> Result<Self> {
        Ok(parts.headers.clone())
    }
}

impl Part for OriginalUri {
    fn taken_from(parts: &mut Parts, _: &App) -> Result<Self> {
        Ok(parts.extensions.get().cloned().unwrap_or_else(|| Self(parts.uri.clone())))
    }
}

/// What is made of a whole body.
pub(crate) trait Whole: Sized {
    /// Bytes of the longest one.
    const LIMIT: usize;

    fn of(headers: &HeaderMap, body: Bytes) -> Result<Self>;
}
