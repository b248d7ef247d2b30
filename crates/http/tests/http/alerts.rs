//! Alerts over HTTP.

use std::sync::atomic::Ordering::Relaxed;

use http::StatusCode;
use serde_json::{Map, Value, json};

use crate::cloud::{Client, Cloud};

async fn create(client: &Client<'_>, name: &str, subscriptions: &[&str]) -> Value {
    let body = json!({
        "name": name, "description": "on call", "endpoint": "https://hook.example/x", "secrets": ["s"],
        "subscriptions": subscriptions,
    });
    let answer = client.post("/v1/webhook-receivers", body).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    answer.json()
}

/// Raises this many alerts and delivers them.
fn raise(cloud: &Cloud, count: usize) {
    let class = *cloud.environment.alert_classes.iter().find(|class| class.name == "disk.faulted").unwrap();
    for _ in 0..count {
        cloud.rule(move |cx| croft_control::alert::publish(cx, &class, Map::new())).unwrap();
        cloud.settle();
    }
}

#[tokio::test]
async fn receiver_lifecycle() {
    let cloud = Cloud::new();
    let client = cloud.with_token();
    let created = create(&client, "ops", &["disk.*", "instance.failed"]).await;
    assert_eq!(created["subscriptions"], json!(["disk.*", "instance.failed"]));
    assert_eq!(created["endpoint"], "https://hook.example/x");
    assert_eq!(created["secrets"][0].as_object().unwrap().len(), 2, "only the ID and the creation time");
    let viewed = client.get("/v1/alert-receivers/ops").await.json();
    assert_eq!(viewed["kind"]["kind"], "webhook");
    assert_eq!(viewed["kind"]["endpoint"], created["endpoint"]);
    assert_eq!(viewed["kind"]["secrets"], created["secrets"]);
    let page = client.get("/v1/alert-receivers").await.json();
    assert_eq!(page["items"], json!([viewed]));

    let body = json!({ "subscription": "**" });
    let added = client.post("/v1/alert-receivers/ops/subscriptions", body.clone()).await;
    assert_eq!((added.status, added.json()), (201, body));
    // With the asterisks percent-encoded, as some clients do, and unencoded.
    let path = "/v1/alert-receivers/ops/subscriptions/";
    assert_eq!(client.delete(&format!("{path}%2A%2A")).await.status, 204);
    assert_eq!(client.delete(&format!("{path}disk.*")).await.status, 204);
    assert_eq!(client.delete(&format!("{path}disk.*")).await.status, 404);
    client.delete(&format!("{path}disk*")).await.assert_unreadable_start(
        "bad parameter in URL path: alert subscription \"disk*\" does not match the pattern",
    );
    let bad = client.post("/v1/alert-receivers/ops/subscriptions", json!({ "subscription": "a." })).await;
    bad.assert_unreadable_start("unable to parse JSON body: ");
    assert!(
        bad.text().contains("alert subscription \\\"a.\\\" does not match the pattern"),
        "{}",
        bad.text()
    );

    let secret = client.post("/v1/webhook-secrets?receiver=ops", json!({ "secret": "t" })).await;
    assert_eq!(secret.status, 201);
    let list = client.get("/v1/webhook-secrets?receiver=ops").await.json();
    assert_eq!(list["secrets"].as_array().unwrap().len(), 2);
    let id = secret.json()["id"].as_str().unwrap().to_owned();
    assert_eq!(client.delete(&format!("/v1/webhook-secrets/{id}")).await.status, 204);
    let gone = client.delete(&format!("/v1/webhook-secrets/{id}")).await;
    gone.assert_error(
        StatusCode::NOT_FOUND,
        "ObjectNotFound",
        &format!("not found: webhook-secret with id \"{id}\""),
    );

    let change = json!({ "name": "night", "description": null, "endpoint": "http://hook.example/y" });
    assert_eq!(client.put("/v1/webhook-receivers/ops", change).await.status, 204);
    let changed = client.get("/v1/alert-receivers/night").await.json();
    assert_eq!((&changed["description"], &changed["id"]), (&viewed["description"], &viewed["id"]));
    assert_eq!(changed["kind"]["endpoint"], "http://hook.example/y");
    assert_eq!(client.delete("/v1/alert-receivers/night").await.status, 204);
    assert_eq!(client.get("/v1/alert-receivers/night").await.status, 404);
}

