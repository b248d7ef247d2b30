use axum::response::Response;
use croft_api::{instance::InstanceCreate, instance_preview::InstancePreview, project::ProjectSelector};
use croft_control::instance;

use crate::{
    call::Call,
    extract::{Json, Query},
    failure::Result,
    reply,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new().extensions(routes!(instance_preview))
}

/// Preview the creation of an instance
///
/// Takes the body of `instance_create` and says what would come of it at this moment: whether the quota allows it,
/// whether the instance finds a place, and its addresses and firewall rules. Nothing is created and nothing is reserved.
#[utoipa::path(post, path = "/experimental/v1/instance-previews", tag = "instances",
    params(ProjectSelector), request_body = InstanceCreate,
    responses((status = 200, body = InstancePreview)))]
async fn instance_preview(
    call: Call,
    Query(selector): Query<ProjectSelector>,
    Json(params): Json<InstanceCreate>,
) -> Result<Response> {
    call.write(move |cx, caller| instance::preview(cx, caller, &selector.project, &params))
        .await
        .map(reply::ok)
}
