//! Metrics of provisioned resources, and the server's metrics of itself.

use std::time::Duration;

use croft_http::Clock as _;
use croft_oxql::{
    Source as _, Window,
    model::{Column, FieldValue},
};
use http::StatusCode;
use serde_json::{Value, json};

use crate::cloud::{Client, Cloud};

const GIB: u64 = 1 << 30;
const NAMES: [&str; 3] = ["cpus_provisioned", "ram_provisioned", "virtual_disk_space_provisioned"];
/// A range that includes every value.
const ALWAYS: &str = "start_time=2000-01-01T00:00:00Z&end_time=2100-01-01T00:00:00Z";

/// Returns the values of all pages.
async fn values(client: &Client<'_>, path: &str, query: &str) -> Vec<i64> {
    let items = items(client, path, query).await;
    items.iter().map(|item| item["datum"]["datum"].as_i64().unwrap()).collect()
}

async fn items(client: &Client<'_>, path: &str, query: &str) -> Vec<Value> {
    let mut items = Vec::new();
    let mut uri = format!("{path}?{query}");
    loop {
        let answer = client.get(&uri).await;
        assert_eq!(answer.status, 200, "{uri}: {answer:?}");
        let page = answer.json();
        items.extend(page["items"].as_array().unwrap().iter().cloned());
        match page["next_page"].as_str() {
            Some(token) => uri = format!("{path}?limit=2&page_token={token}"),
            None => return items,
        }
    }
}

/// Returns the latest values of the three metrics of a collection.
async fn latest(client: &Client<'_>, area: &str, of: &str) -> [i64; 3] {
    let mut found = [0; 3];
    for (found, name) in found.iter_mut().zip(NAMES) {
        let path = format!("{area}/metrics/{name}");
        *found = *values(client, &path, &format!("{ALWAYS}{of}")).await.last().unwrap();
    }
    found
}

async fn furnish(client: &Client<'_>, project: &str) {
    client_post(client, "/v1/projects", json!({ "name": project, "description": "" })).await;
    let source = json!({ "type": "blank", "block_size": 512 });
    let disk = json!({ "name": "data", "description": "", "size": GIB, "disk_source": source });
    client_post(client, &format!("/v1/disks?project={project}"), disk).await;
    let instance = json!({
        "name": "db", "description": "", "hostname": "db", "ncpus": 4, "memory": GIB,
        "network_interfaces": { "type": "none" }, "disks": [{ "type": "attach", "name": "data" }],
    });
    client_post(client, &format!("/v1/instances?project={project}"), instance).await;
}

async fn client_post(client: &Client<'_>, path: &str, body: Value) {
    let answer = client.post(path, body).await;
    assert!((201..=202).contains(&answer.status), "{path}: {answer:?}");
}

/// Deletes everything that [`furnish`] created.
async fn clear(cloud: &Cloud, client: &Client<'_>, project: &str) {
    client_post(client, &format!("/v1/instances/db/stop?project={project}"), json!({})).await;
    cloud.settle();
    for path in ["instances/db", "disks/data"] {
        let answer = client.delete(&format!("/v1/{path}?project={project}")).await;
        assert_eq!(answer.status, 204, "{answer:?}");
    }
    cloud.settle();
}

#[tokio::test]
async fn values_follow_provisioned_resources() {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    cloud.measure();
    assert_eq!(latest(&client, "/v1", "").await, [0; 3]);
    assert_eq!(latest(&client, "/v1/system", "").await, [0; 3]);
    let gib = i64::try_from(GIB).unwrap();
    for project in ["one", "two"] {
        furnish(&client, project).await;
        cloud.settle();
        cloud.measure();
        assert_eq!(latest(&client, "/v1", &format!("&project={project}")).await, [4, gib, gib]);
    }
    for (area, of) in [("/v1", ""), ("/v1/system", ""), ("/v1/system", "&silo=acme")] {
        assert_eq!(latest(&client, area, of).await, [8, 2 * gib, 2 * gib], "{area} {of}");
    }
    for project in ["one", "two"] {
        clear(&cloud, &client, project).await;
    }
    cloud.measure();
    for (area, of) in [("/v1", ""), ("/v1/system", ""), ("/v1/system", "&silo=acme"), ("/v1", "&project=one")]
    {
        assert_eq!(latest(&client, area, of).await, [0; 3], "{area} {of}");
    }
    let one = values(&client, "/v1/metrics/cpus_provisioned", &format!("{ALWAYS}&project=one")).await;
    assert_eq!(one, [0, 4, 0], "one value for each change");
    let all = values(&client, "/v1/metrics/cpus_provisioned", ALWAYS).await;
    assert_eq!(all, [0, 4, 8, 4, 0]);
}

