use std::collections::BTreeMap;

use base64::{Engine as _, engine::general_purpose::STANDARD};
use futures_util::future::join_all;
use http::Method;
use serde_json::{Value, json};

use crate::cloud::{Client, Cloud};

/// Creates a project with a disk that imports blocks of 4096 bytes.
async fn prepare(cloud: &Cloud, client: &Client<'_>) {
    client.create_project("web").await;
    let source = json!({ "type": "importing_blocks", "block_size": 4096 });
    let disk = json!({ "name": "data", "description": "", "size": 1_u64 << 30, "disk_source": source });
    assert_eq!(client.post("/v1/disks?project=web", disk).await.status, 201);
    cloud.settle();
}

fn blocks(offset: u64, length: usize) -> Value {
    json!({ "offset": offset, "base64_encoded_data": STANDARD.encode(vec![7; length]) })
}

async fn ask(client: &Client<'_>, what: &str, body: Value) -> u16 {
    client.post(&format!("/v1/disks/data/{what}?project=web"), body).await.status
}

async fn state(client: &Client<'_>) -> String {
    let answer = client.get("/v1/disks/data?project=web").await;
    answer.json()["state"]["state"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_disk_is_imported_and_its_snapshot_becomes_an_image() {
    let cloud = Cloud::new();
    let client = cloud.with_token();
    prepare(&cloud, &client).await;
    assert_eq!(ask(&client, "bulk-write-start", Value::Null).await, 204);
    let chunk = 512 << 10;
    let writes = (0..12).map(|number| ask(&client, "bulk-write", blocks(number * chunk as u64, chunk)));
    assert!(join_all(writes).await.iter().all(|status| *status == 204));
    assert_eq!(ask(&client, "bulk-write-stop", Value::Null).await, 204);
    assert_eq!(ask(&client, "finalize", json!({ "snapshot_name": "base" })).await, 204);
    assert_eq!(state(&client).await, "finalizing");
    cloud.settle();
    assert_eq!(state(&client).await, "detached");
    let snapshot = client.get("/v1/snapshots/base?project=web").await.json();
    assert_eq!(snapshot["state"], "ready");
    let source = json!({ "type": "snapshot", "id": snapshot["id"] });
    let image =
        json!({ "name": "debian", "description": "", "os": "Debian", "version": "13", "source": source });
    let image = client.post("/v1/images?project=web", image).await;
    assert_eq!(image.status, 201, "{image:?}");
    let source = json!({ "type": "image", "image_id": image.json()["id"] });
    let disk = json!({ "name": "copy", "description": "", "size": 1_u64 << 30, "disk_source": source });
    assert_eq!(client.post("/v1/disks?project=web", disk).await.status, 201);
    cloud.settle();
    let disk = client.get("/v1/disks/copy?project=web").await.json();
    assert_eq!((&disk["state"]["state"], &disk["image_id"]), (&json!("detached"), &image.json()["id"]));
    assert_eq!(disk["block_size"], 4096);
}

#[tokio::test]
async fn a_bulk_write_may_be_larger_than_other_requests() {
    let cloud = Cloud::new();
    let client = cloud.with_token();
    prepare(&cloud, &client).await;
    assert_eq!(ask(&client, "bulk-write-start", Value::Null).await, 204);
    assert_eq!(ask(&client, "bulk-write", blocks(4096, 6 << 20)).await, 400, "text of more than 8 MiB");
    assert_eq!(ask(&client, "bulk-write", blocks(4096, 4 << 20)).await, 204);
    let path = "/v1/disks/data/bulk-write?project=web";
    let large = client.send(Method::POST, path, blocks(0, 6 << 20).to_string()).await;
    large.assert_unreadable_start("request body exceeded maximum size of 8388608 bytes");
    let unreadable = cloud.anonymous().send(Method::POST, path, r#"{"offset": -1}"#).await;
    unreadable.assert_unreadable_start("unable to parse JSON body: offset: invalid value: integer `-1`");
    assert_eq!(cloud.anonymous().send(Method::POST, path, blocks(0, 0).to_string()).await.status, 401);
}

/// An import is stopped while clients write. Everything written is synced before the response to the stop, and later
/// writes are refused.
#[tokio::test]
async fn nothing_is_written_after_a_stop() {
    let cloud = Cloud::new();
    let client = cloud.with_token();
    prepare(&cloud, &client).await;
    let mut outcomes = BTreeMap::<u16, usize>::new();
    for round in 0..40 {
        assert_eq!(ask(&client, "bulk-write-start", Value::Null).await, 204);
        let writer = async |number: u64| {
            let mut statuses = Vec::new();
            for turn in 0..6 {
                statuses.push(ask(&client, "bulk-write", blocks((number * 6 + turn) << 12, 4096)).await);
            }
            statuses
        };
        let stop = async {
            // A few writes come first, a different number each time.
            for turn in 0..round % 5 {
                assert_eq!(ask(&client, "bulk-write", blocks(turn << 12, 4096)).await, 204);
            }
            let status = ask(&client, "bulk-write-stop", Value::Null).await;
            assert_eq!((status, cloud.hypervisor.unsynced_disks()), (204, vec![]));
        };
        let (written, ()) = tokio::join!(join_all((0..6).map(writer)), stop);
        assert!(cloud.hypervisor.unsynced_disks().is_empty(), "a write was applied after the stop");
        for status in written.into_iter().flatten() {
            *outcomes.entry(status).or_default() += 1;
        }
    }
    assert_eq!(outcomes.keys().collect::<Vec<_>>(), [&204, &400], "{outcomes:?}");
    assert_eq!(ask(&client, "finalize", json!({})).await, 204);
    assert_eq!(state(&client).await, "detached");
}
