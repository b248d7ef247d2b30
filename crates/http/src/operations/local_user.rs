use axum::response::Response;
use croft_api::{
    Error,
    page::{IdSortMode, ResultsPage},
    scalar::Password,
    silo::{OptionalSiloSelector, SiloSelector},
    user::{User, UserCreate, UserPassword, UserPath},
};
use croft_control::{
    Caller, Cx, password, second_factor,
    user::{self, NewPassword},
};

use super::paging::IdPage;
use crate::{
    call::Call,
    extract::{Json, Page, Path, Query},
    failure::Result,
    reply,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(silo_user_list))
        .routes(routes!(silo_user_view))
        .routes(routes!(local_idp_user_create))
        .routes(routes!(local_idp_user_delete))
        .routes(routes!(local_idp_user_set_password))
        .extensions(routes!(local_idp_user_require_password_change))
        .extensions(routes!(local_idp_user_reset_second_factor))
}

/// List the users of a silo
#[utoipa::path(get, path = "/v1/system/users", tag = "system/silos", params(IdPage, OptionalSiloSelector),
    responses((status = 200, body = ResultsPage<User>)),
    extensions(("x-dropshot-pagination" = json!({ "required": ["silo"] }))))]
async fn silo_user_list(call: Call, Page(page): Page<SiloSelector, IdSortMode>) -> Result<Response> {
    call.read(move |cx, caller| user::silo_list(cx, caller, &page)).await.map(reply::ok)
}

/// View a user of a silo
#[utoipa::path(get, path = "/v1/system/users/{user_id}", tag = "system/silos", params(SiloSelector, UserPath),
    responses((status = 200, body = User)))]
async fn silo_user_view(
    call: Call,
    Path(path): Path<UserPath>,
    Query(selector): Query<SiloSelector>,
) -> Result<Response> {
    call.read(move |cx, caller| user::silo_view(cx, caller, &selector.silo, path.user_id))
        .await
        .map(reply::ok)
}

/// Create a user in a silo whose users sign in with passwords
#[utoipa::path(post, path = "/v1/system/identity-providers/local/users", tag = "system/silos",
    params(SiloSelector), request_body = UserCreate, responses((status = 201, body = User)))]
async fn local_idp_user_create(
    call: Call,
    Query(selector): Query<SiloSelector>,
    Json(params): Json<UserCreate>,
) -> Result<Response> {
    let silo = selector.silo.clone();
    let name = params.external_id.to_string();
    let allowed = move |cx: &mut Cx<'_, '_>, caller: &Caller| {
        user::may_create_local(cx, caller, &silo).map(|_| name.clone())
    };
    let password = hashed(&call, params.password, allowed).await?;
    call.write(move |cx, caller| {
        user::local_create(cx, caller, &selector.silo, &params.external_id, &password)
    })
    .await
    .map(reply::created)
}

/// Delete a user of a silo whose users sign in with passwords
///
/// With all sessions, tokens, SSH keys and places in groups.
#[utoipa::path(delete, path = "/v1/system/identity-providers/local/users/{user_id}", tag = "system/silos",
    params(SiloSelector, UserPath), responses((status = 204)))]
async fn local_idp_user_delete(
    call: Call,
    Path(path): Path<UserPath>,
    Query(selector): Query<SiloSelector>,
) -> Result<Response> {
    call.write(move |cx, caller| user::local_delete(cx, caller, &selector.silo, path.user_id))
        .await
        .map(reply::no_content)
}

/// Set or remove a user's password
///
/// Ends the user's tokens, and the user's sessions but for the one in which this is asked for. The own password is set by
/// whoever has signed in within the last ten minutes, and not with a token.
#[utoipa::path(post, path = "/v1/system/identity-providers/local/users/{user_id}/set-password",
    tag = "system/silos", params(SiloSelector, UserPath), request_body = UserPassword,
    responses((status = 204)))]
async fn local_idp_user_set_password(
    call: Call,
    Path(path): Path<UserPath>,
    Query(selector): Query<SiloSelector>,
    Json(params): Json<UserPassword>,
) -> Result<Response> {
    let silo = selector.silo.clone();
    let allowed = move |cx: &mut Cx<'_, '_>, caller: &Caller| {
        user::may_set_password(cx, caller, &silo, path.user_id).map(|user| user.external_id.clone())
    };
    let password = hashed(&call, params, allowed).await?;
    call.write(move |cx, caller| user::set_password(cx, caller, &selector.silo, path.user_id, &password))
        .await
        .map(reply::no_content)
}

/// Require a user to choose another password
///
/// Applies at the next sign-in, before anything else. Ends the user's sessions; tokens are not affected.
#[utoipa::path(post,
    path = "/experimental/v1/system/identity-providers/local/users/{user_id}/require-password-change",
    tag = "system/silos", params(SiloSelector, UserPath), responses((status = 204)))]
async fn local_idp_user_require_password_change(
    call: Call,
    Path(path): Path<UserPath>,
    Query(selector): Query<SiloSelector>,
) -> Result<Response> {
    call.write(move |cx, caller| user::require_password_change(cx, caller, &selector.silo, path.user_id))
        .await
        .map(reply::no_content)
}

/// Remove a user's second factors
///
/// Also removes the recovery codes, for a user who has lost all second factors. Ends the user's sessions and tokens.
/// Requires at least the user's role on the fleet, and is not allowed for the caller's own user.
#[utoipa::path(post,
    path = "/experimental/v1/system/identity-providers/local/users/{user_id}/reset-second-factor",
    tag = "system/silos", params(SiloSelector, UserPath), responses((status = 204)))]
async fn local_idp_user_reset_second_factor(
    call: Call,
    Path(path): Path<UserPath>,
    Query(selector): Query<SiloSelector>,
) -> Result<Response> {
    call.write(move |cx, caller| second_factor::reset(cx, caller, &selector.silo, path.user_id))
        .await
        .map(reply::no_content)
}

/// Hashes a password, if the caller is allowed to set it, because hashing is expensive. Otherwise the rule refuses and
/// writes the audit entry. `allowed` returns the name of the user.
async fn hashed<F>(call: &Call, password: UserPassword, allowed: F) -> Result<NewPassword>
where
    F: FnMut(&mut Cx<'_, '_>, &Caller) -> croft_api::Result<String> + Send + 'static,
{
    let UserPassword::Password(password) = password else { return Ok(NewPassword::Disallowed) };
    match call.read(allowed).await {
        Ok(user_name) => chosen(call, password, user_name).await,
        Err(failure) if failure.status().is_client_error() => Ok(NewPassword::Unhashed),
        Err(failure) => Err(failure),
    }
}

/// Hashes a new password of a user, or refuses it with a text that says what to choose instead.
pub(super) async fn chosen(call: &Call, password: Password, user_name: String) -> Result<NewPassword> {
    let hashed = match password::check(&password, &user_name) {
        Ok(()) => call.app.parts.passwords.hash(password, user_name).await,
        Err(error) => Err(error),
    };
    match hashed {
        Ok(hash) => Ok(NewPassword::Hash(hash)),
        Err(error @ Error::InvalidValue { .. }) => Ok(NewPassword::Refused(error)),
        Err(error) => Err(error.into()),
    }
}
