use serde_json::json;

use crate::cloud::Cloud;

const PATH: &str = "/v1/system/ip-pools-service";

#[tokio::test]
async fn service_pool_has_separate_paths() {
    let cloud = Cloud::new();
    let client = cloud.with_token();
    let pool = client.get(PATH).await;
    assert_eq!((pool.status, pool.json()["name"].as_str()), (200, Some("croft-service-pool")));
    let range = json!({ "first": "192.0.2.1", "last": "192.0.2.9" });
    let added = client.post(&format!("{PATH}/ranges/add"), range.clone()).await;
    assert_eq!(added.status, 201, "{added:?}");
    assert_eq!((&added.json()["range"], &added.json()["ip_pool_id"]), (&range, &pool.json()["id"]));
    let ranges = client.get(&format!("{PATH}/ranges?limit=1")).await.json();
    assert_eq!(ranges["items"], json!([added.json()]));
    let token = ranges["next_page"].as_str().unwrap();
    let rest = client.get(&format!("{PATH}/ranges?page_token={token}")).await.json();
    assert_eq!(rest, json!({ "items": [], "next_page": null }));
    let backwards = json!({ "first": "192.0.2.9", "last": "192.0.2.1" });
    let backwards = client.post(&format!("{PATH}/ranges/add"), backwards).await;
    backwards.assert_unreadable_start("unable to parse JSON body: ");
    let removed = client.post(&format!("{PATH}/ranges/remove"), range).await;
    assert_eq!((removed.status, removed.body.len()), (204, 0));
}

#[tokio::test]
async fn service_pool_is_read_only_on_other_paths() {
    let cloud = Cloud::new();
    let client = cloud.with_token();
    let id = client.get(PATH).await.json()["id"].as_str().unwrap().to_owned();
    let listed = client.get("/v1/system/ip-pools").await.json();
    assert_eq!(listed["items"].as_array().unwrap().len(), 1, "{listed}");
    for (selector, form) in [("croft-service-pool", "name"), (&*id, "id")] {
        let pool = format!("/v1/system/ip-pools/{selector}");
        assert_eq!(client.get(&pool).await.json()["id"], *id);
        assert_eq!(client.get(&format!("{pool}/utilization")).await.json()["ipv4"]["capacity"], 0);
        let silos = client.get(&format!("{pool}/silos")).await.json();
        assert_eq!(silos, json!({ "items": [], "next_page": null }));
        let missing = format!("not found: ip-pool with {form} \"{selector}\"");
        let range = json!({ "first": "192.0.2.1", "last": "192.0.2.9" });
        let link = json!({ "silo": "nowhere", "is_default": true });
        for answer in [
            client.put(&pool, json!({ "description": "new" })).await,
            client.delete(&pool).await,
            client.get(&format!("{pool}/ranges")).await,
            client.post(&format!("{pool}/ranges/add"), range.clone()).await,
            client.post(&format!("{pool}/ranges/remove"), range).await,
            client.post(&format!("{pool}/silos"), link).await,
            client.put(&format!("{pool}/silos/acme"), json!({ "is_default": true })).await,
            client.delete(&format!("{pool}/silos/acme")).await,
        ] {
            let got = (answer.status, answer.json()["message"].as_str().unwrap().to_owned());
            assert_eq!(got, (404, missing.clone()));
        }
    }
}
