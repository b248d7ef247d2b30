//! Lists that are searched, filtered, sorted and counted.

use axum::response::Response;
use croft_api::{
    disk::Disk,
    floating_ip::FloatingIp,
    image::Image,
    instance::Instance,
    list::{FoundPage, ListSelector, ListSortMode},
    project::{OptionalProjectSelector, ProjectSelector},
    snapshot::Snapshot,
    vpc::Vpc,
};
use croft_control::{disk, floating_ip, image, instance, snapshot, vpc};

use super::paging::FoundPageQuery;
use crate::{
    call::Call,
    extract::Page,
    failure::Result,
    reply,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new()
        .extensions(routes!(disk_search))
        .extensions(routes!(floating_ip_search))
        .extensions(routes!(image_search))
        .extensions(routes!(instance_search))
        .extensions(routes!(snapshot_search))
        .extensions(routes!(vpc_search))
}

type InProject = Page<ListSelector<ProjectSelector>, ListSortMode>;

/// Search the disks of a project
#[utoipa::path(get, path = "/experimental/v1/lists/disks", tag = "disks",
    params(FoundPageQuery, OptionalProjectSelector),
    responses((status = 200, body = FoundPage<Disk>)),
    extensions(("x-dropshot-pagination" = json!({ "required": ["project"] }))))]
async fn disk_search(call: Call, Page(page): InProject) -> Result<Response> {
    call.read(move |cx, caller| disk::search(cx, caller, &page)).await.map(reply::ok)
}

/// Search the floating IPs of a project
#[utoipa::path(get, path = "/experimental/v1/lists/floating-ips", tag = "floating-ips",
    params(FoundPageQuery, OptionalProjectSelector),
    responses((status = 200, body = FoundPage<FloatingIp>)),
    extensions(("x-dropshot-pagination" = json!({ "required": ["project"] }))))]
async fn floating_ip_search(call: Call, Page(page): InProject) -> Result<Response> {
    call.read(move |cx, caller| floating_ip::search(cx, caller, &page)).await.map(reply::ok)
}

/// Search the images of a project or of the silo
///
/// Without a project, those of the silo.
#[utoipa::path(get, path = "/experimental/v1/lists/images", tag = "images",
    params(FoundPageQuery, OptionalProjectSelector),
    responses((status = 200, body = FoundPage<Image>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn image_search(
    call: Call,
    Page(page): Page<ListSelector<OptionalProjectSelector>, ListSortMode>,
) -> Result<Response> {
    call.read(move |cx, caller| image::search(cx, caller, &page)).await.map(reply::ok)
}

/// Search the instances of a project
#[utoipa::path(get, path = "/experimental/v1/lists/instances", tag = "instances",
    params(FoundPageQuery, OptionalProjectSelector),
    responses((status = 200, body = FoundPage<Instance>)),
    extensions(("x-dropshot-pagination" = json!({ "required": ["project"] }))))]
async fn instance_search(call: Call, Page(page): InProject) -> Result<Response> {
    call.read(move |cx, caller| instance::search(cx, caller, &page)).await.map(reply::ok)
}

/// Search the snapshots of a project
#[utoipa::path(get, path = "/experimental/v1/lists/snapshots", tag = "snapshots",
    params(FoundPageQuery, OptionalProjectSelector),
    responses((status = 200, body = FoundPage<Snapshot>)),
    extensions(("x-dropshot-pagination" = json!({ "required": ["project"] }))))]
async fn snapshot_search(call: Call, Page(page): InProject) -> Result<Response> {
    call.read(move |cx, caller| snapshot::search(cx, caller, &page)).await.map(reply::ok)
}

/// Search the VPCs of a project
#[utoipa::path(get, path = "/experimental/v1/lists/vpcs", tag = "vpcs",
    params(FoundPageQuery, OptionalProjectSelector),
    responses((status = 200, body = FoundPage<Vpc>)),
    extensions(("x-dropshot-pagination" = json!({ "required": ["project"] }))))]
async fn vpc_search(call: Call, Page(page): InProject) -> Result<Response> {
    call.read(move |cx, caller| vpc::search(cx, caller, &page)).await.map(reply::ok)
}
