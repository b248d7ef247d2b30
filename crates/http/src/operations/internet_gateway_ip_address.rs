use axum::response::Response;
use croft_api::{
    internet_gateway::{
        CascadeSelector, GatewayAddressPath, GatewaySelector, InternetGatewayIpAddress,
        InternetGatewayIpAddressCreate, OptionalGatewaySelector,
    },
    page::{NameOrIdSortMode, ResultsPage},
};
use croft_control::internet_gateway;

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
        .routes(routes!(internet_gateway_ip_address_list, internet_gateway_ip_address_create))
        .routes(routes!(internet_gateway_ip_address_delete))
}

/// List addresses of an internet gateway
#[utoipa::path(get, path = "/v1/internet-gateway-ip-addresses", tag = "vpcs",
    params(NamedPage, OptionalGatewaySelector), responses((status = 200, body = ResultsPage<InternetGatewayIpAddress>)),
    extensions(("x-dropshot-pagination" = json!({ "required": ["gateway"] }))))]
async fn internet_gateway_ip_address_list(
    call: Call,
    Page(page): Page<GatewaySelector, NameOrIdSortMode>,
) -> Result<Response> {
    call.read(move |cx, caller| internet_gateway::ip_address_list(cx, caller, &page)).await.map(reply::ok)
}

/// Attach an address to an internet gateway
///
/// A gateway has one at most.
#[utoipa::path(post, path = "/v1/internet-gateway-ip-addresses", tag = "vpcs", params(GatewaySelector),
    request_body = InternetGatewayIpAddressCreate, responses((status = 201, body = InternetGatewayIpAddress)))]
async fn internet_gateway_ip_address_create(
    call: Call,
    Query(selector): Query<GatewaySelector>,
    Json(params): Json<InternetGatewayIpAddressCreate>,
) -> Result<Response> {
    call.write(move |cx, caller| internet_gateway::ip_address_create(cx, caller, &selector, &params))
        .await
        .map(reply::created)
}

/// Detach an address from an internet gateway
///
/// Refused while a route needs the gateway for an instance with this address, unless the delete cascades.
#[utoipa::path(delete, path = "/v1/internet-gateway-ip-addresses/{address}", tag = "vpcs",
    params(GatewayAddressPath, OptionalGatewaySelector, CascadeSelector), responses((status = 204)))]
async fn internet_gateway_ip_address_delete(
    call: Call,
    Path(path): Path<GatewayAddressPath>,
    Query(selector): Query<OptionalGatewaySelector>,
    Query(cascade): Query<CascadeSelector>,
) -> Result<Response> {
    call.write(move |cx, caller| {
        internet_gateway::ip_address_delete(cx, caller, &path.address, &selector, cascade)
    })
    .await
    .map(reply::no_content)
}
