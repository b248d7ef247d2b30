use axum::response::Response;
use croft_api::{
    project::OptionalProjectSelector,
    reachability::{ReachabilityChanges, ReachabilityRequest},
    trace::{Trace, TraceRequest},
    vpc::VpcPath,
};
use croft_control::trace;

use crate::{
    call::Call,
    extract::{Json, Path, Query},
    failure::Result,
    reply,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new().extensions(routes!(vpc_trace)).extensions(routes!(vpc_reachability_changes))
}

/// Trace a packet through a VPC
///
/// No packet is sent. The response says what would happen to the packet, with the rule, the route and the address that
/// decide.
#[utoipa::path(post, path = "/experimental/v1/vpcs/{vpc}/trace", tag = "vpcs",
    params(VpcPath, OptionalProjectSelector), request_body = TraceRequest,
    responses((status = 200, body = Trace)))]
async fn vpc_trace(
    call: Call,
    Path(path): Path<VpcPath>,
    Query(selector): Query<OptionalProjectSelector>,
    Json(request): Json<TraceRequest>,
) -> Result<Response> {
    call.read(move |cx, caller| trace::trace(cx, caller, &path.vpc, selector.project.as_ref(), &request))
        .await
        .map(reply::ok)
}

/// Compare reachability in a VPC before and after changes
///
/// Nothing is changed. The response lists the pairs of senders and receivers, and the traffic between them, whose verdict
/// the changes would turn into another one.
#[utoipa::path(post, path = "/experimental/v1/vpcs/{vpc}/reachability-changes", tag = "vpcs",
    params(VpcPath, OptionalProjectSelector), request_body = ReachabilityRequest,
    responses((status = 200, body = ReachabilityChanges)))]
async fn vpc_reachability_changes(
    call: Call,
    Path(path): Path<VpcPath>,
    Query(selector): Query<OptionalProjectSelector>,
    Json(request): Json<ReachabilityRequest>,
) -> Result<Response> {
    call.read(move |cx, caller| {
        trace::reachability_changes(cx, caller, &path.vpc, selector.project.as_ref(), &request)
    })
    .await
    .map(reply::ok)
}
