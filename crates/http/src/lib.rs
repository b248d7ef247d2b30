//! The HTTP layer of Croft: routes over [`croft_control`], for the server and for the browser.
//!
//! A request passes the [`Edge`] (id, load, security headers, log, measurements), is routed to a handler, and its
//! handler extracts the parameters, calls a rule through `call`, and returns the view. Services of the operating
//! system (clock, randomness, password hashing, sockets) are passed in [`AppParts`].

mod answer_cache;
mod api_version;
mod app;
mod call;
mod change_position;
mod closing;
mod concurrency;
mod credentials;
mod cross_site;
mod edge;
mod endpoint;
mod events;
mod extract;
mod failure;
mod html;
mod imports;
mod latency;
mod load;
mod metrics;
#[cfg(not(target_family = "wasm"))]
pub mod openapi;
mod operations;
mod passkeys;
mod path;
mod pending_objects;
mod pictures;
mod pools;
mod proxy;
mod range;
mod reply;
mod repositories;
mod routes;
mod sources;
mod transport;

use axum::Router;

pub use api_version::VERSION as CONTRACT_VERSION;
#[cfg(not(target_family = "wasm"))]
pub use app::RuntimeTasks;
pub use app::{App, AppParts, Clock, MetadataSource, Passwords, Pending, Random, Settings, Tasks};
pub use call::{Encrypted, Peer};
pub use closing::Closing;
pub use edge::{Edge, RequestedUri};
pub use extract::{Query, read_body};
pub use failure::{Failure, Result, TooSlow, status};
pub use html::attribute;
pub use operations::console_stream::{
    CloseReason,
    handoff::{ConsoleStream, StreamHandoff},
    session::Keyboard,
};
pub use passkeys::{PasskeyQuestion, PasskeySite, Passkeys};
pub use pools::{BLOCKING_THREADS, Pools, Work};
pub use proxy::{NotANetwork, TrustedProxy};
pub use repositories::{NoRepositories, RepositoryStore, RepositoryUpload, Verified};
pub use sources::Sources;
pub use transport::TlsPort;

/// A server without pages: unknown paths get the error of the catalog.
pub fn no_pages() -> Router<App> {
    Router::new().fallback(|| std::future::ready(Failure::route_not_found()))
}

/// The complete router: the operations, the metrics, natively the OpenAPI document, and `pages` (routes of the console,
/// or [`no_pages`]). The fallback of `pages` handles unknown paths.
pub fn serve(app: App, pages: Router<App>) -> Edge {
    let routes = Router::from(operations::router()).merge(metrics::router());
    #[cfg(not(target_family = "wasm"))]
    let routes = routes.merge(openapi::router());
    let routes = routes
        .merge(pages)
        .method_not_allowed_fallback(|| std::future::ready(Failure::method_not_allowed()))
        .with_state(app.clone());
    Edge::new(app, routes)
}
