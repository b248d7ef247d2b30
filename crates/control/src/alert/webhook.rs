//! What is sent to a receiver, and by whom (`docs/rules/identity-and-system.md#requests-to-receivers`).

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

/// A request to be sent as it is: a `POST` with these headers beside those that HTTP needs, and this body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookRequest {
    /// Where.
    pub endpoint: WebAddress,
    /// Names in lower case, with values. A name may stand here several times.
    pub headers: Vec<(String, String)>,
    /// The signed bytes.
    pub body: Vec<u8>,
}

/// How a request ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebhookAnswer {
    /// As one word.
    pub result: WebhookDeliveryAttemptResult,
    /// What was answered, if a status was received.
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

    /// Nobody answered.
    pub fn unreachable(reason: impl Into<String>) -> Self {
        let result = WebhookDeliveryAttemptResult::FailedUnreachable;
        Self { result, response: None, reason: Some(reason.into()) }
    }

    /// Nobody answered in time.
    pub fn timeout(reason: impl Into<String>) -> Self {
        let result = WebhookDeliveryAttemptResult::FailedTimeout;
        Self { result, response: None, reason: Some(reason.into()) }
    }
}

/// Sends requests to receivers. The endpoint is what somebody chose, and may be meant to do harm: an implementation
/// contacts only addresses that the operator allows, follows no redirect, reads only so much, and gives up connecting
/// after 10 seconds and everything after 30, which is well before anybody tries again.
pub trait WebhookSender: Send + Sync + 'static {
    /// Begins to send a request and returns immediately. `done` is called when it has ended; dropped, it says that
    /// nobody will know.
    fn send(&self, request: WebhookRequest, done: Box<dyn FnOnce(WebhookAnswer) + Send>);

    /// Why nothing would ever be sent to an endpoint, as far as its text tells: an address that the operator does not
    /// allow. Names are not looked up.
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
/// `Internal` when a secret does not open, or the endpoint is none.
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

    /// The second test case of RFC 4231.
    #[test]
    fn signatures_are_those_of_the_standard() {
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
