use axum::response::Response;
use croft_api::auth_settings::{SignInSettings, SiloAuthSettings, SiloAuthSettingsUpdate};
use croft_control::auth_settings;

use crate::{
    call::Call,
    extract::Json,
    failure::Result,
    reply,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(auth_settings_view, auth_settings_update))
        .extensions(routes!(sign_in_settings_view, sign_in_settings_update))
}

/// View what the caller's silo decided about tokens
#[utoipa::path(get, path = "/v1/auth-settings", tag = "silos",
    responses((status = 200, body = SiloAuthSettings)))]
async fn auth_settings_view(call: Call) -> Result<Response> {
    call.read(auth_settings::view).await.map(reply::ok)
}

/// Update the token settings of the caller's silo
///
/// Existing tokens keep their expiry.
#[utoipa::path(put, path = "/v1/auth-settings", tag = "silos", request_body = SiloAuthSettingsUpdate,
    responses((status = 200, body = SiloAuthSettings)))]
async fn auth_settings_update(call: Call, Json(params): Json<SiloAuthSettingsUpdate>) -> Result<Response> {
    call.write(move |cx, caller| auth_settings::update(cx, caller, &params)).await.map(reply::ok)
}

/// View the sign-in settings of the caller's silo
#[utoipa::path(get, path = "/experimental/v1/sign-in-settings", tag = "silos",
    responses((status = 200, body = SignInSettings)))]
async fn sign_in_settings_view(call: Call) -> Result<Response> {
    call.read(auth_settings::sign_in_view).await.map(reply::ok)
}

/// Update the sign-in settings of the caller's silo
///
/// If a second factor is required, users without one must set one up at the next sign-in. Existing sessions continue.
#[utoipa::path(put, path = "/experimental/v1/sign-in-settings", tag = "silos", request_body = SignInSettings,
    responses((status = 200, body = SignInSettings)))]
async fn sign_in_settings_update(call: Call, Json(params): Json<SignInSettings>) -> Result<Response> {
    call.write(move |cx, caller| auth_settings::sign_in_update(cx, caller, &params)).await.map(reply::ok)
}
