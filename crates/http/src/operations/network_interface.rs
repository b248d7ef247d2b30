use axum::response::Response;
use croft_api::{
    instance::InstanceNetworkInterfaceCreate,
    network_interface::{
        InstanceNetworkInterface, InstanceNetworkInterfaceUpdate, InstanceSelector, InterfacePath,
        OptionalInstanceSelector,
    },
    page::{NameOrIdSortMode, ResultsPage},
};
use croft_control::network_interface;

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
        .routes(routes!(instance_network_interface_list, instance_network_interface_create))
        .routes(routes!(
            instance_network_interface_view,
            instance_network_interface_update,
            instance_network_interface_delete
        ))
}

/// List the network interfaces of an instance
#[utoipa::path(get, path = "/v1/network-interfaces", tag = "instances", params(NamedPage, OptionalInstanceSelector),
    responses((status = 200, body = ResultsPage<InstanceNetworkInterface>)),
    extensions(("x-dropshot-pagination" = json!({ "required": ["instance"] }))))]
async fn instance_network_interface_list(
    call: Call,
    Page(page): Page<InstanceSelector, NameOrIdSortMode>,
) -> Result<Response> {
    call.read(move |cx, caller| network_interface::list(cx, caller, &page)).await.map(reply::ok)
}

/// Create a network interface
///
/// The instance must be stopped. Its first network interface is the primary one.
#[utoipa::path(post, path = "/v1/network-interfaces", tag = "instances", params(InstanceSelector),
    request_body = InstanceNetworkInterfaceCreate, responses((status = 201, body = InstanceNetworkInterface)))]
async fn instance_network_interface_create(
    call: Call,
    Query(selector): Query<InstanceSelector>,
    Json(params): Json<InstanceNetworkInterfaceCreate>,
) -> Result<Response> {
    call.write(move |cx, caller| network_interface::create(cx, caller, &selector, &params))
        .await
        .map(reply::created)
}

/// View a network interface
#[utoipa::path(get, path = "/v1/network-interfaces/{interface}", tag = "instances",
    params(InterfacePath, OptionalInstanceSelector), responses((status = 200, body = InstanceNetworkInterface)))]
async fn instance_network_interface_view(
    call: Call,
    Path(path): Path<InterfacePath>,
    Query(selector): Query<OptionalInstanceSelector>,
) -> Result<Response> {
    call.read(move |cx, caller| network_interface::view(cx, caller, &path.interface, &selector))
        .await
        .map(reply::ok)
}

/// Update a network interface
///
/// The instance must be stopped. The list of transit addresses is replaced.
#[utoipa::path(put, path = "/v1/network-interfaces/{interface}", tag = "instances",
    params(InterfacePath, OptionalInstanceSelector), request_body = InstanceNetworkInterfaceUpdate,
    responses((status = 200, body = InstanceNetworkInterface)))]
async fn instance_network_interface_update(
    call: Call,
    Path(path): Path<InterfacePath>,
    Query(selector): Query<OptionalInstanceSelector>,
    Json(params): Json<InstanceNetworkInterfaceUpdate>,
) -> Result<Response> {
    call.write(move |cx, caller| network_interface::update(cx, caller, &path.interface, &selector, &params))
        .await
        .map(reply::ok)
}

/// Delete a network interface
///
/// The instance must be stopped or failed. The primary one goes last.
#[utoipa::path(delete, path = "/v1/network-interfaces/{interface}", tag = "instances",
    params(InterfacePath, OptionalInstanceSelector), responses((status = 204)))]
async fn instance_network_interface_delete(
    call: Call,
    Path(path): Path<InterfacePath>,
    Query(selector): Query<OptionalInstanceSelector>,
) -> Result<Response> {
    call.write(move |cx, caller| network_interface::delete(cx, caller, &path.interface, &selector))
        .await
        .map(reply::no_content)
}
