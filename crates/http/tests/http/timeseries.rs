//! Queries of timeseries.

use std::time::Duration;

use http::StatusCode;
use serde_json::{Value, json};

use crate::cloud::{Answer, Client, Cloud};

/// A cloud in which two instances of one project have run for a while.
async fn measured() -> Cloud {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    for project in ["web", "empty"] {
        client.create_project(project).await;
    }
    for name in ["db", "front"] {
        client.create_instance("web", name).await;
    }
    for _ in 0..6 {
        cloud.clock.advance(Duration::from_secs(10));
        cloud.measure();
    }
    cloud
}

async fn ask(client: &Client<'_>, path: &str, query: &str) -> Answer {
    client.post(path, json!({ "query": query })).await
}

/// Returns names and numbers of timeseries of the tables in a response.
fn tables(answer: &Answer) -> Vec<(String, usize)> {
    assert_eq!(answer.status, 200, "{answer:?}");
    let answer = answer.json();
    let one = |table: &Value| {
        (table["name"].as_str().unwrap().to_owned(), table["timeseries"].as_object().unwrap().len())
    };
    answer["tables"].as_array().unwrap().iter().map(one).collect()
}

const SYSTEM: &str = "/v1/system/timeseries/query";
const WEB: &str = "/v1/timeseries/query?project=web";
/// The usage of the first vCPU of each instance.
const USAGE: &str = "get virtual_machine:vcpu_usage | filter state == \"run\" && vcpu_id == 0";

fn usage(series: usize) -> Vec<(String, usize)> {
    vec![("virtual_machine:vcpu_usage".to_owned(), series)]
}

#[tokio::test]
async fn project_query_returns_its_instances() {
    let cloud = measured().await;
    let client = cloud.signed_in().await;
    assert_eq!(tables(&ask(&client, WEB, USAGE).await), usage(2));
    assert_eq!(tables(&ask(&client, "/v1/timeseries/query?project=empty", USAGE).await), usage(0));
    let sum = format!("{USAGE} | align mean_within(10s) | group_by [project_id], sum");
    let answer = ask(&client, WEB, &sum).await;
    assert_eq!(tables(&answer), usage(1));
    let answer = answer.json();
    let series = answer["tables"][0]["timeseries"].as_object().unwrap().values().next().unwrap();
    assert!(series["fields"].as_object().unwrap().keys().eq(["project_id"]), "{series}");
    assert_eq!(series["points"]["start_times"], Value::Null);
    let both = format!("{{ {USAGE} | last 1; get virtual_disk:bytes_read | first 2 }}");
    assert_eq!(
        tables(&ask(&client, WEB, &both).await),
        [usage(2), vec![("virtual_disk:bytes_read".to_owned(), 2)]].concat()
    );
}

#[tokio::test]
async fn project_query_requires_an_existing_project() {
    let cloud = measured().await;
    let client = cloud.signed_in().await;
    ask(&client, "/v1/timeseries/query", USAGE)
        .await
        .assert_unreadable_start("unable to parse query string: ");
    ask(&client, "/v1/timeseries/query?project=nowhere", USAGE).await.assert_error(
        StatusCode::NOT_FOUND,
        "ObjectNotFound",
        "not found: project with name \"nowhere\"",
    );
    client.post(WEB, json!({})).await.assert_unreadable_start("unable to parse JSON body: ");
    let (status, code, text) = ask(&client, WEB, "get collection_target:cpus_provisioned").await.error();
    assert_eq!((status, code.as_deref()), (400, Some("InvalidRequest")));
    assert!(text.contains("[\"silo_id\"]"), "{text}");
}

