use croft_api::scalar::{AlertSubscription, Description, Name};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use uuid::Uuid;

use crate::{Key, KeyKind, Lookup, Meta, Order, Scope, Table, record, search::Searched};

/// Why an alert is delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AlertDeliveryTrigger {
    /// Because it was raised.
    Alert,
    /// Because somebody asked for it again.
    Resend,
    /// To see whether the receiver answers.
    Probe,
}

/// What has become of a delivery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AlertDeliveryState {
    /// Attempts are still to be made.
    Pending,
    /// The receiver has it.
    Delivered,
    /// Every attempt failed.
    Failed,
}

/// How an attempt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WebhookDeliveryAttemptResult {
    /// The receiver answered with a 2xx status.
    Succeeded,
    /// The receiver answered with another status.
    FailedHttpError,
    /// Nobody answered.
    FailedUnreachable,
    /// Nobody answered in time.
    FailedTimeout,
}

/// What a receiver answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WebhookDeliveryResponse {
    /// The HTTP status.
    pub status: u16,
    /// How long the answer took, in milliseconds.
    pub duration_ms: u64,
}

/// An alert. Written in the transaction of the event that it reports.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Alert {
    /// Bookkeeping.
    pub meta: Meta,
    /// The name of its class.
    pub class: String,
    /// What happened; what stands here depends on the class.
    pub data: Map<String, Value>,
    /// Whether there is a delivery for each receiver that was to have one.
    pub dispatched: bool,
}

record! {
    Alert as alert {
        table: Table::new("alert");
        scope: Scope::FLEET;
        lookups: {
            /// Alerts still to be dispatched, in order of time.
            UNDISPATCHED: Lookup::new("time_undispatched", KeyKind::Int) =
                (!alert.dispatched).then_some(alert.meta.time_created);
            /// The others, in the order in which they were raised or, later, found to be still of use.
            TIME_KEPT: Lookup::new("time_kept", KeyKind::Int) =
                alert.dispatched.then_some(alert.meta.time_modified);
        }
    }
}

/// A receiver of alerts, by HTTP requests.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AlertReceiver {
    /// Bookkeeping.
    pub meta: Meta,
    /// Unique among all receivers.
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// Where requests are sent, as it was given.
    pub endpoint: String,
}

record! {
    AlertReceiver as receiver {
        table: Table::named("alert_receiver");
        name: Some(receiver.name.as_str());
        scope: Scope::FLEET;
        search: Searched::named(&receiver.name, &receiver.description).label("endpoint", &receiver.endpoint);
    }
}

/// Alerts that a receiver gets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReceiverSubscription {
    /// Bookkeeping.
    pub meta: Meta,
    /// The receiver.
    pub receiver_id: Uuid,
    /// Which alerts.
    pub subscription: AlertSubscription,
}

impl ReceiverSubscription {
    /// What [`TEXT`](Self::TEXT) finds a subscription by.
    pub fn text(receiver_id: Uuid, subscription: &AlertSubscription) -> Key {
        Key::combined([receiver_id.into(), subscription.as_str().into()])
    }
}

record! {
    ReceiverSubscription as row {
        table: Table::new("receiver_subscription").by_parent(&[Order::Id]);
        parent: row.receiver_id;
        scope: Scope::FLEET;
        lookups: {
            /// The subscription of a receiver that reads like this.
            TEXT: Lookup::unique("text", KeyKind::Bytes) =
                ReceiverSubscription::text(row.receiver_id, &row.subscription);
        }
    }
}

/// A text that keys the signatures of what is sent to a receiver.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct WebhookSecret {
    /// Bookkeeping.
    pub meta: Meta,
    /// The receiver.
    pub receiver_id: Uuid,
    /// The text, sealed with the server's secret key.
    pub sealed: String,
}

record! {
    WebhookSecret as secret {
        table: Table::new("webhook_secret").by_parent(&[Order::Time, Order::Id]);
        parent: secret.receiver_id;
        scope: Scope::FLEET;
    }
}

