use axum::response::Response;
use croft_api::{
    Error,
    alert::{
        AlertClass, AlertClassSelector, AlertClassSortMode, AlertDelivery, AlertDeliveryId,
        AlertDeliveryPath, AlertDeliveryReport, AlertDeliveryStateFilter, AlertPath, AlertProbeQuery,
        AlertProbeResult, AlertReceiver, AlertReceiverPath, AlertReceiverSelector, AlertSubscriptionCreate,
        AlertSubscriptionCreated, AlertSubscriptionPath,
    },
    page::{NameOrIdSortMode, NoSelector, ResultsPage, TimeAndIdSortMode},
    scalar::NameOrId,
};
use croft_control::alert;
use futures_channel::oneshot;

use super::paging::{NamedPage, TimePage, TokenPage};
use crate::{
    call::{Call, to_the_end},
    extract::{Json, Page, Path, Query},
    failure::Result,
    reply,
    routes::{OpenApiRouter, routes},
};

pub(super) fn router() -> OpenApiRouter {
    OpenApiRouter::new()
        .routes(routes!(alert_class_list))
        .routes(routes!(alert_receiver_list))
        .routes(routes!(alert_receiver_view, alert_receiver_delete))
        .routes(routes!(alert_receiver_subscription_add))
        .routes(routes!(alert_receiver_subscription_remove))
        .routes(routes!(alert_delivery_list))
        .routes(routes!(alert_delivery_resend))
        .routes(routes!(alert_receiver_probe))
        .extensions(routes!(alert_delivery_attempts_view))
}

/// List classes of alerts
#[utoipa::path(get, path = "/v1/alert-classes", tag = "system/alerts", params(TokenPage, AlertClassSelector),
    responses((status = 200, body = ResultsPage<AlertClass>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn alert_class_list(
    call: Call,
    Page(page): Page<AlertClassSelector, AlertClassSortMode>,
) -> Result<Response> {
    call.read(move |cx, caller| alert::class_list(cx, caller, &page)).await.map(reply::ok)
}

/// List receivers of alerts
#[utoipa::path(get, path = "/v1/alert-receivers", tag = "system/alerts", params(NamedPage),
    responses((status = 200, body = ResultsPage<AlertReceiver>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn alert_receiver_list(call: Call, Page(page): Page<NoSelector, NameOrIdSortMode>) -> Result<Response> {
    call.read(move |cx, caller| alert::receiver_list(cx, caller, &page)).await.map(reply::ok)
}

/// View a receiver of alerts
#[utoipa::path(get, path = "/v1/alert-receivers/{receiver}", tag = "system/alerts", params(AlertReceiverPath),
    responses((status = 200, body = AlertReceiver)))]
async fn alert_receiver_view(call: Call, Path(path): Path<AlertReceiverPath>) -> Result<Response> {
    call.read(move |cx, caller| alert::receiver_view(cx, caller, &path.receiver)).await.map(reply::ok)
}

/// Delete a receiver of alerts
///
/// Its secrets, its subscriptions and its deliveries go with it; what is still pending is not delivered.
#[utoipa::path(delete, path = "/v1/alert-receivers/{receiver}", tag = "system/alerts",
    params(AlertReceiverPath), responses((status = 204)))]
async fn alert_receiver_delete(call: Call, Path(path): Path<AlertReceiverPath>) -> Result<Response> {
    call.write(move |cx, caller| alert::receiver_delete(cx, caller, &path.receiver))
        .await
        .map(reply::no_content)
}

/// Add an alert subscription
///
/// Subscribes the receiver to one class by its name, or to all present and future classes that match a pattern.
#[utoipa::path(post, path = "/v1/alert-receivers/{receiver}/subscriptions", tag = "system/alerts",
    params(AlertReceiverPath), request_body = AlertSubscriptionCreate,
    responses((status = 201, body = AlertSubscriptionCreated)))]
async fn alert_receiver_subscription_add(
    call: Call,
    Path(path): Path<AlertReceiverPath>,
    Json(params): Json<AlertSubscriptionCreate>,
) -> Result<Response> {
    call.write(move |cx, caller| alert::subscription_add(cx, caller, &path.receiver, &params))
        .await
        .map(reply::created)
}

/// Remove an alert subscription
///
/// Classes that another subscription of the receiver covers are still delivered.
#[utoipa::path(delete, path = "/v1/alert-receivers/{receiver}/subscriptions/{subscription}",
    tag = "system/alerts", params(AlertSubscriptionPath), responses((status = 204)))]
