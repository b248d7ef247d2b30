use axum::response::Response;
use croft_api::{
    floating_ip::{FloatingIp, FloatingIpAttach, FloatingIpCreate, FloatingIpPath, FloatingIpUpdate},
    page::{NameOrIdSortMode, ResultsPage},
    project::{OptionalProjectSelector, ProjectSelector},
};
use croft_control::floating_ip;

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
        .routes(routes!(floating_ip_list, floating_ip_create))
        .routes(routes!(floating_ip_view, floating_ip_update, floating_ip_delete))
        .routes(routes!(floating_ip_attach))
        .routes(routes!(floating_ip_detach))
}

/// List floating IPs
#[utoipa::path(get, path = "/v1/floating-ips", tag = "floating-ips", params(NamedPage, OptionalProjectSelector),
    responses((status = 200, body = ResultsPage<FloatingIp>)),
    extensions(("x-dropshot-pagination" = json!({ "required": ["project"] }))))]
async fn floating_ip_list(
    call: Call,
    Page(page): Page<ProjectSelector, NameOrIdSortMode>,
) -> Result<Response> {
    call.read(move |cx, caller| floating_ip::list(cx, caller, &page)).await.map(reply::reusable)
}

/// Create a floating IP
#[utoipa::path(post, path = "/v1/floating-ips", tag = "floating-ips", params(ProjectSelector),
    request_body = FloatingIpCreate, responses((status = 201, body = FloatingIp)))]
async fn floating_ip_create(
    call: Call,
    Query(selector): Query<ProjectSelector>,
    Json(params): Json<FloatingIpCreate>,
) -> Result<Response> {
    call.write(move |cx, caller| floating_ip::create(cx, caller, &selector.project, &params))
        .await
        .map(reply::created)
}

/// View a floating IP
#[utoipa::path(get, path = "/v1/floating-ips/{floating_ip}", tag = "floating-ips",
    params(FloatingIpPath, OptionalProjectSelector), responses((status = 200, body = FloatingIp)))]
async fn floating_ip_view(
    call: Call,
    Path(path): Path<FloatingIpPath>,
    Query(selector): Query<OptionalProjectSelector>,
) -> Result<Response> {
    call.read(move |cx, caller| floating_ip::view(cx, caller, &path.floating_ip, selector.project.as_ref()))
        .await
        .map(reply::reusable)
}

/// Update a floating IP
#[utoipa::path(put, path = "/v1/floating-ips/{floating_ip}", tag = "floating-ips",
    params(FloatingIpPath, OptionalProjectSelector), request_body = FloatingIpUpdate,
    responses((status = 200, body = FloatingIp)))]
async fn floating_ip_update(
    call: Call,
    Path(path): Path<FloatingIpPath>,
    Query(selector): Query<OptionalProjectSelector>,
    Json(params): Json<FloatingIpUpdate>,
) -> Result<Response> {
    call.write(move |cx, caller| {
        floating_ip::update(cx, caller, &path.floating_ip, selector.project.as_ref(), &params)
    })
    .await
    .map(reply::ok)
}

/// Delete a floating IP
///
/// It must not be attached to an instance.
#[utoipa::path(delete, path = "/v1/floating-ips/{floating_ip}", tag = "floating-ips",
    params(FloatingIpPath, OptionalProjectSelector), responses((status = 204)))]
async fn floating_ip_delete(
    call: Call,
    Path(path): Path<FloatingIpPath>,
    Query(selector): Query<OptionalProjectSelector>,
) -> Result<Response> {
    call.write(move |cx, caller| {
        floating_ip::delete(cx, caller, &path.floating_ip, selector.project.as_ref())
    })
    .await
    .map(reply::no_content)
}

/// Attach a floating IP to an instance
///
/// Of the same project; it may be running.
#[utoipa::path(post, path = "/v1/floating-ips/{floating_ip}/attach", tag = "floating-ips",
    params(FloatingIpPath, OptionalProjectSelector), request_body = FloatingIpAttach,
    responses((status = 202, body = FloatingIp)))]
async fn floating_ip_attach(
    call: Call,
    Path(path): Path<FloatingIpPath>,
    Query(selector): Query<OptionalProjectSelector>,
    Json(params): Json<FloatingIpAttach>,
) -> Result<Response> {
    call.write(move |cx, caller| {
        floating_ip::attach(cx, caller, &path.floating_ip, selector.project.as_ref(), &params)
    })
    .await
    .map(reply::accepted)
}

/// Detach a floating IP from its instance
#[utoipa::path(post, path = "/v1/floating-ips/{floating_ip}/detach", tag = "floating-ips",
    params(FloatingIpPath, OptionalProjectSelector), responses((status = 202, body = FloatingIp)))]
async fn floating_ip_detach(
    call: Call,
    Path(path): Path<FloatingIpPath>,
    Query(selector): Query<OptionalProjectSelector>,
) -> Result<Response> {
    call.write(move |cx, caller| {
        floating_ip::detach(cx, caller, &path.floating_ip, selector.project.as_ref())
    })
    .await
    .map(reply::accepted)
}
