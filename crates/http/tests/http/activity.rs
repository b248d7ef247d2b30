use serde_json::json;

use crate::cloud::Cloud;

/// More memory than any sled has.
const TOO_MUCH: u64 = 1536 << 30;

#[tokio::test]
async fn instance_activity_is_paginated_newest_first() {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    client.create_project("web").await;
    let body = json!({
        "name": "db", "description": "", "hostname": "db", "ncpus": 1, "memory": TOO_MUCH, "start": true,
    });
    let created = client.post("/v1/instances?project=web", body).await;
    assert_eq!((created.status, &created.json()["run_state"]), (201, &json!("stopped")));

    let list = "/experimental/v1/instances/db/activity?project=web";
    let wrong = client.get(&format!("{list}&unresolved=true")).await.json();
    let [entry] = wrong["items"].as_array().unwrap().as_slice() else { panic!("{wrong}") };
    assert_eq!((&entry["kind"], &entry["count"]), (&json!("start_refused"), &json!(1)));
    let cause = entry["cause"].as_str().unwrap();
    assert!(cause.ends_with("The cloud has no room for 1 vCPU and 1536 GiB of memory."), "{cause}");
    assert!(entry["operator_detail"].is_string(), "the detail is shown to the administrator");

    let first = client.get(&format!("{list}&limit=1")).await.json();
    let token = first["next_page"].as_str().unwrap();
    let second = client.get(&format!("{list}&limit=1&page_token={token}")).await.json();
    let mut kinds = [&first, &second].map(|page| page["items"][0]["kind"].as_str().unwrap().to_owned());
    kinds.sort();
    assert_eq!(kinds, ["operation", "start_refused"]);
    let id = created.json()["id"].as_str().unwrap().to_owned();
    let by_id = client.get(&format!("/experimental/v1/instances/{id}/activity")).await.json();
    assert_eq!(by_id["items"].as_array().unwrap().len(), 2);
    assert_eq!(client.get("/experimental/v1/instances/other/activity?project=web").await.status, 404);
}