#[tokio::test]
async fn classes_are_paginated() {
    let cloud = Cloud::new();
    let client = cloud.with_token();
    let (mut names, mut query) = (Vec::new(), "limit=1".to_owned());
    loop {
        let page = client.get(&format!("/v1/alert-classes?{query}")).await.json();
        let Some(item) = page["items"].get(0) else { break };
        names.push(item["name"].as_str().unwrap().to_owned());
        query = format!("limit=1&page_token={}", page["next_page"].as_str().unwrap());
    }
    assert_eq!(names, ["disk.faulted", "instance.failed", "probe", "snapshot.faulted"]);
    let page = client.get("/v1/alert-classes?filter=%2A.faulted").await.json();
    assert_eq!(page["items"].as_array().unwrap().len(), 2);
    let bad = client.get("/v1/alert-classes?filter=a*").await;
    bad.assert_unreadable_start("unable to parse query string: alert subscription");
}

#[tokio::test]
async fn deliveries_are_paginated() {
    let cloud = Cloud::new();
    let client = cloud.with_token();
    create(&client, "ops", &["disk.**"]).await;
    cloud.webhooks.status.store(200, Relaxed);
    raise(&cloud, 3);
    cloud.webhooks.status.store(500, Relaxed);
    raise(&cloud, 2);
    assert_eq!(cloud.webhooks.sent.lock().len(), 5);
    for (order, backwards) in [("time_and_id_ascending", false), ("time_and_id_descending", true)] {
        let (mut ids, mut query) = (Vec::new(), format!("limit=2&sort_by={order}"));
        loop {
            let page = client.get(&format!("/v1/alert-receivers/ops/deliveries?{query}")).await.json();
            let items = page["items"].as_array().unwrap().clone();
            if items.is_empty() {
                break;
            }
            ids.extend(
                items.into_iter().map(|item| (item["time_started"].to_string(), item["id"].to_string())),
            );
            query = format!("limit=2&page_token={}", page["next_page"].as_str().unwrap());
        }
        assert_eq!(ids.len(), 5);
        if backwards {
            ids.reverse();
        }
        assert!(ids.is_sorted());
    }
    let count = async |query: &str| {
        let page = client.get(&format!("/v1/alert-receivers/ops/deliveries?{query}")).await.json();
        page["items"].as_array().unwrap().len()
    };
    assert_eq!(count("delivered=true").await, 3);
    assert_eq!(count("pending=true&delivered=false").await, 2);
    assert_eq!(count("failed=true").await, 0);
    assert_eq!(count("failed=true&delivered=true").await, 3);
    let pending = client.get("/v1/alert-receivers/ops/deliveries?pending=true").await.json();
    let attempt = &pending["items"][0]["attempts"]["webhook"][0];
    assert_eq!((&attempt["attempt"], &attempt["result"]), (&json!(1), &json!("failed_http_error")));
    assert_eq!(attempt["response"], json!({ "status": 500, "duration_ms": 5 }));
}

