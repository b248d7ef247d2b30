//! Dispatches alerts and has deliveries sent (`docs/rules/identity-and-system.md#alert-delivery`).
//!
//! At most one request to a receiver is in progress, and at most [`AT_ONCE`] of this server altogether. A claim is
//! recorded before a request is sent, and the outcome after it. If the server crashes in between, the request does not
//! count and is repeated once the claim has expired.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use croft_api::{Error, Result, scalar::AlertSubscription};
use croft_store::{
    ListBy, Marker, Sort,
    records::{
        Alert, AlertDelivery, AlertDeliveryState, AlertDeliveryTrigger, AlertQueue, AlertReceiver,
        DeliveryAttempt, ReceiverSubscription, WebhookDeliveryAttemptResult, WebhookSecret,
    },
};
use event_listener::{Event, EventListener};
use jiff::{SignedDuration, Timestamp};
use parking_lot::Mutex;
use uuid::Uuid;

use super::Work;
use crate::{
    Cx,
    alert::{self, DeliveryCause, Message, WebhookAnswer, WebhookRequest, WebhookSender},
    audit,
    context::later,
    paging,
};

/// Receivers served at the same time.
const AT_ONCE: usize = 8;
/// A claim counts for this long.
const LEASE: SignedDuration = SignedDuration::from_secs(60);
/// The waits before the second and the third attempt, from the end of the one before. There is no fourth.
const WAITS: [SignedDuration; 2] = [SignedDuration::from_secs(60), SignedDuration::from_secs(300)];
/// Maximum length in bytes of a stored failure reason.
const MAX_REASON: usize = 500;
/// Alerts or deliveries handled in one transaction.
const BATCH: usize = 100;

/// A request under way.
#[derive(Clone, Copy, Debug)]
struct Claim {
    id: Uuid,
    receiver: Uuid,
    delivery: Uuid,
    time_sent: Timestamp,
}

/// Claims whose requests have ended, with the outcome; `None` if it is unknown.
#[derive(Default)]
struct Mailbox {
    ended: Mutex<Vec<(Claim, Option<WebhookAnswer>)>>,
    bell: Event,
}

impl Mailbox {
    fn post(&self, claim: Claim, answer: Option<WebhookAnswer>) {
        self.ended.lock().push((claim, answer));
        self.bell.notify(usize::MAX);
    }
}

/// Reports an unknown outcome on drop, unless the outcome was reported before.
struct Report {
    mailbox: Arc<Mailbox>,
    claim: Claim,
    answer: Option<WebhookAnswer>,
}

impl Report {
    fn end(mut self, answer: WebhookAnswer) {
        self.answer = Some(answer);
    }
}

impl Drop for Report {
    fn drop(&mut self) {
        self.mailbox.post(self.claim, self.answer.take());
    }
}

/// The deliveries that this server sends.
#[derive(Default)]
pub(super) struct Alerts {
    sender: Option<Arc<dyn WebhookSender>>,
    mailbox: Arc<Mailbox>,
    /// Taken from the mailbox and not recorded yet.
    ended: Vec<(Claim, Option<WebhookAnswer>)>,
    under_way: BTreeSet<Uuid>,
}

impl std::fmt::Debug for Alerts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Alerts").field("under_way", &self.under_way).finish_non_exhaustive()
    }
}

impl Alerts {
    pub(super) fn send_by(&mut self, sender: Arc<dyn WebhookSender>) {
        self.sender = Some(sender);
    }

    pub(super) fn listen(&self) -> EventListener {
        self.mailbox.bell.listen()
    }

    /// Everything that is due.
    pub(super) fn deliver(&mut self, work: &mut Work<'_>) -> Result<()> {
        self.record_outcomes(work)?;
        if !is_anything_due(work)? {
            return Ok(());
        }
        dispatch(work)?;
        end_waits(work)?;
        self.send(work)
    }

    /// Writes how requests ended.
    pub(super) fn record_outcomes(&mut self, work: &mut Work<'_>) -> Result<()> {
        self.ended.append(&mut self.mailbox.ended.lock());
        if self.ended.is_empty() {
            return Ok(());
        }
        let ended = self.ended.clone();
        work.write(move |cx| {
            for (claim, answer) in &ended {
                if let Some(answer) = answer {
                    record(cx, claim, answer.clone())?;
                } else {
                    tracing::warn!(delivery = %claim.delivery, "the result of a delivery attempt is unknown");
                }
            }
            Ok(())
        })?;
        for (claim, _) in self.ended.drain(..) {
            self.under_way.remove(&claim.id);
        }
        Ok(())
    }

    fn room(&self) -> usize {
        if self.sender.is_some() { AT_ONCE.saturating_sub(self.under_way.len()) } else { 0 }
    }

