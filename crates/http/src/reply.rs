//! Responses of successful operations.

use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use http::{HeaderValue, StatusCode, header};
use serde::Serialize;

use crate::{answer_cache::Reusable, failure::Failure};

/// 200.
pub(crate) fn ok<T: Serialize>(view: T) -> Response {
    json(StatusCode::OK, &view)
}

/// 200, for a response that depends on the database only, so that it may be [cached](crate::answer_cache) until
/// something changes.
pub(crate) fn reusable<T: Serialize>(view: T) -> Response {
    let body = serde_json::to_vec(&view).map(Bytes::from);
    let reusable = body.as_ref().ok().cloned().map(Reusable);
    let mut response = respond(StatusCode::OK, body);
    if let Some(reusable) = reusable {
        response.extensions_mut().insert(reusable);
    }
    response
}

/// 200 with a body from the cache.
pub(crate) fn again(body: Bytes) -> Response {
    respond(StatusCode::OK, Ok(body))
}

/// 201.
pub(crate) fn created<T: Serialize>(view: T) -> Response {
    json(StatusCode::CREATED, &view)
}

/// 202.
pub(crate) fn accepted<T: Serialize>(view: T) -> Response {
    json(StatusCode::ACCEPTED, &view)
}

/// 204.
pub(crate) fn no_content((): ()) -> Response {
    StatusCode::NO_CONTENT.into_response()
}

fn json<T: Serialize>(status: StatusCode, view: &T) -> Response {
    respond(status, serde_json::to_vec(view).map(Bytes::from))
}

fn respond(status: StatusCode, body: serde_json::Result<Bytes>) -> Response {
    match body {
        Ok(body) => {
            let json = HeaderValue::from_static("application/json");
            (status, [(header::CONTENT_TYPE, json)], body).into_response()
        }
        Err(error) => Failure::from(croft_api::Error::internal(error)).into_response(),
    }
}
