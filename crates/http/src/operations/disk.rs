use axum::response::Response;
use croft_api::{
    disk::{Disk, DiskCreate, DiskPathParam},
    page::{NameOrIdSortMode, ResultsPage},
    project::{OptionalProjectSelector, ProjectSelector},
};
use croft_control::disk;

use super::paging::NamedPage;
use crate::{
    call::Call,
    extract::{Json, Page, Path, Query},
    failure::Result,
    reply,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new().routes(routes!(disk_list, disk_create)).routes(routes!(disk_view, disk_delete))
}

/// List disks
#[utoipa::path(get, path = "/v1/disks", tag = "disks", params(NamedPage, OptionalProjectSelector),
    responses((status = 200, body = ResultsPage<Disk>)),
    extensions(("x-dropshot-pagination" = json!({ "required": ["project"] }))))]
async fn disk_list(call: Call, Page(page): Page<ProjectSelector, NameOrIdSortMode>) -> Result<Response> {
    call.read(move |cx, caller| disk::list(cx, caller, &page)).await.map(reply::reusable)
}

/// Create a disk
///
/// The answer waits until the disk is built, for ten seconds at the most.
#[utoipa::path(post, path = "/v1/disks", tag = "disks", params(ProjectSelector), request_body = DiskCreate,
    responses((status = 201, body = Disk)))]
async fn disk_create(
    call: Call,
    Query(selector): Query<ProjectSelector>,
    Json(params): Json<DiskCreate>,
) -> Result<Response> {
    let disk = call.write(move |cx, caller| disk::create(cx, caller, &selector.project, &params)).await?;
    Ok(reply::created(call.finished(disk.id, disk::progress).await.unwrap_or(disk)))
}

/// View a disk
#[utoipa::path(get, path = "/v1/disks/{disk}", tag = "disks", params(DiskPathParam, OptionalProjectSelector),
    responses((status = 200, body = Disk)))]
async fn disk_view(
    call: Call,
    Path(path): Path<DiskPathParam>,
    Query(selector): Query<OptionalProjectSelector>,
) -> Result<Response> {
    call.read(move |cx, caller| disk::view(cx, caller, &path.disk, selector.project.as_ref()))
        .await
        .map(reply::reusable)
}

/// Delete a disk
///
/// It must not be attached to an instance.
#[utoipa::path(delete, path = "/v1/disks/{disk}", tag = "disks", params(DiskPathParam, OptionalProjectSelector),
    responses((status = 204)))]
async fn disk_delete(
    call: Call,
    Path(path): Path<DiskPathParam>,
    Query(selector): Query<OptionalProjectSelector>,
) -> Result<Response> {
    call.write(move |cx, caller| disk::delete(cx, caller, &path.disk, selector.project.as_ref()))
        .await
        .map(reply::no_content)
}
