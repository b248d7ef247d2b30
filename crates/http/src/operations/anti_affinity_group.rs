use axum::response::Response;
use croft_api::{
    affinity::{
        AntiAffinityGroup, AntiAffinityGroupCreate, AntiAffinityGroupMember, AntiAffinityGroupMemberPath,
        AntiAffinityGroupPath, AntiAffinityGroupUpdate,
    },
    instance::InstancePath,
    page::{NameOrIdSortMode, ResultsPage},
    project::{OptionalProjectSelector, ProjectSelector},
};
use croft_control::affinity::{self, AntiAffinity};

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
        .routes(routes!(anti_affinity_group_list, anti_affinity_group_create))
        .routes(routes!(anti_affinity_group_view, anti_affinity_group_update, anti_affinity_group_delete))
        .routes(routes!(anti_affinity_group_member_list))
        .routes(routes!(
            anti_affinity_group_member_instance_view,
            anti_affinity_group_member_instance_add,
            anti_affinity_group_member_instance_delete
        ))
        .routes(routes!(instance_anti_affinity_group_list))
}

/// List anti-affinity groups
#[utoipa::path(get, path = "/v1/anti-affinity-groups", tag = "affinity",
    params(NamedPage, OptionalProjectSelector),
    responses((status = 200, body = ResultsPage<AntiAffinityGroup>)),
    extensions(("x-dropshot-pagination" = json!({ "required": ["project"] }))))]
async fn anti_affinity_group_list(
    call: Call,
    Page(page): Page<ProjectSelector, NameOrIdSortMode>,
) -> Result<Response> {
    call.read(move |cx, caller| affinity::list::<AntiAffinity>(cx, caller, &page)).await.map(reply::ok)
}

/// Create an anti-affinity group
///
/// Its policy decides what becomes of a member for which there is no sled without another member.
#[utoipa::path(post, path = "/v1/anti-affinity-groups", tag = "affinity", params(ProjectSelector),
    request_body = AntiAffinityGroupCreate, responses((status = 201, body = AntiAffinityGroup)))]
async fn anti_affinity_group_create(
    call: Call,
    Query(selector): Query<ProjectSelector>,
    Json(params): Json<AntiAffinityGroupCreate>,
) -> Result<Response> {
    call.write(move |cx, caller| affinity::create::<AntiAffinity>(cx, caller, &selector.project, &params))
        .await
        .map(reply::created)
}

/// View an anti-affinity group
#[utoipa::path(get, path = "/v1/anti-affinity-groups/{anti_affinity_group}", tag = "affinity",
    params(OptionalProjectSelector, AntiAffinityGroupPath),
    responses((status = 200, body = AntiAffinityGroup)))]
async fn anti_affinity_group_view(
    call: Call,
    Path(path): Path<AntiAffinityGroupPath>,
    Query(selector): Query<OptionalProjectSelector>,
) -> Result<Response> {
    call.read(move |cx, caller| {
        affinity::view::<AntiAffinity>(cx, caller, &path.anti_affinity_group, selector.project.as_ref())
    })
    .await
    .map(reply::ok)
}

/// Change an anti-affinity group's name or description
#[utoipa::path(put, path = "/v1/anti-affinity-groups/{anti_affinity_group}", tag = "affinity",
    params(OptionalProjectSelector, AntiAffinityGroupPath), request_body = AntiAffinityGroupUpdate,
    responses((status = 200, body = AntiAffinityGroup)))]
async fn anti_affinity_group_update(
    call: Call,
    Path(path): Path<AntiAffinityGroupPath>,
    Query(selector): Query<OptionalProjectSelector>,
    Json(params): Json<AntiAffinityGroupUpdate>,
) -> Result<Response> {
    call.write(move |cx, caller| {
        let (group, project) = (&path.anti_affinity_group, selector.project.as_ref());
        affinity::update::<AntiAffinity>(cx, caller, group, project, &params)
    })
    .await
    .map(reply::ok)
}

/// Delete an anti-affinity group
///
/// Its members stay where they are.
#[utoipa::path(delete, path = "/v1/anti-affinity-groups/{anti_affinity_group}", tag = "affinity",
    params(OptionalProjectSelector, AntiAffinityGroupPath), responses((status = 204)))]
