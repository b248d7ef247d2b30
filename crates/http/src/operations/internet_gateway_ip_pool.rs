use axum::response::Response;
use croft_api::{
    internet_gateway::{
        CascadeSelector, GatewayPoolPath, GatewaySelector, InternetGatewayIpPool,
        InternetGatewayIpPoolCreate, OptionalGatewaySelector,
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
        .routes(routes!(internet_gateway_ip_pool_list, internet_gateway_ip_pool_create))
        .routes(routes!(internet_gateway_ip_pool_delete))
}

/// List pools of an internet gateway
#[utoipa::path(get, path = "/v1/internet-gateway-ip-pools", tag = "vpcs",
    params(NamedPage, OptionalGatewaySelector), responses((status = 200, body = ResultsPage<InternetGatewayIpPool>)),
    extensions(("x-dropshot-pagination" = json!({ "required": ["gateway"] }))))]
async fn internet_gateway_ip_pool_list(
    call: Call,
    Page(page): Page<GatewaySelector, NameOrIdSortMode>,
) -> Result<Response> {
    call.read(move |cx, caller| internet_gateway::ip_pool_list(cx, caller, &page)).await.map(reply::ok)
}

/// Attach a pool to an internet gateway
///
/// The caller's silo must be linked to the pool.
#[utoipa::path(post, path = "/v1/internet-gateway-ip-pools", tag = "vpcs", params(GatewaySelector),
    request_body = InternetGatewayIpPoolCreate, responses((status = 201, body = InternetGatewayIpPool)))]
async fn internet_gateway_ip_pool_create(
    call: Call,
    Query(selector): Query<GatewaySelector>,
    Json(params): Json<InternetGatewayIpPoolCreate>,
) -> Result<Response> {
    call.write(move |cx, caller| internet_gateway::ip_pool_create(cx, caller, &selector, &params))
        .await
        .map(reply::created)
}

/// Detach a pool from an internet gateway
///
/// Refused while a route needs the gateway for an instance with an address of the pool, unless the delete cascades.
#[utoipa::path(delete, path = "/v1/internet-gateway-ip-pools/{pool}", tag = "vpcs",
    params(GatewayPoolPath, OptionalGatewaySelector, CascadeSelector), responses((status = 204)))]
async fn internet_gateway_ip_pool_delete(
    call: Call,
    Path(path): Path<GatewayPoolPath>,
    Query(selector): Query<OptionalGatewaySelector>,
    Query(cascade): Query<CascadeSelector>,
) -> Result<Response> {
    call.write(move |cx, caller| internet_gateway::ip_pool_delete(cx, caller, &path.pool, &selector, cascade))
        .await
        .map(reply::no_content)
}
