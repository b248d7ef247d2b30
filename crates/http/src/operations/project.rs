use axum::response::Response;
use croft_api::{
    page::{NameOrIdSortMode, NoSelector, ResultsPage},
    project::{Project, ProjectCreate, ProjectPath, ProjectUpdate},
};
use croft_control::project;

use super::paging::NamedPage;
use crate::{
    call::Call,
    extract::{Json, Page, Path},
    failure::Result,
    reply,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new().routes(routes!(project_list, project_create)).routes(routes!(
        project_view,
        project_update,
        project_delete
    ))
}

/// List projects
#[utoipa::path(get, path = "/v1/projects", tag = "projects", params(NamedPage),
    responses((status = 200, body = ResultsPage<Project>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn project_list(call: Call, Page(page): Page<NoSelector, NameOrIdSortMode>) -> Result<Response> {
    call.read(move |cx, caller| project::list(cx, caller, &page)).await.map(reply::reusable)
}

/// Create a project
///
/// A default VPC with its subnet, routes and firewall rules comes with it.
#[utoipa::path(post, path = "/v1/projects", tag = "projects", request_body = ProjectCreate,
    responses((status = 201, body = Project)))]
async fn project_create(call: Call, Json(params): Json<ProjectCreate>) -> Result<Response> {
    call.write(move |cx, caller| project::create(cx, caller, &params)).await.map(reply::created)
}

/// View a project
#[utoipa::path(get, path = "/v1/projects/{project}", tag = "projects", params(ProjectPath),
    responses((status = 200, body = Project)))]
async fn project_view(call: Call, Path(path): Path<ProjectPath>) -> Result<Response> {
    call.read(move |cx, caller| project::view(cx, caller, &path.project)).await.map(reply::reusable)
}

/// Update a project
#[utoipa::path(put, path = "/v1/projects/{project}", tag = "projects", params(ProjectPath),
    request_body = ProjectUpdate, responses((status = 200, body = Project)))]
async fn project_update(
    call: Call,
    Path(path): Path<ProjectPath>,
    Json(params): Json<ProjectUpdate>,
) -> Result<Response> {
    call.write(move |cx, caller| project::update(cx, caller, &path.project, &params)).await.map(reply::ok)
}

/// Delete a project
///
/// Refused while anything is left in it.
#[utoipa::path(delete, path = "/v1/projects/{project}", tag = "projects", params(ProjectPath),
    responses((status = 204)))]
async fn project_delete(call: Call, Path(path): Path<ProjectPath>) -> Result<Response> {
    call.write(move |cx, caller| project::delete(cx, caller, &path.project)).await.map(reply::no_content)
}