#[tokio::test]
async fn replayed_changes_are_counted_once() {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    furnish(&client, "one").await;
    let waiting = cloud.database.read_blocking(|tx| {
        let by = croft_store::ListBy::All;
        tx.page::<croft_store::records::ProvisioningChange>(by, croft_store::Sort::IdAsc, None, 100)
    });
    let waiting = waiting.unwrap();
    assert!(!waiting.is_empty());
    cloud.measure();
    let before = items(&client, "/v1/metrics/cpus_provisioned", ALWAYS).await;
    // As if the server had stopped between recording the changes and removing them from the queue.
    let put_back = cloud.rule(move |cx| {
        for change in &waiting {
            cx.tx.insert(change)?;
        }
        Ok(())
    });
    put_back.unwrap();
    cloud.measure();
    assert_eq!(items(&client, "/v1/metrics/cpus_provisioned", ALWAYS).await, before);
}

#[tokio::test]
async fn pages_keep_order_and_end() {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    client.create_project("web").await;
    for number in 0..6 {
        cloud.clock.advance(Duration::from_secs(1));
        let source = json!({ "type": "blank", "block_size": 512 });
        let disk =
            json!({ "name": format!("d{number}"), "description": "", "size": GIB, "disk_source": source });
        client_post(&client, "/v1/disks?project=web", disk).await;
    }
    cloud.measure();
    let path = "/v1/metrics/virtual_disk_space_provisioned";
    let gibs = |count: i64| count << 30;
    for (order, expected) in [("ascending", [0, 1, 2, 3, 4, 5, 6]), ("descending", [6, 5, 4, 3, 2, 1, 0])] {
        let found = values(&client, path, &format!("{ALWAYS}&project=web&limit=2&order={order}")).await;
        assert_eq!(found, expected.map(gibs), "{order}");
    }
    // The start of a range is inclusive, the end exclusive.
    let times: Vec<String> = items(&client, path, &format!("{ALWAYS}&project=web"))
        .await
        .iter()
        .map(|item| item["timestamp"].as_str().unwrap().to_owned())
        .collect();
    for order in ["ascending", "descending"] {
        let range = format!("start_time={}&end_time={}", times[2], times[5]);
        let found = values(&client, path, &format!("{range}&project=web&limit=1&order={order}")).await;
        assert_eq!(found.len(), 3, "{order}: {found:?}");
    }
    let nothing = format!("start_time={}&end_time={}", times[5], times[5]);
    assert!(values(&client, path, &nothing).await.is_empty());
    let item = &items(&client, path, ALWAYS).await[0];
    assert_eq!(item["datum"], json!({ "type": "i64", "datum": 0 }));
    assert!(item["timestamp"].as_str().unwrap().ends_with('Z'));
}

#[tokio::test]
async fn malformed_requests_are_refused_before_authentication() {
    let cloud = Cloud::new();
    for client in [cloud.anonymous(), cloud.signed_in().await] {
        let ask = async |query: &str| client.get(&format!("/v1/metrics/cpus_provisioned?{query}")).await;
        let start = "unable to parse query string: ";
        ask("").await.assert_unreadable(&format!("{start}missing field `start_time`"));
        let only = "start_time=2000-01-01T00:00:00Z";
        ask(only).await.assert_unreadable(&format!("{start}missing field `end_time`"));
        ask("start_time=today&end_time=tomorrow").await.assert_unreadable_start(start);
        ask(&format!("{ALWAYS}&order=up")).await.assert_unreadable_start(start);
        ask(&format!("{ALWAYS}&limit=0")).await.assert_unreadable_start(start);
        let unknown = client.get(&format!("/v1/metrics/cats?{ALWAYS}")).await;
        unknown.assert_unreadable_start("bad parameter in URL path: ");
    }
}

#[tokio::test]
async fn an_id_of_another_kind_is_not_found() {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    client.create_project("web").await;
    let project = client.get("/v1/projects/web").await.json()["id"].as_str().unwrap().to_owned();
    let silo = client.get("/v1/system/silos/acme").await.json()["id"].as_str().unwrap().to_owned();
    for (path, kind, id) in [
        (format!("/v1/metrics/cpus_provisioned?{ALWAYS}&project={silo}"), "project", &silo),
        (format!("/v1/system/metrics/cpus_provisioned?{ALWAYS}&silo={project}"), "silo", &project),
    ] {
        let text = format!("not found: {kind} with id \"{id}\"");
        client.get(&path).await.assert_error(StatusCode::NOT_FOUND, "ObjectNotFound", &text);
    }
}

