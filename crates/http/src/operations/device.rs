use axum::{
    extract::OriginalUri,
    response::{IntoResponse as _, Response},
};
use croft_api::{
    Error,
    device::{DeviceAccessTokenRequest, DeviceAuthRequest, DeviceAuthVerify, DeviceError, DeviceRefusal},
};
use croft_control::{device, throttle::Admission};
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde::Serialize;

use crate::{
    call::Call,
    extract::{Form, Json},
    failure::Result,
    reply,
    routes::{OpenApiRouter, routes},
    transport::authority,
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(device_auth_request))
        .routes(routes!(device_auth_confirm))
        .routes(routes!(device_access_token))
}

/// Request a token for a device
///
/// The first step of RFC 8628: the response contains the code that a signed-in user enters, and the code with which the
/// device polls for the token.
#[utoipa::path(post, path = "/device/auth", tag = "console-auth",
    request_body(content = DeviceAuthRequest, content_type = "application/x-www-form-urlencoded"),
    responses((status = "default", content_type = "*/*")))]
async fn device_auth_request(
    call: Call,
    headers: HeaderMap,
    OriginalUri(uri): OriginalUri,
    Form(params): Form<DeviceAuthRequest>,
) -> Result<Response> {
    let params = match params {
        Ok(params) => params,
        Err(unreadable) => return Ok(refuse(DeviceRefusal::InvalidRequest, Some(unreadable.message()))),
    };
    let Some(host) = authority(&headers, &uri) else {
        let text = "the request has no host, so the verification address for the device is unknown";
        return Ok(refuse(DeviceRefusal::InvalidRequest, Some(text)));
    };
    let scheme = if call.is_secure() { "https" } else { "http" };
    let verification_uri = format!("{scheme}://{host}/device/verify");
    wait_for_turn(&call).await?;
    let answer = call.change(move |cx| device::request(cx, &params, &verification_uri)).await?;
    Ok(secret(reply::ok(answer)))
}

/// Delays requests that exceed the rate limit: every request adds a row, and requires no authentication.
async fn wait_for_turn(call: &Call) -> Result<()> {
    let (now, source) = (call.app.parts.clock.now(), call.source());
    let admission = call.app.device_throttle.lock().admit_address(now, source);
    let Admission::After(wait) = admission else {
        return Err(Error::unavailable("too many device authorization requests from one address").into());
    };
    call.pause(wait).await;
    Ok(())
}

/// Confirm a device
///
/// The third step of RFC 8628: the device with this code gets a token of the caller.
#[utoipa::path(post, path = "/device/confirm", tag = "console-auth", request_body = DeviceAuthVerify,
    responses((status = 204)))]
async fn device_auth_confirm(call: Call, Json(params): Json<DeviceAuthVerify>) -> Result<Response> {
    call.write(move |cx, caller| device::confirm(cx, caller, &params.user_code)).await.map(reply::no_content)
}

/// Fetch the token of a device
///
/// The last step, repeated every few seconds until somebody has confirmed. Errors are those of RFC 8628.
#[utoipa::path(post, path = "/device/token", tag = "console-auth",
    request_body(content = DeviceAccessTokenRequest, content_type = "application/x-www-form-urlencoded"),
    responses((status = "default", content_type = "*/*")))]
async fn device_access_token(call: Call, Form(params): Form<DeviceAccessTokenRequest>) -> Result<Response> {
    let params = match params {
        Ok(params) => params,
        Err(unreadable) => return Ok(refuse(DeviceRefusal::InvalidRequest, Some(unreadable.message()))),
    };
    let answer = call.look_up(move |cx| device::access_token(cx, &params)).await?;
    Ok(match answer {
        Ok(grant) => secret(reply::ok(grant)),
        Err(refusal) => refuse(refusal, None),
    })
}

/// An error in the format of OAuth.
fn refuse(error: DeviceRefusal, description: Option<&str>) -> Response {
    let body = DeviceError { error, error_description: description.map(str::to_owned) };
    secret(json(StatusCode::BAD_REQUEST, &body))
}

fn json(status: StatusCode, body: &impl Serialize) -> Response {
    let mut response = reply::ok(body);
    *response.status_mut() = status;
    response
}

/// Disables caching of the response (RFC 6749, section 5.1).
fn secret(response: Response) -> Response {
    ([(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))], response).into_response()
}
