use axum::response::Response;
use croft_api::{
    activity::NewestFirstSortMode,
    batch::{Batch, BatchCreate, BatchItem, BatchPath},
    page::{NoSelector, ResultsPage, TimeAndIdSortMode},
};
use croft_control::batch;

use super::paging::{TimePage, TokenPage};
use crate::{
    call::Call,
    extract::{Json, Page, Path},
    failure::Result,
    reply,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new()
        .extensions(routes!(batch_list, batch_create))
        .extensions(routes!(batch_view))
        .extensions(routes!(batch_item_list))
        .extensions(routes!(batch_cancel))
        .extensions(routes!(batch_retry))
}

/// List batches
///
/// Those of the caller, the newest first.
#[utoipa::path(get, path = "/experimental/v1/batches", tag = "current-user", params(TokenPage),
    responses((status = 200, body = ResultsPage<Batch>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn batch_list(call: Call, Page(page): Page<NoSelector, NewestFirstSortMode>) -> Result<Response> {
    call.read(move |cx, caller| batch::list(cx, caller, &page)).await.map(reply::ok)
}

/// Do one operation to many resources
///
/// The answer comes at once. The items are carried out in the background, in their order, each with the rights that the
/// caller has at that moment; an item that is refused does not keep the others from being done. A request that repeats
/// the idempotency key of an existing batch with the same operation and items answers with that batch; with others it is
/// refused with 409, as is a batch beside 16 others of the caller that have not ended.
#[utoipa::path(post, path = "/experimental/v1/batches", tag = "current-user", request_body = BatchCreate,
    responses((status = 201, body = Batch)))]
async fn batch_create(call: Call, Json(params): Json<BatchCreate>) -> Result<Response> {
    call.write(move |cx, caller| batch::create(cx, caller, &params)).await.map(reply::created)
}

/// View a batch
#[utoipa::path(get, path = "/experimental/v1/batches/{batch}", tag = "current-user", params(BatchPath),
    responses((status = 200, body = Batch)))]
async fn batch_view(call: Call, Path(path): Path<BatchPath>) -> Result<Response> {
    call.read(move |cx, caller| batch::view(cx, caller, path.batch)).await.map(reply::ok)
}

/// List the items of a batch
///
/// In the order of the batch.
#[utoipa::path(get, path = "/experimental/v1/batches/{batch}/items", tag = "current-user",
    params(TimePage, BatchPath), responses((status = 200, body = ResultsPage<BatchItem>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn batch_item_list(
    call: Call,
    Path(path): Path<BatchPath>,
    Page(page): Page<NoSelector, TimeAndIdSortMode>,
) -> Result<Response> {
    call.read(move |cx, caller| batch::item_list(cx, caller, path.batch, &page)).await.map(reply::ok)
}

/// Cancel a batch
///
/// Items that have not been begun become `canceled`; the others are as they are. A batch that has ended does not change.
#[utoipa::path(post, path = "/experimental/v1/batches/{batch}/cancel", tag = "current-user", params(BatchPath),
    responses((status = 200, body = Batch)))]
async fn batch_cancel(call: Call, Path(path): Path<BatchPath>) -> Result<Response> {
    call.write(move |cx, caller| batch::cancel(cx, caller, path.batch)).await.map(reply::ok)
}

/// Retry what failed of a batch
///
/// Items that failed or were canceled are queued again. A batch without such items does not change.
#[utoipa::path(post, path = "/experimental/v1/batches/{batch}/retry", tag = "current-user", params(BatchPath),
    responses((status = 200, body = Batch)))]
async fn batch_retry(call: Call, Path(path): Path<BatchPath>) -> Result<Response> {
    call.write(move |cx, caller| batch::retry(cx, caller, path.batch)).await.map(reply::ok)
}
