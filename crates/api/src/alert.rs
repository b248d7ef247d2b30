//! Alerts, and the receivers that they are delivered to.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};
use uuid::Uuid;

use crate::{
    identity::{IdentityCreate, IdentityUpdate},
    page::{Listed, Marker, SortMode},
    scalar::{AlertSubscription, Description, Name, NameOrId},
};

/// A kind of event that alerts tell of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AlertClass {
    /// The name, segments separated by dots.
    pub name: String,
    /// What such an alert tells.
    pub description: String,
}

impl Listed for AlertClass {
    fn id(&self) -> Uuid {
        Uuid::nil()
    }

    fn name(&self) -> &str {
        &self.name
    }
}

/// Which classes of alerts are listed.
#[derive(Clone, Debug, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct AlertClassSelector {
    /// Only classes that this means; all when absent.
    #[serde(default)]
    #[param(inline = false, nullable = false)]
    pub filter: Option<AlertSubscription>,
}

/// Sort order of the list of classes: ascending by name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AlertClassSortMode {
    /// Ascending by name.
    #[default]
    NameAscending,
}

impl SortMode for AlertClassSortMode {
    fn marker<T: Listed>(self, item: &T) -> Marker {
        Marker::Name(item.name().to_owned())
    }

    fn accepts(self, marker: &Marker) -> bool {
        matches!(marker, Marker::Name(_))
    }

    fn has_name(name: &str) -> bool {
        name.parse::<AlertSubscription>().is_ok()
    }
}

/// A secret that signs what is sent to a receiver. The text itself is never shown.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct WebhookSecret {
    /// The id, for ever; signatures name it.
    pub id: Uuid,
    /// When it was added.
    pub time_created: Timestamp,
}

/// The secrets of a receiver.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct WebhookSecrets {
    /// The oldest first.
    pub secrets: Vec<WebhookSecret>,
}

/// A secret to be used from now on, beside those that there are.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct WebhookSecretCreate {
    /// The text, which keys the signatures.
    pub secret: String,
}

impl std::fmt::Debug for WebhookSecretCreate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("WebhookSecretCreate").finish_non_exhaustive()
    }
}

/// How a receiver is reached.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum AlertReceiverKind {
    /// By requests over HTTP.
    Webhook {
        /// Where requests are sent.
        #[schema(format = "uri")]
        endpoint: String,
        /// What signs them.
        secrets: Vec<WebhookSecret>,
    },
}

/// Somebody to whom alerts are delivered.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct AlertReceiver {
    /// The ID, which never changes.
    pub id: Uuid,
    /// The name, unique among all receivers.
    #[schema(inline = false)]
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// When it was created.
    pub time_created: Timestamp,
    /// When it was last changed.
    pub time_modified: Timestamp,
    /// Which alerts it gets.
    pub subscriptions: Vec<AlertSubscription>,
    /// How it is reached.
    pub kind: AlertReceiverKind,
}

impl Listed for AlertReceiver {
    fn id(&self) -> Uuid {
        self.id
    }

    fn name(&self) -> &str {
        self.name.as_str()
    }
}

/// A receiver that is reached by requests over HTTP.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct WebhookReceiver {
    /// The ID, which never changes.
    pub id: Uuid,
    /// The name, unique among all receivers.
    #[schema(inline = false)]
    pub name: Name,
    /// Free text.
    pub description: Description,
    /// When it was created.
    pub time_created: Timestamp,
    /// When it was last changed.
    pub time_modified: Timestamp,
    /// Which alerts it gets.
    pub subscriptions: Vec<AlertSubscription>,
    /// Where requests are sent.
    #[schema(format = "uri")]
    pub endpoint: String,
    /// What signs them.
    pub secrets: Vec<WebhookSecret>,
}

/// A receiver to be.
#[derive(Clone, Serialize, Deserialize, ToSchema)]
pub struct WebhookCreate {
    /// Name and description.
    #[serde(flatten)]
    pub identity: IdentityCreate,
    /// Where requests are sent: an absolute `http` or `https` URL without a user's name.
    #[schema(format = "uri")]
    pub endpoint: String,
    /// Texts that key the signatures. Nothing is delivered to a receiver that has none.
    pub secrets: Vec<String>,
    /// Which alerts it gets.
    #[serde(default)]
    pub subscriptions: Vec<AlertSubscription>,
}

impl std::fmt::Debug for WebhookCreate {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let mut debug = f.debug_struct("WebhookCreate");
        debug
            .field("identity", &self.identity)
            .field("subscriptions", &self.subscriptions)
            .finish_non_exhaustive()
    }
}

/// A change of a receiver; what is absent stays.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
pub struct WebhookReceiverUpdate {
    /// Name and description.
    #[serde(flatten)]
    pub identity: IdentityUpdate,
    /// Where requests are sent from now on.
    #[serde(default)]
    #[schema(format = "uri")]
    pub endpoint: Option<String>,
}

/// Further alerts for a receiver.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct AlertSubscriptionCreate {
    /// Which.
    pub subscription: AlertSubscription,
}

/// Further alerts that a receiver gets.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct AlertSubscriptionCreated {
    /// Which.
    pub subscription: AlertSubscription,
}

/// Why an alert is delivered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AlertDeliveryState {
    /// Attempts are still to be made.
    Pending,
    /// The receiver has it.
    Delivered,
    /// Every attempt failed.
    Failed,
}

