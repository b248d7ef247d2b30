use croft_api::{
    Error, Lookup, ResourceKind, Result,
    alert::{
        self as api, AlertDeliveryAttempts, AlertDeliveryId, AlertDeliveryStateFilter, WebhookDeliveryAttempt,
    },
    page::{PageQuery, ResultsPage, TimeAndIdSortMode},
    scalar::NameOrId,
};
use croft_store::{
    ListBy, Marker, Meta, Sort, Tx,
    records::{Alert, AlertDelivery, AlertDeliveryState, AlertDeliveryTrigger, AlertQueue, DeliveryAttempt},
};
use jiff::{SignedDuration, Timestamp};
use uuid::Uuid;

use super::{receiver, subscription};
use crate::{Caller, Cx, LookupResult, alert::operation, context::later, paging};

/// Maximum number of failed deliveries read at once.
const BATCH: usize = 500;

pub(super) fn to_attempt((index, attempt): (usize, &DeliveryAttempt)) -> WebhookDeliveryAttempt {
    WebhookDeliveryAttempt {
        attempt: u32::try_from(index + 1).unwrap_or(u32::MAX),
        time_sent: attempt.time_sent,
        result: attempt.result.into(),
        response: attempt.response.map(Into::into),
    }
}

fn to_view(delivery: &AlertDelivery) -> api::AlertDelivery {
    api::AlertDelivery {
        id: delivery.meta.id,
        receiver_id: delivery.receiver_id,
        alert_class: delivery.class.clone(),
        alert_id: delivery.alert_id,
        state: delivery.state.into(),
        trigger: delivery.trigger.into(),
        attempts: AlertDeliveryAttempts::Webhook(
            delivery.attempts.iter().enumerate().map(to_attempt).collect(),
        ),
        time_started: delivery.meta.time_created,
    }
}

/// The alert and the reason for a delivery.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DeliveryCause {
    /// The reason.
    pub(crate) trigger: AlertDeliveryTrigger,
    /// The time of the request. Deliveries to a receiver are sent in this order.
    pub(crate) time: Timestamp,
}

/// Creates a delivery and schedules the receiver. Returns the delivery's id.
pub(crate) fn open(
    cx: &mut Cx<'_, '_>,
    receiver_id: Uuid,
    alert: &Alert,
    occasion: DeliveryCause,
) -> Result<Uuid> {
    let delivery = AlertDelivery {
        meta: Meta::new(cx.new_id(), occasion.time),
        receiver_id,
        alert_id: alert.meta.id,
        class: alert.class.clone(),
        trigger: occasion.trigger,
        state: AlertDeliveryState::Pending,
        attempts: Vec::new(),
        time_due: None,
    };
    cx.tx.insert(&delivery)?;
    wake(cx, receiver_id)?;
    Ok(delivery.meta.id)
}

/// Schedules a receiver for the reconciler. If a request to it is in progress, the reconciler processes it afterwards.
pub(crate) fn wake(cx: &mut Cx<'_, '_>, receiver: Uuid) -> Result<()> {
    let Some(mut queue) = cx.tx.get::<AlertQueue>(receiver)? else { return Ok(()) };
    if queue.claim.is_some() || queue.time_due.is_some_and(|due| due <= cx.now) {
        return Ok(());
    }
    queue.time_due = Some(cx.now);
    Ok(cx.tx.update(&mut queue)?)
}

/// `alert_delivery_list`: the deliveries in any of the requested states. Probes are not stored.
pub fn delivery_list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    receiver: &NameOrId,
    query: &PageQuery<AlertDeliveryStateFilter, TimeAndIdSortMode>,
) -> Result<ResultsPage<api::AlertDelivery>> {
    let receiver = receiver::find(cx, receiver)?.authorize(cx, caller, &operation::ALERT_DELIVERY_LIST)?;
    // Each state is a range of the index. The page is merged from all of them.
    let mut views = Vec::new();
    for state in query.selector.states() {
        let key = AlertDelivery::in_state(receiver.meta.id, state.into());
        let deliveries: Vec<AlertDelivery> =
            paging::page(cx.tx, ListBy::lookup(AlertDelivery::STATE, key), query)?;
        views.extend(deliveries.iter().map(to_view));
    }
    Ok(paging::page_of(views, query))
}

