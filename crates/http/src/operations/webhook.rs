use axum::response::Response;
use croft_api::{
    Error,
    alert::{
        AlertReceiverPath, AlertReceiverSelector, WebhookCreate, WebhookReceiver, WebhookReceiverUpdate,
        WebhookSecret, WebhookSecretCreate, WebhookSecretPath, WebhookSecrets,
    },
};
use croft_control::alert;

use crate::{
    call::Call,
    extract::{Json, Path, Query},
    failure::Result,
    reply,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(webhook_receiver_create))
        .routes(routes!(webhook_receiver_update))
        .routes(routes!(webhook_secrets_list, webhook_secrets_add))
        .routes(routes!(webhook_secrets_delete))
}

/// Create a receiver of alerts
///
/// It is sent requests over HTTP, each signed with every one of its secrets. An address that the server is not allowed to
/// contact is refused.
#[utoipa::path(post, path = "/v1/webhook-receivers", tag = "system/alerts", request_body = WebhookCreate,
    responses((status = 201, body = WebhookReceiver)))]
async fn webhook_receiver_create(call: Call, Json(params): Json<WebhookCreate>) -> Result<Response> {
    let refusal = call.app.parts.webhooks.refusal(&params.endpoint);
    call.write(move |cx, caller| {
        let receiver = alert::webhook_create(cx, caller, &params)?;
        check_reach(refusal.as_deref())?;
        Ok(receiver)
    })
    .await
    .map(reply::created)
}

/// Refuses an endpoint that can never be used, if the caller may set one.
fn check_reach(refusal: Option<&str>) -> croft_api::Result<()> {
    refusal.map_or(Ok(()), |reason| Err(Error::invalid_value("endpoint", reason)))
}

/// Update an alert receiver
#[utoipa::path(put, path = "/v1/webhook-receivers/{receiver}", tag = "system/alerts", params(AlertReceiverPath),
    request_body = WebhookReceiverUpdate, responses((status = 204)))]
async fn webhook_receiver_update(
    call: Call,
    Path(path): Path<AlertReceiverPath>,
    Json(params): Json<WebhookReceiverUpdate>,
) -> Result<Response> {
    let endpoint = params.endpoint.as_deref();
    let refusal = endpoint.and_then(|endpoint| call.app.parts.webhooks.refusal(endpoint));
    call.write(move |cx, caller| {
        alert::webhook_update(cx, caller, &path.receiver, &params)?;
        check_reach(refusal.as_deref())
    })
    .await
    .map(reply::no_content)
}

/// List the secrets of a receiver
///
/// Their ids and ages; nobody can read the secrets themselves.
#[utoipa::path(get, path = "/v1/webhook-secrets", tag = "system/alerts", params(AlertReceiverSelector),
    responses((status = 200, body = WebhookSecrets)))]
async fn webhook_secrets_list(call: Call, Query(selector): Query<AlertReceiverSelector>) -> Result<Response> {
    call.read(move |cx, caller| alert::secrets_list(cx, caller, &selector.receiver)).await.map(reply::ok)
}

/// Add a secret to a receiver
///
/// Requests are signed with it as well from now on, which lets a receiver change from one secret to another.
#[utoipa::path(post, path = "/v1/webhook-secrets", tag = "system/alerts", params(AlertReceiverSelector),
    request_body = WebhookSecretCreate, responses((status = 201, body = WebhookSecret)))]
async fn webhook_secrets_add(
    call: Call,
    Query(selector): Query<AlertReceiverSelector>,
    Json(params): Json<WebhookSecretCreate>,
) -> Result<Response> {
    call.write(move |cx, caller| alert::secrets_add(cx, caller, &selector.receiver, &params))
        .await
        .map(reply::created)
}

/// Remove a secret from its receiver
///
/// Nothing is delivered to a receiver that has none left.
#[utoipa::path(delete, path = "/v1/webhook-secrets/{secret_id}", tag = "system/alerts",
    params(WebhookSecretPath), responses((status = 204)))]
async fn webhook_secrets_delete(call: Call, Path(path): Path<WebhookSecretPath>) -> Result<Response> {
    call.write(move |cx, caller| alert::secrets_delete(cx, caller, path.secret_id))
        .await
        .map(reply::no_content)
}