impl AlertDeliveryState {
    /// Every state.
    pub const ALL: [Self; 3] = [Self::Pending, Self::Delivered, Self::Failed];
}

/// How an attempt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WebhookDeliveryResponse {
    /// The HTTP status.
    #[schema(format = "uint16", minimum = 0)]
    pub status: u16,
    /// How long the answer took, in milliseconds.
    #[schema(format = "uint", minimum = 0)]
    pub duration_ms: u64,
}

/// One attempt to deliver something.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct WebhookDeliveryAttempt {
    /// The first is number 1.
    #[schema(format = "uint", minimum = 0)]
    pub attempt: u32,
    /// When it was created.
    pub time_sent: Timestamp,
    /// Its result.
    pub result: WebhookDeliveryAttemptResult,
    /// What was answered; none if nothing was.
    pub response: Option<WebhookDeliveryResponse>,
}

/// The attempts of a delivery, by the kind of receiver.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum AlertDeliveryAttempts {
    /// Requests over HTTP, the oldest first.
    Webhook(Vec<WebhookDeliveryAttempt>),
}

/// The attempts of one delivery, with the reasons for failures.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AlertDeliveryReport {
    /// The delivery's id.
    pub id: Uuid,
    /// Requests over HTTP, the oldest first.
    pub attempts: Vec<ReportedAttempt>,
}

/// One attempt of a delivery, with the reason if it failed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ReportedAttempt {
    /// The attempt.
    #[serde(flatten)]
    pub attempt: WebhookDeliveryAttempt,
    /// Why the receiver could not be reached, as text; null if it answered, or if the reason was not stored.
    pub reason: Option<String>,
}

/// The path of one delivery to a receiver.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct AlertDeliveryPath {
    /// Name or id of the receiver.
    pub receiver: NameOrId,
    /// Id of the delivery.
    pub delivery_id: Uuid,
}

/// An alert on its way to a receiver.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct AlertDelivery {
    /// The id, for ever; requests name it.
    pub id: Uuid,
    /// The receiver.
    pub receiver_id: Uuid,
    /// The alert's class.
    pub alert_class: String,
    /// The alert.
    pub alert_id: Uuid,
    /// What has become of it.
    pub state: AlertDeliveryState,
    /// Why it is delivered.
    pub trigger: AlertDeliveryTrigger,
    /// What was tried.
    pub attempts: AlertDeliveryAttempts,
    /// When the delivery began.
    pub time_started: Timestamp,
}

impl Listed for AlertDelivery {
    fn id(&self) -> Uuid {
        self.id
    }

    fn name(&self) -> &str {
        &self.alert_class
    }

    fn time(&self) -> Timestamp {
        self.time_started
    }
}

/// Which deliveries are listed: those in any of the states named, and all when none is named.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct AlertDeliveryStateFilter {
    /// Those to which attempts are still to be made.
    #[serde(default)]
    pub pending: Option<bool>,
    /// Those of which every attempt failed.
    #[serde(default)]
    pub failed: Option<bool>,
    /// Those that arrived.
    #[serde(default)]
    pub delivered: Option<bool>,
}

impl AlertDeliveryStateFilter {
    /// The states asked for.
    pub fn states(&self) -> Vec<AlertDeliveryState> {
        let asked = |state: &AlertDeliveryState| {
            let flag = match state {
                AlertDeliveryState::Pending => self.pending,
                AlertDeliveryState::Delivered => self.delivered,
                AlertDeliveryState::Failed => self.failed,
            };
            flag == Some(true)
        };
        let states: Vec<_> = AlertDeliveryState::ALL.into_iter().filter(asked).collect();
        if states.is_empty() { AlertDeliveryState::ALL.to_vec() } else { states }
    }
}

/// A new delivery.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct AlertDeliveryId {
    /// Its id.
    pub delivery_id: Uuid,
}

/// What became of a probe.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct AlertProbeResult {
    /// The probe, with its one attempt.
    pub probe: AlertDelivery,
    /// How many alerts are delivered again; none if that was not asked for, or the probe failed.
    #[schema(format = "uint", minimum = 0)]
    pub resends_started: Option<u64>,
}

/// The path of a receiver.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct AlertReceiverPath {
    /// Name or id of the receiver.
    pub receiver: NameOrId,
}

/// The receiver that something is done with.
#[derive(Clone, Debug, Serialize, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct AlertReceiverSelector {
    /// Name or id of the receiver.
    pub receiver: NameOrId,
}

/// The path of a receiver's subscription.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct AlertSubscriptionPath {
    /// Name or id of the receiver.
    pub receiver: NameOrId,
    /// The subscription, as it was made.
    #[param(inline = false)]
    pub subscription: AlertSubscription,
}

/// The path of an alert.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct AlertPath {
    /// Id of the alert.
    pub alert_id: Uuid,
}

/// The path of a secret.
#[derive(Clone, Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Path)]
pub struct WebhookSecretPath {
    /// Id of the secret.
    pub secret_id: Uuid,
}

/// What a probe does beside.
#[derive(Clone, Copy, Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct AlertProbeQuery {
    /// Whether alerts of which every delivery to the receiver failed are delivered again, if the probe succeeds.
    #[serde(default)]
    #[param(required = false)]
    pub resend: bool,
}
