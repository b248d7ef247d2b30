//! Hardware over HTTP.

use serde_json::{Value, json};

use crate::cloud::Cloud;

const HARDWARE: &str = "/v1/system/hardware";

#[tokio::test]
async fn sleds_match_the_contract() {
    let cloud = Cloud::new();
    let client = cloud.with_token();
    client.create_project("web").await;
    client.create_instance("web", "db").await;
    let list = client.get(&format!("{HARDWARE}/sleds?limit=1")).await.json();
    let sled = &list["items"][0];
    let id = sled["id"].as_str().unwrap();
    let expected = json!({ "serial": "SIM0001", "part": "simulated-sled", "revision": 1 });
    assert_eq!(sled["baseboard"], expected);
    let policy = json!({ "kind": "in_service", "provision_policy": "provisionable" });
    assert_eq!((&sled["policy"], &sled["state"]), (&policy, &json!("active")));
    let next = list["next_page"].as_str().unwrap();
    let rest = client.get(&format!("{HARDWARE}/sleds?page_token={next}")).await.json();
    assert_eq!(rest["items"].as_array().unwrap().len(), 2);
    let answer = client
        .put(&format!("{HARDWARE}/sleds/{id}/provision-policy"), json!({ "state": "non_provisionable" }))
        .await;
    assert_eq!(answer.json(), json!({ "old_state": "provisionable", "new_state": "non_provisionable" }));
    let mut instances: Vec<Value> = Vec::new();
    for sled in client.get(&format!("{HARDWARE}/sleds")).await.json()["items"].as_array().unwrap() {
        let id = sled["id"].as_str().unwrap();
        let list = client.get(&format!("{HARDWARE}/sleds/{id}/instances")).await.json();
        instances.extend(list["items"].as_array().unwrap().iter().cloned());
    }
    let [instance] = &instances[..] else { panic!("{instances:?}") };
    assert_eq!((&instance["name"], &instance["silo_name"]), (&json!("db"), &json!("acme")));
    assert_eq!((&instance["state"], &instance["migration_id"]), (&json!("running"), &Value::Null));
}

#[tokio::test]
async fn malformed_ids_are_bad_requests_and_unknown_ids_not_found() {
    let cloud = Cloud::new();
    let client = cloud.with_token();
    for (path, kind) in
        [("racks", "rack"), ("sleds", "sled"), ("disks", "physical-disk"), ("switches", "switch")]
    {
        let id = "00000000-0000-4000-8000-000000000000";
        let answer = client.get(&format!("{HARDWARE}/{path}/{id}")).await;
        answer.assert_error(
            http::StatusCode::NOT_FOUND,
            "ObjectNotFound",
            &format!("not found: {kind} with id \"{id}\""),
        );
        let answer = client.get(&format!("{HARDWARE}/{path}/first")).await;
        answer.assert_unreadable_start("bad parameter in URL path: ");
    }
}

#[tokio::test]
async fn unknown_sled_cannot_be_added() {
    let cloud = Cloud::new();
    let client = cloud.with_token();
    let answer = client.post(&format!("{HARDWARE}/sleds"), json!({ "serial": "x", "part": "y" })).await;
    assert_eq!(answer.status, 404, "{answer:?}");
    let list = client.get(&format!("{HARDWARE}/sleds-uninitialized")).await.json();
    assert_eq!(list, json!({ "items": [], "next_page": null }));
}
