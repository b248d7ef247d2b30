use axum::response::Response;
use croft_api::{
    hardware::{
        PhysicalDisk, Sled, SledId, SledInstance, SledPath, SledProvisionPolicyParams,
        SledProvisionPolicyResponse, UninitializedSled, UninitializedSledId,
    },
    page::{IdSortMode, NoSelector, ResultsPage},
};
use croft_control::sled;

use super::paging::{IdPage, TokenPage};
use crate::{
    call::Call,
    extract::{Json, Page, Path},
    failure::Result,
    reply,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(sled_list, sled_add))
        .routes(routes!(sled_list_uninitialized))
        .routes(routes!(sled_view))
        .routes(routes!(sled_set_provision_policy))
        .routes(routes!(sled_instance_list))
        .routes(routes!(sled_physical_disk_list))
}

/// List sleds
///
/// Those in service.
#[utoipa::path(get, path = "/v1/system/hardware/sleds", tag = "system/hardware",
    params(IdPage), responses((status = 200, body = ResultsPage<Sled>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn sled_list(call: Call, Page(page): Page<NoSelector, IdSortMode>) -> Result<Response> {
    call.read(move |cx, caller| sled::list(cx, caller, &page)).await.map(reply::ok)
}

/// List sleds that are not part of the fleet
///
/// All that stand in the racks and could be added, on one page.
#[utoipa::path(get, path = "/v1/system/hardware/sleds-uninitialized", tag = "system/hardware",
    params(TokenPage), responses((status = 200, body = ResultsPage<UninitializedSled>)))]
async fn sled_list_uninitialized(call: Call, Page(page): Page<NoSelector, IdSortMode>) -> Result<Response> {
    call.read(move |cx, caller| sled::list_uninitialized(cx, caller, &page)).await.map(reply::ok)
}

/// Add a sled to the fleet
///
/// One that stands in a rack. It takes instances and disks once it has come up.
#[utoipa::path(post, path = "/v1/system/hardware/sleds", tag = "system/hardware",
    request_body = UninitializedSledId, responses((status = 201, body = SledId)))]
async fn sled_add(call: Call, Json(params): Json<UninitializedSledId>) -> Result<Response> {
    call.write(move |cx, caller| sled::add(cx, caller, &params)).await.map(reply::created)
}

/// View a sled
///
/// Also one that is out of the fleet.
#[utoipa::path(get, path = "/v1/system/hardware/sleds/{sled_id}", tag = "system/hardware",
    params(SledPath), responses((status = 200, body = Sled)))]
async fn sled_view(call: Call, Path(path): Path<SledPath>) -> Result<Response> {
    call.read(move |cx, caller| sled::view(cx, caller, path.sled_id)).await.map(reply::ok)
}

/// Set a sled's provision policy
///
/// Existing instances and disks are not affected.
#[utoipa::path(put, path = "/v1/system/hardware/sleds/{sled_id}/provision-policy", tag = "system/hardware",
    params(SledPath), request_body = SledProvisionPolicyParams,
    responses((status = 200, body = SledProvisionPolicyResponse)))]
async fn sled_set_provision_policy(
    call: Call,
    Path(path): Path<SledPath>,
    Json(params): Json<SledProvisionPolicyParams>,
) -> Result<Response> {
    call.write(move |cx, caller| sled::set_provision_policy(cx, caller, path.sled_id, params))
        .await
        .map(reply::ok)
}

/// List the instances that have a machine on a sled
///
/// Whichever silo they are in.
#[utoipa::path(get, path = "/v1/system/hardware/sleds/{sled_id}/instances", tag = "system/hardware",
    params(SledPath, IdPage), responses((status = 200, body = ResultsPage<SledInstance>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn sled_instance_list(
    call: Call,
    Path(path): Path<SledPath>,
    Page(page): Page<NoSelector, IdSortMode>,
) -> Result<Response> {
    call.read(move |cx, caller| sled::instance_list(cx, caller, path.sled_id, &page)).await.map(reply::ok)
}

/// List the disks of a sled
///
/// Also those that are out of the fleet. A sled that there is not has none.
#[utoipa::path(get, path = "/v1/system/hardware/sleds/{sled_id}/disks", tag = "system/hardware",
    params(SledPath, IdPage), responses((status = 200, body = ResultsPage<PhysicalDisk>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn sled_physical_disk_list(
    call: Call,
    Path(path): Path<SledPath>,
    Page(page): Page<NoSelector, IdSortMode>,
) -> Result<Response> {
    call.read(move |cx, caller| sled::physical_disk_list(cx, caller, path.sled_id, &page))
        .await
        .map(reply::ok)
}
