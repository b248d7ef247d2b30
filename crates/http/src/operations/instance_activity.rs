use axum::response::Response;
use croft_api::{
    activity::{InstanceActivity, InstanceActivitySelector, NewestFirstSortMode},
    instance::InstancePath,
    page::ResultsPage,
};
use croft_control::instance;

use super::paging::TokenPage;
use crate::{
    call::Call,
    extract::{Page, Path},
    failure::Result,
    reply,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new().extensions(routes!(instance_activity_list))
}

/// List the activity of an instance
///
/// Events with their causes, and operations that users requested, the newest first. The newest 200 events of an
/// instance are kept.
#[utoipa::path(get, path = "/experimental/v1/instances/{instance}/activity", tag = "instances",
    params(TokenPage, InstanceActivitySelector, InstancePath),
    responses((status = 200, body = ResultsPage<InstanceActivity>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn instance_activity_list(
    call: Call,
    Path(path): Path<InstancePath>,
    Page(page): Page<InstanceActivitySelector, NewestFirstSortMode>,
) -> Result<Response> {
    call.read(move |cx, caller| instance::activity_list(cx, caller, &path.instance, &page))
        .await
        .map(reply::ok)
}