    /// Sends to the receivers that have waited longest.
    fn send(&mut self, work: &mut Work<'_>) -> Result<()> {
        let Some(sender) = self.sender.clone() else { return Ok(()) };
        while self.room() > 0 {
            let (room, now) = (self.room(), work.now);
            let due =
                work.read(move |tx| Ok(!tx.up_to::<AlertQueue>(AlertQueue::DUE, now, 1)?.is_empty()))?;
            if !due {
                return Ok(());
            }
            let claimed = work.write(move |cx| {
                let mut claimed = Vec::new();
                for queue in cx.tx.up_to::<AlertQueue>(AlertQueue::DUE, cx.now, room)? {
                    claimed.extend(claim_next(cx, queue)?);
                }
                Ok(claimed)
            })?;
            for (claim, request) in claimed {
                self.under_way.insert(claim.id);
                let report = Report { mailbox: Arc::clone(&self.mailbox), claim, answer: None };
                sender.send(request, Box::new(move |answer| report.end(answer)));
            }
        }
        Ok(())
    }

    /// When the next step is due, apart from outcomes of requests.
    pub(super) fn next_due(&self, work: &Work<'_>) -> Result<Option<Timestamp>> {
        let can_send = self.room() > 0;
        work.read(move |tx| {
            let waiting: Vec<AlertDelivery> = tx.up_to(AlertDelivery::DUE, Timestamp::MAX, 1)?;
            let queued: Vec<AlertQueue> =
                if can_send { tx.up_to(AlertQueue::DUE, Timestamp::MAX, 1)? } else { Vec::new() };
            let waiting = waiting.first().and_then(|delivery| delivery.time_due);
            let queued = queued.first().and_then(|queue| queue.time_due);
            Ok(waiting.into_iter().chain(queued).min())
        })
    }
}

/// This runs at every step and nearly always finds nothing, so it must be a single query.
fn is_anything_due(work: &Work<'_>) -> Result<bool> {
    let now = work.now;
    work.read(move |tx| {
        Ok(!tx.up_to::<Alert>(Alert::UNDISPATCHED, Timestamp::MAX, 1)?.is_empty()
            || !tx.up_to::<AlertDelivery>(AlertDelivery::DUE, now, 1)?.is_empty()
            || !tx.up_to::<AlertQueue>(AlertQueue::DUE, now, 1)?.is_empty())
    })
}

/// Creates a delivery of each new alert for each subscribed receiver.
fn dispatch(work: &mut Work<'_>) -> Result<()> {
    // Deliveries are made in the order of their times, which is to be that of the alerts.
    let mut next = work.now;
    loop {
        let due =
            work.read(|tx| Ok(!tx.up_to::<Alert>(Alert::UNDISPATCHED, Timestamp::MAX, 1)?.is_empty()))?;
        if !due {
            return Ok(());
        }
        next = work.write(move |cx| {
            let alerts: Vec<Alert> = cx.tx.up_to(Alert::UNDISPATCHED, Timestamp::MAX, BATCH)?;
            let subscriptions = subscriptions(cx)?;
            let mut time = next;
            for alert in alerts {
                dispatch_one(cx, alert, &subscriptions, time)?;
                time = later(time, SignedDuration::from_micros(1));
            }
            Ok(time)
        })?;
    }
}

fn dispatch_one(
    cx: &mut Cx<'_, '_>,
    mut alert: Alert,
    subscriptions: &BTreeMap<Uuid, Vec<AlertSubscription>>,
    time: Timestamp,
) -> Result<()> {
    let classes = cx.environment.alert_classes;
    for (receiver, subscribed) in subscriptions {
        if !subscribed.iter().any(|one| alert::matches_class(classes, one, &alert.class)) {
            continue;
        }
        let key = AlertDelivery::of_alert(alert.meta.id, *receiver);
        if cx.tx.find::<AlertDelivery>(AlertDelivery::DISPATCHED, key)?.is_none() {
            let occasion = DeliveryCause { trigger: AlertDeliveryTrigger::Alert, time };
            alert::open(cx, *receiver, &alert, occasion)?;
        }
    }
    alert.dispatched = true;
    Ok(cx.tx.update(&mut alert)?)
}

/// Each receiver with what it is subscribed to.
fn subscriptions(cx: &mut Cx<'_, '_>) -> Result<BTreeMap<Uuid, Vec<AlertSubscription>>> {
    let rows: Vec<ReceiverSubscription> = paging::all(cx.tx, &ListBy::All)?;
    let mut by_receiver: BTreeMap<Uuid, Vec<AlertSubscription>> = BTreeMap::new();
    for row in rows {
        by_receiver.entry(row.receiver_id).or_default().push(row.subscription);
    }
    Ok(by_receiver)
}

