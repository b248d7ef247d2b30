use axum::response::Response;
use croft_api::{
    page::{NameOrIdSortMode, ResultsPage},
    probe::{Probe, ProbeCreate, ProbeInfo, ProbePath},
    project::{OptionalProjectSelector, ProjectSelector},
};
use croft_control::probe;

use super::paging::NamedPage;
use crate::{
    call::Call,
    extract::{Json, Page, Path, Query},
    failure::Result,
    reply,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new().routes(routes!(probe_list, probe_create)).routes(routes!(probe_view, probe_delete))
}

/// List the probes of a project
#[utoipa::path(get, path = "/experimental/v1/probes", tag = "experimental",
    params(NamedPage, OptionalProjectSelector), responses((status = 200, body = ResultsPage<ProbeInfo>)),
    extensions(("x-dropshot-pagination" = json!({ "required": ["project"] }))))]
async fn probe_list(call: Call, Page(page): Page<ProjectSelector, NameOrIdSortMode>) -> Result<Response> {
    call.read(move |cx, caller| probe::list(cx, caller, &page)).await.map(reply::ok)
}

/// Create a probe
///
/// With an interface in the default subnet of the project's default VPC and an external address. It is only kept:
/// nothing runs on the sled.
#[utoipa::path(post, path = "/experimental/v1/probes", tag = "experimental", params(ProjectSelector),
    request_body = ProbeCreate, responses((status = 201, body = Probe)))]
async fn probe_create(
    call: Call,
    Query(query): Query<ProjectSelector>,
    Json(params): Json<ProbeCreate>,
) -> Result<Response> {
    call.write(move |cx, caller| probe::create(cx, caller, &query.project, &params)).await.map(reply::created)
}

/// View a probe
#[utoipa::path(get, path = "/experimental/v1/probes/{probe}", tag = "experimental",
    params(ProbePath, ProjectSelector), responses((status = 200, body = ProbeInfo)))]
async fn probe_view(
    call: Call,
    Path(path): Path<ProbePath>,
    Query(query): Query<ProjectSelector>,
) -> Result<Response> {
    call.read(move |cx, caller| probe::view(cx, caller, &query.project, &path.probe)).await.map(reply::ok)
}

/// Delete a probe
///
/// Its addresses can be given out again.
#[utoipa::path(delete, path = "/experimental/v1/probes/{probe}", tag = "experimental",
    params(ProbePath, ProjectSelector), responses((status = 204)))]
async fn probe_delete(
    call: Call,
    Path(path): Path<ProbePath>,
    Query(query): Query<ProjectSelector>,
) -> Result<Response> {
    call.write(move |cx, caller| probe::delete(cx, caller, &query.project, &path.probe))
        .await
        .map(reply::no_content)
}
