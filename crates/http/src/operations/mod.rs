//! The operations of the contract. Handlers extract, call a rule and wrap its view; nothing else.

mod disk;
mod instance;
mod login;
mod me;
mod paging;
mod policy;
mod project;
mod serial;
#[cfg(not(target_family = "wasm"))]
mod serial_stream;
mod system;

use utoipa_axum::router::OpenApiRouter;

use crate::{app::App, openapi};

/// Every operation, with its part of the document.
pub(crate) fn router() -> OpenApiRouter<App> {
    let router = OpenApiRouter::with_openapi(openapi::frame())
        .merge(login::router())
        .merge(me::router())
        .merge(policy::router())
        .merge(project::router())
        .merge(instance::router())
        .merge(disk::router())
        .merge(serial::router())
        .merge(system::router());
    #[cfg(not(target_family = "wasm"))]
    let router = router.merge(serial_stream::router());
    router
}
