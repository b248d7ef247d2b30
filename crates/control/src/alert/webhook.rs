//! Requests to receivers, and the trait that sends them (`docs/rules/identity-and-system.md#requests-to-receivers`).

use croft_api::{
    Error, Result,
    alert::{AlertDeliveryTrigger, WebhookDeliveryAttemptResult, WebhookDeliveryResponse},
};
use croft_store::records::{AlertReceiver, WebhookSecret};
use hmac::{Hmac, KeyInit as _, Mac as _};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Map, Value};
use sha2::Sha256;
use uuid::Uuid;

use super::secret;
use crate::{Environment, VENDOR, web_address::WebAddress};

/// A complete request: a `POST` with these headers, those that HTTP requires, and this body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookRequest {
    /// The URL.
    pub endpoint: WebAddress,
    /// Lower-case names and their values. A name may be repeated.
    pub headers: Vec<(String, String)>,
    /// The signed bytes.
    pub body: Vec<u8>,
}

/// The result of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookAnswer {
    /// The result as one word.
    pub result: WebhookDeliveryAttemptResult,
    /// The response, if a status was received.
    pub response: Option<WebhookDeliveryResponse>,
    /// Why the receiver could not be reached, as text for its operator.
    pub reason: Option<String>,
}

impl WebhookAnswer {
    /// A status was received.
    pub fn status(status: u16, duration_ms: u64) -> Self {
        let result = if (200..300).contains(&status) {
            WebhookDeliveryAttemptResult::Succeeded
        } else {
            WebhookDeliveryAttemptResult::FailedHttpError
        };
        Self { result, response: Some(WebhookDeliveryResponse { status, duration_ms }), reason: None }
    }

    /// The connection failed.
    pub fn unreachable(reason: impl Into<String>) -> Self {
        let result = WebhookDeliveryAttemptResult::FailedUnreachable;
        Self { result, response: None, reason: Some(reason.into()) }
    }

    /// The request timed out.
    pub fn timeout(reason: impl Into<String>) -> Self {
        let result = WebhookDeliveryAttemptResult::FailedTimeout;
        Self { result, response: None, reason: Some(reason.into()) }
    }
}

/// Sends requests to receivers. Endpoints are chosen by users and may be malicious: an implementation contacts only
/// addresses that the operator allows, follows no redirects, limits how much it reads, and times out after 10 seconds
/// for the connection and 30 in total, which is well before the next attempt.
pub trait WebhookSender: Send + Sync + 'static {
    /// Starts sending a request and returns immediately. Calls `done` with the result. If `done` is dropped without a
    /// call, the result is unknown.
    fn send(&self, request: WebhookRequest, done: Box<dyn FnOnce(WebhookAnswer) + Send>);

    /// Returns why an endpoint cannot be used, judged by its text: it is an address that the operator does not allow.
    /// Does not resolve names.
    fn refusal(&self, endpoint: &str) -> Option<String> {
        let _ = endpoint;
        None
    }
}

/// The payload of a delivery.
#[derive(Clone, Debug)]
pub(crate) struct Message<'a> {
    pub(crate) alert_class: &'a str,
    pub(crate) alert_id: Uuid,
    pub(crate) data: &'a Map<String, Value>,
    pub(crate) delivery_id: Uuid,
    pub(crate) trigger: AlertDeliveryTrigger,
    pub(crate) sent_at: Timestamp,
}

#[derive(Serialize)]
struct Payload<'a> {
    alert_class: &'a str,
    alert_id: Uuid,
    data: &'a Map<String, Value>,
    delivery: PayloadDelivery<'a>,
}

#[derive(Serialize)]
struct PayloadDelivery<'a> {
    id: Uuid,
    receiver_id: Uuid,
    sent_at: &'a str,
    trigger: AlertDeliveryTrigger,
}

/// Builds the request to a receiver, signed with each of its secrets.
///
/// # Errors
/// `Internal` if a secret cannot be opened or the endpoint is not a URL.
pub(crate) fn sign(
    environment: &Environment,
    receiver: &AlertReceiver,
    secrets: &[WebhookSecret],
    message: &Message<'_>,
) -> Result<WebhookRequest> {
    let sent_at = message.sent_at.to_string();
    let receiver_id = receiver.meta.id;
    let payload = Payload {
        alert_class: message.alert_class,
        alert_id: message.alert_id,
        data: message.data,
        delivery: PayloadDelivery {
            id: message.delivery_id,
            receiver_id,
            sent_at: &sent_at,
            trigger: message.trigger,
        },
    };
    let body = serde_json::to_vec(&payload).map_err(Error::internal)?;
    let header = |name: &str, value: String| (format!("x-{VENDOR}-{name}"), value);
    let mut headers = vec![
        ("content-type".to_owned(), "application/json".to_owned()),
        header("receiver-id", receiver_id.to_string()),
        header("delivery-id", message.delivery_id.to_string()),
        header("alert-id", message.alert_id.to_string()),
        header("alert-class", message.alert_class.to_owned()),
        header("timestamp", sent_at.clone()),
    ];
    for secret in secrets {
        let signature = signature(&secret::open(environment, secret)?, &body)?;
        headers.push(header("signature", format!("a=sha256&id={}&s={signature}", secret.meta.id)));
    }
    let endpoint = WebAddress::parse(&receiver.endpoint).map_err(Error::internal)?;
    Ok(WebhookRequest { endpoint, headers, body })
}

/// HMAC-SHA256 in hexadecimal digits.
fn signature(key: &[u8], body: &[u8]) -> Result<String> {
    let mut mac = Hmac::<Sha256>::new_from_slice(key).map_err(Error::internal)?;
    mac.update(body);
    Ok(hex::encode(mac.finalize().into_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Test case 2 of RFC 4231.
    #[test]
    fn signatures_match_the_standard_webhooks_vectors() {
        let signature = signature(b"Jefe", b"what do ya want for nothing?").unwrap();
        assert_eq!(signature, "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    }

    #[test]
    fn only_2xx_is_a_success() {
        let results =
            [200, 204, 299, 301, 307, 400, 500, 199].map(|status| WebhookAnswer::status(status, 1).result);
        let (good, bad) = results.split_at(3);
        assert!(good.iter().all(|result| *result == WebhookDeliveryAttemptResult::Succeeded));
        assert!(bad.iter().all(|result| *result == WebhookDeliveryAttemptResult::FailedHttpError));
    }
}
