use axum::response::Response;
use croft_api::{
    affinity::{
        AffinityGroup, AffinityGroupCreate, AffinityGroupMember, AffinityGroupMemberPath, AffinityGroupPath,
        AffinityGroupUpdate,
    },
    instance::InstancePath,
    page::{NameOrIdSortMode, ResultsPage},
    project::{OptionalProjectSelector, ProjectSelector},
};
use croft_control::affinity::{self, Affinity};

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
        .routes(routes!(affinity_group_list, affinity_group_create))
        .routes(routes!(affinity_group_view, affinity_group_update, affinity_group_delete))
        .routes(routes!(affinity_group_member_list))
        .routes(routes!(
            affinity_group_member_instance_view,
            affinity_group_member_instance_add,
            affinity_group_member_instance_delete
        ))
        .routes(routes!(instance_affinity_group_list))
}

/// List affinity groups
#[utoipa::path(get, path = "/v1/affinity-groups", tag = "experimental",
    params(NamedPage, OptionalProjectSelector),
    responses((status = 200, body = ResultsPage<AffinityGroup>)),
    extensions(("x-dropshot-pagination" = json!({ "required": ["project"] }))))]
async fn affinity_group_list(
    call: Call,
    Page(page): Page<ProjectSelector, NameOrIdSortMode>,
) -> Result<Response> {
    call.read(move |cx, caller| affinity::list::<Affinity>(cx, caller, &page)).await.map(reply::ok)
}

/// Create an affinity group
///
/// Its policy decides what becomes of a member for which there is no room on the sled of the others.
#[utoipa::path(post, path = "/v1/affinity-groups", tag = "experimental", params(ProjectSelector),
    request_body = AffinityGroupCreate, responses((status = 201, body = AffinityGroup)))]
async fn affinity_group_create(
    call: Call,
    Query(selector): Query<ProjectSelector>,
    Json(params): Json<AffinityGroupCreate>,
) -> Result<Response> {
    call.write(move |cx, caller| affinity::create::<Affinity>(cx, caller, &selector.project, &params))
        .await
        .map(reply::created)
}

/// View an affinity group
#[utoipa::path(get, path = "/v1/affinity-groups/{affinity_group}", tag = "experimental",
    params(OptionalProjectSelector, AffinityGroupPath),
    responses((status = 200, body = AffinityGroup)))]
async fn affinity_group_view(
    call: Call,
    Path(path): Path<AffinityGroupPath>,
    Query(selector): Query<OptionalProjectSelector>,
) -> Result<Response> {
    call.read(move |cx, caller| {
        affinity::view::<Affinity>(cx, caller, &path.affinity_group, selector.project.as_ref())
    })
    .await
    .map(reply::ok)
}

/// Change an affinity group's name or description
#[utoipa::path(put, path = "/v1/affinity-groups/{affinity_group}", tag = "experimental",
    params(OptionalProjectSelector, AffinityGroupPath), request_body = AffinityGroupUpdate,
    responses((status = 200, body = AffinityGroup)))]
async fn affinity_group_update(
    call: Call,
    Path(path): Path<AffinityGroupPath>,
    Query(selector): Query<OptionalProjectSelector>,
    Json(params): Json<AffinityGroupUpdate>,
) -> Result<Response> {
    call.write(move |cx, caller| {
        let (group, project) = (&path.affinity_group, selector.project.as_ref());
        affinity::update::<Affinity>(cx, caller, group, project, &params)
    })
    .await
    .map(reply::ok)
}

/// Delete an affinity group
///
/// Its members stay where they are.
#[utoipa::path(delete, path = "/v1/affinity-groups/{affinity_group}", tag = "experimental",
    params(OptionalProjectSelector, AffinityGroupPath), responses((status = 204)))]
async fn affinity_group_delete(
    call: Call,
    Path(path): Path<AffinityGroupPath>,
    Query(selector): Query<OptionalProjectSelector>,
) -> Result<Response> {
    call.write(move |cx, caller| {
        affinity::delete::<Affinity>(cx, caller, &path.affinity_group, selector.project.as_ref())
    })
    .await
    .map(reply::no_content)
}

/// List the members of an affinity group
#[utoipa::path(get, path = "/v1/affinity-groups/{affinity_group}/members", tag = "experimental",
    params(NamedPage, OptionalProjectSelector, AffinityGroupPath),
    responses((status = 200, body = ResultsPage<AffinityGroupMember>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn affinity_group_member_list(
    call: Call,
    Path(path): Path<AffinityGroupPath>,
    Page(page): Page<OptionalProjectSelector, NameOrIdSortMode>,
) -> Result<Response> {
    call.read(move |cx, caller| affinity::member_list::<Affinity>(cx, caller, &path.affinity_group, &page))
        .await
        .map(reply::ok)
}

/// View a member of an affinity group
#[utoipa::path(get, path = "/v1/affinity-groups/{affinity_group}/members/instance/{instance}",
    tag = "experimental", params(OptionalProjectSelector, AffinityGroupMemberPath),
    responses((status = 200, body = AffinityGroupMember)))]
async fn affinity_group_member_instance_view(
    call: Call,
    Path(path): Path<AffinityGroupMemberPath>,
    Query(selector): Query<OptionalProjectSelector>,
) -> Result<Response> {
    call.read(move |cx, caller| {
        let (group, project) = (&path.affinity_group, selector.project.as_ref());
        affinity::member_view::<Affinity>(cx, caller, group, &path.instance, project)
    })
    .await
    .map(reply::ok)
}

/// Add an instance to an affinity group
///
/// The instance must be stopped or failed.
#[utoipa::path(post, path = "/v1/affinity-groups/{affinity_group}/members/instance/{instance}",
    tag = "experimental", params(OptionalProjectSelector, AffinityGroupMemberPath),
    responses((status = 201, body = AffinityGroupMember)))]
async fn affinity_group_member_instance_add(
    call: Call,
    Path(path): Path<AffinityGroupMemberPath>,
    Query(selector): Query<OptionalProjectSelector>,
) -> Result<Response> {
    call.write(move |cx, caller| {
        let (group, project) = (&path.affinity_group, selector.project.as_ref());
        affinity::member_add::<Affinity>(cx, caller, group, &path.instance, project)
    })
    .await
    .map(reply::created)
}

/// Remove an instance from an affinity group
///
/// It stays where it is.
#[utoipa::path(delete, path = "/v1/affinity-groups/{affinity_group}/members/instance/{instance}",
    tag = "experimental", params(OptionalProjectSelector, AffinityGroupMemberPath),
    responses((status = 204)))]
async fn affinity_group_member_instance_delete(
    call: Call,
    Path(path): Path<AffinityGroupMemberPath>,
    Query(selector): Query<OptionalProjectSelector>,
) -> Result<Response> {
    call.write(move |cx, caller| {
        let (group, project) = (&path.affinity_group, selector.project.as_ref());
        affinity::member_delete::<Affinity>(cx, caller, group, &path.instance, project)
    })
    .await
    .map(reply::no_content)
}

/// List the affinity groups of an instance
#[utoipa::path(get, path = "/v1/instances/{instance}/affinity-groups", tag = "experimental",
    params(NamedPage, OptionalProjectSelector, InstancePath),
    responses((status = 200, body = ResultsPage<AffinityGroup>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn instance_affinity_group_list(
    call: Call,
    Path(path): Path<InstancePath>,
    Page(page): Page<OptionalProjectSelector, NameOrIdSortMode>,
) -> Result<Response> {
    call.read(move |cx, caller| affinity::of_instance::<Affinity>(cx, caller, &path.instance, &page))
        .await
        .map(reply::ok)
}
