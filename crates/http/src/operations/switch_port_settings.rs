use axum::response::Response;
use croft_api::{
    page::{NameOrIdSortMode, ResultsPage},
    switch_port_settings::{
        SwitchPortSettings, SwitchPortSettingsCreate, SwitchPortSettingsIdentity, SwitchPortSettingsPath,
        SwitchPortSettingsSelector,
    },
};
use croft_control::switch_port_settings;

use super::paging::NamedPage;
use crate::{
    call::Call,
    extract::{Json, Page, Path, Query},
    failure::Result,
    reply,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(
            networking_switch_port_settings_list,
            networking_switch_port_settings_create,
            networking_switch_port_settings_delete
        ))
        .routes(routes!(networking_switch_port_settings_view))
}

/// List settings of ports
#[utoipa::path(get, path = "/v1/system/networking/switch-port-settings", tag = "system/networking",
    params(SwitchPortSettingsSelector, NamedPage),
    responses((status = 200, body = ResultsPage<SwitchPortSettingsIdentity>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn networking_switch_port_settings_list(
    call: Call,
    Page(page): Page<SwitchPortSettingsSelector, NameOrIdSortMode>,
) -> Result<Response> {
    call.read(move |cx, caller| switch_port_settings::list(cx, caller, &page)).await.map(reply::ok)
}

/// Create or replace settings of ports
///
/// Settings of that name are replaced and keep their id. Ports that run them run the new ones from then on.
#[utoipa::path(post, path = "/v1/system/networking/switch-port-settings", tag = "system/networking",
    request_body = SwitchPortSettingsCreate, responses((status = 201, body = SwitchPortSettings)))]
async fn networking_switch_port_settings_create(
    call: Call,
    Json(params): Json<SwitchPortSettingsCreate>,
) -> Result<Response> {
    call.write(move |cx, caller| switch_port_settings::create(cx, caller, &params)).await.map(reply::created)
}

/// Delete settings of ports
///
/// Ports that run them run none from then on.
#[utoipa::path(delete, path = "/v1/system/networking/switch-port-settings", tag = "system/networking",
    params(SwitchPortSettingsSelector), responses((status = 204)))]
async fn networking_switch_port_settings_delete(
    call: Call,
    Query(selector): Query<SwitchPortSettingsSelector>,
) -> Result<Response> {
    call.write(move |cx, caller| switch_port_settings::delete(cx, caller, &selector))
        .await
        .map(reply::no_content)
}

/// View settings of ports
#[utoipa::path(get, path = "/v1/system/networking/switch-port-settings/{port}", tag = "system/networking",
    params(SwitchPortSettingsPath), responses((status = 200, body = SwitchPortSettings)))]
async fn networking_switch_port_settings_view(
    call: Call,
    Path(path): Path<SwitchPortSettingsPath>,
) -> Result<Response> {
    call.read(move |cx, caller| switch_port_settings::view(cx, caller, &path.port)).await.map(reply::ok)
}
