//! Rows of alerts and their receivers.

use croft_store::{
    Meta,
    records::{Alert, AlertDelivery, AlertDeliveryState, AlertDeliveryTrigger},
};
use serde_json::{Map, Value, json};
use uuid::Uuid;

use crate::{callers::Row, cloud::Cloud};

/// The ID of a delivery of the alert.
pub const DELIVERY: &str = "3d1c9f6e-58a1-4a53-9a0e-6a8d3d2b7c02";

/// Creates a receiver and an alert with a delivery. Returns the IDs of the receiver's secret and of the alert.
pub async fn furnish(cloud: &Cloud) -> (Uuid, Uuid) {
    let receiver = json!({
        "name": "ops", "description": "", "endpoint": "http://192.0.2.1/", "secrets": ["text"],
        "subscriptions": ["disk.*"],
    });
    let answer = cloud.with_token().post("/v1/webhook-receivers", receiver).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    let id = |value: &Value| value["id"].as_str().unwrap().parse::<Uuid>().unwrap();
    let receiver = answer.json();
    let (secret, receiver_id) = (id(&receiver["secrets"][0]), id(&receiver));
    let alert = cloud.rule(move |cx| {
        let class = "disk.faulted".to_owned();
        let alert = Alert { meta: cx.new_meta(), class: class.clone(), data: Map::new(), dispatched: true };
        cx.tx.insert(&alert)?;
        let delivery = AlertDelivery {
            meta: Meta::new(DELIVERY.parse().unwrap(), cx.now),
            receiver_id,
            alert_id: alert.meta.id,
            class,
            trigger: AlertDeliveryTrigger::Alert,
            state: AlertDeliveryState::Failed,
            attempts: Vec::new(),
            time_due: None,
        };
        cx.tx.insert(&delivery)?;
        Ok(alert.meta.id)
    });
    (secret, alert.unwrap())
}

/// All rows of alerts.
pub fn all() -> Vec<Row> {
    let create = json!({ "name": "new", "description": "", "endpoint": "http://192.0.2.1/", "secrets": [] });
    vec![
        Row::new("alert_class_list", "F F FFF FFF +++"),
        Row::new("alert_receiver_list", "F F FFF FFF +++"),
        Row::new("alert_receiver_view", "N N NNN NNN +++"),
        Row::new("alert_receiver_delete", "N N NNN NNN FF+"),
        Row::new("alert_receiver_subscription_add", "N N NNN NNN FF+").body(json!({ "subscription": "**" })),
        Row::new("alert_receiver_subscription_remove", "N N NNN NNN FF+"),
        Row::new("alert_delivery_list", "N N NNN NNN +++"),
        Row::new("alert_delivery_attempts_view", "N N NNN NNN +++"),
        Row::new("alert_delivery_resend", "N N NNN NNN FF+").query("receiver=ops"),
        Row::new("alert_receiver_probe", "N N NNN NNN +++"),
        Row::new("webhook_receiver_create", "F F FFF FFF F++").body(create),
        Row::new("webhook_receiver_update", "N N NNN NNN FF+").body(json!({ "name": "new" })),
        Row::new("webhook_secrets_list", "N N NNN NNN +++").query("receiver=ops"),
        Row::new("webhook_secrets_add", "N N NNN NNN FF+")
            .query("receiver=ops")
            .body(json!({ "secret": "x" })),
        Row::new("webhook_secrets_delete", "N N NNN NNN FF+"),
    ]
}
