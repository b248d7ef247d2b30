use axum::response::Response;
use croft_api::{
    page::{IdSortMode, NoSelector, ResultsPage},
    session::{CurrentUser, Group},
};
use croft_control::me;

use super::paging::IdPage;
use crate::{
    call::Call,
    extract::Page,
    failure::Result,
    reply,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new().routes(routes!(current_user_view)).routes(routes!(current_user_groups))
}

/// View the caller
#[utoipa::path(get, path = "/v1/me", tag = "current-user", responses((status = 200, body = CurrentUser)))]
async fn current_user_view(call: Call) -> Result<Response> {
    call.read(me::view).await.map(reply::ok)
}

/// List the caller's groups
#[utoipa::path(get, path = "/v1/me/groups", tag = "current-user", params(IdPage),
    responses((status = 200, body = ResultsPage<Group>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn current_user_groups(call: Call, Page(page): Page<NoSelector, IdSortMode>) -> Result<Response> {
    call.read(move |cx, caller| me::groups(cx, caller, &page)).await.map(reply::ok)
}