#[tokio::test]
async fn delivery_attempt_records_why_the_receiver_was_unreachable() {
    let cloud = Cloud::new();
    let client = cloud.with_token();
    create(&client, "ops", &["disk.**"]).await;
    create(&client, "other", &[]).await;
    cloud.webhooks.status.store(0, Relaxed);
    raise(&cloud, 1);
    let deliveries = client.get("/v1/alert-receivers/ops/deliveries").await.json();
    let delivery = &deliveries["items"][0];
    assert_eq!(delivery["attempts"]["webhook"][0].get("reason"), None, "the contract has no such field");
    let id = delivery["id"].as_str().unwrap();
    let of = |receiver: &str, id: &str| {
        format!("/experimental/v1/alert-receivers/{receiver}/deliveries/{id}/attempts")
    };
    let attempts = async || client.get(&of("ops", id)).await.json()["attempts"].clone();
    let first = attempts().await;
    assert_eq!(first.as_array().unwrap().len(), 1);
    assert_eq!(
        (&first[0]["attempt"], &first[0]["result"], &first[0]["reason"]),
        (&json!(1), &json!("failed_unreachable"), &json!("connection refused"))
    );
    cloud.webhooks.status.store(200, Relaxed);
    cloud.clock.advance(std::time::Duration::from_mins(1));
    cloud.settle();
    let both = attempts().await;
    assert_eq!(both[0], first[0]);
    assert_eq!((&both[1]["result"], &both[1]["reason"]), (&json!("succeeded"), &Value::Null));

    for (receiver, id) in [("other", id), ("ops", "3d1c9f6e-58a1-4a53-9a0e-6a8d3d2b7c01")] {
        let missing = client.get(&of(receiver, id)).await;
        let text = format!("not found: alert-delivery with id \"{id}\"");
        missing.assert_error(StatusCode::NOT_FOUND, "ObjectNotFound", &text);
    }
    cloud.anonymous().get(&of("ops", id)).await.assert_unauthorized();
}

#[tokio::test]
async fn test_probe_succeeds_for_any_receiver_behavior() {
    let cloud = Cloud::new();
    let client = cloud.with_token();
    create(&client, "ops", &[]).await;
    for (status, state, result) in [
        (0, "failed", "failed_unreachable"),
        (302, "failed", "failed_http_error"),
        (204, "delivered", "succeeded"),
    ] {
        cloud.webhooks.status.store(status, Relaxed);
        let answer = client.post("/v1/alert-receivers/ops/probe", json!({})).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        let answer = answer.json();
        assert_eq!((&answer["probe"]["state"], &answer["resends_started"]), (&json!(state), &Value::Null));
        assert_eq!(answer["probe"]["attempts"]["webhook"][0]["result"], result);
        assert_eq!(answer["probe"]["trigger"], "probe");
    }
    assert_eq!(cloud.webhooks.sent.lock().len(), 3);
    let resent = client.post("/v1/alert-receivers/ops/probe?resend=true", json!({})).await.json();
    assert_eq!(resent["resends_started"], 0);
    let secrets = client.get("/v1/webhook-secrets?receiver=ops").await.json();
    let id = secrets["secrets"][0]["id"].as_str().unwrap();
    client.delete(&format!("/v1/webhook-secrets/{id}")).await;
    let text = "receiver has no secrets, so delivery requests cannot be sent";
    let refused = client.post("/v1/alert-receivers/ops/probe", json!({})).await;
    refused.assert_error(StatusCode::BAD_REQUEST, "InvalidRequest", text);
    assert_eq!(cloud.webhooks.sent.lock().len(), 4);
}

#[tokio::test]
async fn disallowed_endpoint_is_refused_when_set() {
    let cloud = Cloud::new();
    let client = cloud.with_token();
    let body = json!({
        "name": "inside", "description": "", "endpoint": "http://10.0.0.1/x", "secrets": ["s"], "subscriptions": [],
    });
    let text = "unsupported value for \"endpoint\": 10.0.0.1 is not allowed";
    let refused = client.post("/v1/webhook-receivers", body).await;
    refused.assert_error(StatusCode::BAD_REQUEST, "InvalidValue", text);
    create(&client, "ops", &[]).await;
    let refused = client.put("/v1/webhook-receivers/ops", json!({ "endpoint": "http://10.0.0.1/x" })).await;
    refused.assert_error(StatusCode::BAD_REQUEST, "InvalidValue", text);
    let seen = client.get("/v1/alert-receivers").await.json();
    assert_eq!(seen["items"].as_array().unwrap().len(), 1);
    assert_eq!(seen["items"][0]["kind"]["endpoint"], "https://hook.example/x");
}
