use axum::response::Response;
use croft_api::{
    disk::{Disk, DiskPath},
    instance::{Instance, InstanceCreate, InstancePath, InstanceUpdate},
    page::{NameOrIdSortMode, ResultsPage},
    project::{OptionalProjectSelector, ProjectSelector},
    scalar::NameOrId,
};
use croft_control::instance;

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
        .routes(routes!(instance_list, instance_create))
        .routes(routes!(instance_view, instance_update, instance_delete))
        .routes(routes!(instance_start))
        .routes(routes!(instance_stop))
        .routes(routes!(instance_reboot))
        .routes(routes!(instance_disk_list))
        .routes(routes!(instance_disk_attach))
        .routes(routes!(instance_disk_detach))
}

/// List instances
#[utoipa::path(get, path = "/v1/instances", tag = "instances", params(NamedPage, OptionalProjectSelector),
    responses((status = 200, body = ResultsPage<Instance>)),
    extensions(("x-dropshot-pagination" = json!({ "required": ["project"] }))))]
async fn instance_list(call: Call, Page(page): Page<ProjectSelector, NameOrIdSortMode>) -> Result<Response> {
    call.read(move |cx, caller| instance::list(cx, caller, &page)).await.map(reply::reusable)
}

/// Create an instance
///
/// It is started at once unless the body says otherwise. If it cannot be started it is created nevertheless.
#[utoipa::path(post, path = "/v1/instances", tag = "instances", params(ProjectSelector),
    request_body = InstanceCreate, responses((status = 201, body = Instance)))]
async fn instance_create(
    call: Call,
    Query(selector): Query<ProjectSelector>,
    Json(params): Json<InstanceCreate>,
) -> Result<Response> {
    call.write(move |cx, caller| instance::create(cx, caller, &selector.project, &params))
        .await
        .map(reply::created)
}

/// View an instance
#[utoipa::path(get, path = "/v1/instances/{instance}", tag = "instances",
    params(OptionalProjectSelector, InstancePath), responses((status = 200, body = Instance)))]
async fn instance_view(
    call: Call,
    Path(path): Path<InstancePath>,
    Query(selector): Query<OptionalProjectSelector>,
) -> Result<Response> {
    call.read(move |cx, caller| instance::view(cx, caller, &path.instance, selector.project.as_ref()))
        .await
        .map(reply::reusable)
}

/// Update an instance
///
/// Absent fields are unset. Size and boot disk can only change while the instance is stopped.
#[utoipa::path(put, path = "/v1/instances/{instance}", tag = "instances",
    params(OptionalProjectSelector, InstancePath), request_body = InstanceUpdate,
    responses((status = 200, body = Instance)))]
async fn instance_update(
    call: Call,
    Path(path): Path<InstancePath>,
    Query(selector): Query<OptionalProjectSelector>,
    Json(params): Json<InstanceUpdate>,
) -> Result<Response> {
    call.write(move |cx, caller| {
        instance::update(cx, caller, &path.instance, selector.project.as_ref(), &params)
    })
    .await
    .map(reply::ok)
}

/// Delete an instance
///
/// It must be stopped or failed. Its disks are detached and kept.
#[utoipa::path(delete, path = "/v1/instances/{instance}", tag = "instances",
    params(OptionalProjectSelector, InstancePath), responses((status = 204)))]
async fn instance_delete(
    call: Call,
    Path(path): Path<InstancePath>,
    Query(selector): Query<OptionalProjectSelector>,
) -> Result<Response> {
    call.write(move |cx, caller| instance::delete(cx, caller, &path.instance, selector.project.as_ref()))
        .await
        .map(reply::no_content)
}

/// Start an instance
#[utoipa::path(post, path = "/v1/instances/{instance}/start", tag = "instances",
    params(OptionalProjectSelector, InstancePath), responses((status = 202, body = Instance)))]
async fn instance_start(
    call: Call,
    Path(path): Path<InstancePath>,
    Query(selector): Query<OptionalProjectSelector>,
) -> Result<Response> {
    call.write(move |cx, caller| instance::start(cx, caller, &path.instance, selector.project.as_ref()))
        .await
        .map(reply::accepted)
}

