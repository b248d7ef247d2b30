use axum::response::Response;
use croft_api::{
    page::{NameOrIdSortMode, ResultsPage},
    router::{RouterPath, VpcRouter, VpcRouterCreate, VpcRouterUpdate},
    vpc::{OptionalVpcSelector, VpcSelector},
};
use croft_control::router;

use super::paging::NamedPage;
use crate::{
    call::Call,
    extract::{Json, Page, Path, Query},
    failure::Result,
    reply,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new().routes(routes!(vpc_router_list, vpc_router_create)).routes(routes!(
        vpc_router_view,
        vpc_router_update,
        vpc_router_delete
    ))
}

/// List routers
#[utoipa::path(get, path = "/v1/vpc-routers", tag = "vpcs", params(NamedPage, OptionalVpcSelector),
    responses((status = 200, body = ResultsPage<VpcRouter>)),
    extensions(("x-dropshot-pagination" = json!({ "required": ["vpc"] }))))]
async fn vpc_router_list(call: Call, Page(page): Page<VpcSelector, NameOrIdSortMode>) -> Result<Response> {
    call.read(move |cx, caller| router::list(cx, caller, &page)).await.map(reply::ok)
}

/// Create a router
///
/// It has no routes, and is attached to no subnet.
#[utoipa::path(post, path = "/v1/vpc-routers", tag = "vpcs", params(VpcSelector), request_body = VpcRouterCreate,
    responses((status = 201, body = VpcRouter)))]
async fn vpc_router_create(
    call: Call,
    Query(selector): Query<VpcSelector>,
    Json(params): Json<VpcRouterCreate>,
) -> Result<Response> {
    call.write(move |cx, caller| router::create(cx, caller, &selector, &params)).await.map(reply::created)
}

/// View a router
#[utoipa::path(get, path = "/v1/vpc-routers/{router}", tag = "vpcs", params(RouterPath, OptionalVpcSelector),
    responses((status = 200, body = VpcRouter)))]
async fn vpc_router_view(
    call: Call,
    Path(path): Path<RouterPath>,
    Query(selector): Query<OptionalVpcSelector>,
) -> Result<Response> {
    call.read(move |cx, caller| router::view(cx, caller, &path.router, &selector)).await.map(reply::ok)
}

/// Update a router
#[utoipa::path(put, path = "/v1/vpc-routers/{router}", tag = "vpcs", params(RouterPath, OptionalVpcSelector),
    request_body = VpcRouterUpdate, responses((status = 200, body = VpcRouter)))]
async fn vpc_router_update(
    call: Call,
    Path(path): Path<RouterPath>,
    Query(selector): Query<OptionalVpcSelector>,
    Json(params): Json<VpcRouterUpdate>,
) -> Result<Response> {
    call.write(move |cx, caller| router::update(cx, caller, &path.router, &selector, &params))
        .await
        .map(reply::ok)
}

/// Delete a router
///
/// Its routes go with it, and subnets that it is attached to lose it. The system router stays as long as its VPC.
#[utoipa::path(delete, path = "/v1/vpc-routers/{router}", tag = "vpcs", params(RouterPath, OptionalVpcSelector),
    responses((status = 204)))]
async fn vpc_router_delete(
    call: Call,
    Path(path): Path<RouterPath>,
    Query(selector): Query<OptionalVpcSelector>,
) -> Result<Response> {
    call.write(move |cx, caller| router::delete(cx, caller, &path.router, &selector))
        .await
        .map(reply::no_content)
}
