use http::StatusCode;
use serde_json::{Value, json};

use crate::cloud::{Client, Cloud};

fn group(name: &str) -> Value {
    json!({ "name": name, "description": "ours", "policy": "fail", "failure_domain": "sled" })
}

fn instance(name: &str, groups: &[&str]) -> Value {
    json!({
        "name": name, "description": "", "hostname": name, "ncpus": 1, "memory": 1_u64 << 30, "start": false,
        "network_interfaces": { "type": "none" }, "anti_affinity_groups": groups,
    })
}

/// Returns all names of a list, fetched in pages of three.
async fn names(client: &Client<'_>, uri: &str, name_at: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut next = format!("{uri}&limit=3");
    loop {
        let page = client.get(&next).await.json();
        for item in page["items"].as_array().unwrap() {
            names.push(item.pointer(name_at).unwrap().as_str().unwrap().to_owned());
        }
        let Some(token) = page["next_page"].as_str() else { return names };
        next = format!("{uri}&limit=3&page_token={token}");
    }
}

async fn check_lifecycle(kind: &str) {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    client.create_project("web").await;
    let uri = |rest: &str| format!("/v1/{kind}{rest}?project=web");
    let created = client.post(&uri(""), group("crew")).await;
    assert_eq!(created.status, 201, "{created:?}");
    let created = created.json();
    assert_eq!((&created["policy"], &created["failure_domain"]), (&json!("fail"), &json!("sled")));
    assert_eq!(client.get(&uri("/crew")).await.json(), created);

    for number in 0..7 {
        let name = format!("i-{number}");
        assert_eq!(client.post("/v1/instances?project=web", instance(&name, &[])).await.status, 201);
        let member = client.post(&uri(&format!("/crew/members/instance/{name}")), json!({})).await;
        assert_eq!(member.status, 201, "{member:?}");
        let member = member.json();
        assert_eq!(member["type"], "instance");
        assert_eq!(
            (&member["value"]["name"], &member["value"]["run_state"]),
            (&json!(name), &json!("stopped"))
        );
    }
    let expected: Vec<String> = (0..7).map(|number| format!("i-{number}")).collect();
    assert_eq!(names(&client, &uri("/crew/members"), "/value/name").await, expected);
    let descending = format!("{}&sort_by=name_descending", uri("/crew/members"));
    assert_eq!(
        names(&client, &descending, "/value/name").await,
        expected.iter().rev().cloned().collect::<Vec<_>>()
    );

    assert_eq!(client.post("/v1/instances/i-0/start?project=web", json!({})).await.status, 202);
    let member = client.get(&uri("/crew/members/instance/i-0")).await.json();
    assert_eq!(member["value"]["run_state"], "starting", "the current run state");

    let renamed = client.put(&uri("/crew"), json!({ "name": "band" })).await.json();
    assert_eq!((&renamed["name"], &renamed["description"]), (&json!("band"), &json!("ours")));
    assert_eq!(client.get(&uri("/crew")).await.status, 404);
    let of_instance = format!("/v1/instances/i-1/{kind}?project=web");
    assert_eq!(names(&client, &of_instance, "/name").await, ["band"]);
    assert_eq!(client.delete(&uri("/band/members/instance/i-1")).await.status, 204);
    assert_eq!(client.delete(&uri("/band/members/instance/i-1")).await.status, 404);
    assert_eq!(names(&client, &of_instance, "/name").await, Vec::<String>::new());
    assert_eq!(client.delete(&uri("/band")).await.status, 204);
    assert_eq!(names(&client, &uri(""), "/name").await, Vec::<String>::new());
}

#[tokio::test]
async fn affinity_group_lifecycle() {
    check_lifecycle("affinity-groups").await;
}

#[tokio::test]
async fn anti_affinity_group_lifecycle() {
    check_lifecycle("anti-affinity-groups").await;
}

#[tokio::test]
async fn new_instance_stays_stopped_if_its_groups_prevent_the_start() {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    client.create_project("web").await;
    client.post("/v1/anti-affinity-groups?project=web", group("far")).await;
    for (number, state) in ["starting", "starting", "starting", "stopped"].into_iter().enumerate() {
        let mut params = instance(&format!("i-{number}"), &["far"]);
        params["start"] = json!(true);
        let answer = client.post("/v1/instances?project=web", params).await;
        assert_eq!((answer.status, &answer.json()["run_state"]), (201, &json!(state)));
    }
    let text = "Insufficient capacity: Failed to place instance: Could not find any valid sled on which this \
                instance can be placed. The anti-affinity group \"far\" with the policy \"fail\" keeps it off every sled \
                with room, because each of them runs another member of the group.";
    let answer = client.post("/v1/instances/i-3/start?project=web", json!({})).await;
    answer.assert_error(StatusCode::INSUFFICIENT_STORAGE, "InsufficientCapacity", text);
}
