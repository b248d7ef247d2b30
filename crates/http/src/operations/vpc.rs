use axum::response::Response;
use croft_api::{
    page::{NameOrIdSortMode, ResultsPage},
    project::{OptionalProjectSelector, ProjectSelector},
    vpc::{Vpc, VpcCreate, VpcPath, VpcUpdate},
};
use croft_control::vpc;

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
        .routes(routes!(vpc_list, vpc_create))
        .routes(routes!(vpc_view, vpc_update, vpc_delete))
}

/// List VPCs
#[utoipa::path(get, path = "/v1/vpcs", tag = "vpcs", params(NamedPage, OptionalProjectSelector),
    responses((status = 200, body = ResultsPage<Vpc>)),
    extensions(("x-dropshot-pagination" = json!({ "required": ["project"] }))))]
async fn vpc_list(call: Call, Page(page): Page<ProjectSelector, NameOrIdSortMode>) -> Result<Response> {
    call.read(move |cx, caller| vpc::list(cx, caller, &page)).await.map(reply::reusable)
}

/// Create a VPC
///
/// A default subnet, the system router, firewall rules and a gateway come with it.
#[utoipa::path(post, path = "/v1/vpcs", tag = "vpcs", params(ProjectSelector), request_body = VpcCreate,
    responses((status = 201, body = Vpc)))]
async fn vpc_create(
    call: Call,
    Query(selector): Query<ProjectSelector>,
    Json(params): Json<VpcCreate>,
) -> Result<Response> {
    call.write(move |cx, caller| vpc::create(cx, caller, &selector.project, &params))
        .await
        .map(reply::created)
}

/// View a VPC
#[utoipa::path(get, path = "/v1/vpcs/{vpc}", tag = "vpcs", params(VpcPath, OptionalProjectSelector),
    responses((status = 200, body = Vpc)))]
async fn vpc_view(
    call: Call,
    Path(path): Path<VpcPath>,
    Query(selector): Query<OptionalProjectSelector>,
) -> Result<Response> {
    call.read(move |cx, caller| vpc::view(cx, caller, &path.vpc, selector.project.as_ref()))
        .await
        .map(reply::reusable)
}

/// Update a VPC
///
/// Firewall rules that refer to the VPC keep the old name.
#[utoipa::path(put, path = "/v1/vpcs/{vpc}", tag = "vpcs", params(VpcPath, OptionalProjectSelector),
    request_body = VpcUpdate, responses((status = 200, body = Vpc)))]
async fn vpc_update(
    call: Call,
    Path(path): Path<VpcPath>,
    Query(selector): Query<OptionalProjectSelector>,
    Json(params): Json<VpcUpdate>,
) -> Result<Response> {
    call.write(move |cx, caller| vpc::update(cx, caller, &path.vpc, selector.project.as_ref(), &params))
        .await
        .map(reply::ok)
}

/// Delete a VPC
///
/// Refused while there is a subnet in it. Routers, firewall rules and gateways go with it.
#[utoipa::path(delete, path = "/v1/vpcs/{vpc}", tag = "vpcs", params(VpcPath, OptionalProjectSelector),
    responses((status = 204)))]
async fn vpc_delete(
    call: Call,
    Path(path): Path<VpcPath>,
    Query(selector): Query<OptionalProjectSelector>,
) -> Result<Response> {
    call.write(move |cx, caller| vpc::delete(cx, caller, &path.vpc, selector.project.as_ref()))
        .await
        .map(reply::no_content)
}
