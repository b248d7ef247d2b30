use axum::response::Response;
use croft_api::{
    page::{NameOrIdSortMode, ResultsPage},
    project::{OptionalProjectSelector, ProjectSelector},
    snapshot::{Snapshot, SnapshotCreate, SnapshotPath},
};
use croft_control::snapshot;

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
        .routes(routes!(snapshot_list, snapshot_create))
        .routes(routes!(snapshot_view, snapshot_delete))
}

/// List snapshots
#[utoipa::path(get, path = "/v1/snapshots", tag = "snapshots", params(NamedPage, OptionalProjectSelector),
    responses((status = 200, body = ResultsPage<Snapshot>)),
    extensions(("x-dropshot-pagination" = json!({ "required": ["project"] }))))]
async fn snapshot_list(call: Call, Page(page): Page<ProjectSelector, NameOrIdSortMode>) -> Result<Response> {
    call.read(move |cx, caller| snapshot::list(cx, caller, &page)).await.map(reply::reusable)
}

/// Create a snapshot
///
/// Of a disk as it is at one moment, attached or not. The answer waits until it is taken, for ten seconds at the most.
#[utoipa::path(post, path = "/v1/snapshots", tag = "snapshots", params(ProjectSelector),
    request_body = SnapshotCreate, responses((status = 201, body = Snapshot)))]
async fn snapshot_create(
    call: Call,
    Query(selector): Query<ProjectSelector>,
    Json(params): Json<SnapshotCreate>,
) -> Result<Response> {
    let snapshot =
        call.write(move |cx, caller| snapshot::create(cx, caller, &selector.project, &params)).await?;
    Ok(reply::created(call.finished(snapshot.id, snapshot::progress).await.unwrap_or(snapshot)))
}

/// View a snapshot
#[utoipa::path(get, path = "/v1/snapshots/{snapshot}", tag = "snapshots",
    params(SnapshotPath, OptionalProjectSelector), responses((status = 200, body = Snapshot)))]
async fn snapshot_view(
    call: Call,
    Path(path): Path<SnapshotPath>,
    Query(selector): Query<OptionalProjectSelector>,
) -> Result<Response> {
    call.read(move |cx, caller| snapshot::view(cx, caller, &path.snapshot, selector.project.as_ref()))
        .await
        .map(reply::reusable)
}

/// Delete a snapshot
///
/// Its disk, and the disks and images that were made from it, are left as they are.
#[utoipa::path(delete, path = "/v1/snapshots/{snapshot}", tag = "snapshots",
    params(SnapshotPath, OptionalProjectSelector), responses((status = 204)))]
async fn snapshot_delete(
    call: Call,
    Path(path): Path<SnapshotPath>,
    Query(selector): Query<OptionalProjectSelector>,
) -> Result<Response> {
    let volume = call
        .write(move |cx, caller| snapshot::delete(cx, caller, &path.snapshot, selector.project.as_ref()))
        .await?;
    // The quota is released before the response.
    call.finished(volume, snapshot::freeing).await;
    Ok(reply::no_content(()))
}