async fn anti_affinity_group_delete(
    call: Call,
    Path(path): Path<AntiAffinityGroupPath>,
    Query(selector): Query<OptionalProjectSelector>,
) -> Result<Response> {
    call.write(move |cx, caller| {
        affinity::delete::<AntiAffinity>(cx, caller, &path.anti_affinity_group, selector.project.as_ref())
    })
    .await
    .map(reply::no_content)
}

/// List the members of an anti-affinity group
#[utoipa::path(get, path = "/v1/anti-affinity-groups/{anti_affinity_group}/members", tag = "affinity",
    params(NamedPage, OptionalProjectSelector, AntiAffinityGroupPath),
    responses((status = 200, body = ResultsPage<AntiAffinityGroupMember>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn anti_affinity_group_member_list(
    call: Call,
    Path(path): Path<AntiAffinityGroupPath>,
    Page(page): Page<OptionalProjectSelector, NameOrIdSortMode>,
) -> Result<Response> {
    call.read(move |cx, caller| {
        affinity::member_list::<AntiAffinity>(cx, caller, &path.anti_affinity_group, &page)
    })
    .await
    .map(reply::ok)
}

/// View a member of an anti-affinity group
#[utoipa::path(get, path = "/v1/anti-affinity-groups/{anti_affinity_group}/members/instance/{instance}",
    tag = "affinity", params(OptionalProjectSelector, AntiAffinityGroupMemberPath),
    responses((status = 200, body = AntiAffinityGroupMember)))]
async fn anti_affinity_group_member_instance_view(
    call: Call,
    Path(path): Path<AntiAffinityGroupMemberPath>,
    Query(selector): Query<OptionalProjectSelector>,
) -> Result<Response> {
    call.read(move |cx, caller| {
        let (group, project) = (&path.anti_affinity_group, selector.project.as_ref());
        affinity::member_view::<AntiAffinity>(cx, caller, group, &path.instance, project)
    })
    .await
    .map(reply::ok)
}

/// Add an instance to an anti-affinity group
///
/// The instance must be stopped or failed.
#[utoipa::path(post, path = "/v1/anti-affinity-groups/{anti_affinity_group}/members/instance/{instance}",
    tag = "affinity", params(OptionalProjectSelector, AntiAffinityGroupMemberPath),
    responses((status = 201, body = AntiAffinityGroupMember)))]
async fn anti_affinity_group_member_instance_add(
    call: Call,
    Path(path): Path<AntiAffinityGroupMemberPath>,
    Query(selector): Query<OptionalProjectSelector>,
) -> Result<Response> {
    call.write(move |cx, caller| {
        let (group, project) = (&path.anti_affinity_group, selector.project.as_ref());
        affinity::member_add::<AntiAffinity>(cx, caller, group, &path.instance, project)
    })
    .await
    .map(reply::created)
}

/// Remove an instance from an anti-affinity group
///
/// It stays where it is.
#[utoipa::path(delete, path = "/v1/anti-affinity-groups/{anti_affinity_group}/members/instance/{instance}",
    tag = "affinity", params(OptionalProjectSelector, AntiAffinityGroupMemberPath),
    responses((status = 204)))]
async fn anti_affinity_group_member_instance_delete(
    call: Call,
    Path(path): Path<AntiAffinityGroupMemberPath>,
    Query(selector): Query<OptionalProjectSelector>,
) -> Result<Response> {
    call.write(move |cx, caller| {
        let (group, project) = (&path.anti_affinity_group, selector.project.as_ref());
        affinity::member_delete::<AntiAffinity>(cx, caller, group, &path.instance, project)
    })
    .await
    .map(reply::no_content)
}

/// List the anti-affinity groups of an instance
#[utoipa::path(get, path = "/v1/instances/{instance}/anti-affinity-groups", tag = "instances",
    params(NamedPage, OptionalProjectSelector, InstancePath),
    responses((status = 200, body = ResultsPage<AntiAffinityGroup>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn instance_anti_affinity_group_list(
    call: Call,
    Path(path): Path<InstancePath>,
    Page(page): Page<OptionalProjectSelector, NameOrIdSortMode>,
) -> Result<Response> {
    call.read(move |cx, caller| affinity::of_instance::<AntiAffinity>(cx, caller, &path.instance, &page))
        .await
        .map(reply::ok)
}
