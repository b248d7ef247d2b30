use axum::response::Response;
use croft_api::{
    page::{IdSortMode, NameOrIdSortMode, NoSelector, ResultsPage},
    permission::{Permissions, PermissionsQuery},
    project::Project,
    session::{CurrentUser, Group},
};
use croft_control::{me, permissions};

use super::paging::{IdPage, NamedPage};
use crate::{
    call::Call,
    extract::{Page, Query},
    failure::Result,
    reply,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(current_user_view))
        .routes(routes!(current_user_groups))
        .extensions(routes!(current_user_project_list, current_user_permissions_view))
}

/// View the caller
#[utoipa::path(get, path = "/v1/me", tag = "current-user", responses((status = 200, body = CurrentUser)))]
async fn current_user_view(call: Call) -> Result<Response> {
    call.read(me::view).await.map(reply::ok)
}

/// List the caller's groups
#[utoipa::path(get, path = "/v1/me/groups", tag = "current-user", params(IdPage),
    responses((status = 200, body = ResultsPage<Group>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn current_user_groups(call: Call, Page(page): Page<NoSelector, IdSortMode>) -> Result<Response> {
    call.read(move |cx, caller| me::groups(cx, caller, &page)).await.map(reply::ok)
}

/// List the projects that the caller may see
///
/// All projects of the silo for callers who may list them; for others those on which they hold a role, directly or
/// through a group.
#[utoipa::path(get, path = "/experimental/v1/me/projects", tag = "current-user", params(NamedPage),
    responses((status = 200, body = ResultsPage<Project>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn current_user_project_list(
    call: Call,
    Page(page): Page<NoSelector, NameOrIdSortMode>,
) -> Result<Response> {
    call.read(move |cx, caller| me::projects(cx, caller, &page)).await.map(reply::ok)
}

/// View the caller's permissions
///
/// Returns the operations that the caller may call on one object and everything in it. Permissions inside a project
/// depend on roles on the project, its silo and the fleet, so one request for the project covers all of its instances,
/// disks and VPCs.
#[utoipa::path(get, path = "/experimental/v1/me/permissions", tag = "current-user", params(PermissionsQuery),
    responses((status = 200, body = Permissions)))]
async fn current_user_permissions_view(
    call: Call,
    Query(query): Query<PermissionsQuery>,
) -> Result<Response> {
    call.read(move |cx, caller| permissions::view(cx, caller, &query)).await.map(reply::ok)
}
