use axum::{response::Response, routing::post};
use croft_api::{project::OptionalProjectSelector, trace::TraceRequest, vpc::VpcPath};
use croft_control::trace;

use crate::{
    call::Call,
    extract::{Json, Path, Query},
    failure::Result,
    handler::any,
    reply,
    routes::OpenApiRouter,
};

pub(super) fn router() -> OpenApiRouter {
    // No operation of the contract, and so not in the document.
    OpenApiRouter::new().route("/experimental/v1/vpcs/{vpc}/trace", post(any!(vpc_trace)))
}

/// What becomes of a packet in a VPC, with the rule, the route and the address that decide.
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