/// Stop an instance
#[utoipa::path(post, path = "/v1/instances/{instance}/stop", tag = "instances",
    params(OptionalProjectSelector, InstancePath), responses((status = 202, body = Instance)))]
async fn instance_stop(
    call: Call,
    Path(path): Path<InstancePath>,
    Query(selector): Query<OptionalProjectSelector>,
) -> Result<Response> {
    let outcome = probe_host(&call, &path.instance, selector.project.as_ref()).await?;
    call.write(move |cx, caller| {
        instance::stop(cx, caller, &path.instance, selector.project.as_ref(), &outcome)
    })
    .await
    .map(reply::accepted)
}

/// Restart a running instance
#[utoipa::path(post, path = "/v1/instances/{instance}/reboot", tag = "instances",
    params(OptionalProjectSelector, InstancePath), responses((status = 202, body = Instance)))]
async fn instance_reboot(
    call: Call,
    Path(path): Path<InstancePath>,
    Query(selector): Query<OptionalProjectSelector>,
) -> Result<Response> {
    let outcome = probe_host(&call, &path.instance, selector.project.as_ref()).await?;
    call.write(move |cx, caller| {
        instance::reboot(cx, caller, &path.instance, selector.project.as_ref(), &outcome)
    })
    .await
    .map(reply::accepted)
}

/// List the disks of an instance
#[utoipa::path(get, path = "/v1/instances/{instance}/disks", tag = "instances",
    params(NamedPage, OptionalProjectSelector, InstancePath), responses((status = 200, body = ResultsPage<Disk>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn instance_disk_list(
    call: Call,
    Path(path): Path<InstancePath>,
    Page(page): Page<OptionalProjectSelector, NameOrIdSortMode>,
) -> Result<Response> {
    call.read(move |cx, caller| instance::disk_list(cx, caller, &path.instance, &page)).await.map(reply::ok)
}

/// Attach a disk to an instance
#[utoipa::path(post, path = "/v1/instances/{instance}/disks/attach", tag = "instances",
    params(OptionalProjectSelector, InstancePath), request_body = DiskPath,
    responses((status = 202, body = Disk)))]
async fn instance_disk_attach(
    call: Call,
    Path(path): Path<InstancePath>,
    Query(selector): Query<OptionalProjectSelector>,
    Json(params): Json<DiskPath>,
) -> Result<Response> {
    call.write(move |cx, caller| {
        instance::disk_attach(cx, caller, &path.instance, selector.project.as_ref(), &params.disk)
    })
    .await
    .map(reply::accepted)
}

/// Detach a disk from an instance
#[utoipa::path(post, path = "/v1/instances/{instance}/disks/detach", tag = "instances",
    params(OptionalProjectSelector, InstancePath), request_body = DiskPath,
    responses((status = 202, body = Disk)))]
async fn instance_disk_detach(
    call: Call,
    Path(path): Path<InstancePath>,
    Query(selector): Query<OptionalProjectSelector>,
    Json(params): Json<DiskPath>,
) -> Result<Response> {
    call.write(move |cx, caller| {
        instance::disk_detach(cx, caller, &path.instance, selector.project.as_ref(), &params.disk)
    })
    .await
    .map(reply::accepted)
}

/// Asks the host about the instance's machine, outside of any transaction. If the caller is not allowed to, the rule
/// refuses and writes the audit entry. If the database is unavailable, the host is not asked.
async fn probe_host(
    call: &Call,
    instance: &NameOrId,
    project: Option<&NameOrId>,
) -> Result<instance::ProbeOutcome> {
    let (operation, instance, project) = (call.operation()?, instance.clone(), project.cloned());
    let probe =
        call.read(move |cx, caller| instance::probe(cx, caller, &instance, project.as_ref(), operation));
    match probe.await {
        Ok(probe) => call.ask(probe).await,
        Err(failure) if failure.status().is_server_error() => Err(failure),
        Err(_) => Ok(instance::ProbeOutcome::Present),
    }
}
