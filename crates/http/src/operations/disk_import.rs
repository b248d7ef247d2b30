//! Imports of blocks into disks (`docs/rules/compute-and-storage.md#imports`).

use std::sync::Arc;

use axum::response::Response;
use croft_api::{
    disk::{DiskPathParam, FinalizeDisk, ImportBlocksBulkWrite},
    project::OptionalProjectSelector,
};
use croft_control::disk::{self, import};

use crate::{
    call::{Call, to_the_end},
    extract::{BulkWrite, Json, Path, Query},
    failure::Result,
    pools::Work,
    reply,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(disk_bulk_write_import_start))
        .routes(routes!(disk_bulk_write_import))
        .routes(routes!(disk_bulk_write_import_stop))
        .routes(routes!(disk_finalize_import))
}

/// Start importing blocks
#[utoipa::path(post, path = "/v1/disks/{disk}/bulk-write-start", tag = "disks",
    params(DiskPathParam, OptionalProjectSelector), responses((status = 204)))]
async fn disk_bulk_write_import_start(
    call: Call,
    Path(path): Path<DiskPathParam>,
    Query(selector): Query<OptionalProjectSelector>,
) -> Result<Response> {
    call.write(move |cx, caller| import::start(cx, caller, &path.disk, selector.project.as_ref()))
        .await
        .map(reply::no_content)
}

/// Import blocks
///
/// Blocks may be sent in any order, in several concurrent requests. They are durable once the import has been stopped.
#[utoipa::path(post, path = "/v1/disks/{disk}/bulk-write", tag = "disks",
    params(DiskPathParam, OptionalProjectSelector), request_body = ImportBlocksBulkWrite,
    responses((status = 204)))]
async fn disk_bulk_write_import(
    call: Call,
    Path(path): Path<DiskPathParam>,
    Query(selector): Query<OptionalProjectSelector>,
    blocks: BulkWrite,
) -> Result<Response> {
    let target = || {
        let (path, selector) = (path.clone(), selector.clone());
        call.read(move |cx, caller| {
            import::bulk_write_target(cx, caller, &path.disk, selector.project.as_ref())
        })
    };
    let permit = call.app.imports.write_into(target().await?.id).await;
    // The import may have been stopped before the permit was granted; now it cannot be.
    let target = target().await?;
    let hypervisor = Arc::clone(&call.app.parts.hypervisor);
    let written = call.block(Work::Imports, move || {
        // Held until the blocks are written, even if the client disconnects.
        let _permit = permit;
        target.write(&*hypervisor, &blocks.params())
    });
    Ok(reply::no_content(written.await??))
}

/// Stop importing blocks
///
/// The answer means that every block that was imported is durable.
#[utoipa::path(post, path = "/v1/disks/{disk}/bulk-write-stop", tag = "disks",
    params(DiskPathParam, OptionalProjectSelector), responses((status = 204)))]
async fn disk_bulk_write_import_stop(
    call: Call,
    Path(path): Path<DiskPathParam>,
    Query(selector): Query<OptionalProjectSelector>,
) -> Result<Response> {
    to_the_end(stop(call, path, selector)).await?.map(reply::no_content)
}

async fn stop(call: Call, path: DiskPathParam, selector: OptionalProjectSelector) -> Result<()> {
    let target = || {
        let (path, selector) = (path.clone(), selector.clone());
        call.prepare(move |cx, caller| import::stop_target(cx, caller, &path.disk, selector.project.as_ref()))
    };
    let target = target().await?;
    let _alone = call.app.imports.close(target.id).await;
    sync(&call, target).await?;
    call.write(move |cx, caller| import::stop(cx, caller, &path.disk, selector.project.as_ref())).await
}

/// Finish an import
///
/// The disk can be attached afterwards. With a name, a snapshot of it is taken first; the response waits for that for
/// at most ten seconds.
#[utoipa::path(post, path = "/v1/disks/{disk}/finalize", tag = "disks",
    params(DiskPathParam, OptionalProjectSelector), request_body = FinalizeDisk, responses((status = 204)))]
async fn disk_finalize_import(
    call: Call,
    Path(path): Path<DiskPathParam>,
    Query(selector): Query<OptionalProjectSelector>,
    Json(params): Json<FinalizeDisk>,
) -> Result<Response> {
    to_the_end(finalize(call, path, selector, params)).await?.map(reply::no_content)
}

async fn finalize(
    call: Call,
    path: DiskPathParam,
    selector: OptionalProjectSelector,
    params: FinalizeDisk,
) -> Result<()> {
    let target = {
        let (path, selector) = (path.clone(), selector.clone());
        call.prepare(move |cx, caller| {
            import::finalize_target(cx, caller, &path.disk, selector.project.as_ref())
        })
    };
    let target = target.await?;
    let alone = call.app.imports.close(target.id).await;
    sync(&call, target).await?;
    call.write(move |cx, caller| {
        import::finalize(cx, caller, &path.disk, selector.project.as_ref(), &params)
    })
    .await?;
    drop(alone);
    call.finished(target.id, disk::progress).await;
    Ok(())
}

async fn sync(call: &Call, target: import::ImportTarget) -> Result<()> {
    let hypervisor = Arc::clone(&call.app.parts.hypervisor);
    Ok(call.block(Work::Imports, move || target.sync(&*hypervisor)).await??)
}
