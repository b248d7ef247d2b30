use std::sync::Arc;

use axum::{
    Router,
    extract::{Path, Request},
    response::{IntoResponse as _, Response},
    routing::get,
};
use croft_http::{App, Failure, Result};
use http::{HeaderValue, header};

use super::Source;

/// Names of embedded assets contain a hash of their content (see `build.rs`), so they can be cached forever.
const FOR_EVER: HeaderValue = HeaderValue::from_static("max-age=31536000, immutable");
/// Files of a folder can change at any time.
const ASK_AGAIN: HeaderValue = HeaderValue::from_static("no-cache");

/// The files below `/assets/`. They need no session.
pub fn router(source: Arc<Source>) -> Router<App> {
    Router::new().route(
        "/assets/{*path}",
        get(move |Path(path): Path<String>, request: Request| {
            let answer = asset(&source, &path, &request);
            std::future::ready(answer)
        }),
    )
}

fn asset(source: &Source, path: &str, request: &Request) -> Result<Response> {
    let kind = content_type(path).ok_or_else(Failure::route_not_found)?;
    let file =
        source.find(&format!("assets/{path}"), request.headers()).ok_or_else(Failure::route_not_found)?;
    let caching = match source {
        Source::Embedded => FOR_EVER,
        Source::Folder(_) => ASK_AGAIN,
    };
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
        (header::CACHE_CONTROL, caching),
        (header::VARY, HeaderValue::from_static("accept-encoding")),
    ];
    let mut response = (headers, file.content).into_response();
    if let Some(encoding) = file.encoding {
        response.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static(encoding));
    }
    Ok(response)
}

/// Types by extension; anything else is not served.
fn content_type(path: &str) -> Option<&'static str> {
    let (_, extension) = path.rsplit_once('.')?;
    Some(match extension {
        "css" => "text/css",
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript",
        "map" => "application/json",
        "png" => "image/png",
        "svg" => "image/svg+xml",
        "txt" => "text/plain; charset=utf-8",
        "webp" => "image/webp",
        "woff" => "application/font-woff",
        "woff2" => "font/woff2",
        _ => return None,
    })
}
