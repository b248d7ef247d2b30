use axum::response::Response;
use croft_api::{
    page::{NameSortMode, NoSelector, ResultsPage},
    user_builtin::{UserBuiltin, UserBuiltinPath},
};
use croft_control::user_builtin;

use super::paging::NameOnlyPage;
use crate::{
    call::Call,
    extract::{Page, Path},
    failure::Result,
    reply,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new().routes(routes!(user_builtin_list)).routes(routes!(user_builtin_view))
}

/// List built-in users
#[utoipa::path(get, path = "/v1/system/users-builtin", tag = "system/silos", params(NameOnlyPage),
    responses((status = 200, body = ResultsPage<UserBuiltin>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn user_builtin_list(call: Call, Page(page): Page<NoSelector, NameSortMode>) -> Result<Response> {
    call.read(move |cx, caller| user_builtin::list(cx, caller, &page)).await.map(reply::ok)
}

/// View a built-in user
#[utoipa::path(get, path = "/v1/system/users-builtin/{user}", tag = "system/silos", params(UserBuiltinPath),
    responses((status = 200, body = UserBuiltin)))]
async fn user_builtin_view(call: Call, Path(path): Path<UserBuiltinPath>) -> Result<Response> {
    call.read(move |cx, caller| user_builtin::view(cx, caller, &path.user)).await.map(reply::ok)
}
