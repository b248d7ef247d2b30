use axum::response::Response;
use croft_api::{
    page::{IdSortMode, NoSelector, ResultsPage},
    session::Group,
    token::{ConsoleSession, DeviceAccessToken},
    user::{GroupPath, OptionalGroupSelector, User, UserPath},
};
use croft_control::{group, user};

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
        .routes(routes!(user_list))
        .routes(routes!(user_view))
        .routes(routes!(user_token_list))
        .routes(routes!(user_session_list))
        .routes(routes!(user_logout))
        .routes(routes!(group_list))
        .routes(routes!(group_view))
}

/// List the users of the caller's silo
#[utoipa::path(get, path = "/v1/users", tag = "silos", params(IdPage, OptionalGroupSelector),
    responses((status = 200, body = ResultsPage<User>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn user_list(call: Call, Page(page): Page<OptionalGroupSelector, IdSortMode>) -> Result<Response> {
    call.read(move |cx, caller| user::list(cx, caller, &page)).await.map(reply::ok)
}

/// View a user of the caller's silo
#[utoipa::path(get, path = "/v1/users/{user_id}", tag = "silos", params(UserPath),
    responses((status = 200, body = User)))]
async fn user_view(call: Call, Path(path): Path<UserPath>) -> Result<Response> {
    call.read(move |cx, caller| user::view(cx, caller, path.user_id)).await.map(reply::ok)
}

/// List a user's tokens
///
/// Without their secrets, and without those that have expired.
#[utoipa::path(get, path = "/v1/users/{user_id}/access-tokens", tag = "silos", params(IdPage, UserPath),
    responses((status = 200, body = ResultsPage<DeviceAccessToken>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn user_token_list(
    call: Call,
    Path(path): Path<UserPath>,
    Page(page): Page<NoSelector, IdSortMode>,
) -> Result<Response> {
    call.read(move |cx, caller| user::token_list(cx, caller, path.user_id, &page)).await.map(reply::ok)
}

/// List a user's sessions
///
/// Without those that are over.
#[utoipa::path(get, path = "/v1/users/{user_id}/sessions", tag = "silos", params(IdPage, UserPath),
    responses((status = 200, body = ResultsPage<ConsoleSession>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn user_session_list(
    call: Call,
    Path(path): Path<UserPath>,
    Page(page): Page<NoSelector, IdSortMode>,
) -> Result<Response> {
    call.read(move |cx, caller| user::session_list(cx, caller, path.user_id, &page)).await.map(reply::ok)
}

/// Sign a user out everywhere
///
/// Ends all of the user's sessions and tokens.
#[utoipa::path(post, path = "/v1/users/{user_id}/logout", tag = "silos", params(UserPath),
    responses((status = 204)))]
async fn user_logout(call: Call, Path(path): Path<UserPath>) -> Result<Response> {
    call.write(move |cx, caller| user::logout(cx, caller, path.user_id)).await.map(reply::no_content)
}

/// List the groups of the caller's silo
#[utoipa::path(get, path = "/v1/groups", tag = "silos", params(IdPage),
    responses((status = 200, body = ResultsPage<Group>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn group_list(call: Call, Page(page): Page<NoSelector, IdSortMode>) -> Result<Response> {
    call.read(move |cx, caller| group::list(cx, caller, &page)).await.map(reply::ok)
}

/// View a group of the caller's silo
#[utoipa::path(get, path = "/v1/groups/{group_id}", tag = "silos", params(GroupPath),
    responses((status = 200, body = Group)))]
async fn group_view(call: Call, Path(path): Path<GroupPath>) -> Result<Response> {
    call.read(move |cx, caller| group::view(cx, caller, path.group_id)).await.map(reply::ok)
}
