use axum::response::Response;
use croft_api::{
    page::{IdSortMode, NoSelector, ResultsPage},
    token::{DeviceAccessToken, TokenPath},
};
use croft_control::token;

use super::paging::IdPage;
use crate::{
    call::Call,
    extract::{Page, Path},
    failure::Result,
    reply,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(current_user_access_token_list))
        .routes(routes!(current_user_access_token_delete))
}

/// List the caller's tokens
///
/// Without their secrets, and without those that have expired.
#[utoipa::path(get, path = "/v1/me/access-tokens", tag = "tokens", params(IdPage),
    responses((status = 200, body = ResultsPage<DeviceAccessToken>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn current_user_access_token_list(
    call: Call,
    Page(page): Page<NoSelector, IdSortMode>,
) -> Result<Response> {
    call.read(move |cx, caller| token::list(cx, caller, &page)).await.map(reply::ok)
}

/// Delete one of the caller's tokens
///
/// It is of no use at once, even if this request was made with it.
#[utoipa::path(delete, path = "/v1/me/access-tokens/{token_id}", tag = "tokens", params(TokenPath),
    responses((status = 204)))]
async fn current_user_access_token_delete(call: Call, Path(path): Path<TokenPath>) -> Result<Response> {
    call.write(move |cx, caller| token::delete(cx, caller, path.token_id)).await.map(reply::no_content)
}
