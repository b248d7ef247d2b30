//! Alerts, and the receivers that they are delivered to (`docs/rules/identity-and-system.md#alerts`).
//!
//! A rule [publishes](publish) an alert in its own transaction. The [reconciler](crate::reconcile) creates a delivery
//! for each receiver that is subscribed to the class of the alert, and a [`WebhookSender`] sends due deliveries.

mod class;
mod delivery;
mod probe;
mod receiver;
mod retention;
mod secret;
mod subscription;
mod webhook;

use croft_api::{ResourceKind, Result};
use croft_store::{
    Record,
    records::{Alert, AlertDelivery, AlertQueue, AlertReceiver, ReceiverSubscription, WebhookSecret},
};
use serde_json::{Map, Value};

pub use class::class_list;
pub(crate) use delivery::{DeliveryCause, open, wake};
pub use delivery::{attempts_view as delivery_attempts, delivery_list, resend};
pub use probe::{PreparedProbe, SentProbe, prepare as prepare_probe, probe};
pub use receiver::{
    delete as receiver_delete, list as receiver_list, view as receiver_view, webhook_create, webhook_update,
};
pub(crate) use retention::expire;
pub(crate) use secret::of_receiver as secrets_of;
pub use secret::{add as secrets_add, delete as secrets_delete, list as secrets_list};
pub(crate) use subscription::matches_class;
pub use subscription::{add as subscription_add, remove as subscription_remove};
pub(crate) use webhook::{Message, sign};
pub use webhook::{WebhookAnswer, WebhookRequest, WebhookSender};

pub use crate::alert_class::{AlertClass, CLASSES};
pub(crate) use crate::alert_class::{DISK_FAULTED, INSTANCE_FAILED, PROBE, SNAPSHOT_FAULTED};
use crate::{Cx, Declaration, Resource, SiloDeletion, authz::Kind, deletable::Deletable};

crate::authz::kinds! {
    /// Events that receivers are notified of.
    ALERT = Row::in_fleet().fleet(["rl", "rl", "rlcm"]);
    /// The classes of alerts, as a list.
    ALERT_CLASS_LIST = Row::in_fleet().fleet(["l", "l", "l"]);
    /// A receiver of alerts.
    ALERT_RECEIVER = Row::in_fleet().fleet(["rl", "rl", "rlcm"]);
    /// The secrets that sign deliveries to a receiver.
    WEBHOOK_SECRET = Row::in_fleet().fleet(["r", "r", "rm"]);
}

crate::authz::operations! {
    contract {
        ALERT_CLASS_LIST = reads(Kind::ALERT_CLASS_LIST, Permission::List);
        ALERT_RECEIVER_LIST = reads(Kind::ALERT_RECEIVER, Permission::List);
        ALERT_RECEIVER_VIEW = reads(Kind::ALERT_RECEIVER, Permission::Read);
        ALERT_RECEIVER_DELETE = changes(Kind::ALERT_RECEIVER, Permission::Modify, 204);
        ALERT_RECEIVER_SUBSCRIPTION_ADD = changes(Kind::ALERT_RECEIVER, Permission::Modify, 201);
        ALERT_RECEIVER_SUBSCRIPTION_REMOVE = changes(Kind::ALERT_RECEIVER, Permission::Modify, 204);
        WEBHOOK_RECEIVER_CREATE = changes(Kind::FLEET, Permission::Create, 201);
        WEBHOOK_RECEIVER_UPDATE = changes(Kind::ALERT_RECEIVER, Permission::Modify, 204);
        WEBHOOK_SECRETS_LIST = reads(Kind::ALERT_RECEIVER, Permission::List);
        WEBHOOK_SECRETS_ADD = changes(Kind::ALERT_RECEIVER, Permission::Create, 201);
        WEBHOOK_SECRETS_DELETE = changes(Kind::WEBHOOK_SECRET, Permission::Modify, 204);
        ALERT_DELIVERY_LIST = reads(Kind::ALERT_RECEIVER, Permission::List);
        ALERT_DELIVERY_RESEND = changes(Kind::ALERT, Permission::Modify, 201);
        ALERT_RECEIVER_PROBE = changes(Kind::ALERT_RECEIVER, Permission::Read, 200);
    }
    extensions {
        ALERT_DELIVERY_ATTEMPTS_VIEW = reads(Kind::ALERT_RECEIVER, Permission::List);
    }
}

impl Resource for Alert {
    const DECLARATION: Declaration = Declaration::in_fleet(Kind::ALERT).message(ResourceKind::Alert);
}

impl Resource for AlertReceiver {
    const DECLARATION: Declaration = Declaration::in_fleet(Kind::ALERT_RECEIVER)
        .message(ResourceKind::AlertReceiver)
        .deletable(Self::DELETABLE);
}

impl Resource for ReceiverSubscription {
    const DECLARATION: Declaration = Declaration::in_fleet(Kind::ALERT_RECEIVER);
}

impl Resource for WebhookSecret {
    const DECLARATION: Declaration =
        Declaration::in_fleet(Kind::WEBHOOK_SECRET).message(ResourceKind::WebhookSecret);
}

impl Resource for AlertDelivery {
    const DECLARATION: Declaration = Declaration::in_fleet(Kind::ALERT_RECEIVER);
}

impl Resource for AlertQueue {
    const DECLARATION: Declaration = Declaration::internal(SiloDeletion::Stays);
}

/// Raises an alert, which is committed with the caller's transaction.
pub fn publish(cx: &mut Cx<'_, '_>, class: &AlertClass, data: Map<String, Value>) -> Result<()> {
    let alert = Alert { meta: cx.new_meta(), class: class.name.to_owned(), data, dispatched: false };
    Ok(cx.tx.insert(&alert)?)
}

/// Raises an alert about a resource of a project.
pub(crate) fn publish_of<R: Record>(cx: &mut Cx<'_, '_>, class: &AlertClass, record: &R) -> Result<()> {
    publish(cx, class, data_of(record))
}

/// Like [`publish_of`], with a reason.
pub(crate) fn publish_failure<R: Record>(
    cx: &mut Cx<'_, '_>,
    class: &AlertClass,
    record: &R,
    cause: &str,
) -> Result<()> {
    let mut data = data_of(record);
    data.insert("cause".to_owned(), cause.into());
    publish(cx, class, data)
}

fn data_of<R: Record>(record: &R) -> Map<String, Value> {
    let scope = record.scope();
    let data = [
        ("id", record.meta().id.to_string().into()),
        ("name", record.name().into()),
        ("project_id", scope.project.map(|id| id.to_string()).into()),
        ("silo_id", scope.silo.map(|id| id.to_string()).into()),
    ];
    data.into_iter().map(|(field, value): (&str, Value)| (field.to_owned(), value)).collect()
}
