use axum::response::Response;
use croft_api::status::{Ping, PingStatus};

use crate::{
    call::Call,
    failure::Result,
    reply,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new().routes(routes!(without_operation: ping))
}

/// Check whether the server is running
#[utoipa::path(get, path = "/v1/ping", tag = "system/status", responses((status = 200, body = Ping)))]
async fn ping(_call: Call) -> Result<Response> {
    Ok(reply::ok(Ping { status: PingStatus::Ok }))
}
