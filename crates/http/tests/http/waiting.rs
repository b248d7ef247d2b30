//! Clients that do not pause between requests: a request that follows a creation waits until the resource is ready.

use std::time::Duration;

use croft_sled::{HypervisorError, simulated::Call, simulated::Timing};
use futures_util::future::{join, join_all};
use jiff::SignedDuration;
use serde_json::{Value, json};

use crate::cloud::{Answer, Client, Cloud};

const GIB: u64 = 1 << 30;
/// How often each sequence of requests is sent.
const TIMES: usize = 200;
/// The number of concurrent clients.
const CLIENTS: usize = 10;

/// Hosts with ordinary delays, and much slower hosts.
fn timings() -> [Timing; 2] {
    [Timing::INSTANT, Timing { disk: SignedDuration::from_secs(1), ..Timing::INSTANT }]
}

fn disk(name: &str, source: &str) -> Value {
    let source = json!({ "type": source, "block_size": 512 });
    json!({ "name": name, "description": "", "size": GIB, "disk_source": source })
}

fn snapshot(name: &str, disk: &str) -> Value {
    json!({ "name": name, "description": "", "disk": disk })
}

fn at(kind: &str, name: &str, step: &str) -> String {
    format!("/v1/{kind}/{name}{step}?project=web")
}

/// Checks the status and the state of the resource in the response.
fn done(answer: &Answer, status: u16, state: &str) {
    assert_eq!(answer.status, status, "{answer:?}");
    if !state.is_empty() {
        let body = answer.json();
        let found = body["state"]["state"].as_str().or_else(|| body["state"].as_str());
        assert_eq!(found, Some(state), "{answer:?}");
    }
}

async fn add_disk(client: &Client<'_>, name: &str, source: &str) {
    let state = if source == "importing_blocks" { "import_ready" } else { "detached" };
    done(&client.post("/v1/disks?project=web", disk(name, source)).await, 201, state);
}

async fn add_snapshot(client: &Client<'_>, name: &str, disk: &str) {
    done(&client.post("/v1/snapshots?project=web", snapshot(name, disk)).await, 201, "ready");
}

async fn remove(client: &Client<'_>, kind: &str, name: &str) {
    done(&client.delete(&at(kind, name, "")).await, 204, "");
}

async fn import(client: &Client<'_>, name: &str) {
    add_disk(client, name, "importing_blocks").await;
    done(&client.post(&at("disks", name, "/bulk-write-start"), json!({})).await, 204, "");
    let block = json!({ "offset": 512, "base64_encoded_data": "A".repeat(683) + "=" });
    done(&client.post(&at("disks", name, "/bulk-write"), block).await, 204, "");
    done(&client.post(&at("disks", name, "/bulk-write-stop"), json!({})).await, 204, "");
    let snapshot = json!({ "snapshot_name": format!("{name}-end") });
    done(&client.post(&at("disks", name, "/finalize"), snapshot).await, 204, "");
    done(&client.get(&at("disks", name, "")).await, 200, "detached");
    remove(client, "disks", name).await;
    remove(client, "snapshots", &format!("{name}-end")).await;
}

async fn start_import(client: &Client<'_>, name: &str) {
    add_disk(client, name, "importing_blocks").await;
    done(&client.post(&at("disks", name, "/bulk-write-start"), json!({})).await, 204, "");
}

async fn delete_disk(client: &Client<'_>, name: &str) {
    add_disk(client, name, "blank").await;
    remove(client, "disks", name).await;
}

async fn delete_snapshot(client: &Client<'_>, name: &str) {
    add_disk(client, name, "blank").await;
    add_snapshot(client, name, name).await;
    remove(client, "snapshots", name).await;
    remove(client, "disks", name).await;
}

/// The quota allows no second snapshot.
async fn replace_snapshot(client: &Client<'_>, name: &str) {
    add_snapshot(client, name, "data").await;
    remove(client, "snapshots", name).await;
}

async fn delete_disk_of_snapshot(client: &Client<'_>, name: &str) {
    add_disk(client, name, "blank").await;
    add_snapshot(client, name, name).await;
    remove(client, "disks", name).await;
    remove(client, "snapshots", name).await;
}

async fn attach(client: &Client<'_>, name: &str) {
    add_disk(client, name, "blank").await;
    let body = json!({ "disk": name });
    let to = |verb| at("instances", "idle", &format!("/disks/{verb}"));
    done(&client.post(&to("attach"), body.clone()).await, 202, "attached");
    done(&client.post(&to("detach"), body).await, 202, "detached");
    remove(client, "disks", name).await;
}

