//! Probes: test requests to a receiver, whose result is returned immediately.

use croft_api::{
    Error, Result,
    alert::{
        self as api, AlertDeliveryAttempts, AlertDeliveryState, AlertDeliveryTrigger, AlertProbeResult,
        WebhookDeliveryAttemptResult,
    },
    scalar::NameOrId,
};
use croft_store::records::{AlertReceiver, DeliveryAttempt};
use jiff::Timestamp;
use serde_json::Map;
use uuid::Uuid;

use super::{Message, PROBE, WebhookAnswer, WebhookRequest, delivery, receiver, secret, sign};
use crate::{Authorized, Caller, Cx, alert::operation, authz::Permission};

/// The id of the alert in the payload of every probe.
const PROBE_ALERT: Uuid = Uuid::from_u128(0x001d_e000_7768_4000_8000_0000_0000_0001);

/// A probe that has not been sent.
#[derive(Clone, Debug)]
pub struct PreparedProbe {
    /// What to send.
    pub request: WebhookRequest,
    delivery_id: Uuid,
    time_sent: Timestamp,
}

/// A probe that was sent, and its result.
#[derive(Clone, Debug)]
pub struct SentProbe {
    delivery_id: Uuid,
    time_sent: Timestamp,
    answer: WebhookAnswer,
}

impl PreparedProbe {
    /// Sets the result.
    pub fn sent(&self, answer: WebhookAnswer) -> SentProbe {
        SentProbe { delivery_id: self.delivery_id, time_sent: self.time_sent, answer }
    }
}

/// Probes need read access. Resending failed deliveries needs the permission for that, too.
fn find(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    receiver: &NameOrId,
    resend: bool,
) -> Result<Authorized<AlertReceiver>> {
    let permission = if resend { Permission::Modify } else { (&operation::ALERT_RECEIVER_PROBE).into() };
    Ok(receiver::find(cx, receiver)?.authorize(cx, caller, permission)?.noted_for_audit(cx))
}

/// Prepares the request of a probe.
///
/// # Errors
/// Those of [`probe`].
pub fn prepare(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    receiver: &NameOrId,
    resend: bool,
) -> Result<PreparedProbe> {
    let receiver = find(cx, caller, receiver, resend)?;
    let secrets = secret::of_receiver(cx.tx, receiver.meta.id)?;
    if secrets.is_empty() {
        return Err(Error::invalid_request("receiver has no secrets, so delivery requests cannot be sent"));
    }
    let (delivery_id, data) = (cx.new_id(), Map::new());
    let message = Message {
        alert_class: PROBE.name,
        alert_id: PROBE_ALERT,
        data: &data,
        delivery_id,
        trigger: AlertDeliveryTrigger::Probe,
        sent_at: cx.now,
    };
    let request = sign(cx.environment, &receiver, &secrets, &message)?;
    Ok(PreparedProbe { request, delivery_id, time_sent: cx.now })
}

/// `alert_receiver_probe`: returns the result of a probe that was sent. Without one, returns why none can be sent.
/// Probes are not stored. On request, and if the receiver answered, creates new deliveries of alerts whose deliveries
/// have all failed.
///
/// # Errors
/// `InvalidRequest` for a receiver without a secret.
pub fn probe(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    receiver: &NameOrId,
    resend: bool,
    sent: Option<&SentProbe>,
) -> Result<AlertProbeResult> {
    let Some(&SentProbe { delivery_id, time_sent, ref answer }) = sent else {
        prepare(cx, caller, receiver, resend)?;
        return Err(Error::unavailable("a probe that could not be sent earlier can be sent now"));
    };
    let receiver_id = find(cx, caller, receiver, resend)?.meta.id;
    let succeeded = answer.result == WebhookDeliveryAttemptResult::Succeeded;
    let WebhookAnswer { result, response, reason } = answer.clone();
    let (result, response) = (result.into(), response.map(Into::into));
    let attempt = DeliveryAttempt { time_sent, result, response, reason };
    let probe = api::AlertDelivery {
        id: delivery_id,
        receiver_id,
        alert_class: PROBE.name.to_owned(),
        alert_id: PROBE_ALERT,
        state: if succeeded { AlertDeliveryState::Delivered } else { AlertDeliveryState::Failed },
        trigger: AlertDeliveryTrigger::Probe,
        attempts: AlertDeliveryAttempts::Webhook(vec![delivery::to_attempt((0, &attempt))]),
        time_started: time_sent,
    };
    let resends_started =
        if resend && succeeded { Some(delivery::resend_failed(cx, receiver_id)?) } else { None };
    Ok(AlertProbeResult { probe, resends_started })
}
