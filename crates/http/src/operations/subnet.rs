use axum::response::Response;
use croft_api::{
    network_interface::InstanceNetworkInterface,
    page::{NameOrIdSortMode, ResultsPage},
    subnet::{SubnetPath, VpcSubnet, VpcSubnetCreate, VpcSubnetUpdate},
    vpc::{OptionalVpcSelector, VpcSelector},
};
use croft_control::subnet;

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
        .routes(routes!(vpc_subnet_list, vpc_subnet_create))
        .routes(routes!(vpc_subnet_view, vpc_subnet_update, vpc_subnet_delete))
        .routes(routes!(vpc_subnet_list_network_interfaces))
}

/// List subnets
#[utoipa::path(get, path = "/v1/vpc-subnets", tag = "vpcs", params(NamedPage, OptionalVpcSelector),
    responses((status = 200, body = ResultsPage<VpcSubnet>)),
    extensions(("x-dropshot-pagination" = json!({ "required": ["vpc"] }))))]
async fn vpc_subnet_list(call: Call, Page(page): Page<VpcSelector, NameOrIdSortMode>) -> Result<Response> {
    call.read(move |cx, caller| subnet::list(cx, caller, &page)).await.map(reply::reusable)
}

/// Create a subnet
#[utoipa::path(post, path = "/v1/vpc-subnets", tag = "vpcs", params(VpcSelector), request_body = VpcSubnetCreate,
    responses((status = 201, body = VpcSubnet)))]
async fn vpc_subnet_create(
    call: Call,
    Query(selector): Query<VpcSelector>,
    Json(params): Json<VpcSubnetCreate>,
) -> Result<Response> {
    call.write(move |cx, caller| subnet::create(cx, caller, &selector, &params)).await.map(reply::created)
}

/// View a subnet
#[utoipa::path(get, path = "/v1/vpc-subnets/{subnet}", tag = "vpcs", params(SubnetPath, OptionalVpcSelector),
    responses((status = 200, body = VpcSubnet)))]
async fn vpc_subnet_view(
    call: Call,
    Path(path): Path<SubnetPath>,
    Query(selector): Query<OptionalVpcSelector>,
) -> Result<Response> {
    call.read(move |cx, caller| subnet::view(cx, caller, &path.subnet, &selector)).await.map(reply::reusable)
}

/// Update a subnet
///
/// If the custom router is absent, it is detached.
#[utoipa::path(put, path = "/v1/vpc-subnets/{subnet}", tag = "vpcs", params(SubnetPath, OptionalVpcSelector),
    request_body = VpcSubnetUpdate, responses((status = 200, body = VpcSubnet)))]
async fn vpc_subnet_update(
    call: Call,
    Path(path): Path<SubnetPath>,
    Query(selector): Query<OptionalVpcSelector>,
    Json(params): Json<VpcSubnetUpdate>,
) -> Result<Response> {
    call.write(move |cx, caller| subnet::update(cx, caller, &path.subnet, &selector, &params))
        .await
        .map(reply::ok)
}

/// Delete a subnet
///
/// Refused while there is a network interface in it.
#[utoipa::path(delete, path = "/v1/vpc-subnets/{subnet}", tag = "vpcs", params(SubnetPath, OptionalVpcSelector),
    responses((status = 204)))]
async fn vpc_subnet_delete(
    call: Call,
    Path(path): Path<SubnetPath>,
    Query(selector): Query<OptionalVpcSelector>,
) -> Result<Response> {
    call.write(move |cx, caller| subnet::delete(cx, caller, &path.subnet, &selector))
        .await
        .map(reply::no_content)
}

/// List the network interfaces in a subnet
#[utoipa::path(get, path = "/v1/vpc-subnets/{subnet}/network-interfaces", tag = "vpcs",
    params(SubnetPath, NamedPage, OptionalVpcSelector),
    responses((status = 200, body = ResultsPage<InstanceNetworkInterface>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn vpc_subnet_list_network_interfaces(
    call: Call,
    Path(path): Path<SubnetPath>,
    Page(page): Page<OptionalVpcSelector, NameOrIdSortMode>,
) -> Result<Response> {
    call.read(move |cx, caller| subnet::network_interface_list(cx, caller, &path.subnet, &page))
        .await
        .map(reply::ok)
}
