use serde_json::Value;

use crate::cloud::Cloud;

fn names(page: &Value) -> Vec<&str> {
    page["items"].as_array().unwrap().iter().map(|item| item["name"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn lists_are_paginated_in_every_order() {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    for name in ["b", "d", "a", "c"] {
        client.create_project(name).await;
    }
    let walk = async |sort: &str| {
        let mut seen = Vec::new();
        let mut page = client.get(&format!("/v1/projects?limit=3{sort}")).await.json();
        while let Some(token) = page["next_page"].as_str() {
            seen.extend(names(&page).into_iter().map(str::to_owned));
            // The other parameters are ignored: the token contains them.
            let uri = format!("/v1/projects?limit=3&sort_by=id_ascending&page_token={token}");
            page = client.get(&uri).await.json();
        }
        assert_eq!(names(&page), [""; 0], "only an empty page has no next page");
        seen
    };
    assert_eq!(walk("").await, ["a", "b", "c", "d"]);
    assert_eq!(walk("&sort_by=name_ascending").await, ["a", "b", "c", "d"]);
    assert_eq!(walk("&sort_by=name_descending").await, ["d", "c", "b", "a"]);
    let mut by_id = walk("&sort_by=id_ascending").await;
    by_id.sort();
    assert_eq!(by_id, ["a", "b", "c", "d"]);
}

#[tokio::test]
async fn page_token_contains_the_selector() {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    client.create_project("web").await;
    client.create_instance("web", "db").await;
    let page = client.get("/v1/instances?project=web").await.json();
    let token = page["next_page"].as_str().unwrap();
    let answer = client.get(&format!("/v1/instances?page_token={token}")).await;
    assert_eq!((answer.status, names(&answer.json()).len()), (200, 0));
    let disks = client.get("/v1/instances/db/disks?project=web").await.json();
    let token = disks["next_page"].as_str().unwrap();
    let answer = client.get(&format!("/v1/instances/db/disks?page_token={token}")).await;
    assert_eq!((answer.status, names(&answer.json()).len()), (200, 0), "{answer:?}");
}

#[tokio::test]
async fn invalid_limits_and_tokens_are_refused() {
    let cloud = Cloud::new();
    let client = cloud.anonymous();
    let refuse = async |query: &str, text: &str| {
        client.get(&format!("/v1/projects?{query}")).await.assert_unreadable_start(text);
    };
    let text = |reason: &str| format!("unable to parse query string: {reason}");
    refuse("limit=0", &text("invalid value: integer `0`, expected a nonzero u32")).await;
    refuse("limit=-1", &text("invalid digit found in string")).await;
    refuse("limit=ten", &text("invalid digit found in string")).await;
    refuse("limit=4294967296", &text("number too large to fit in target type")).await;
    refuse("limit=1&limit=1", &text("duplicate field `limit`")).await;
    refuse("sort_by=size", &text("unknown variant `size`")).await;
    let token = |reason: &str| text(&format!("failed to parse pagination token: {reason}"));
    refuse(&format!("page_token={}", "A".repeat(513)), &token("too large")).await;
    refuse("page_token=***", &token("Invalid symbol")).await;
    refuse("page_token=e30=", &token("corrupted token")).await;
    refuse("page_token=bm90IGpzb24=", &token("corrupted token")).await;
    // {"v":"v1","page_start":{"sort_by":"id_ascending","last_seen":"web"}}
    let mixed =
        "eyJ2IjoidjEiLCJwYWdlX3N0YXJ0Ijp7InNvcnRfYnkiOiJpZF9hc2NlbmRpbmciLCJsYXN0X3NlZW4iOiJ3ZWIifX0=";
    refuse(&format!("page_token={mixed}"), "invalid page token").await;
    let signed_in = cloud.signed_in().await;
    assert_eq!(signed_in.get("/v1/projects?limit=4294967295").await.status, 200, "lowered to 10000");
}
