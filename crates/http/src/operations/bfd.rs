use axum::response::Response;
use croft_api::bfd::{BfdSessionDisable, BfdSessionEnable, BfdStatus};
use croft_control::bfd;

use crate::{
    call::Call,
    extract::Json,
    failure::Result,
    reply,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(networking_bfd_status))
        .routes(routes!(networking_bfd_enable))
        .routes(routes!(networking_bfd_disable))
}

/// View the peers that switches watch by BFD
///
/// A peer whose switch has no routing daemon is down.
#[utoipa::path(get, path = "/v1/system/networking/bfd-status", tag = "system/networking",
    responses((status = 200, body = Vec<BfdStatus>)))]
async fn networking_bfd_status(call: Call) -> Result<Response> {
    let sessions = call.read(bfd::sessions).await?;
    let status = call.ask_switches(move |daemons| bfd::status(daemons, sessions)).await??;
    Ok(reply::ok(status))
}

/// Enable a BFD session
///
/// A switch has one session for each peer. Repeating the same request changes nothing.
#[utoipa::path(post, path = "/v1/system/networking/bfd-enable", tag = "system/networking",
    request_body = BfdSessionEnable, responses((status = 204)))]
async fn networking_bfd_enable(call: Call, Json(params): Json<BfdSessionEnable>) -> Result<Response> {
    call.write(move |cx, caller| bfd::enable(cx, caller, &params)).await.map(reply::no_content)
}

/// Disable a BFD session
///
/// Succeeds if there is none.
#[utoipa::path(post, path = "/v1/system/networking/bfd-disable", tag = "system/networking",
    request_body = BfdSessionDisable, responses((status = 204)))]
async fn networking_bfd_disable(call: Call, Json(params): Json<BfdSessionDisable>) -> Result<Response> {
    call.write(move |cx, caller| bfd::disable(cx, caller, &params)).await.map(reply::no_content)
}
