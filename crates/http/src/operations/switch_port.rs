use axum::response::Response;
use croft_api::{
    page::{IdSortMode, ResultsPage},
    switch_port::{
        SwitchLinkState, SwitchPort, SwitchPortApplySettings, SwitchPortPageSelector, SwitchPortPath,
        SwitchPortSelector,
    },
};
use croft_control::switch_port;

use super::paging::IdPage;
use crate::{
    call::Call,
    extract::{Json, Page, Path, Query},
    failure::Result,
    reply,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(networking_switch_port_list))
        .routes(routes!(networking_switch_port_apply_settings, networking_switch_port_clear_settings))
        .routes(routes!(networking_switch_port_status))
}

/// List the ports of switches
#[utoipa::path(get, path = "/v1/system/hardware/switch-port", tag = "system/hardware",
    params(SwitchPortPageSelector, IdPage), responses((status = 200, body = ResultsPage<SwitchPort>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn networking_switch_port_list(
    call: Call,
    Page(page): Page<SwitchPortPageSelector, IdSortMode>,
) -> Result<Response> {
    call.read(move |cx, caller| switch_port::list(cx, caller, &page)).await.map(reply::ok)
}

/// Apply settings to a port
///
/// Replaces the previous settings of the port.
#[utoipa::path(post, path = "/v1/system/hardware/switch-port/{port}/settings", tag = "system/hardware",
    params(SwitchPortPath, SwitchPortSelector), request_body = SwitchPortApplySettings,
    responses((status = 204)))]
async fn networking_switch_port_apply_settings(
    call: Call,
    Path(path): Path<SwitchPortPath>,
    Query(on): Query<SwitchPortSelector>,
    Json(params): Json<SwitchPortApplySettings>,
) -> Result<Response> {
    call.write(move |cx, caller| switch_port::apply_settings(cx, caller, &path.port, &on, &params))
        .await
        .map(reply::no_content)
}

/// Clear the settings of a port
#[utoipa::path(delete, path = "/v1/system/hardware/switch-port/{port}/settings", tag = "system/hardware",
    params(SwitchPortPath, SwitchPortSelector), responses((status = 204)))]
async fn networking_switch_port_clear_settings(
    call: Call,
    Path(path): Path<SwitchPortPath>,
    Query(on): Query<SwitchPortSelector>,
) -> Result<Response> {
    call.write(move |cx, caller| switch_port::clear_settings(cx, caller, &path.port, &on))
        .await
        .map(reply::no_content)
}

/// View the link of a port
#[utoipa::path(get, path = "/v1/system/hardware/switch-port/{port}/status", tag = "system/hardware",
    params(SwitchPortPath, SwitchPortSelector), responses((status = 200, body = SwitchLinkState)))]
async fn networking_switch_port_status(
    call: Call,
    Path(path): Path<SwitchPortPath>,
    Query(on): Query<SwitchPortSelector>,
) -> Result<Response> {
    call.read(move |cx, caller| switch_port::status(cx, caller, &path.port, &on)).await.map(reply::ok)
}
