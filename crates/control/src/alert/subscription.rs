use croft_api::{
    Error, Result,
    alert::{AlertSubscriptionCreate, AlertSubscriptionCreated},
    scalar::{AlertSubscription, NameOrId},
};
use croft_store::{
    ListBy, Tx,
    records::{Alert, ReceiverSubscription},
};
use uuid::Uuid;

use super::{AlertClass, PROBE, receiver};
use crate::{Caller, Cx, alert::operation, paging};

/// Refuses classes that receivers cannot subscribe to.
fn check(cx: &Cx<'_, '_>, subscription: &AlertSubscription) -> Result<()> {
    if subscription.as_str() == PROBE.name {
        return Err(Error::invalid_value("alert_class", "webhook receivers cannot subscribe to probes"));
    }
    let classes = cx.environment.alert_classes;
    if subscription.is_glob() || classes.iter().any(|class| class.name == subscription.as_str()) {
        return Ok(());
    }
    let names: Vec<&str> = classes.iter().map(|class| class.name).collect();
    Err(Error::invalid_value("alert_class", format!("expected one of [{}]", names.join(", "))))
}

/// Whether this subscription covers a class. A pattern covers only classes that this version knows, and never probes.
pub(crate) fn matches_class(classes: &[AlertClass], subscription: &AlertSubscription, class: &str) -> bool {
    class != PROBE.name && classes.iter().any(|known| known.name == class) && subscription.matches(class)
}

/// Whether a receiver is subscribed to the class of this alert.
pub(super) fn covers(cx: &mut Cx<'_, '_>, receiver: Uuid, alert: &Alert) -> Result<bool> {
    let classes = cx.environment.alert_classes;
    let rows = of_receiver(cx.tx, receiver)?;
    Ok(rows.iter().any(|subscription| matches_class(classes, subscription, &alert.class)))
}

/// The subscriptions of a receiver, sorted.
pub(super) fn of_receiver(tx: &mut Tx<'_>, receiver: Uuid) -> Result<Vec<AlertSubscription>> {
    let rows: Vec<ReceiverSubscription> = paging::all(tx, &ListBy::Parent(receiver))?;
    let mut subscriptions: Vec<_> = rows.into_iter().map(|row| row.subscription).collect();
    subscriptions.sort();
    Ok(subscriptions)
}

/// Adds a subscription. Does nothing if it exists.
pub(super) fn insert(cx: &mut Cx<'_, '_>, receiver_id: Uuid, subscription: &AlertSubscription) -> Result<()> {
    check(cx, subscription)?;
    if find(cx.tx, receiver_id, subscription)?.is_some() {
        return Ok(());
    }
    let row = ReceiverSubscription { meta: cx.new_meta(), receiver_id, subscription: subscription.clone() };
    Ok(cx.tx.insert(&row)?)
}

fn find(
    tx: &mut Tx<'_>,
    receiver: Uuid,
    subscription: &AlertSubscription,
) -> Result<Option<ReceiverSubscription>> {
    let key = ReceiverSubscription::text(receiver, subscription);
    Ok(tx.find(ReceiverSubscription::TEXT, key)?)
}

/// `alert_receiver_subscription_add`.
pub fn add(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    receiver: &NameOrId,
    params: &AlertSubscriptionCreate,
) -> Result<AlertSubscriptionCreated> {
    let operation = &operation::ALERT_RECEIVER_SUBSCRIPTION_ADD;
    let receiver = receiver::find(cx, receiver)?.authorize(cx, caller, operation)?;
    insert(cx, receiver.meta.id, &params.subscription)?;
    Ok(AlertSubscriptionCreated { subscription: params.subscription.clone() })
}

/// `alert_receiver_subscription_remove`: classes that another subscription covers stay subscribed.
pub fn remove(
    cx: &mut Cx<'_, '_>,
    caller: &Caller,
    receiver: &NameOrId,
    subscription: &AlertSubscription,
) -> Result<()> {
    let operation = &operation::ALERT_RECEIVER_SUBSCRIPTION_REMOVE;
    let receiver = receiver::find(cx, receiver)?.authorize(cx, caller, operation)?;
    let Some(row) = find(cx.tx, receiver.meta.id, subscription)? else {
        let text = format!("not found: receiver is not subscribed to \"{subscription}\"");
        return Err(Error::NotFoundText(text));
    };
    cx.tx.remove::<ReceiverSubscription>(row.meta.id, cx.now)?;
    Ok(())
}
