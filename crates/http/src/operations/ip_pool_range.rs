use axum::response::Response;
use croft_api::{
    ip_pool::{IpPool, IpPoolPath, IpPoolRange, IpPoolUtilization, IpRange},
    page::{NameSortMode, NoSelector, ResultsPage},
};
use croft_control::ip_pool;

use super::paging::TokenPage;
use crate::{
    call::Call,
    extract::{Json, Page, Path},
    failure::Result,
    reply,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(ip_pool_range_list))
        .routes(routes!(ip_pool_range_add))
        .routes(routes!(ip_pool_range_remove))
        .routes(routes!(ip_pool_utilization_view))
        .routes(routes!(ip_pool_service_view))
        .routes(routes!(ip_pool_service_range_list))
        .routes(routes!(ip_pool_service_range_add))
        .routes(routes!(ip_pool_service_range_remove))
}

/// List the addresses of an IP pool
///
/// In order of their numbers.
#[utoipa::path(get, path = "/v1/system/ip-pools/{pool}/ranges", tag = "system/ip-pools",
    params(IpPoolPath, TokenPage), responses((status = 200, body = ResultsPage<IpPoolRange>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn ip_pool_range_list(
    call: Call,
    Path(path): Path<IpPoolPath>,
    Page(page): Page<NoSelector, NameSortMode>,
) -> Result<Response> {
    call.read(move |cx, caller| ip_pool::range_list(cx, caller, &path.pool, &page)).await.map(reply::ok)
}

/// Add addresses to an IP pool
///
/// They must not be in any pool yet.
#[utoipa::path(post, path = "/v1/system/ip-pools/{pool}/ranges/add", tag = "system/ip-pools", params(IpPoolPath),
    request_body = IpRange, responses((status = 201, body = IpPoolRange)))]
async fn ip_pool_range_add(
    call: Call,
    Path(path): Path<IpPoolPath>,
    Json(params): Json<IpRange>,
) -> Result<Response> {
    call.write(move |cx, caller| ip_pool::range_add(cx, caller, &path.pool, params)).await.map(reply::created)
}

/// Remove addresses from an IP pool
///
/// Exactly as they were added. Refused while one of them is in use.
#[utoipa::path(post, path = "/v1/system/ip-pools/{pool}/ranges/remove", tag = "system/ip-pools",
    params(IpPoolPath), request_body = IpRange, responses((status = 204)))]
async fn ip_pool_range_remove(
    call: Call,
    Path(path): Path<IpPoolPath>,
    Json(params): Json<IpRange>,
) -> Result<Response> {
    call.write(move |cx, caller| ip_pool::range_remove(cx, caller, &path.pool, params))
        .await
        .map(reply::no_content)
}

/// View how much of an IP pool is in use
#[utoipa::path(get, path = "/v1/system/ip-pools/{pool}/utilization", tag = "system/ip-pools",
    params(IpPoolPath), responses((status = 200, body = IpPoolUtilization)))]
async fn ip_pool_utilization_view(call: Call, Path(path): Path<IpPoolPath>) -> Result<Response> {
    call.read(move |cx, caller| ip_pool::utilization_view(cx, caller, &path.pool)).await.map(reply::ok)
}

/// View the IP pool of the system's own services
///
/// It is there from the first start on, and no silo can be linked to it.
#[utoipa::path(get, path = "/v1/system/ip-pools-service", tag = "system/ip-pools",
    responses((status = 200, body = IpPool)))]
async fn ip_pool_service_view(call: Call) -> Result<Response> {
    call.read(ip_pool::service_view).await.map(reply::ok)
}

/// List the addresses of the system's own services
///
/// In order of their numbers.
#[utoipa::path(get, path = "/v1/system/ip-pools-service/ranges", tag = "system/ip-pools", params(TokenPage),
    responses((status = 200, body = ResultsPage<IpPoolRange>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn ip_pool_service_range_list(
    call: Call,
    Page(page): Page<NoSelector, NameSortMode>,
) -> Result<Response> {
    call.read(move |cx, caller| ip_pool::service_range_list(cx, caller, &page)).await.map(reply::ok)
}

/// Add addresses for the system's own services
///
/// They must not be in any pool yet.
#[utoipa::path(post, path = "/v1/system/ip-pools-service/ranges/add", tag = "system/ip-pools",
    request_body = IpRange, responses((status = 201, body = IpPoolRange)))]
async fn ip_pool_service_range_add(call: Call, Json(params): Json<IpRange>) -> Result<Response> {
    call.write(move |cx, caller| ip_pool::service_range_add(cx, caller, params)).await.map(reply::created)
}

/// Remove addresses of the system's own services
///
/// Exactly as they were added. Refused while one of them is in use.
#[utoipa::path(post, path = "/v1/system/ip-pools-service/ranges/remove", tag = "system/ip-pools",
    request_body = IpRange, responses((status = 204)))]
async fn ip_pool_service_range_remove(call: Call, Json(params): Json<IpRange>) -> Result<Response> {
    call.write(move |cx, caller| ip_pool::service_range_remove(cx, caller, params))
        .await
        .map(reply::no_content)
}
