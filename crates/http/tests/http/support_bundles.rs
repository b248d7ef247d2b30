//! Support bundles over HTTP: content and ranges.

use std::{
    io::{Cursor, Read as _},
    sync::Arc,
};

use croft_control::support_bundle::{Collector, Member, Sources};
use http::Method;
use serde_json::{Value, json};
use uuid::Uuid;
use zip::ZipArchive;

use crate::cloud::{Client, Cloud, PASSWORD};

const BUNDLES: &str = "/experimental/v1/system/support-bundles";

struct Log;

impl Sources for Log {
    fn members(&self) -> Vec<Member> {
        vec![Member::text("server/croft.log", "a line\n".repeat(100_000))]
    }
}

async fn collected(cloud: &Cloud, client: &Client<'_>) -> String {
    let answer = client.post(BUNDLES, json!({ "user_comment": "slow since noon" })).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    let id = answer.json()["id"].as_str().unwrap().to_owned();
    let (database, hypervisor) = (cloud.database.clone(), cloud.hypervisor.clone());
    let collector =
        Collector::new(Uuid::from_u128(1), database, hypervisor, cloud.archives.clone(), Arc::new(Log));
    let now = cloud.app.parts.clock.now();
    while collector.step(now).unwrap() {}
    let view = client.get(&format!("{BUNDLES}/{id}")).await.json();
    assert_eq!((&view["state"], &view["user_comment"]), (&json!("active"), &json!("slow since noon")));
    id
}

fn contents(zip: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut zip = ZipArchive::new(Cursor::new(zip)).unwrap();
    (0..zip.len())
        .map(|index| {
            let mut file = zip.by_index(index).unwrap();
            let mut content = Vec::new();
            file.read_to_end(&mut content).unwrap();
            (file.name().unwrap().into_owned(), content)
        })
        .collect()
}

#[tokio::test]
async fn a_bundle_has_no_secrets() {
    let cloud = Cloud::new();
    let token = cloud.token();
    let client = cloud.anonymous().with("authorization", &token);
    let session = cloud.sign_in(crate::cloud::USER, PASSWORD).await;
    let cookie = session.header("set-cookie").split(';').next().unwrap().to_owned();
    client.create_project("web").await;
    client.create_instance("web", "db").await;
    let key = json!({ "name": "laptop", "description": "", "public_key": "ssh-ed25519 SECRETKEYTEXT" });
    assert_eq!(client.post("/v1/me/ssh-keys", key).await.status, 201);
    let guess = json!({ "username": "ada", "password": "a wrong guess" });
    client.post("/v1/login/acme/local?redirect=SECRETQUERY", guess).await;
    let id = collected(&cloud, &client).await;
    let answer = client.get(&format!("{BUNDLES}/{id}/download")).await;
    assert_eq!((answer.status, answer.header("content-type")), (200, "application/zip"));
    assert_eq!(answer.header("content-disposition"), "attachment");
    let files = contents(&answer.body);
    let secrets = [
        token.trim_start_matches("Bearer ").to_owned(),
        token.trim_start_matches("Bearer croft-token-").to_owned(),
        cookie.trim_start_matches("session=").to_owned(),
        PASSWORD.to_owned(),
        format!("hash of {PASSWORD}"),
        "a wrong guess".to_owned(),
        "SECRETKEYTEXT".to_owned(),
        "SECRETQUERY".to_owned(),
        "\u{7}".repeat(32),
        hex::encode([7; 32]),
    ];
    for (name, content) in &files {
        let text = String::from_utf8_lossy(content);
        for secret in &secrets {
            assert!(!text.contains(secret.as_str()), "{name} has {secret:?}");
        }
    }
    let file = |end: &str| {
        let (_, content) = files.iter().find(|(name, _)| name.ends_with(end)).unwrap();
        content.clone()
    };
    assert_eq!(file("bundle_id.txt"), format!("{id}\n").into_bytes());
    let json_of = |end: &str| -> Value { serde_json::from_slice(&file(end)).unwrap() };
    assert_eq!(json_of("tables.json")["instance"], 1);
    assert_eq!(json_of("objects.json")["instances"], json!({ "running": 1 }));
    assert_eq!(json_of("inventory.json")["sleds"].as_array().unwrap().len(), 3);
    let audit = json_of("audit.json");
    let operations: Vec<&str> =
        audit.as_array().unwrap().iter().map(|entry| entry["operation_id"].as_str().unwrap()).collect();
    assert!(operations.contains(&"login_local") && operations.contains(&"project_create"), "{operations:?}");
}

