//! Batches over HTTP.

use std::collections::BTreeSet;

use croft_control::token;
use croft_store::records::{Silo, SiloUser};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    cloud::{Answer, Client, Cloud, SILO},
    events::{Follower, Message},
};

const BATCHES: &str = "/experimental/v1/batches";

fn body(key: &str, operation: &str, targets: &[Uuid]) -> Value {
    let items: Vec<_> = targets.iter().map(|target| json!({ "target_id": target })).collect();
    json!({ "idempotency_key": key, "operation": operation, "items": items })
}

/// IDs of no resource.
fn unknown_ids(count: u128) -> Vec<Uuid> {
    (1..=count).map(|number| Uuid::from_u128(0x4000_8000_0000_0000 | (number << 64))).collect()
}

fn id(answer: &Answer) -> String {
    answer.json()["id"].as_str().unwrap().to_owned()
}

/// Adds another user to the administrator's silo.
fn new_user<'a>(cloud: &'a Cloud, name: &'static str) -> Client<'a> {
    let token = cloud.rule(move |cx| {
        let silo: Silo = cx.tx.get_by_name(Uuid::nil(), SILO)?.unwrap();
        let (meta, external_id) = (cx.new_meta(), name.to_owned());
        let (password_hash, must_change_password) = (None, false);
        let user = SiloUser { meta, silo_id: silo.meta.id, external_id, password_hash, must_change_password };
        cx.tx.insert(&user)?;
        token::create(cx, &silo.name, &name.parse().unwrap(), &"test".parse().unwrap(), None)
    });
    cloud.anonymous().with("authorization", &format!("Bearer {}", token.unwrap().text))
}

/// Runs the background work until the batch has ended.
async fn ended(cloud: &Cloud, client: &Client<'_>, batch: &str) -> Value {
    loop {
        let view = client.get(&format!("{BATCHES}/{batch}")).await.json();
        if !view["time_finished"].is_null() {
            return view;
        }
        cloud.clock.advance(std::time::Duration::from_millis(1));
        cloud.settle();
    }
}

#[tokio::test]
async fn batch_of_a_thousand_operations_is_completed_and_paginated() {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    let targets = unknown_ids(1000);
    let created = client.post(BATCHES, body("many", "disk_delete", &targets)).await;
    assert_eq!((created.status, &created.json()["state"]), (201, &json!("queued")), "{created:?}");
    let batch = id(&created);
    let view = ended(&cloud, &client, &batch).await;
    assert_eq!(view["state"], "failed");
    assert_eq!([&view["total"], &view["succeeded"], &view["failed"]], [1000, 0, 1000]);
    let (mut listed, mut next) = (Vec::new(), String::new());
    loop {
        let page = client.get(&format!("{BATCHES}/{batch}/items?limit=300{next}")).await.json();
        let items = page["items"].as_array().unwrap();
        listed.extend(items.clone());
        let Some(token) = page["next_page"].as_str().filter(|_| !items.is_empty()) else { break };
        next = format!("&page_token={token}");
    }
    let of: Vec<Uuid> =
        listed.iter().map(|item| item["target_id"].as_str().unwrap().parse().unwrap()).collect();
    assert_eq!(of, targets);
    let first = &listed[0];
    assert_eq!(
        (&first["position"], &first["state"], &first["error"]),
        (
            &json!(0),
            &json!("failed"),
            &json!({
                "http_status_code": 404,
                "error_code": "ObjectNotFound",
                "message": format!("not found: disk with id \"{}\"", targets[0]),
            })
        )
    );
}

