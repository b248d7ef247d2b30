//! Deletion of resources with their dependents, over HTTP.

use croft_api::event::EventAction;
use croft_sled::simulated::Timing;
use http::StatusCode;
use serde_json::{Value, json};

use crate::{
    cloud::{Answer, Client, Cloud},
    events::{Follower, Message},
};

async fn id_of(client: &Client<'_>, uri: &str) -> String {
    client.get(uri).await.json()["id"].as_str().unwrap().to_owned()
}

fn at(kind: &str, id: &str) -> String {
    format!("/experimental/v1/deletions/{kind}/{id}")
}

/// Creates a project with a stopped instance, its disk, and a VPC.
async fn project(cloud: &Cloud, client: &Client<'_>) -> String {
    client.create_project("web").await;
    client.create_instance("web", "db").await;
    let stopped = client.post("/v1/instances/db/stop?project=web", json!({})).await;
    assert_eq!(stopped.status, 202, "{stopped:?}");
    cloud.settle();
    id_of(client, "/v1/projects/web").await
}

fn part<'a>(shown: &'a Value, kind: &str) -> &'a Value {
    let parts = shown["parts"].as_array().unwrap();
    parts.iter().find(|part| part["kind"] == kind).unwrap_or_else(|| panic!("no {kind}: {shown}"))
}

async fn delete(client: &Client<'_>, project: &str, shown: &Value) -> Answer {
    let body = json!({ "revision": shown["revision"], "also": ["instance", "disk", "vpc"] });
    client.post(&at("project", project), body).await
}

#[tokio::test]
async fn deleted_project_sends_an_event_for_each_object() {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    let project = project(&cloud, &client).await;
    let shown = client.get(&at("project", &project)).await.json();
    assert_eq!(shown["refusal"], "project to be deleted contains an instance: db");
    let instances = part(&shown, "instance");
    assert_eq!([&instances["effect"], &instances["can_go_along"]], [&json!("prevents"), &json!(true)]);
    assert_eq!([&instances["count"], &instances["refused"]], [1, 0]);
    let item = &instances["items"][0];
    assert_eq!((&item["name"], &item["refusal"]), (&json!("db"), &Value::Null));
    assert_eq!(item["within"][1]["name"], "web");

    let mut events =
        Follower::start(&cloud, &client, "?kinds=project,instance,disk,vpc,vpc_subnet,ssh_key").await;
    let deleted = delete(&client, &project, &shown).await;
    assert_eq!((deleted.status, deleted.text().as_str()), (204, ""));
    let events = events.rest(&client, "mark").await;
    for kind in ["instance", "disk", "vpc_subnet", "vpc", "project"] {
        let is_received = events.iter().any(|message| {
            matches!(message, Message::Change(event) if event.kind == kind && event.action == EventAction::Deleted)
        });
        assert!(is_received, "{kind}: {events:?}");
    }
    let again = client.get(&at("project", &project)).await;
    assert_eq!(again.error().0, 404);
}

#[tokio::test]
async fn object_created_meanwhile_prevents_the_deletion() {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    let project = project(&cloud, &client).await;
    let shown = client.get(&at("project", &project)).await.json();
    let disk = json!({
        "name": "late", "description": "", "size": 1_u64 << 30,
        "disk_source": { "type": "blank", "block_size": 512 },
    });
    assert_eq!(client.post("/v1/disks?project=web", disk).await.status, 201);
    cloud.settle();
    delete(&client, &project, &shown).await.assert_error(
        StatusCode::CONFLICT,
        "Conflict",
        "what hangs on the resource has changed since it was shown; look at it again, then delete it",
    );
    let shown = client.get(&at("project", &project)).await.json();
    assert_eq!(part(&shown, "disk")["count"], 2);
    let deleted = delete(&client, &project, &shown).await;
    assert_eq!(deleted.status, 204, "{deleted:?}");
}

#[tokio::test]
async fn running_instance_prevents_the_deletion() {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    let project = project(&cloud, &client).await;
    client.create_instance("web", "app").await;
    let shown = client.get(&at("project", &project)).await.json();
    assert_eq!(part(&shown, "instance")["can_go_along"], false);
    let text = "instance \"app\": cannot delete instance: instance is running or has not yet fully stopped";
    assert_eq!(part(&shown, "instance")["refusal"], text);
    let refused = delete(&client, &project, &shown).await;
    refused.assert_error(StatusCode::BAD_REQUEST, "InvalidRequest", text);
    for uri in
        ["/v1/instances/db?project=web", "/v1/disks/db-boot?project=web", "/v1/vpcs/default?project=web"]
    {
        assert_eq!(client.get(uri).await.status, 200, "{uri}");
    }
}

#[tokio::test]
async fn deletion_waits_for_resources_under_construction() {
    let cloud = Cloud::waiting(Timing { disk: jiff::SignedDuration::from_secs(1), ..Timing::INSTANT });
    let client = cloud.signed_in().await;
    client.create_project("web").await;
    let project = id_of(&client, "/v1/projects/web").await;
    let snapshot_of = |name: &str| json!({ "name": name, "description": "", "disk": "data" });
    let disk = json!({
        "name": "data", "description": "", "size": 1_u64 << 30,
        "disk_source": { "type": "blank", "block_size": 512 },
    });
    assert_eq!(cloud.alongside(client.post("/v1/disks?project=web", disk)).await.status, 201);
    assert_eq!(
        cloud.alongside(client.post("/v1/snapshots?project=web", snapshot_of("before"))).await.status,
        201
    );
    let shown = client.get(&at("project", &project)).await.json();
    let body = json!({ "revision": shown["revision"], "also": ["disk", "snapshot", "vpc"] });
    let deleted = cloud.alongside(client.post(&at("project", &project), body)).await;
    assert_eq!(deleted.status, 204, "{deleted:?}");
}

#[tokio::test]
async fn malformed_and_unauthorized_deletions_change_nothing() {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    let project = project(&cloud, &client).await;
    let shown = client.get(&at("project", &project)).await.json();
    cloud.anonymous().get(&at("project", &project)).await.assert_unauthorized();
    delete(&cloud.anonymous(), &project, &shown).await.assert_unauthorized();
    client.get(&at("project", "web")).await.assert_unreadable_start("bad parameter in URL path");
    for body in [json!({}), json!({ "revision": 1 }), json!({ "revision": "", "also": "disk" })] {
        let answer = client.post(&at("project", &project), body).await;
        answer.assert_unreadable_start("unable to parse JSON body");
    }
    let (status, code, text) = client.get(&at("sled", &project)).await.error();
    assert_eq!((status, code.as_deref()), (400, Some("InvalidValue")), "{text}");
    let many = json!({ "revision": shown["revision"], "also": vec!["disk"; 33] });
    client.post(&at("project", &project), many).await.assert_error(
        StatusCode::BAD_REQUEST,
        "InvalidValue",
        "unsupported value for \"also\": must have at most 32 kinds",
    );
    // The ID is a project's, not a disk's.
    assert_eq!(client.get(&at("disk", &project)).await.error().0, 404);
    let alone = json!({ "revision": shown["revision"] });
    client.post(&at("project", &project), alone).await.assert_error(
        StatusCode::BAD_REQUEST,
        "InvalidRequest",
        "project to be deleted contains an instance: db",
    );
    assert_eq!(client.get("/v1/projects/web").await.status, 200);
}
