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

/// Failed deliveries read at once.
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

/// What gives rise to a delivery.
#[derive(Clone, Copy, Debug)]
pub(crate) struct DeliveryCause {
    /// Why.
    pub(crate) trigger: AlertDeliveryTrigger,
    /// When: deliveries to a receiver are made in this order.
    pub(crate) time: Timestamp,
}

/// Begins a delivery, and has the receiver looked at. Answers the delivery's id.
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

/// Has the reconciler look at a receiver, unless a request to it is in progress: then it looks afterwards.
pub(crate) fn wake(cx: &mut Cx<'_, '_>, receiver: Uuid) -> Result<()> {
    let Some(mut queue) = cx.tx.get::<AlertQueue>(receiver)? else { return Ok(()) };
    if queue.claim.is_some() || queue.time_due.is_some_and(|due| due <= cx.now) {
        return Ok(());
    }
    queue.time_due = Some(cx.now);
    Ok(cx.tx.update(&mut queue)?)
}

/// `alert_delivery_list`: those in any of the states asked for. Probes are not kept.
pub fn delivery_list(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    receiver: &NameOrId,
    query: &PageQuery<AlertDeliveryStateFilter, TimeAndIdSortMode>,
) -> Result<ResultsPage<api::AlertDelivery>> {
    let receiver = receiver::find(cx, receiver)?.authorize(cx, caller, &operation::ALERT_DELIVERY_LIST)?;
    // Each state is an index range of its own; the page is what comes first in all of them.
    let mut views = Vec::new();
    for state in query.selector.states() {
        let key = AlertDelivery::in_state(receiver.meta.id, state.into());
        let deliveries: Vec<AlertDelivery> =
            paging::page(cx.tx, ListBy::lookup(AlertDelivery::STATE, key), query)?;
        views.extend(deliveries.iter().map(to_view));
    }
    Ok(paging::page_of(views, query))
}

/// `alert_delivery_attempts_view`: the attempts at a delivery, each with why nobody was reached, if it failed so.
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

/// `alert_delivery_resend`: a further delivery of an alert, whatever became of the ones before it.
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

/// Begins a further delivery of every alert of which each delivery to a receiver failed. Answers how many.
pub(super) fn resend_failed(cx: &mut Cx<'_, '_>, receiver: Uuid) -> Result<u64> {
    let by =
        ListBy::lookup(AlertDelivery::STATE, AlertDelivery::in_state(receiver, AlertDeliveryState::Failed));
    let (mut after, mut resent) = (None, 0_i64);
    loop {
        let failed: Vec<AlertDelivery> = cx.tx.page(by.clone(), Sort::TimeAsc, after, BATCH)?;
        for delivery in &failed {
            // The first of several finds that the ones after it failed too; they then find what it began.
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
