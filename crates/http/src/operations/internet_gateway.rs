use axum::response::Response;
use croft_api::{
    internet_gateway::{CascadeSelector, InternetGateway, InternetGatewayCreate, InternetGatewayPath},
    page::{NameOrIdSortMode, ResultsPage},
    vpc::{OptionalVpcSelector, VpcSelector},
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
        .routes(routes!(internet_gateway_list, internet_gateway_create))
        .routes(routes!(internet_gateway_view, internet_gateway_delete))
}

/// List internet gateways
#[utoipa::path(get, path = "/v1/internet-gateways", tag = "vpcs", params(NamedPage, OptionalVpcSelector),
    responses((status = 200, body = ResultsPage<InternetGateway>)),
    extensions(("x-dropshot-pagination" = json!({ "required": ["vpc"] }))))]
async fn internet_gateway_list(
    call: Call,
    Page(page): Page<VpcSelector, NameOrIdSortMode>,
) -> Result<Response> {
    call.read(move |cx, caller| internet_gateway::list(cx, caller, &page)).await.map(reply::ok)
}

/// Create an internet gateway
///
/// It has no pools and no addresses.
#[utoipa::path(post, path = "/v1/internet-gateways", tag = "vpcs", params(VpcSelector),
    request_body = InternetGatewayCreate, responses((status = 201, body = InternetGateway)))]
async fn internet_gateway_create(
    call: Call,
    Query(selector): Query<VpcSelector>,
    Json(params): Json<InternetGatewayCreate>,
) -> Result<Response> {
    call.write(move |cx, caller| internet_gateway::create(cx, caller, &selector, &params))
        .await
        .map(reply::created)
}

/// View an internet gateway
#[utoipa::path(get, path = "/v1/internet-gateways/{gateway}", tag = "vpcs",
    params(InternetGatewayPath, OptionalVpcSelector), responses((status = 200, body = InternetGateway)))]
async fn internet_gateway_view(
    call: Call,
    Path(path): Path<InternetGatewayPath>,
    Query(selector): Query<OptionalVpcSelector>,
) -> Result<Response> {
    call.read(move |cx, caller| internet_gateway::view(cx, caller, &path.gateway, &selector))
        .await
        .map(reply::ok)
}

/// Delete an internet gateway
///
/// Refused while pools or addresses are attached to it, unless the delete cascades: then they go with it, and so does
/// every route to it.
#[utoipa::path(delete, path = "/v1/internet-gateways/{gateway}", tag = "vpcs",
    params(InternetGatewayPath, OptionalVpcSelector, CascadeSelector), responses((status = 204)))]
async fn internet_gateway_delete(
    call: Call,
    Path(path): Path<InternetGatewayPath>,
    Query(selector): Query<OptionalVpcSelector>,
    Query(cascade): Query<CascadeSelector>,
) -> Result<Response> {
    call.write(move |cx, caller| internet_gateway::delete(cx, caller, &path.gateway, &selector, cascade))
        .await
        .map(reply::no_content)
}
