use axum::response::Response;
use croft_api::{
    ip_pool::{
        IpPool, IpPoolCreate, IpPoolLinkSilo, IpPoolPath, IpPoolSiloLink, IpPoolSiloPath, IpPoolSiloUpdate,
        IpPoolUpdate, SiloIpPool,
    },
    page::{IdSortMode, NameOrIdSortMode, NoSelector, ResultsPage},
    silo::SiloPath,
};
use croft_control::ip_pool;

use super::paging::{IdPage, NamedPage};
use crate::{
    call::Call,
    extract::{Json, Page, Path},
    failure::Result,
    reply,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(project_ip_pool_list))
        .routes(routes!(project_ip_pool_view))
        .routes(routes!(silo_ip_pool_list))
        .routes(routes!(ip_pool_list, ip_pool_create))
        .routes(routes!(ip_pool_view, ip_pool_update, ip_pool_delete))
        .routes(routes!(ip_pool_silo_list, ip_pool_silo_link))
        .routes(routes!(ip_pool_silo_update, ip_pool_silo_unlink))
}

/// List the IP pools that the caller's silo is linked to
#[utoipa::path(get, path = "/v1/ip-pools", tag = "projects", params(NamedPage),
    responses((status = 200, body = ResultsPage<SiloIpPool>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn project_ip_pool_list(
    call: Call,
    Page(page): Page<NoSelector, NameOrIdSortMode>,
) -> Result<Response> {
    call.read(move |cx, caller| ip_pool::own_list(cx, caller, &page)).await.map(reply::ok)
}

/// View an IP pool that the caller's silo is linked to
#[utoipa::path(get, path = "/v1/ip-pools/{pool}", tag = "projects", params(IpPoolPath),
    responses((status = 200, body = SiloIpPool)))]
async fn project_ip_pool_view(call: Call, Path(path): Path<IpPoolPath>) -> Result<Response> {
    call.read(move |cx, caller| ip_pool::own_view(cx, caller, &path.pool)).await.map(reply::ok)
}

/// List the IP pools that a silo is linked to
#[utoipa::path(get, path = "/v1/system/silos/{silo}/ip-pools", tag = "system/silos",
    params(SiloPath, NamedPage), responses((status = 200, body = ResultsPage<SiloIpPool>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn silo_ip_pool_list(
    call: Call,
    Path(path): Path<SiloPath>,
    Page(page): Page<NoSelector, NameOrIdSortMode>,
) -> Result<Response> {
    call.read(move |cx, caller| ip_pool::of_silo(cx, caller, &path.silo, &page)).await.map(reply::ok)
}

/// List IP pools
#[utoipa::path(get, path = "/v1/system/ip-pools", tag = "system/ip-pools", params(NamedPage),
    responses((status = 200, body = ResultsPage<IpPool>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn ip_pool_list(call: Call, Page(page): Page<NoSelector, NameOrIdSortMode>) -> Result<Response> {
    call.read(move |cx, caller| ip_pool::list(cx, caller, &page)).await.map(reply::ok)
}

/// Create an IP pool
///
/// Without addresses, and linked to no silo.
#[utoipa::path(post, path = "/v1/system/ip-pools", tag = "system/ip-pools", request_body = IpPoolCreate,
    responses((status = 201, body = IpPool)))]
async fn ip_pool_create(call: Call, Json(params): Json<IpPoolCreate>) -> Result<Response> {
    call.write(move |cx, caller| ip_pool::create(cx, caller, &params)).await.map(reply::created)
}

/// View an IP pool
#[utoipa::path(get, path = "/v1/system/ip-pools/{pool}", tag = "system/ip-pools", params(IpPoolPath),
    responses((status = 200, body = IpPool)))]
async fn ip_pool_view(call: Call, Path(path): Path<IpPoolPath>) -> Result<Response> {
    call.read(move |cx, caller| ip_pool::view(cx, caller, &path.pool)).await.map(reply::ok)
}

/// Update an IP pool
#[utoipa::path(put, path = "/v1/system/ip-pools/{pool}", tag = "system/ip-pools", params(IpPoolPath),
    request_body = IpPoolUpdate, responses((status = 200, body = IpPool)))]
async fn ip_pool_update(
    call: Call,
    Path(path): Path<IpPoolPath>,
    Json(params): Json<IpPoolUpdate>,
) -> Result<Response> {
    call.write(move |cx, caller| ip_pool::update(cx, caller, &path.pool, &params)).await.map(reply::ok)
}

/// Delete an IP pool
///
/// Refused while there are addresses in it. Its links to silos go with it.
#[utoipa::path(delete, path = "/v1/system/ip-pools/{pool}", tag = "system/ip-pools", params(IpPoolPath),
    responses((status = 204)))]
async fn ip_pool_delete(call: Call, Path(path): Path<IpPoolPath>) -> Result<Response> {
    call.write(move |cx, caller| ip_pool::delete(cx, caller, &path.pool)).await.map(reply::no_content)
}

/// List the silos that an IP pool is linked to
///
/// Only discoverable ones.
#[utoipa::path(get, path = "/v1/system/ip-pools/{pool}/silos", tag = "system/ip-pools",
    params(IpPoolPath, IdPage), responses((status = 200, body = ResultsPage<IpPoolSiloLink>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn ip_pool_silo_list(
    call: Call,
    Path(path): Path<IpPoolPath>,
    Page(page): Page<NoSelector, IdSortMode>,
) -> Result<Response> {
    call.read(move |cx, caller| ip_pool::silo_list(cx, caller, &path.pool, &page)).await.map(reply::ok)
}

/// Link an IP pool to a silo
///
/// The silo's users can then draw addresses from it.
#[utoipa::path(post, path = "/v1/system/ip-pools/{pool}/silos", tag = "system/ip-pools", params(IpPoolPath),
    request_body = IpPoolLinkSilo, responses((status = 201, body = IpPoolSiloLink)))]
async fn ip_pool_silo_link(
    call: Call,
    Path(path): Path<IpPoolPath>,
    Json(params): Json<IpPoolLinkSilo>,
) -> Result<Response> {
    call.write(move |cx, caller| ip_pool::silo_link(cx, caller, &path.pool, &params))
        .await
        .map(reply::created)
}

/// Set whether an IP pool is a silo's default
///
/// The previous default pool of the silo is no longer its default.
#[utoipa::path(put, path = "/v1/system/ip-pools/{pool}/silos/{silo}", tag = "system/ip-pools",
    params(IpPoolSiloPath), request_body = IpPoolSiloUpdate, responses((status = 200, body = IpPoolSiloLink)))]
async fn ip_pool_silo_update(
    call: Call,
    Path(path): Path<IpPoolSiloPath>,
    Json(params): Json<IpPoolSiloUpdate>,
) -> Result<Response> {
    call.write(move |cx, caller| ip_pool::silo_update(cx, caller, &path.pool, &path.silo, &params))
        .await
        .map(reply::ok)
}

/// Unlink an IP pool from a silo
#[utoipa::path(delete, path = "/v1/system/ip-pools/{pool}/silos/{silo}", tag = "system/ip-pools",
    params(IpPoolSiloPath), responses((status = 204)))]
async fn ip_pool_silo_unlink(call: Call, Path(path): Path<IpPoolSiloPath>) -> Result<Response> {
    call.write(move |cx, caller| ip_pool::silo_unlink(cx, caller, &path.pool, &path.silo))
        .await
        .map(reply::no_content)
}
