//! The OpenAPI documents: the contract and the extensions.

#[cfg(feature = "describe")]
mod description;
#[cfg(feature = "describe")]
mod version;

use axum::{Router, routing::get};
use http::{HeaderValue, header};

use crate::app::App;

#[cfg(feature = "describe")]
pub use description::Document;

/// The operations of the contract: `openapi.json`, which `cargo xtask openapi` generates from the routes and types.
pub static CONTRACT: &str = include_str!("../../../openapi.json");

/// The extensions: `openapi-croft.json`, generated in the same way.
pub static EXTENSIONS: &str = include_str!("../../../openapi-croft.json");

/// Serves the documents.
pub(crate) fn router() -> Router<App> {
    let answer = |text: &'static str| {
        get(move || {
            std::future::ready(([(header::CONTENT_TYPE, HeaderValue::from_static("application/json"))], text))
        })
    };
    Router::new().route("/openapi.json", answer(CONTRACT)).route("/openapi-croft.json", answer(EXTENSIONS))
}
