use axum::response::Response;
use croft_api::{
    label::{
        Labels, LabelsInUse, LabelsInUseSelector, LabelsPath, LabelsSelector, LabelsSortMode, LabelsUpdate,
    },
    page::ResultsPage,
};
use croft_control::label;

use super::paging::TokenPage;
use crate::{
    call::Call,
    extract::{Json, Page, Path, Query},
    failure::Result,
    reply,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new()
        .extensions(routes!(labels_list))
        .extensions(routes!(labels_in_use))
        .extensions(routes!(labels_view, labels_update))
}

/// List labelled resources
///
/// Those of one kind in one project or silo, or of the fleet, that have labels and fit the selector. A page may be short, or
/// empty, although there is more: it has `next_page` then. With `ids` all are on one page.
#[utoipa::path(get, path = "/experimental/v1/labels", tag = "projects", params(TokenPage, LabelsSelector),
    responses((status = 200, body = ResultsPage<Labels>)),
    extensions(("x-dropshot-pagination" = json!({ "required": ["kind"] }))))]
async fn labels_list(call: Call, Page(page): Page<LabelsSelector, LabelsSortMode>) -> Result<Response> {
    call.read(move |cx, caller| label::list(cx, caller, &page)).await.map(reply::reusable)
}

/// List the labels in use
///
/// The keys of the labels that resources in a project or silo have, or the values of one key: for completion. Only kinds of
/// resources count of which the caller may read all that are there.
#[utoipa::path(get, path = "/experimental/v1/labels-in-use", tag = "projects", params(LabelsInUseSelector),
    responses((status = 200, body = LabelsInUse)))]
async fn labels_in_use(call: Call, Query(selector): Query<LabelsInUseSelector>) -> Result<Response> {
    call.read(move |cx, caller| label::in_use(cx, caller, &selector)).await.map(reply::reusable)
}

/// View the labels of a resource
#[utoipa::path(get, path = "/experimental/v1/labels/{kind}/{id}", tag = "projects", params(LabelsPath),
    responses((status = 200, body = Labels)))]
async fn labels_view(call: Call, Path(path): Path<LabelsPath>) -> Result<Response> {
    call.read(move |cx, caller| label::view(cx, caller, &path)).await.map(reply::reusable)
}

/// Replace the labels of a resource
///
/// For whoever may modify the resource. The body names the revision that is changed, so that two people who change labels at
/// the same time do not undo each other's changes: the later is refused with 409, and reads the labels again.
#[utoipa::path(put, path = "/experimental/v1/labels/{kind}/{id}", tag = "projects", params(LabelsPath),
    request_body = LabelsUpdate, responses((status = 200, body = Labels)))]
async fn labels_update(
    call: Call,
    Path(path): Path<LabelsPath>,
    Json(params): Json<LabelsUpdate>,
) -> Result<Response> {
    call.write(move |cx, caller| label::update(cx, caller, &path, &params)).await.map(reply::ok)
}
