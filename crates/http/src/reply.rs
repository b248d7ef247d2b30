//! Answers of operations that succeeded.

use axum::response::{IntoResponse as _, Response};
use http::{HeaderValue, StatusCode, header};
use serde::Serialize;

use crate::failure::Failure;

/// 200: here it is.
pub(crate) fn ok<T: Serialize>(view: T) -> Response {
    json(StatusCode::OK, &view)
}

/// 201: it was made.
pub(crate) fn created<T: Serialize>(view: T) -> Response {
    json(StatusCode::CREATED, &view)
}

/// 202: it is under way.
pub(crate) fn accepted<T: Serialize>(view: T) -> Response {
    json(StatusCode::ACCEPTED, &view)
}

/// 204: done, and nothing to tell.
pub(crate) fn no_content((): ()) -> Response {
    StatusCode::NO_CONTENT.into_response()
}

fn json<T: Serialize>(status: StatusCode, view: &T) -> Response {
    respond(status, serde_json::to_vec(view))
}

fn respond(status: StatusCode, body: serde_json::Result<Vec<u8>>) -> Response {
    match body {
        Ok(body) => {
            let json = HeaderValue::from_static("application/json");
            (status, [(header::CONTENT_TYPE, json)], body).into_response()
        }
        Err(error) => Failure::from(croft_api::Error::internal(error)).into_response(),
    }
}
