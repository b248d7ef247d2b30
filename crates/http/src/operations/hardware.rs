use axum::response::Response;
use croft_api::{
    hardware::{PhysicalDisk, PhysicalDiskPath, Rack, RackPath, Switch, SwitchPath},
    page::{IdSortMode, NoSelector, ResultsPage},
};
use croft_control::{physical_disk, rack, switch};

use super::paging::IdPage;
use crate::{
    call::Call,
    extract::{Page, Path},
    failure::Result,
    reply,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(rack_list))
        .routes(routes!(rack_view))
        .routes(routes!(physical_disk_list))
        .routes(routes!(physical_disk_view))
        .routes(routes!(switch_list))
        .routes(routes!(switch_view))
}

/// List racks
#[utoipa::path(get, path = "/v1/system/hardware/racks", tag = "system/hardware",
    params(IdPage), responses((status = 200, body = ResultsPage<Rack>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn rack_list(call: Call, Page(page): Page<NoSelector, IdSortMode>) -> Result<Response> {
    call.read(move |cx, caller| rack::list(cx, caller, &page)).await.map(reply::ok)
}

/// View a rack
#[utoipa::path(get, path = "/v1/system/hardware/racks/{rack_id}", tag = "system/hardware",
    params(RackPath), responses((status = 200, body = Rack)))]
async fn rack_view(call: Call, Path(path): Path<RackPath>) -> Result<Response> {
    call.read(move |cx, caller| rack::view(cx, caller, path.rack_id)).await.map(reply::ok)
}

/// List disks of sleds
///
/// Those in service, of all sleds.
#[utoipa::path(get, path = "/v1/system/hardware/disks", tag = "system/hardware",
    params(IdPage), responses((status = 200, body = ResultsPage<PhysicalDisk>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn physical_disk_list(call: Call, Page(page): Page<NoSelector, IdSortMode>) -> Result<Response> {
    call.read(move |cx, caller| physical_disk::list(cx, caller, &page)).await.map(reply::ok)
}

/// View a disk of a sled
///
/// Also one that is out of the fleet.
#[utoipa::path(get, path = "/v1/system/hardware/disks/{disk_id}", tag = "system/hardware",
    params(PhysicalDiskPath), responses((status = 200, body = PhysicalDisk)))]
async fn physical_disk_view(call: Call, Path(path): Path<PhysicalDiskPath>) -> Result<Response> {
    call.read(move |cx, caller| physical_disk::view(cx, caller, path.disk_id)).await.map(reply::ok)
}

/// List switches
#[utoipa::path(get, path = "/v1/system/hardware/switches", tag = "system/hardware",
    params(IdPage), responses((status = 200, body = ResultsPage<Switch>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn switch_list(call: Call, Page(page): Page<NoSelector, IdSortMode>) -> Result<Response> {
    call.read(move |cx, caller| switch::list(cx, caller, &page)).await.map(reply::ok)
}

/// View a switch
#[utoipa::path(get, path = "/v1/system/hardware/switches/{switch_id}", tag = "system/hardware",
    params(SwitchPath), responses((status = 200, body = Switch)))]
async fn switch_view(call: Call, Path(path): Path<SwitchPath>) -> Result<Response> {
    call.read(move |cx, caller| switch::view(cx, caller, path.switch_id)).await.map(reply::ok)
}
