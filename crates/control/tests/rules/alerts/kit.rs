//! A control plane with alert receivers.

use std::sync::Arc;

use croft_api::{
    Result,
    alert::{AlertDelivery, AlertDeliveryAttempts, AlertDeliveryStateFilter, WebhookDeliveryAttempt},
    page::{PageQuery, TimeAndIdSortMode},
    scalar::NameOrId,
};
use croft_control::{
    Caller, Cx, Environment, Operation, SecretKey, SeededRandom, Settings,
    alert::{self, AlertClass, WebhookAnswer, WebhookRequest, WebhookSender},
    operation,
    reconcile::Reconciler,
};
use jiff::{SignedDuration, Timestamp};
use parking_lot::Mutex;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use crate::kit::{Cloud, by_name, status};

const fn class(name: &'static str) -> AlertClass {
    AlertClass { name, description: "for tests" }
}

pub const FOO: AlertClass = class("test.foo");
pub const FOO_BAR: AlertClass = class("test.foo.bar");
pub const QUUX: AlertClass = class("test.quux.bar");
pub const PROBE: AlertClass = class("probe");
pub static CLASSES: &[AlertClass] =
    &[PROBE, FOO, FOO_BAR, class("test.foo.baz"), QUUX, class("test.quux.bar.baz")];
/// The classes of a later version.
pub static MORE_CLASSES: &[AlertClass] = &[PROBE, FOO, FOO_BAR, QUUX, class("test.new")];

pub const OK: WebhookAnswer = WebhookAnswer {
    result: croft_api::alert::WebhookDeliveryAttemptResult::Succeeded,
    response: Some(croft_api::alert::WebhookDeliveryResponse { status: 200, duration_ms: 7 }),
    reason: None,
};

type Done = Box<dyn FnOnce(WebhookAnswer) + Send>;

/// Collects requests: those in progress, oldest first, and the number of all.
#[derive(Default)]
pub struct Post {
    open: Mutex<Vec<(WebhookRequest, Done)>>,
    pub all: Mutex<Vec<WebhookRequest>>,
}

impl WebhookSender for Post {
    fn send(&self, request: WebhookRequest, done: Done) {
        self.all.lock().push(request.clone());
        self.open.lock().push((request, done));
    }
}

impl Post {
    pub fn open(&self) -> usize {
        self.open.lock().len()
    }

    pub fn sent(&self) -> usize {
        self.all.lock().len()
    }

    pub fn take(&self) -> (WebhookRequest, Done) {
        self.open.lock().remove(0)
    }

    /// The hosts of the requests in progress.
    pub fn hosts(&self) -> Vec<String> {
        self.open.lock().iter().map(|(request, _)| request.endpoint.host.clone()).collect()
    }
}

/// The background work of one server.
pub struct Worker {
    pub post: Arc<Post>,
    reconciler: Reconciler,
    random: SeededRandom,
}

impl Worker {
    pub fn new(cloud: &Cloud, seed: u8) -> Self {
        let post = Arc::<Post>::default();
        let reconciler = Reconciler::new(Arc::clone(&cloud.environment)).sending_by(post.clone());
        Self { post, reconciler, random: SeededRandom::new([seed; 32]) }
    }

    /// Does what is due. Returns when more is due.
    pub fn step(&mut self, cloud: &Cloud) -> Timestamp {
        self.reconciler.step(&cloud.db, cloud.now, &mut self.random, &*cloud.hypervisor).unwrap()
    }

    /// Completes the oldest request with this response, and does the work that follows.
    pub fn answer(&mut self, cloud: &Cloud, answer: WebhookAnswer) -> WebhookRequest {
        let (request, done) = self.post.take();
        done(answer);
        self.step(cloud);
        request
    }
}

pub fn environment(classes: &'static [AlertClass]) -> Arc<Environment> {
    let environment = Environment::new(Settings::default(), SecretKey::new([7; 32]), status);
    Arc::new(Environment { alert_classes: classes, ..environment })
}

pub fn cloud() -> Cloud {
    let mut cloud = Cloud::new();
    cloud.environment = environment(CLASSES);
    cloud
}

/// Performs an operation as the administrator.
pub fn act<T: Send + 'static>(
    cloud: &mut Cloud,
    operation: &'static Operation,
    rule: impl FnMut(&mut Cx<'_, '_>, &Caller) -> Result<T> + Send + 'static,
) -> Result<T> {
    let admin = cloud.admin.clone();
    cloud.act(&admin, operation, rule)
}

/// Creates a receiver with one secret. Returns its ID.
pub fn receiver(cloud: &mut Cloud, name: &str, subscriptions: &[&str]) -> Uuid {
    create(cloud, name, &["secret"], subscriptions).unwrap()
}

pub fn create(cloud: &mut Cloud, name: &str, secrets: &[&str], subscriptions: &[&str]) -> Result<Uuid> {
    let params = serde_json::from_value(json!({
        "name": name, "description": "", "endpoint": format!("https://{name}.example/hook"),
        "secrets": secrets, "subscriptions": subscriptions,
    }));
    let params = params.unwrap();
    act(cloud, &operation::WEBHOOK_RECEIVER_CREATE, move |cx, caller| {
        alert::webhook_create(cx, caller, &params).map(|receiver| receiver.id)
    })
}

