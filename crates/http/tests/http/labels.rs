//! Labels over HTTP.

use serde_json::{Value, json};

use crate::{
    cloud::Cloud,
    events::{Follower, Message},
};

const LABELS: &str = "/experimental/v1/labels";

fn body(revision: u64, pairs: &[(&str, &str)]) -> Value {
    let labels: Vec<_> = pairs.iter().map(|(key, value)| json!({ "key": key, "value": value })).collect();
    json!({ "revision": revision, "labels": labels })
}

#[tokio::test]
async fn labels_are_updated_listed_searched_and_sent_as_events() {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    let project = client.post("/v1/projects", json!({ "name": "web", "description": "" })).await.json();
    let id = project["id"].as_str().unwrap().to_owned();
    let of_project = format!("{LABELS}/project/{id}");
    assert_eq!(client.get(&of_project).await.json()["revision"], 0);

    let mut events = Follower::start(&cloud, &client, "?kinds=project,ssh_key").await;
    let changed = client.put(&of_project, body(0, &[("env", "prod"), ("team", "shop")])).await;
    assert_eq!(changed.status, 200, "{changed:?}");
    let events: Vec<_> = events
        .rest(&client, "mark")
        .await
        .into_iter()
        .filter_map(|message| match message {
            Message::Change(event) if event.kind == "project" => Some(event.id.to_string()),
            _ => None,
        })
        .collect();
    assert_eq!(events, std::slice::from_ref(&id));

    let lost = client.put(&of_project, body(0, &[])).await;
    assert_eq!(
        (lost.status, &lost.json()["message"]),
        (409, &json!("the labels have been changed since revision 0; read them again and repeat the change"))
    );
    let listed = client.get(&format!("{LABELS}?kind=project&selector=env%3Dprod,team")).await.json();
    assert_eq!(listed["items"][0]["name"], "web");
    assert_eq!(
        listed["items"][0]["labels"],
        json!([
            { "key": "env", "value": "prod" },
            { "key": "team", "value": "shop" },
        ])
    );
    let ids = client.get(&format!("{LABELS}?kind=project&ids={id}")).await.json();
    assert_eq!((ids["items"].as_array().unwrap().len(), &ids["next_page"]), (1, &Value::Null));
    let in_use = client.get("/experimental/v1/labels-in-use?key=env&prefix=p").await.json();
    assert_eq!(in_use, json!({ "items": ["prod"], "is_complete": true }));
    let found = client.get("/experimental/v1/search?q=env%3Dprod").await.json();
    assert_eq!(found["items"][0]["id"], json!(id));
}

#[tokio::test]
async fn invalid_label_requests_are_refused_with_the_reason() {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    let project = client.post("/v1/projects", json!({ "name": "web", "description": "" })).await.json();
    let of_project = format!("{LABELS}/project/{}", project["id"].as_str().unwrap());
    let many: Vec<_> =
        (0..10_000).map(|number| json!({ "key": format!("k{number}"), "value": "" })).collect();
    let refused = client.put(&of_project, json!({ "revision": 0, "labels": many })).await;
    assert_eq!(refused.status, 400);
    assert!(refused.json()["message"].as_str().unwrap().contains("at most 64 labels"), "{refused:?}");
    for (key, value, part) in [
        ("a b", "", "label 1 (\"a b=\"): a key must have"),
        ("\u{202e}evil", "", "label 1 ("),
        ("x", "<script>", "label 1 (\"x=<script>\"): a value must have"),
        ("ok", "2", "label 1 (\"ok=2\"): another label has this key"),
    ] {
        let refused = client.put(&of_project, body(0, &[("ok", "1"), (key, value)])).await;
        assert_eq!(refused.status, 400, "{key}");
        assert!(refused.json()["message"].as_str().unwrap().contains(part), "{refused:?}");
    }
    for bad in [
        json!({}),
        json!([]),
        json!({ "revision": -1, "labels": [] }),
        json!({ "revision": 0, "labels": {} }),
    ] {
        assert_eq!(client.put(&of_project, bad).await.status, 400);
    }
    assert_eq!(client.get(&of_project).await.json()["labels"], json!([]));
    for path in [
        "/nothing/11111111-2222-4333-8444-555555555555",
        "/project/no-id",
        "?kind=nothing",
        "",
        "?kind=project&selector=%21env",
        "?kind=project&ids=1",
        "?kind=disk",
        "?kind=project&project=web",
    ] {
        assert_eq!(client.get(&format!("{LABELS}{path}")).await.status, 400, "{path}");
    }
}
