use axum::response::Response;
use croft_api::{
    loopback_address::{LoopbackAddress, LoopbackAddressCreate, LoopbackAddressPath},
    page::{IdSortMode, NoSelector, ResultsPage},
};
use croft_control::loopback_address;

use super::paging::IdPage;
use crate::{
    call::Call,
    extract::{Json, Page, Path},
    failure::Result,
    reply,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(networking_loopback_address_list, networking_loopback_address_create))
        .routes(routes!(networking_loopback_address_delete))
}

/// List loopback addresses
#[utoipa::path(get, path = "/v1/system/networking/loopback-address", tag = "system/networking",
    params(IdPage), responses((status = 200, body = ResultsPage<LoopbackAddress>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn networking_loopback_address_list(
    call: Call,
    Page(page): Page<NoSelector, IdSortMode>,
) -> Result<Response> {
    call.read(move |cx, caller| loopback_address::list(cx, caller, &page)).await.map(reply::ok)
}

/// Create a loopback address of a switch
#[utoipa::path(post, path = "/v1/system/networking/loopback-address", tag = "system/networking",
    request_body = LoopbackAddressCreate, responses((status = 201, body = LoopbackAddress)))]
async fn networking_loopback_address_create(
    call: Call,
    Json(params): Json<LoopbackAddressCreate>,
) -> Result<Response> {
    call.write(move |cx, caller| loopback_address::create(cx, caller, &params)).await.map(reply::created)
}

/// Delete a loopback address of a switch
#[utoipa::path(delete,
    path = "/v1/system/networking/loopback-address/{rack_id}/{switch_location}/{address}/{subnet_mask}",
    tag = "system/networking", params(LoopbackAddressPath), responses((status = 204)))]
async fn networking_loopback_address_delete(
    call: Call,
    Path(path): Path<LoopbackAddressPath>,
) -> Result<Response> {
    call.write(move |cx, caller| loopback_address::delete(cx, caller, &path)).await.map(reply::no_content)
}
