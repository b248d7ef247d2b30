use axum::response::Response;
use croft_api::deletion::{Deletion, DeletionCreate, DeletionPath};
use croft_control::deletion;

use crate::{
    call::Call,
    extract::{Json, Path},
    failure::Result,
    reply,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new().extensions(routes!(deletion_view, deletion_create))
}

/// View what hangs on a resource
///
/// Nothing is deleted. The response says what prevents the deletion of the resource, what would be deleted with it, and what
/// would be changed or left behind. Counts are of everything; names are only of what the caller may read.
#[utoipa::path(get, path = "/experimental/v1/deletions/{kind}/{id}", tag = "current-user", params(DeletionPath),
    responses((status = 200, body = Deletion)))]
async fn deletion_view(call: Call, Path(path): Path<DeletionPath>) -> Result<Response> {
    call.read(move |cx, caller| deletion::view(cx, caller, &path.kind, path.id)).await.map(reply::ok)
}

/// Delete a resource with what hangs on it
///
/// The resource and the parts that `also` names are deleted in one transaction: all or none, each with the rights and by the
/// rules of its own deletion. The request is refused with 409 if something was added or removed since the caller was shown
/// what hangs on it. Instances have to be stopped before.
#[utoipa::path(post, path = "/experimental/v1/deletions/{kind}/{id}", tag = "current-user", params(DeletionPath),
    request_body = DeletionCreate, responses((status = 204)))]
async fn deletion_create(
    call: Call,
    Path(path): Path<DeletionPath>,
    Json(params): Json<DeletionCreate>,
) -> Result<Response> {
    call.write(move |cx, caller| deletion::create(cx, caller, &path.kind, path.id, &params))
        .await
        .map(reply::no_content)
}
