//! The OpenAPI document.

#[cfg(feature = "describe")]
mod description;

use axum::{Router, routing::get};
use http::{HeaderValue, header};

use crate::app::App;

#[cfg(feature = "describe")]
pub use description::{describe, routes};

/// The document as text: `openapi.json`, which `cargo xtask openapi` makes from the routes and types in use.
pub static TEXT: &str = include_str!("../../../openapi.json");

/// Where the document is read.
pub(crate) fn router() -> Router<App> {
    let answer =
        || std::future::ready(([(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))], TEXT));
    Router::new().route("/openapi.json", get(answer))
}
