//! The caller's own account. All operations are extensions of the contract.

use axum::response::Response;
use croft_api::{
    Error,
    account::{Account, OwnSession, OwnToken, OwnTokenUpdate, PasswordChange, SessionPath},
    page::{IdSortMode, NoSelector, ResultsPage},
    token::TokenPath,
};
use croft_control::{account, password, session, throttle::Admission, token, user::NewPassword};

use super::{local_user, paging::IdPage};
use crate::{
    call::Call,
    extract::{Json, Page, Path},
    failure::Result,
    reply,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new()
        .extensions(routes!(account_view))
        .extensions(routes!(account_password_change))
        .extensions(routes!(account_session_list))
        .extensions(routes!(account_sessions_end_others))
        .extensions(routes!(account_session_delete))
        .extensions(routes!(account_token_list))
        .extensions(routes!(account_token_update))
}

/// View the caller's account
///
/// Returns how the caller signs in, and the steps that are required before the session can be used. Allowed while steps
/// are pending.
#[utoipa::path(get, path = "/experimental/v1/me/account", tag = "current-user",
    responses((status = 200, body = Account)))]
async fn account_view(call: Call) -> Result<Response> {
    call.read(account::view).await.map(reply::ok)
}

/// Change the caller's password
///
/// Requires a session and the current password. Ends all tokens of the caller, and all other sessions.
#[utoipa::path(post, path = "/experimental/v1/me/password", tag = "current-user", request_body = PasswordChange,
    responses((status = 204)))]
async fn account_password_change(call: Call, Json(params): Json<PasswordChange>) -> Result<Response> {
    let challenge = call.prepare(account::password_challenge).await?;
    // Guesses with somebody else's open session are limited like those at sign-in.
    let (now, source) = (call.app.parts.clock.now(), call.source());
    let admission = call.app.throttle.lock().admit(now, &challenge.account, source);
    let Admission::After(wait) = admission else {
        return Err(Error::unavailable("too many wrong passwords").into());
    };
    call.pause(wait).await;
    let (hash, unchanged) =
        (challenge.password_hash().to_owned(), params.current_password == params.new_password);
    let verified = call.app.parts.passwords.verify(params.current_password, Some(hash)).await?;
    let password = match (verified, unchanged) {
        (false, _) => NewPassword::Unhashed,
        (true, true) => NewPassword::Refused(password::unchanged()),
        (true, false) => local_user::chosen(&call, params.new_password, challenge.user_name.clone()).await?,
    };
    let change =
        call.write(move |cx, caller| account::change_password(cx, caller, &challenge, verified, &password));
    change.await.map(reply::no_content)
}

/// List the caller's sessions
#[utoipa::path(get, path = "/experimental/v1/me/sessions", tag = "current-user", params(IdPage),
    responses((status = 200, body = ResultsPage<OwnSession>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn account_session_list(call: Call, Page(page): Page<NoSelector, IdSortMode>) -> Result<Response> {
    call.read(move |cx, caller| session::own_list(cx, caller, &page)).await.map(reply::ok)
}

/// End the caller's other sessions
///
/// Ends all sessions except the calling one; with a token, all sessions.
#[utoipa::path(delete, path = "/experimental/v1/me/sessions", tag = "current-user", responses((status = 204)))]
async fn account_sessions_end_others(call: Call) -> Result<Response> {
    call.write(session::end_others).await.map(reply::no_content)
}

/// End one of the caller's sessions
#[utoipa::path(delete, path = "/experimental/v1/me/sessions/{session_id}", tag = "current-user",
    params(SessionPath), responses((status = 204)))]
async fn account_session_delete(call: Call, Path(path): Path<SessionPath>) -> Result<Response> {
    call.write(move |cx, caller| session::end(cx, caller, path.session_id)).await.map(reply::no_content)
}

/// List the caller's tokens with names and uses
///
/// Without their secrets. Expired tokens are not listed.
#[utoipa::path(get, path = "/experimental/v1/me/access-tokens", tag = "tokens", params(IdPage),
    responses((status = 200, body = ResultsPage<OwnToken>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn account_token_list(call: Call, Page(page): Page<NoSelector, IdSortMode>) -> Result<Response> {
    call.read(move |cx, caller| token::own_list(cx, caller, &page)).await.map(reply::ok)
}

/// Rename one of the caller's tokens
#[utoipa::path(put, path = "/experimental/v1/me/access-tokens/{token_id}", tag = "tokens", params(TokenPath),
    request_body = OwnTokenUpdate, responses((status = 200, body = OwnToken)))]
async fn account_token_update(
    call: Call,
    Path(path): Path<TokenPath>,
    Json(params): Json<OwnTokenUpdate>,
) -> Result<Response> {
    call.write(move |cx, caller| token::rename(cx, caller, path.token_id, &params)).await.map(reply::ok)
}