/// One attempt to deliver something, which has ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DeliveryAttempt {
    /// When the request was made.
    #[serde(with = "jiff::fmt::serde::timestamp::microsecond::required")]
    pub time_sent: Timestamp,
    /// How it ended.
    pub result: WebhookDeliveryAttemptResult,
    /// What was answered.
    pub response: Option<WebhookDeliveryResponse>,
    /// Why nobody was reached, in words; `None` for attempts of before this was kept.
    #[serde(default)]
    pub reason: Option<String>,
}

/// An alert on its way to a receiver.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AlertDelivery {
    /// Bookkeeping.
    pub meta: Meta,
    /// The receiver.
    pub receiver_id: Uuid,
    /// The alert.
    pub alert_id: Uuid,
    /// The alert's class.
    pub class: String,
    /// Why it is delivered.
    pub trigger: AlertDeliveryTrigger,
    /// What has become of it.
    pub state: AlertDeliveryState,
    /// Attempts that have ended, the oldest first.
    pub attempts: Vec<DeliveryAttempt>,
    /// Set between two attempts: before this time there is no next one.
    #[serde(with = "jiff::fmt::serde::timestamp::microsecond::optional")]
    pub time_due: Option<Timestamp>,
}

impl AlertDelivery {
    /// What [`STATE`](Self::STATE) finds deliveries by.
    pub fn in_state(receiver_id: Uuid, state: AlertDeliveryState) -> Key {
        let state = match state {
            AlertDeliveryState::Pending => 1_i64,
            AlertDeliveryState::Delivered => 2,
            AlertDeliveryState::Failed => 3,
        };
        Key::combined([receiver_id.into(), state.into()])
    }

    /// What [`DISPATCHED`](Self::DISPATCHED) finds a delivery by.
    pub fn of_alert(alert_id: Uuid, receiver_id: Uuid) -> Key {
        Key::combined([alert_id.into(), receiver_id.into()])
    }

    /// Whether the next attempt can be made at any time.
    pub fn is_ready(&self) -> bool {
        self.state == AlertDeliveryState::Pending && self.time_due.is_none()
    }
}

record! {
    AlertDelivery as delivery {
        table: Table::new("alert_delivery").by_parent(&[Order::Id]);
        parent: delivery.receiver_id;
        scope: Scope::FLEET;
        lookups: {
            /// The deliveries to a receiver in one state, in the order in which they began.
            STATE: Lookup::new("receiver_state", KeyKind::Bytes).orders(&[Order::Time]) =
                AlertDelivery::in_state(delivery.receiver_id, delivery.state);
            /// The deliveries to a receiver whose next attempt can be made, in the order in which they began.
            READY: Lookup::new("ready_receiver_id", KeyKind::Id).orders(&[Order::Time]) =
                delivery.is_ready().then_some(delivery.receiver_id);
            /// Deliveries that wait for their next attempt, in the order in which that is due.
            DUE: Lookup::new("time_due", KeyKind::Int) = delivery.time_due;
            /// The deliveries of an alert, to whomever.
            ALERT: Lookup::new("alert_id", KeyKind::Id) = delivery.alert_id;
            /// The one delivery of an alert to a receiver that nobody asked for.
            DISPATCHED: Lookup::unique("dispatched_alert_receiver", KeyKind::Bytes) =
                (delivery.trigger == AlertDeliveryTrigger::Alert)
                    .then(|| AlertDelivery::of_alert(delivery.alert_id, delivery.receiver_id));
        }
    }
}

/// When a receiver is next to be sent something. Its id is the receiver's, whose record it leaves alone, so that a
/// delivery never gets in the way of a change of the receiver.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AlertQueue {
    /// Bookkeeping.
    pub meta: Meta,
    /// When to look for a delivery that is ready; while a request is in progress, when it counts as lost.
    #[serde(with = "jiff::fmt::serde::timestamp::microsecond::optional")]
    pub time_due: Option<Timestamp>,
    /// The request under way.
    pub claim: Option<Uuid>,
}

record! {
    AlertQueue as queue {
        table: Table::new("alert_queue").unlogged();
        scope: Scope::FLEET;
        lookups: {
            /// Receivers in the order in which they are to be looked at.
            DUE: Lookup::new("time_due", KeyKind::Int) = queue.time_due;
        }
    }
}