/// Runs the sequence many times in concurrent clients, on fast and slow hosts.
async fn repeatedly(each: impl AsyncFn(&Client<'_>, &str)) {
    for timing in timings() {
        let cloud = Cloud::waiting(timing);
        let client = cloud.with_token();
        client.create_project("web").await;
        let idle = json!({
            "name": "idle", "description": "", "hostname": "idle", "ncpus": 2, "memory": GIB, "start": false,
        });
        done(&client.post("/v1/instances?project=web", idle).await, 201, "");
        let clients = (0..CLIENTS).map(|number| {
            let (client, each) = (&client, &each);
            async move {
                for turn in 0..TIMES / CLIENTS {
                    each(client, &format!("c{number}-{turn}")).await;
                }
            }
        });
        cloud.alongside(join_all(clients)).await;
    }
}

#[tokio::test]
async fn disks_are_imported() {
    repeatedly(async |client, name| import(client, name).await).await;
}

#[tokio::test]
async fn an_import_begins_right_after_its_disk_was_created() {
    repeatedly(async |client, name| start_import(client, name).await).await;
}

#[tokio::test]
async fn a_disk_is_deleted_right_after_it_was_created() {
    repeatedly(async |client, name| delete_disk(client, name).await).await;
}

#[tokio::test]
async fn a_snapshot_is_taken_and_deleted_right_after_its_disk_was_created() {
    repeatedly(async |client, name| delete_snapshot(client, name).await).await;
}

#[tokio::test]
async fn a_disk_is_deleted_right_after_a_snapshot_of_it_was_created() {
    repeatedly(async |client, name| delete_disk_of_snapshot(client, name).await).await;
}

#[tokio::test]
async fn snapshot_succeeds_right_after_a_delete_freed_the_quota() {
    for timing in timings() {
        let cloud = Cloud::waiting(timing);
        let client = cloud.with_token();
        client.create_project("web").await;
        let repeated = async {
            add_disk(&client, "data", "blank").await;
            let quota = json!({ "storage": 2 * GIB });
            done(&client.put("/v1/system/silos/acme/quotas", quota).await, 200, "");
            for turn in 0..TIMES / CLIENTS {
                replace_snapshot(&client, &format!("s{turn}")).await;
            }
        };
        cloud.alongside(repeated).await;
    }
}

#[tokio::test]
async fn a_disk_is_attached_and_detached_right_after_it_was_created() {
    repeatedly(async |client, name| attach(client, name).await).await;
}

/// A cloud with a project, whose disks take four seconds.
async fn slow() -> Cloud {
    let cloud = Cloud::waiting(Timing { disk: SignedDuration::from_secs(4), ..Timing::INSTANT });
    cloud.with_token().create_project("web").await;
    cloud
}

/// A request that is sent before the response to the creation waits as well.
#[tokio::test]
async fn next_operation_waits_for_an_unanswered_creation() {
    let cloud = slow().await;
    let client = cloud.with_token();
    let entries = || {
        let log = cloud.rule(|cx| {
            let all = croft_store::ListBy::All;
            Ok(cx.tx.page::<croft_store::records::AuditEntry>(all, croft_store::Sort::TimeAsc, None, 1000)?)
        });
        log.unwrap().len()
    };
    let before = entries();
    let created = client.post("/v1/disks?project=web", disk("data", "blank"));
    let taken = client.post("/v1/snapshots?project=web", snapshot("shot", "data"));
    let (created, taken) = cloud.alongside(join(created, taken)).await;
    done(&created, 201, "detached");
    done(&taken, 201, "ready");
    let taken = client.post("/v1/snapshots?project=web", snapshot("next", "data"));
    let (next, data) = (at("snapshots", "next", ""), at("disks", "data", ""));
    let gone = join(client.delete(&next), client.delete(&data));
    let (taken, (snapshot_gone, disk_gone)) = cloud.alongside(join(taken, gone)).await;
    done(&taken, 201, "ready");
    done(&snapshot_gone, 204, "");
    done(&disk_gone, 204, "");
    assert_eq!(entries(), before + 5, "one for each request, regardless of how often its rule ran");
}

/// Tools that create resources in parallel take snapshots of disks whose instances are starting or stopping.
#[tokio::test]
async fn a_snapshot_waits_for_the_instance_of_its_disk_to_start() {
    let seconds = SignedDuration::from_secs;
    let cloud = Cloud::waiting(Timing { start: seconds(4), stop: seconds(4), ..Timing::INSTANT });
    let client = cloud.with_token();
    client.create_project("web").await;
    let mut boot = disk("db-boot", "blank");
    boot["type"] = json!("create");
    let instance = json!({
        "name": "db", "description": "", "hostname": "db", "ncpus": 2, "memory": GIB, "boot_disk": boot,
    });
    cloud
        .alongside(async {
            done(&client.post("/v1/instances?project=web", instance).await, 201, "");
            add_snapshot(&client, "starting", "db-boot").await;
            let running = client.get(&at("instances", "db", "")).await;
            assert_eq!(running.json()["run_state"], "running");
            done(&client.post(&at("instances", "db", "/stop"), json!({})).await, 202, "");
            add_snapshot(&client, "stopping", "db-boot").await;
        })
        .await;
}

/// The waiting time for an unreachable host is bounded.
#[tokio::test]
async fn waiting_time_is_bounded() {
    let cloud = slow().await;
    let client = cloud.with_token();
    let unreachable = || HypervisorError::Unreachable("down".to_owned());
    for _ in 0..50 {
        cloud.hypervisor.fail_next(Call::EnsureDisk, unreachable());
    }
    let passing = async {
        loop {
            cloud.clock.advance(Duration::from_secs(1));
            tokio::task::yield_now().await;
        }
    };
    let request = async {
        done(&client.post("/v1/disks?project=web", disk("data", "blank")).await, 201, "creating");
        client.delete(&at("disks", "data", "")).await
    };
    let refused = tokio::select! {
        refused = cloud.alongside(request) => refused,
        () = passing => unreachable!("the loop does not end"),
    };
    let text = "disk cannot be deleted in state \"creating\"";
    refused.assert_error(http::StatusCode::BAD_REQUEST, "InvalidRequest", text);
}