#[tokio::test]
async fn fleet_query_returns_all_timeseries() {
    let cloud = measured().await;
    let client = cloud.with_token();
    assert_eq!(tables(&ask(&client, SYSTEM, USAGE).await), usage(2));
    let requests =
        "get http_service:request_latency_histogram | filter operation_id == 'instance_create' | last 1";
    let answer = ask(&client, SYSTEM, requests).await;
    let histogram =
        answer.json()["tables"][0]["timeseries"].as_object().unwrap().values().next().unwrap().clone();
    let values = &histogram["points"]["values"][0]["values"];
    assert_eq!(values["type"], "integer_distribution");
    let counts = values["values"][0]["counts"].as_array().unwrap().iter().filter_map(Value::as_u64);
    assert_eq!(counts.sum::<u64>(), 2);
    let nothing =
        "get virtual_machine:vcpu_usage | filter instance_id == \"00000000-0000-4000-8000-000000000000\"";
    let answer = ask(&client, SYSTEM, nothing).await;
    assert_eq!(
        answer.json(),
        json!({ "tables": [{ "name": "virtual_machine:vcpu_usage", "timeseries": {} }] })
    );
    for (query, start) in [
        ("get no:such | last 1", "Timeseries not found for: no:such"),
        ("get virtual_machine:vcpu_usage", "This query requires at least one full table scan."),
        ("gets", "Error at 1:1: .. gets ..\n"),
    ] {
        let (status, code, text) = ask(&client, SYSTEM, query).await.error();
        assert_eq!((status, code.as_deref()), (400, Some("InvalidRequest")), "{text}");
        assert!(text.starts_with(start), "{text}");
    }
}

#[tokio::test]
async fn schemas_are_paginated() {
    let cloud = measured().await;
    let client = cloud.with_token();
    let (mut names, mut uri) = (Vec::new(), "/v1/system/timeseries/schemas?limit=3".to_owned());
    loop {
        let answer = client.get(&uri).await;
        assert_eq!(answer.status, 200, "{answer:?}");
        let page = answer.json();
        let items = page["items"].as_array().unwrap();
        assert!(items.len() <= 3);
        names.extend(items.iter().map(|item| item["timeseries_name"].as_str().unwrap().to_owned()));
        match page["next_page"].as_str() {
            Some(token) => uri = format!("/v1/system/timeseries/schemas?limit=3&page_token={token}"),
            None => break,
        }
    }
    assert!(names.is_sorted_by(|one, next| one < next), "{names:?}");
    for name in ["http_service:request_latency_histogram", "virtual_machine:vcpu_usage"] {
        assert!(names.iter().any(|found| found == name), "{name} is not among {names:?}");
    }
    let all = client.get("/v1/system/timeseries/schemas").await.json();
    assert_eq!(all["items"].as_array().unwrap().len(), names.len());
}

/// The sum of all values in the first table of a response.
fn total(answer: &Answer) -> u64 {
    assert_eq!(answer.status, 200, "{answer:?}");
    let answer = answer.json();
    let series = answer["tables"][0]["timeseries"].as_object().unwrap().values();
    let values =
        series.flat_map(|series| series["points"]["values"][0]["values"]["values"].as_array().unwrap());
    values.filter_map(Value::as_u64).sum()
}

#[tokio::test]
async fn guest_incidents_and_collector_runs_are_counted() {
    let cloud = measured().await;
    let client = cloud.with_token();
    let resets = "get virtual_machine:reset | filter silo_id != \"00000000-0000-4000-8000-000000000000\"";
    assert_eq!(total(&ask(&client, SYSTEM, resets).await), 0);
    assert_eq!(client.post("/v1/instances/db/reboot?project=web", json!({})).await.status, 202);
    for _ in 0..6 {
        cloud.clock.advance(Duration::from_secs(10));
        cloud.settle();
        cloud.measure();
    }
    assert_eq!(total(&ask(&client, SYSTEM, resets).await), 1);
    let reboots = format!("{resets} | last 1");
    assert_eq!(tables(&ask(&client, WEB, &reboots).await), [("virtual_machine:reset".to_owned(), 2)]);
    let own = "get telemetry_collector:collections | filter base_route == 'machines'";
    // Twelve runs, of which the first and the seventh reported the counter.
    assert_eq!(total(&ask(&client, SYSTEM, own).await), 7);
    let failed = "get telemetry_collector:failed_collections | filter base_route == 'machines'";
    assert_eq!(total(&ask(&client, SYSTEM, failed).await), 0);
    let retries = "get database_transaction:retry_data | filter attempt == 1";
    assert_eq!(total(&ask(&client, SYSTEM, retries).await), 0);
}
