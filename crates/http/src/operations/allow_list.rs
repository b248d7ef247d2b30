use axum::response::Response;
use croft_api::allow_list::{AllowList, AllowListUpdate, ServiceIcmpConfig};
use croft_control::allow_list;

use crate::{
    call::Call,
    extract::Json,
    failure::Result,
    reply,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(networking_allow_list_view, networking_allow_list_update))
        .routes(routes!(networking_inbound_icmp_view, networking_inbound_icmp_update))
}

/// View which addresses may reach the API and the console
#[utoipa::path(get, path = "/v1/system/networking/allow-list", tag = "system/networking",
    responses((status = 200, body = AllowList)))]
async fn networking_allow_list_view(call: Call) -> Result<Response> {
    call.read(allow_list::view).await.map(reply::ok)
}

/// Replace the allow-list of the API and the console
///
/// The server closes connections from other addresses before a byte is exchanged, including loopback addresses, and
/// answers 403 to their requests over existing connections and trusted proxies. The list must include the address of
/// this request. It takes effect within a second. If it locks everybody out, run `croft admin allow-any-source` on the
/// server's host.
#[utoipa::path(put, path = "/v1/system/networking/allow-list", tag = "system/networking",
    request_body = AllowListUpdate, responses((status = 200, body = AllowList)))]
async fn networking_allow_list_update(call: Call, Json(params): Json<AllowListUpdate>) -> Result<Response> {
    call.write(move |cx, caller| allow_list::update(cx, caller, &params)).await.map(reply::ok)
}

/// View whether pings of the API and the console are to be answered
#[utoipa::path(get, path = "/v1/system/networking/inbound-icmp", tag = "system/networking",
    responses((status = 200, body = ServiceIcmpConfig)))]
async fn networking_inbound_icmp_view(call: Call) -> Result<Response> {
    call.read(allow_list::inbound_icmp_view).await.map(reply::ok)
}

/// Set whether the API and the console answer pings
///
/// The setting is stored. The host's network stack answers ICMP before any program sees it: with `--enforce-icmp` the
/// server makes the host drop ICMP within a second; otherwise that is left to the host's own firewall, as the server's
/// log says.
#[utoipa::path(put, path = "/v1/system/networking/inbound-icmp", tag = "system/networking",
    request_body = ServiceIcmpConfig, responses((status = 204)))]
async fn networking_inbound_icmp_update(
    call: Call,
    Json(params): Json<ServiceIcmpConfig>,
) -> Result<Response> {
    call.write(move |cx, caller| allow_list::inbound_icmp_update(cx, caller, params))
        .await
        .map(reply::no_content)
}
