use croft_store::{
    ListBy, Sort,
    records::{AuditEntry, AuditResult},
};
use http::StatusCode;
use serde_json::json;

use crate::cloud::Cloud;

#[tokio::test]
async fn history_is_read_in_parts() {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    client.create_project("web").await;
    client.create_instance("web", "db").await;
    let uri = "/v1/instances/db/serial-console?project=web";
    let read = async |query: &str| client.get(&format!("{uri}&{query}")).await.json();
    let start = read("from_start=0&max_bytes=10").await;
    assert_eq!((start["data"].as_array().unwrap().len(), &start["last_byte_offset"]), (10, &json!(10)));
    let whole = read("from_start=0").await;
    let total = whole["last_byte_offset"].as_u64().unwrap();
    assert_eq!(whole["data"].as_array().unwrap().len() as u64, total);
    let end = read(&format!("from_start={}", total + 5)).await;
    assert_eq!((&end["data"], &end["last_byte_offset"]), (&json!([]), &json!(total)));
    let recent = read("most_recent=4").await;
    assert_eq!(recent["last_byte_offset"], json!(total));
    let last = whole["data"].as_array().unwrap().iter().rev().take(4).rev();
    assert!(recent["data"].as_array().unwrap().iter().eq(last));

    for query in ["", "&from_start=0&most_recent=1"] {
        let answer = client.get(&format!("{uri}{query}")).await;
        let text = "Exactly one of 'from_start' or 'most_recent' must be specified.";
        answer.assert_error(StatusCode::BAD_REQUEST, "InvalidRequest", text);
    }
}

#[tokio::test]
async fn reading_the_console_is_audited() {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    client.create_project("web").await;
    client.create_instance("web", "db").await;
    let uri = "/v1/instances/db/serial-console?project=web";
    client.get(&format!("{uri}&from_start=0&max_bytes=10")).await;
    client.get(uri).await;
    client.get(&uri.replace("db", "none")).await;
    let entries =
        cloud.rule(|cx| Ok(cx.tx.page::<AuditEntry>(ListBy::All, Sort::TimeAsc, None, 100)?)).unwrap();
    let mut found: Vec<_> = entries
        .iter()
        .filter(|entry| entry.operation_id == "instance_serial_console")
        .map(|entry| {
            (status(entry), entry.transferred.map(|bytes| bytes.to_client), entry.instance_id.is_some())
        })
        .collect();
    found.sort_unstable();
    assert_eq!(found, [(200, Some(10), true), (400, None, true), (404, None, false)]);
}

fn status(entry: &AuditEntry) -> u16 {
    match entry.result {
        AuditResult::Success { http_status_code } | AuditResult::Error { http_status_code, .. } => {
            http_status_code
        }
        AuditResult::Unknown => 0,
    }
}

#[tokio::test]
async fn a_stopped_instance_has_no_console() {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    client.create_project("web").await;
    client.create_instance("web", "db").await;
    assert_eq!(client.post("/v1/instances/db/stop?project=web", json!({})).await.status, 202);
    cloud.settle();
    let answer = client.get("/v1/instances/db/serial-console?project=web&from_start=0").await;
    let text = "instance is stopped and has no active serial console server";
    answer.assert_error(StatusCode::BAD_REQUEST, "InvalidRequest", text);
}