#[tokio::test]
async fn repeated_request_returns_the_same_batch() {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    let first = client.post(BATCHES, body("key", "instance_stop", &unknown_ids(2))).await;
    let again = client.post(BATCHES, body("key", "instance_stop", &unknown_ids(2))).await;
    assert_eq!((again.status, id(&again)), (201, id(&first)));
    let other = client.post(BATCHES, body("key", "instance_stop", &unknown_ids(3))).await;
    other.assert_error(
        http::StatusCode::CONFLICT,
        "Conflict",
        "another batch with other operations has this idempotency key; use a new key for each batch",
    );
    let listed = client.get(BATCHES).await.json();
    assert_eq!(listed["items"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn malformed_batches_change_nothing() {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    let unreadable = [
        (json!({}), "missing field `idempotency_key`"),
        (body("k", "project_delete", &unknown_ids(1)), "operation: unknown variant `project_delete`"),
        (
            json!({ "idempotency_key": "k", "operation": "disk_delete", "items": [{ "target_id": "data" }] }),
            "items[0].target_id: UUID parsing failed",
        ),
        (
            json!({ "idempotency_key": "k", "operation": "disk_delete", "items": {} }),
            "items: invalid type: map",
        ),
    ];
    for (body, start) in unreadable {
        for client in [&client, &cloud.anonymous()] {
            let answer = client.post(BATCHES, body.clone()).await;
            answer.assert_unreadable_start(&format!("unable to parse JSON body: {start}"));
        }
    }
    for (body, label) in [
        (body("", "disk_delete", &unknown_ids(1)), "idempotency_key"),
        (body("k", "disk_delete", &[]), "items"),
        (body("k", "disk_delete", &unknown_ids(1001)), "items"),
        (body("k", "disk_delete", &[unknown_ids(1), unknown_ids(1)].concat()), "items"),
    ] {
        let (status, code, message) = client.post(BATCHES, body).await.error();
        assert_eq!((status, code.as_deref()), (400, Some("InvalidValue")));
        assert!(message.starts_with(&format!("unsupported value for \"{label}\"")), "{message}");
    }
    let unbounded = body("k", "disk_delete", &unknown_ids(30_000));
    client.post(BATCHES, unbounded).await.assert_unreadable_start("request body exceeded maximum size");
    client.get(&format!("{BATCHES}/nothing")).await.assert_unreadable_start("bad parameter in URL path");
    assert_eq!(client.get(BATCHES).await.json()["items"], json!([]));
}

#[tokio::test]
async fn batches_are_visible_to_their_owner_only() {
    let cloud = Cloud::new();
    let (ada, admin) = (new_user(&cloud, "grace"), cloud.signed_in().await);
    let batch = id(&ada.post(BATCHES, body("key", "disk_delete", &unknown_ids(1))).await);
    let of_batch = |suffix: &str| format!("{BATCHES}/{batch}{suffix}");
    cloud.anonymous().get(BATCHES).await.assert_unauthorized();
    cloud.anonymous().post(BATCHES, body("key", "disk_delete", &unknown_ids(1))).await.assert_unauthorized();
    for (client, status) in [(cloud.anonymous(), 401), (admin.clone(), 404), (ada.clone(), 200)] {
        for suffix in ["", "/items"] {
            assert_eq!(client.get(&of_batch(suffix)).await.status, status, "{suffix}");
        }
        for suffix in ["/cancel", "/retry"] {
            assert_eq!(client.post(&of_batch(suffix), json!({})).await.status, status, "{suffix}");
        }
    }
    assert_eq!(admin.get(BATCHES).await.json()["items"], json!([]));
}

#[tokio::test]
async fn owner_receives_progress_events() {
    let cloud = Cloud::new();
    let (owner, other) = (new_user(&cloud, "grace"), cloud.signed_in().await);
    let mut owner_events = Follower::start(&cloud, &owner, "?kinds=batch,ssh_key").await;
    let mut other_events = Follower::start(&cloud, &other, "?kinds=batch,ssh_key").await;
    let batch = id(&owner.post(BATCHES, body("key", "disk_delete", &unknown_ids(40))).await);
    ended(&cloud, &owner, &batch).await;
    let of_batch: Vec<_> = owner_events
        .rest(&owner, "mark")
        .await
        .into_iter()
        .filter_map(|message| match message {
            Message::Change(event) if event.kind == "batch" => Some(event),
            _ => None,
        })
        .collect();
    assert_eq!(of_batch.len(), 4, "one of the creation, and one for each 16 items");
    let ids: BTreeSet<_> = of_batch.iter().map(|event| event.id.to_string()).collect();
    assert_eq!(ids, BTreeSet::from([batch]));
    let hidden = other_events.rest(&other, "mark").await;
    assert!(hidden.iter().all(|message| !message.is("batch")), "{hidden:?}");
}

#[tokio::test]
async fn canceled_items_complete_after_a_retry() {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    client.create_project("web").await;
    client.create_instance("web", "db").await;
    let instance: Uuid = id(&client.get("/v1/instances/db?project=web").await).parse().unwrap();
    let batch = id(&client.post(BATCHES, body("stop", "instance_stop", &[instance])).await);
    let canceled = client.post(&format!("{BATCHES}/{batch}/cancel"), json!({})).await;
    assert_eq!((canceled.status, &canceled.json()["state"]), (200, &json!("canceled")));
    cloud.settle();
    let state = async || client.get("/v1/instances/db?project=web").await.json()["run_state"].clone();
    assert_eq!(state().await, "running");
    let retried = client.post(&format!("{BATCHES}/{batch}/retry"), json!({})).await;
    assert_eq!((retried.status, &retried.json()["state"]), (200, &json!("queued")));
    assert_eq!(ended(&cloud, &client, &batch).await["state"], "succeeded");
    cloud.settle();
    assert_eq!(state().await, "stopped");
    let query = "/v1/system/audit-log?start_time=2020-01-01T00:00:00Z&limit=1000";
    let log = client.get(query).await.json();
    let entries: Vec<_> = log["items"].as_array().unwrap().iter().collect();
    let stop = entries.iter().find(|entry| entry["operation_id"] == "instance_stop").unwrap();
    let retry = entries.iter().find(|entry| entry["operation_id"] == "batch_retry").unwrap();
    assert_eq!(stop["request_uri"], format!("/v1/instances/{instance}/stop#batch={batch}"));
    for same in ["request_id", "source_ip", "auth_method", "actor", "user_agent"] {
        assert_eq!(stop[same], retry[same], "{same}");
    }
    assert_eq!(stop["result"], json!({ "kind": "success", "http_status_code": 202 }));
}
