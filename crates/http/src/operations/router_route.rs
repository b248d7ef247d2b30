use axum::response::Response;
use croft_api::{
    page::{NameOrIdSortMode, ResultsPage},
    router::{
        OptionalRouterSelector, RoutePath, RouterRoute, RouterRouteCreate, RouterRouteUpdate, RouterSelector,
    },
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
    OpenApiRouter::new().routes(routes!(vpc_router_route_list, vpc_router_route_create)).routes(routes!(
        vpc_router_route_view,
        vpc_router_route_update,
        vpc_router_route_delete
    ))
}

/// List routes
#[utoipa::path(get, path = "/v1/vpc-router-routes", tag = "vpcs", params(NamedPage, OptionalRouterSelector),
    responses((status = 200, body = ResultsPage<RouterRoute>)),
    extensions(("x-dropshot-pagination" = json!({ "required": ["router"] }))))]
async fn vpc_router_route_list(
    call: Call,
    Page(page): Page<RouterSelector, NameOrIdSortMode>,
) -> Result<Response> {
    call.read(move |cx, caller| router::route_list(cx, caller, &page)).await.map(reply::ok)
}

/// Create a route
///
/// Only in a router that somebody made.
#[utoipa::path(post, path = "/v1/vpc-router-routes", tag = "vpcs", params(RouterSelector),
    request_body = RouterRouteCreate, responses((status = 201, body = RouterRoute)))]
async fn vpc_router_route_create(
    call: Call,
    Query(selector): Query<RouterSelector>,
    Json(params): Json<RouterRouteCreate>,
) -> Result<Response> {
    call.write(move |cx, caller| router::route_create(cx, caller, &selector, &params))
        .await
        .map(reply::created)
}

/// View a route
#[utoipa::path(get, path = "/v1/vpc-router-routes/{route}", tag = "vpcs",
    params(RoutePath, OptionalRouterSelector), responses((status = 200, body = RouterRoute)))]
async fn vpc_router_route_view(
    call: Call,
    Path(path): Path<RoutePath>,
    Query(selector): Query<OptionalRouterSelector>,
) -> Result<Response> {
    call.read(move |cx, caller| router::route_view(cx, caller, &path.route, &selector)).await.map(reply::ok)
}

/// Update a route
///
/// For a route that leads out of the VPC only the target can be changed. Routes to subnets cannot be changed.
#[utoipa::path(put, path = "/v1/vpc-router-routes/{route}", tag = "vpcs",
    params(RoutePath, OptionalRouterSelector), request_body = RouterRouteUpdate,
    responses((status = 200, body = RouterRoute)))]
async fn vpc_router_route_update(
    call: Call,
    Path(path): Path<RoutePath>,
    Query(selector): Query<OptionalRouterSelector>,
    Json(params): Json<RouterRouteUpdate>,
) -> Result<Response> {
    call.write(move |cx, caller| router::route_update(cx, caller, &path.route, &selector, &params))
        .await
        .map(reply::ok)
}

/// Delete a route
///
/// Only one that somebody made.
#[utoipa::path(delete, path = "/v1/vpc-router-routes/{route}", tag = "vpcs",
    params(RoutePath, OptionalRouterSelector), responses((status = 204)))]
async fn vpc_router_route_delete(
    call: Call,
    Path(path): Path<RoutePath>,
    Query(selector): Query<OptionalRouterSelector>,
) -> Result<Response> {
    call.write(move |cx, caller| router::route_delete(cx, caller, &path.route, &selector))
        .await
        .map(reply::no_content)
}