pub fn publish(cloud: &mut Cloud, class: AlertClass, number: u64) {
    let Value::Object(data) = json!({ "number": number }) else { unreachable!() };
    cloud.rule(move |cx| alert::publish(cx, &class, data.clone())).unwrap();
}

pub fn deliveries(cloud: &Cloud, receiver: &str) -> Vec<AlertDelivery> {
    deliveries_in(cloud, receiver, AlertDeliveryStateFilter::default())
}

pub fn deliveries_in(
    cloud: &Cloud,
    receiver: &str,
    selector: AlertDeliveryStateFilter,
) -> Vec<AlertDelivery> {
    let query = PageQuery { selector, sort: TimeAndIdSortMode::TimeAndIdAscending, after: None, limit: 100 };
    let receiver = by_name(receiver);
    let page = cloud.see(&cloud.admin, move |cx, caller| alert::delivery_list(cx, caller, &receiver, &query));
    page.unwrap().items
}

pub fn attempts(delivery: &AlertDelivery) -> &[WebhookDeliveryAttempt] {
    let AlertDeliveryAttempts::Webhook(attempts) = &delivery.attempts;
    attempts
}

/// The states of a receiver's deliveries, each with its number of attempts.
pub fn states(cloud: &Cloud, receiver: &str) -> Vec<(String, usize)> {
    let word = |delivery: &AlertDelivery| {
        let state = serde_json::to_value(delivery.state).unwrap();
        (state.as_str().unwrap().to_owned(), attempts(delivery).len())
    };
    deliveries(cloud, receiver).iter().map(word).collect()
}

pub fn body(request: &WebhookRequest) -> Value {
    serde_json::from_slice(&request.body).unwrap()
}

pub fn number(request: &WebhookRequest) -> u64 {
    body(request)["data"]["number"].as_u64().unwrap()
}

pub fn headers<'a>(request: &'a WebhookRequest, name: &str) -> Vec<&'a str> {
    request.headers.iter().filter(|(found, _)| found == name).map(|(_, value)| value.as_str()).collect()
}

pub fn later(cloud: &mut Cloud, seconds: i64) {
    cloud.now += SignedDuration::from_secs(seconds);
}

pub fn delete(cloud: &mut Cloud, receiver: &str) {
    let receiver = by_name(receiver);
    act(cloud, &operation::ALERT_RECEIVER_DELETE, move |cx, caller| {
        alert::receiver_delete(cx, caller, &receiver)
    })
    .unwrap();
}

pub fn add_secret(cloud: &mut Cloud, receiver: &str, text: &str) -> Uuid {
    let (receiver, params) = (by_name(receiver), serde_json::from_value(json!({ "secret": text })).unwrap());
    act(cloud, &operation::WEBHOOK_SECRETS_ADD, move |cx, caller| {
        alert::secrets_add(cx, caller, &receiver, &params).map(|secret| secret.id)
    })
    .unwrap()
}

pub fn secrets(cloud: &Cloud, receiver: &str) -> Vec<Uuid> {
    let receiver = by_name(receiver);
    let list = cloud.see(&cloud.admin, move |cx, caller| alert::secrets_list(cx, caller, &receiver)).unwrap();
    list.secrets.iter().map(|secret| secret.id).collect()
}

pub fn delete_secret(cloud: &mut Cloud, secret: Uuid) -> Result<()> {
    act(cloud, &operation::WEBHOOK_SECRETS_DELETE, move |cx, caller| {
        alert::secrets_delete(cx, caller, secret)
    })
}

pub fn subscribe(cloud: &mut Cloud, receiver: &str, text: &str) -> Result<()> {
    let (receiver, params) =
        (by_name(receiver), serde_json::from_value(json!({ "subscription": text })).unwrap());
    act(cloud, &operation::ALERT_RECEIVER_SUBSCRIPTION_ADD, move |cx, caller| {
        alert::subscription_add(cx, caller, &receiver, &params).map(drop)
    })
}

pub fn unsubscribe(cloud: &mut Cloud, receiver: &str, text: &str) -> Result<()> {
    let (receiver, text) = (by_name(receiver), text.parse().unwrap());
    act(cloud, &operation::ALERT_RECEIVER_SUBSCRIPTION_REMOVE, move |cx, caller| {
        alert::subscription_remove(cx, caller, &receiver, &text)
    })
}

pub fn resend(cloud: &mut Cloud, alert: Uuid, receiver: &str) -> Result<Uuid> {
    let receiver: NameOrId = by_name(receiver);
    act(cloud, &operation::ALERT_DELIVERY_RESEND, move |cx, caller| {
        alert::resend(cx, caller, alert, &receiver).map(|delivery| delivery.delivery_id)
    })
}

/// HMAC-SHA256 (RFC 2104) in hexadecimal digits.
pub fn hmac(key: &[u8], text: &[u8]) -> String {
    let mut block = [0; 64];
    if key.len() > 64 {
        block[..32].copy_from_slice(&Sha256::digest(key));
    } else {
        block[..key.len()].copy_from_slice(key);
    }
    let inner = Sha256::new().chain_update(block.map(|byte| byte ^ 0x36)).chain_update(text).finalize();
    hex::encode(Sha256::new().chain_update(block.map(|byte| byte ^ 0x5c)).chain_update(inner).finalize())
}
