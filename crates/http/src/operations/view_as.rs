//! Views of Croft as another user. All operations are extensions of the contract.

use axum::response::Response;
use croft_api::{user::UserPath, view_as::ViewAs};
use croft_control::{permissions::possible_in_view, view_as};

use crate::{
    call::Call,
    extract::Path,
    failure::Result,
    reply,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new().extensions(routes!(view_as_view, view_as_end)).extensions(routes!(view_as_begin))
}

/// View whether the session views Croft as another user
#[utoipa::path(get, path = "/experimental/v1/view-as", tag = "current-user",
    responses((status = 200, body = ViewAs)))]
async fn view_as_view(call: Call) -> Result<Response> {
    call.read(|cx, caller| view_as::view(cx, caller, possible_in_view)).await.map(reply::ok)
}

/// View Croft as a user
///
/// From now on, requests of the session are answered as if the user had sent them, and everything that changes something
/// is refused. Requires a session. Ends after an hour, and when the caller loses the right to it.
#[utoipa::path(post, path = "/experimental/v1/users/{user_id}/view-as", tag = "silos", params(UserPath),
    responses((status = 200, body = ViewAs)))]
async fn view_as_begin(call: Call, Path(path): Path<UserPath>) -> Result<Response> {
    let begun = call.write(move |cx, caller| view_as::begin(cx, caller, path.user_id, possible_in_view));
    begun.await.map(reply::ok)
}

/// Stop viewing Croft as another user
///
/// Requires a session. Does nothing if it views Croft as its own user.
#[utoipa::path(delete, path = "/experimental/v1/view-as", tag = "current-user", responses((status = 204)))]
async fn view_as_end(call: Call) -> Result<Response> {
    call.write(view_as::end).await.map(reply::no_content)
}
