use axum::response::Response;
use croft_api::{
    lldp::{LldpLinkConfig, LldpNeighbor, LldpPortPath},
    page::{IdSortMode, NoSelector, ResultsPage},
    switch_port::{SwitchPortPath, SwitchPortSelector},
};
use croft_control::lldp;

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
        .routes(routes!(networking_switch_port_lldp_config_view, networking_switch_port_lldp_config_update))
        .routes(routes!(networking_switch_port_lldp_neighbors))
}

/// View what a port says of itself
#[utoipa::path(get, path = "/v1/system/hardware/switch-port/{port}/lldp/config", tag = "system/networking",
    params(SwitchPortPath, SwitchPortSelector), responses((status = 200, body = LldpLinkConfig)))]
async fn networking_switch_port_lldp_config_view(
    call: Call,
    Path(path): Path<SwitchPortPath>,
    Query(on): Query<SwitchPortSelector>,
) -> Result<Response> {
    call.read(move |cx, caller| lldp::config_view(cx, caller, &path.port, &on)).await.map(reply::ok)
}

/// Update the LLDP settings of a port
///
/// Replaces all of them: absent values are left to the switch. The ID must be the current one.
#[utoipa::path(post, path = "/v1/system/hardware/switch-port/{port}/lldp/config", tag = "system/networking",
    params(SwitchPortPath, SwitchPortSelector), request_body = LldpLinkConfig, responses((status = 204)))]
async fn networking_switch_port_lldp_config_update(
    call: Call,
    Path(path): Path<SwitchPortPath>,
    Query(on): Query<SwitchPortSelector>,
    Json(params): Json<LldpLinkConfig>,
) -> Result<Response> {
    call.write(move |cx, caller| lldp::config_update(cx, caller, &path.port, &on, &params))
        .await
        .map(reply::no_content)
}

/// List what a port has heard from the other side
#[utoipa::path(get,
    path = "/v1/system/hardware/rack-switch-port/{rack_id}/{switch_location}/{port}/lldp/neighbors",
    tag = "system/networking", params(LldpPortPath, IdPage),
    responses((status = 200, body = ResultsPage<LldpNeighbor>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn networking_switch_port_lldp_neighbors(
    call: Call,
    Path(path): Path<LldpPortPath>,
    Page(page): Page<NoSelector, IdSortMode>,
) -> Result<Response> {
    call.read(move |cx, caller| lldp::neighbors(cx, caller, &path, &page)).await.map(reply::ok)
}
