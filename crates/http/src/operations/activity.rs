use axum::response::Response;
use croft_api::{
    activity::{ActivityPath, NewestFirstSortMode, ResourceActivity},
    page::{NoSelector, ResultsPage},
};
use croft_control::activity;

use super::paging::TokenPage;
use crate::{
    call::Call,
    extract::{Page, Path},
    failure::Result,
    reply,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new().extensions(routes!(activity_list))
}

/// List the activity of a resource
///
/// Operations that were done to the resource or changed it, the newest first: for whoever may read the resource. The activity
/// of a project is what was done to it and to everything in it, also to what does not exist any more. Entries leave with
/// those of the audit log.
#[utoipa::path(get, path = "/experimental/v1/activity/{kind}/{id}", tag = "projects",
    params(TokenPage, ActivityPath),
    responses((status = 200, body = ResultsPage<ResourceActivity>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn activity_list(
    call: Call,
    Path(path): Path<ActivityPath>,
    Page(page): Page<NoSelector, NewestFirstSortMode>,
) -> Result<Response> {
    call.read(move |cx, caller| activity::list(cx, caller, &path, &page)).await.map(reply::ok)
}
