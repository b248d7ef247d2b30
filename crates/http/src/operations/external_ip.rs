use axum::response::Response;
use croft_api::{
    external_ip::{EphemeralIpCreate, ExternalIp},
    instance::InstancePath,
    page::ResultsPage,
    project::OptionalProjectSelector,
};
use croft_control::external_ip;

use crate::{
    call::Call,
    extract::{Json, Path, Query},
    failure::Result,
    reply,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(instance_external_ip_list))
        .routes(routes!(instance_ephemeral_ip_attach, instance_ephemeral_ip_detach))
}

/// List the external addresses of an instance
///
/// All of them, on one page.
#[utoipa::path(get, path = "/v1/instances/{instance}/external-ips", tag = "instances",
    params(OptionalProjectSelector, InstancePath), responses((status = 200, body = ResultsPage<ExternalIp>)))]
async fn instance_external_ip_list(
    call: Call,
    Path(path): Path<InstancePath>,
    Query(selector): Query<OptionalProjectSelector>,
) -> Result<Response> {
    call.read(move |cx, caller| external_ip::list(cx, caller, &path.instance, selector.project.as_ref()))
        .await
        .map(reply::ok)
}

/// Attach an ephemeral address to an instance
///
/// An instance that has one keeps it.
#[utoipa::path(post, path = "/v1/instances/{instance}/external-ips/ephemeral", tag = "instances",
    params(OptionalProjectSelector, InstancePath), request_body = EphemeralIpCreate,
    responses((status = 202, body = ExternalIp)))]
async fn instance_ephemeral_ip_attach(
    call: Call,
    Path(path): Path<InstancePath>,
    Query(selector): Query<OptionalProjectSelector>,
    Json(params): Json<EphemeralIpCreate>,
) -> Result<Response> {
    call.write(move |cx, caller| {
        external_ip::ephemeral_attach(cx, caller, &path.instance, selector.project.as_ref(), &params)
    })
    .await
    .map(reply::accepted)
}

/// Detach the ephemeral address of an instance
#[utoipa::path(delete, path = "/v1/instances/{instance}/external-ips/ephemeral", tag = "instances",
    params(OptionalProjectSelector, InstancePath), responses((status = 204)))]
async fn instance_ephemeral_ip_detach(
    call: Call,
    Path(path): Path<InstancePath>,
    Query(selector): Query<OptionalProjectSelector>,
) -> Result<Response> {
    call.write(move |cx, caller| {
        external_ip::ephemeral_detach(cx, caller, &path.instance, selector.project.as_ref())
    })
    .await
    .map(reply::no_content)
}