#[tokio::test]
async fn list_may_start_with_the_current_value() {
    let cloud = Cloud::with_rules(croft_control::Settings {
        metrics_begin_with_value: true,
        ..croft_control::Settings::default()
    });
    let client = cloud.signed_in().await;
    furnish(&client, "web").await;
    cloud.measure();
    cloud.clock.advance(Duration::from_mins(1));
    let start = cloud.clock.now();
    let path = "/v1/metrics/cpus_provisioned";
    let range = format!("start_time={start}&end_time=2100-01-01T00:00:00Z&project=web");
    let found = items(&client, path, &range).await;
    assert_eq!(found.len(), 1);
    assert_eq!((&found[0]["timestamp"], &found[0]["datum"]["datum"]), (&json!(start), &json!(4)));
    assert!(values(&client, path, &format!("{range}&order=descending")).await.is_empty());
    let before = "start_time=2000-01-01T00:00:00Z&end_time=2100-01-01T00:00:00Z&project=web";
    assert_eq!(values(&client, path, before).await, [0, 4]);
}

#[tokio::test]
async fn the_server_measures_itself() {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    for path in ["/v1/projects", "/v1/projects", "/v1/projects/none"] {
        client.get(path).await;
    }
    cloud.measure();
    let telemetry = &cloud.app.parts.telemetry;
    let name = "http_service:request_latency_histogram".parse().unwrap();
    let schema = telemetry.schema(&name).unwrap().unwrap();
    assert_eq!(
        telemetry.stored_schemas(None, 100).unwrap().iter().filter(|known| known.name == name).count(),
        1
    );
    let counted = |operation: &str, status: u16| {
        let field = |name| schema.field(name).unwrap();
        let equal = [
            (field("operation_id"), FieldValue::from(operation)),
            (field("status_code"), FieldValue::from(status)),
        ];
        let series = telemetry.series(&schema, &equal).unwrap();
        let points = telemetry.points(&schema, series.first()?, &Window::ALL, 1000).unwrap();
        let Column::IntegerDistribution(values) = points.values else { panic!("{points:?}") };
        Some(values.last()?.as_ref()?.counts.iter().sum::<u64>())
    };
    assert_eq!(counted("project_list", 200), Some(2));
    assert_eq!(counted("project_view", 404), Some(1));
    assert_eq!(counted("project_view", 200), None);
}

#[tokio::test]
async fn running_machines_are_measured_and_stopped_ones_are_not() {
    let cloud = Cloud::new();
    let client = cloud.signed_in().await;
    furnish(&client, "web").await;
    cloud.settle();
    for _ in 0..4 {
        cloud.clock.advance(Duration::from_secs(5));
        cloud.settle();
        cloud.measure();
    }
    let telemetry = &cloud.app.parts.telemetry;
    let instance = client.get("/v1/instances/db?project=web").await.json();
    let id: croft_api::Uuid = instance["id"].as_str().unwrap().parse().unwrap();
    let points = |name: &str, by: &str| {
        let schema = telemetry.schema(&name.parse().unwrap()).unwrap().unwrap();
        let equal = [(schema.field(by).unwrap(), FieldValue::from(id))];
        let all = telemetry.series(&schema, &equal).unwrap();
        let points = |series| telemetry.points(&schema, series, &Window::ALL, 1000).unwrap();
        all.iter().map(points).collect::<Vec<_>>()
    };
    let cpus = points("virtual_machine:vcpu_usage", "instance_id");
    assert_eq!(cpus.len(), 4 * 4, "four states of each of four vCPUs");
    assert_eq!(cpus[0].len(), 4, "every five seconds");
    let disks = points("virtual_disk:bytes_read", "attached_instance_id");
    assert_eq!((disks.len(), disks[0].len()), (1, 2), "every ten seconds");
    let latencies = points("virtual_disk:io_latency", "attached_instance_id");
    assert_eq!(latencies.len(), 3, "reading, writing, making durable");
    let checks = points("virtual_machine:check", "instance_id");
    assert_eq!(checks.len(), 1);

    client_post(&client, "/v1/instances/db/stop?project=web", json!({})).await;
    cloud.settle();
    for _ in 0..4 {
        cloud.clock.advance(Duration::from_secs(5));
        cloud.settle();
        cloud.measure();
    }
    assert_eq!(points("virtual_machine:vcpu_usage", "instance_id")[0].len(), 4, "no values were added");
    let start = cpus[0].start_times.clone().unwrap()[0];
    client_post(&client, "/v1/instances/db/start?project=web", json!({})).await;
    cloud.settle();
    cloud.clock.advance(Duration::from_secs(5));
    cloud.measure();
    let again = points("virtual_machine:vcpu_usage", "instance_id");
    let starts = again[0].start_times.clone().unwrap();
    assert!(starts.len() == 5 && starts[4] > again[0].timestamps[3] && starts[3] == start, "{starts:?}");
}
