use axum::response::Response;
use croft_api::{
    page::{NoSelector, ResultsPage, TimeAndIdSortMode},
    support_bundle::{SupportBundleCreate, SupportBundleInfo, SupportBundlePath, SupportBundleUpdate},
};
use croft_control::support_bundle;

use super::paging::TimePage;
use crate::{
    call::Call,
    extract::{Json, Page, Path},
    failure::Result,
    reply,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new().routes(routes!(support_bundle_list, support_bundle_create)).routes(routes!(
        support_bundle_view,
        support_bundle_update,
        support_bundle_delete
    ))
}

/// List support bundles
#[utoipa::path(get, path = "/experimental/v1/system/support-bundles", tag = "experimental",
    params(TimePage), responses((status = 200, body = ResultsPage<SupportBundleInfo>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn support_bundle_list(
    call: Call,
    Page(page): Page<NoSelector, TimeAndIdSortMode>,
) -> Result<Response> {
    call.read(move |cx, caller| support_bundle::list(cx, caller, &page)).await.map(reply::ok)
}

/// Create a support bundle
///
/// It can be downloaded once its state is `active`. The number of bundles is limited.
#[utoipa::path(post, path = "/experimental/v1/system/support-bundles", tag = "experimental",
    request_body = SupportBundleCreate, responses((status = 201, body = SupportBundleInfo)))]
async fn support_bundle_create(call: Call, Json(params): Json<SupportBundleCreate>) -> Result<Response> {
    call.write(move |cx, caller| support_bundle::create(cx, caller, &params)).await.map(reply::created)
}

/// View a support bundle
#[utoipa::path(get, path = "/experimental/v1/system/support-bundles/{bundle_id}", tag = "experimental",
    params(SupportBundlePath), responses((status = 200, body = SupportBundleInfo)))]
async fn support_bundle_view(call: Call, Path(path): Path<SupportBundlePath>) -> Result<Response> {
    call.read(move |cx, caller| support_bundle::view(cx, caller, path.bundle_id)).await.map(reply::ok)
}

/// Update the comment of a support bundle
#[utoipa::path(put, path = "/experimental/v1/system/support-bundles/{bundle_id}", tag = "experimental",
    params(SupportBundlePath), request_body = SupportBundleUpdate,
    responses((status = 200, body = SupportBundleInfo)))]
async fn support_bundle_update(
    call: Call,
    Path(path): Path<SupportBundlePath>,
    Json(params): Json<SupportBundleUpdate>,
) -> Result<Response> {
    call.write(move |cx, caller| support_bundle::update(cx, caller, path.bundle_id, &params))
        .await
        .map(reply::ok)
}

/// Delete a support bundle
///
/// One that is being collected is given up.
#[utoipa::path(delete, path = "/experimental/v1/system/support-bundles/{bundle_id}", tag = "experimental",
    params(SupportBundlePath), responses((status = 204)))]
async fn support_bundle_delete(call: Call, Path(path): Path<SupportBundlePath>) -> Result<Response> {
    call.write(move |cx, caller| support_bundle::delete(cx, caller, path.bundle_id))
        .await
        .map(reply::no_content)
}