/// Puts deliveries that have waited long enough since their last attempt in their places in the queues.
fn end_waits(work: &mut Work<'_>) -> Result<()> {
    loop {
        let now = work.now;
        let due =
            work.read(move |tx| Ok(!tx.up_to::<AlertDelivery>(AlertDelivery::DUE, now, 1)?.is_empty()))?;
        if !due {
            return Ok(());
        }
        work.write(|cx| {
            for mut delivery in cx.tx.up_to::<AlertDelivery>(AlertDelivery::DUE, cx.now, BATCH)? {
                delivery.time_due = None;
                cx.tx.update(&mut delivery)?;
                alert::wake(cx, delivery.receiver_id)?;
            }
            Ok(())
        })?;
    }
}

/// Claims the receiver's oldest delivery that is ready. `None` if there is none, or no secret to sign it with: then the
/// queue pauses until there is.
fn claim_next(cx: &mut Cx<'_, '_>, mut queue: AlertQueue) -> Result<Option<(Claim, WebhookRequest)>> {
    let receiver_id = queue.meta.id;
    (queue.time_due, queue.claim) = (None, None);
    let next = next_ready(cx, receiver_id)?;
    let receiver: Option<AlertReceiver> = cx.tx.get(receiver_id)?;
    let secrets: Vec<WebhookSecret> = alert::secrets_of(cx.tx, receiver_id)?;
    let (Some(delivery), Some(receiver), false) = (next, receiver, secrets.is_empty()) else {
        cx.tx.update(&mut queue)?;
        return Ok(None);
    };
    queue.time_due = Some(later(cx.now, LEASE));
    let request = request(cx, &receiver, &secrets, &delivery);
    let claim =
        Claim { id: cx.new_id(), receiver: receiver_id, delivery: delivery.meta.id, time_sent: cx.now };
    queue.claim = request.is_ok().then_some(claim.id);
    cx.tx.update(&mut queue)?;
    match request {
        Ok(request) => Ok(Some((claim, request))),
        Err(error @ Error::Unavailable { .. }) => Err(error),
        Err(error) => {
            let detail = error.detail();
            tracing::error!(delivery = %delivery.meta.id, detail, "a delivery is postponed because it could \
                                                                   not be signed");
            Ok(None)
        }
    }
}

fn next_ready(cx: &mut Cx<'_, '_>, receiver: Uuid) -> Result<Option<AlertDelivery>> {
    let by = ListBy::lookup(AlertDelivery::READY, receiver);
    let first: Vec<AlertDelivery> = cx.tx.page(by, Sort::TimeAsc, None::<Marker>, 1)?;
    Ok(first.into_iter().next())
}

fn request(
    cx: &mut Cx<'_, '_>,
    receiver: &AlertReceiver,
    secrets: &[WebhookSecret],
    delivery: &AlertDelivery,
) -> Result<WebhookRequest> {
    let alert: Option<Alert> = cx.tx.get(delivery.alert_id)?;
    let missing = || Error::internal(format!("alert {} is gone", delivery.alert_id));
    let alert = alert.ok_or_else(missing)?;
    let message = Message {
        alert_class: &alert.class,
        alert_id: alert.meta.id,
        data: &alert.data,
        delivery_id: delivery.meta.id,
        trigger: delivery.trigger.into(),
        sent_at: cx.now,
    };
    alert::sign(cx.environment, receiver, secrets, &message)
}

/// Records the outcome of a request, unless its delivery has ended or is gone, and schedules the receiver's next
/// delivery.
fn record(cx: &mut Cx<'_, '_>, claim: &Claim, answer: WebhookAnswer) -> Result<()> {
    if let Some(mut delivery) = cx.tx.get::<AlertDelivery>(claim.delivery)?
        && delivery.state == AlertDeliveryState::Pending
    {
        let WebhookAnswer { result, response, reason } = answer;
        let reason = reason.as_deref().map(|reason| audit::cut(reason, MAX_REASON));
        let (result, response) = (result.into(), response.map(Into::into));
        delivery.attempts.push(DeliveryAttempt { time_sent: claim.time_sent, result, response, reason });
        (delivery.state, delivery.time_due) = outcome(&delivery.attempts, cx.now);
        cx.tx.update(&mut delivery)?;
    }
    let Some(mut queue) = cx.tx.get::<AlertQueue>(claim.receiver)? else { return Ok(()) };
    if queue.claim == Some(claim.id) {
        (queue.claim, queue.time_due) = (None, Some(cx.now));
        cx.tx.update(&mut queue)?;
    }
    Ok(())
}

/// The state of a delivery after its last attempt, and when the next attempt is due.
fn outcome(attempts: &[DeliveryAttempt], now: Timestamp) -> (AlertDeliveryState, Option<Timestamp>) {
    let last = attempts.last().map(|attempt| attempt.result);
    if last == Some(WebhookDeliveryAttemptResult::Succeeded) {
        return (AlertDeliveryState::Delivered, None);
    }
    match WAITS.get(attempts.len() - 1) {
        Some(wait) => (AlertDeliveryState::Pending, Some(later(now, *wait))),
        None => (AlertDeliveryState::Failed, None),
    }
}