async fn alert_receiver_subscription_remove(
    call: Call,
    Path(path): Path<AlertSubscriptionPath>,
) -> Result<Response> {
    call.write(move |cx, caller| alert::subscription_remove(cx, caller, &path.receiver, &path.subscription))
        .await
        .map(reply::no_content)
}

/// List deliveries to a receiver
///
/// With every attempt that was made. Probes are not among them.
#[utoipa::path(get, path = "/v1/alert-receivers/{receiver}/deliveries", tag = "system/alerts",
    params(AlertReceiverPath, AlertDeliveryStateFilter, TimePage),
    responses((status = 200, body = ResultsPage<AlertDelivery>)),
    extensions(("x-dropshot-pagination" = json!({ "required": [] }))))]
async fn alert_delivery_list(
    call: Call,
    Path(path): Path<AlertReceiverPath>,
    Page(page): Page<AlertDeliveryStateFilter, TimeAndIdSortMode>,
) -> Result<Response> {
    call.read(move |cx, caller| alert::delivery_list(cx, caller, &path.receiver, &page)).await.map(reply::ok)
}

/// Resend an alert
///
/// Regardless of earlier deliveries. The receiver must be subscribed to the alert's class.
#[utoipa::path(post, path = "/v1/alerts/{alert_id}/resend", tag = "system/alerts",
    params(AlertPath, AlertReceiverSelector), responses((status = 201, body = AlertDeliveryId)))]
async fn alert_delivery_resend(
    call: Call,
    Path(path): Path<AlertPath>,
    Query(selector): Query<AlertReceiverSelector>,
) -> Result<Response> {
    call.write(move |cx, caller| alert::resend(cx, caller, path.alert_id, &selector.receiver))
        .await
        .map(reply::created)
}

/// Send a probe to a receiver
///
/// The probe is sent immediately and only once; the response contains the result. The request succeeds whatever the
/// receiver does.
#[utoipa::path(post, path = "/v1/alert-receivers/{receiver}/probe", tag = "system/alerts",
    params(AlertReceiverPath, AlertProbeQuery), responses((status = 200, body = AlertProbeResult)))]
async fn alert_receiver_probe(
    call: Call,
    Path(path): Path<AlertReceiverPath>,
    Query(query): Query<AlertProbeQuery>,
) -> Result<Response> {
    // The probe is in the audit log, even if the client has disconnected.
    to_the_end(probed(call, path.receiver, query.resend)).await?.map(reply::ok)
}

async fn probed(call: Call, receiver: NameOrId, resend: bool) -> Result<AlertProbeResult> {
    let sent = send_probe(&call, receiver.clone(), resend).await?;
    call.write(move |cx, caller| alert::probe(cx, caller, &receiver, resend, sent.as_ref())).await
}

/// Sends a probe outside of any transaction. If the caller is not allowed to, the rule refuses and writes the audit
/// entry.
async fn send_probe(call: &Call, receiver: NameOrId, resend: bool) -> Result<Option<alert::SentProbe>> {
    let prepared = call.read(move |cx, caller| alert::prepare_probe(cx, caller, &receiver, resend)).await;
    let prepared = match prepared {
        Ok(prepared) => prepared,
        Err(failure) if failure.status().is_server_error() => return Err(failure),
        Err(_) => return Ok(None),
    };
    let (done, answer) = oneshot::channel();
    // The client may have disconnected when the server shuts down.
    let done = Box::new(move |answer| {
        let _ = done.send(answer);
    });
    call.app.parts.webhooks.send(prepared.request.clone(), done);
    let unknown = |_| Error::unavailable("the result of a test probe is unknown");
    Ok(Some(prepared.sent(answer.await.map_err(unknown)?)))
}

/// View the attempts of a delivery
///
/// Includes why a receiver could not be reached, which the list of deliveries does not.
#[utoipa::path(get, path = "/experimental/v1/alert-receivers/{receiver}/deliveries/{delivery_id}/attempts",
    tag = "system/alerts", params(AlertDeliveryPath), responses((status = 200, body = AlertDeliveryReport)))]
async fn alert_delivery_attempts_view(call: Call, Path(path): Path<AlertDeliveryPath>) -> Result<Response> {
    call.read(move |cx, caller| alert::delivery_attempts(cx, caller, &path.receiver, path.delivery_id))
        .await
        .map(reply::ok)
}
