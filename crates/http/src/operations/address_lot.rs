use axum::response::Response;
use croft_api::{
    address_lot::{AddressLot, AddressLotBlock, AddressLotCreate, AddressLotCreateResponse, AddressLotPath},
    page::{IdSortMode, NameOrIdSortMode, NoSelector, ResultsPage},
};
use croft_control::address_lot;

use super::paging::{IdPage, NamedPage};
use crate::{
    call::Call,
    extract::{Json, Page, Path},
    failure::Result,
    reply,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(networking_address_lot_list, networking_address_lot_create))
        .routes(routes!(networking_address_lot_delete))
        .routes(routes!(networking_address_lot_block_list))
}

/// List address lots
#[utoipa::path(get, path = "/v1/system/networking/address-lot", tag = "system/networking", params(NamedPage),
    responses((status = 200, body = ResultsPage<AddressLot>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn networking_address_lot_list(
    call: Call,
    Page(page): Page<NoSelector, NameOrIdSortMode>,
) -> Result<Response> {
    call.read(move |cx, caller| address_lot::list(cx, caller, &page)).await.map(reply::ok)
}

/// Create an address lot, or add blocks to one
///
/// A lot that exists gets the blocks that it does not have yet, and stays as it is otherwise.
#[utoipa::path(post, path = "/v1/system/networking/address-lot", tag = "system/networking",
    request_body = AddressLotCreate, responses((status = 201, body = AddressLotCreateResponse)))]
async fn networking_address_lot_create(call: Call, Json(params): Json<AddressLotCreate>) -> Result<Response> {
    call.write(move |cx, caller| address_lot::create(cx, caller, &params)).await.map(reply::created)
}

/// Delete an address lot
///
/// Refused while something uses an address of it.
#[utoipa::path(delete, path = "/v1/system/networking/address-lot/{address_lot}", tag = "system/networking",
    params(AddressLotPath), responses((status = 204)))]
async fn networking_address_lot_delete(call: Call, Path(path): Path<AddressLotPath>) -> Result<Response> {
    call.write(move |cx, caller| address_lot::delete(cx, caller, &path.address_lot))
        .await
        .map(reply::no_content)
}

/// List the blocks of an address lot
#[utoipa::path(get, path = "/v1/system/networking/address-lot/{address_lot}/blocks",
    tag = "system/networking", params(AddressLotPath, IdPage),
    responses((status = 200, body = ResultsPage<AddressLotBlock>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn networking_address_lot_block_list(
    call: Call,
    Path(path): Path<AddressLotPath>,
    Page(page): Page<NoSelector, IdSortMode>,
) -> Result<Response> {
    call.read(move |cx, caller| address_lot::block_list(cx, caller, &path.address_lot, &page))
        .await
        .map(reply::ok)
}