/// `alert_delivery_attempts_view`: the attempts of a delivery. Each failed attempt to connect says why.
pub fn attempts_view(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    receiver: &NameOrId,
    delivery: Uuid,
) -> Result<api::AlertDeliveryReport> {
    let operation = &operation::ALERT_DELIVERY_ATTEMPTS_VIEW;
    let receiver = receiver::find(cx, receiver)?.authorize(cx, caller, operation)?;
    let record: Option<AlertDelivery> = cx.tx.get(delivery)?;
    let record = record.filter(|record| record.receiver_id == receiver.meta.id).ok_or_else(|| {
        let lookup = Lookup::Other(format!("alert-delivery with id \"{delivery}\""));
        Error::not_found(ResourceKind::Alert, lookup)
    })?;
    let attempts = record.attempts.iter().enumerate();
    let attempts = attempts.map(|(index, attempt)| api::ReportedAttempt {
        attempt: to_attempt((index, attempt)),
        reason: attempt.reason.clone(),
    });
    Ok(api::AlertDeliveryReport { id: delivery, attempts: attempts.collect() })
}

/// `alert_delivery_resend`: creates another delivery of an alert, whatever the state of earlier ones.
pub fn resend(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    alert: Uuid,
    receiver: &NameOrId,
) -> Result<AlertDeliveryId> {
    let record: Option<Alert> = cx.tx.get(alert)?;
    let alert = LookupResult::new(record, alert)
        .authorize(cx, caller, &operation::ALERT_DELIVERY_RESEND)?
        .into_inner();
    let receiver = receiver::find(cx, receiver)?.authorize(cx, caller, &operation::ALERT_DELIVERY_RESEND)?;
    if !subscription::covers(cx, receiver.meta.id, &alert)? {
        let class = &alert.class;
        return Err(Error::invalid_request(format!(
            "cannot resend alert: receiver is not subscribed to the '{class}' alert class"
        )));
    }
    let occasion = DeliveryCause { trigger: AlertDeliveryTrigger::Resend, time: cx.now };
    let delivery_id = open(cx, receiver.meta.id, &alert, occasion)?;
    Ok(AlertDeliveryId { delivery_id })
}

/// Creates another delivery of each alert whose deliveries to a receiver have all failed. Returns the number of
/// deliveries.
pub(super) fn resend_failed(cx: &mut Cx<'_, '_>, receiver: Uuid) -> Result<u64> {
    let by =
        ListBy::lookup(AlertDelivery::STATE, AlertDelivery::in_state(receiver, AlertDeliveryState::Failed));
    let (mut after, mut resent) = (None, 0_i64);
    loop {
        let failed: Vec<AlertDelivery> = cx.tx.page(by.clone(), Sort::TimeAsc, after, BATCH)?;
        for delivery in &failed {
            // An alert may have several failed deliveries. After the first, the others find the new delivery and skip
            // the alert.
            if all_failed(cx.tx, delivery.alert_id, receiver)?
                && let Some(alert) = cx.tx.get::<Alert>(delivery.alert_id)?
            {
                // In the order in which they failed.
                let time = later(cx.now, SignedDuration::from_micros(resent));
                open(cx, receiver, &alert, DeliveryCause { trigger: AlertDeliveryTrigger::Resend, time })?;
                resent += 1;
            }
        }
        if failed.len() < BATCH {
            return Ok(resent.unsigned_abs());
        }
        after = failed.last().map(|last| Marker::after(last, Sort::TimeAsc));
    }
}

fn all_failed(tx: &mut Tx<'_>, alert: Uuid, receiver: Uuid) -> Result<bool> {
    let deliveries: Vec<AlertDelivery> = paging::all(tx, &ListBy::lookup(AlertDelivery::ALERT, alert))?;
    let mut to_receiver = deliveries.iter().filter(|delivery| delivery.receiver_id == receiver);
    Ok(to_receiver.all(|delivery| delivery.state == AlertDeliveryState::Failed))
}