#[tokio::test]
async fn downloads_are_in_the_audit_log() {
    let cloud = Cloud::new();
    let client = cloud.with_token();
    let id = collected(&cloud, &client).await;
    let start = cloud.app.parts.clock.now();
    cloud.clock.advance(std::time::Duration::from_secs(1));
    let bundle = format!("{BUNDLES}/{id}/download");
    let file = format!("{bundle}/server/croft.log");
    let whole = client.get(&bundle).await.body.len();
    client.get(&file).await;
    assert_eq!(client.clone().with("range", "bytes=2-5").get(&file).await.status, 206);
    assert_eq!(client.get(&format!("{bundle}/none")).await.status, 404);
    // Requests that disclose nothing leave no entry.
    client.send(Method::HEAD, &bundle, "").await;
    client.send(Method::HEAD, &file, "").await;
    client.get(&format!("{BUNDLES}/{id}/index")).await;
    let log = client.get(&format!("/v1/system/audit-log?start_time={start}")).await.json();
    let mut found: Vec<_> = log["items"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|entry| entry["operation_id"].as_str().unwrap().contains("download"))
        .map(|entry| {
            assert_eq!(entry["actor"]["kind"], "silo_user");
            let status = entry["result"]["http_status_code"].as_u64().unwrap();
            (entry["request_uri"].as_str().unwrap().to_owned(), status)
        })
        .collect();
    found.sort();
    let mut expected = vec![
        (format!("{bundle}#from_client=0&to_client={whole}"), 200),
        (format!("{file}#from_client=0&to_client=700000"), 200),
        (format!("{file}#from_client=0&to_client=4"), 200),
        (format!("{bundle}/none"), 404),
    ];
    expected.sort();
    assert_eq!(found, expected);
}

#[tokio::test]
async fn parts_can_be_downloaded() {
    let cloud = Cloud::new();
    let client = cloud.with_token();
    let id = collected(&cloud, &client).await;
    let index = client.get(&format!("{BUNDLES}/{id}/index")).await;
    assert_eq!((index.status, index.header("content-type")), (200, "text/plain"));
    assert!(index.text().lines().any(|name| name == "server/croft.log"), "{}", index.text());
    let log = format!("{BUNDLES}/{id}/download/server/croft.log");
    let whole = client.get(&log).await;
    assert_eq!((whole.status, whole.body.len()), (200, 700_000));
    assert_eq!(whole.header("content-type"), "application/octet-stream");
    assert_eq!(client.get(&log.replace("server/croft", "server%2Fcroft")).await.body.len(), 700_000);
    for path in [log, format!("{BUNDLES}/{id}/download")] {
        let whole = client.get(&path).await;
        let length = whole.body.len();
        assert_eq!(whole.header("accept-ranges"), "bytes");
        assert_eq!(whole.header("content-length"), length.to_string());
        let head = client.send(Method::HEAD, &path, "").await;
        assert_eq!((head.status, head.header("content-length")), (200, whole.header("content-length")));
        assert!(head.body.is_empty());
        let part = client.clone().with("range", "bytes=2-5").get(&path).await;
        assert_eq!((part.status, &*part.body), (206, &whole.body[2..6]));
        assert_eq!(part.header("content-range"), format!("bytes 2-5/{length}"));
        let last = client.clone().with("range", "bytes=-3").get(&path).await;
        assert_eq!((last.status, &*last.body), (206, &whole.body[length - 3..]));
        let behind = client.clone().with("range", "bytes=99999999-").get(&path).await;
        assert_eq!((behind.status, behind.header("content-range")), (416, &*format!("bytes */{length}")));
        let several = client.clone().with("range", "bytes=1-2,4-5").get(&path).await;
        assert_eq!(several.status, 400);
    }
    let unknown = client.get(&format!("{BUNDLES}/{id}/download/server/none")).await;
    assert_eq!(unknown.status, 404, "{unknown:?}");
    assert_eq!(client.delete(&format!("{BUNDLES}/{id}")).await.status, 204);
    assert_eq!(client.get(&format!("{BUNDLES}/{id}/download")).await.status, 400);
}
