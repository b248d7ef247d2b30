//! A batch survives kills of the server: each item runs once, and its result is kept.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::program::Server;

const ARGUMENTS: [&str; 2] = ["--simulated-speed", "100"];
const BATCHES: &str = "/experimental/v1/batches";
const DISKS: usize = 40;
const ITEMS: usize = 1000;

/// Sends a request of the administrator, which must succeed. Returns the body.
fn ask(server: &Server, cookie: &str, method: &str, uri: &str, body: &Value) -> Value {
    let request = server.request(method, uri).header("cookie", cookie);
    let request = if body.is_null() { request } else { request.body(body) };
    let answer = request.send();
    assert!((200..300).contains(&answer.status), "{answer:?}");
    answer.json()
}

fn count(batch: &Value, of: &str) -> u64 {
    batch[of].as_u64().unwrap()
}

fn ended_items(batch: &Value) -> u64 {
    count(batch, "succeeded") + count(batch, "failed")
}

#[test]
fn batch_resumes_after_kills_without_repeating_items() {
    let mut server = Server::start(&ARGUMENTS);
    let cookie = server.sign_in(&server.password());
    ask(&server, &cookie, "POST", "/v1/projects", &json!({ "name": "web", "description": "" }));
    let source = json!({ "type": "blank", "block_size": 512 });
    let disks: Vec<String> = (0..DISKS)
        .map(|number| {
            let disk = json!({
                "name": format!("d{number}"), "description": "", "size": 1_u64 << 30, "disk_source": source,
            });
            let created = ask(&server, &cookie, "POST", "/v1/disks?project=web", &disk);
            created["id"].as_str().unwrap().to_owned()
        })
        .collect();
    // The disks are spread among unknown IDs, so that some of them are deleted after each kill.
    let items: Vec<Value> = (0..ITEMS)
        .map(|position| {
            let disk = (position % (ITEMS / DISKS) == 0).then(|| disks[position / (ITEMS / DISKS)].clone());
            let unknown = format!("11111111-2222-4333-8444-{position:012}");
            json!({ "target_id": disk.unwrap_or(unknown) })
        })
        .collect();
    let create = json!({ "idempotency_key": "key", "operation": "disk_delete", "items": items });
    let batch = ask(&server, &cookie, "POST", BATCHES, &create)["id"].as_str().unwrap().to_owned();
    let view = |server: &Server| ask(server, &cookie, "GET", &format!("{BATCHES}/{batch}"), &Value::Null);
    let mut kills_within = 0;
    for least in [1, 150, 400, 700, 900] {
        let seen = loop {
            let seen = view(&server);
            if ended_items(&seen) >= least {
                break seen;
            }
            std::thread::yield_now();
        };
        kills_within += u32::from(seen["time_finished"].is_null());
        server = Server::start_in(server.killed(), &ARGUMENTS);
        let found = view(&server);
        for of in ["succeeded", "failed"] {
            assert!(count(&found, of) >= count(&seen, of), "{seen} became {found}");
        }
        let again = ask(&server, &cookie, "POST", BATCHES, &create);
        assert_eq!(again["id"], found["id"], "the same key returns the same batch");
    }
    assert!(kills_within > 0, "the batch ended before the first kill");
    let done = loop {
        let seen = view(&server);
        if !seen["time_finished"].is_null() {
            break seen;
        }
        std::thread::yield_now();
    };
    assert_eq!(
        (count(&done, "succeeded"), count(&done, "failed")),
        (DISKS as u64, (ITEMS - DISKS) as u64),
        "{done}"
    );
    let left = ask(&server, &cookie, "GET", "/v1/disks?project=web", &Value::Null);
    assert_eq!(left["items"], json!([]));
    let log = "/v1/system/audit-log?start_time=2020-01-01T00:00:00Z&limit=10000";
    let log = ask(&server, &cookie, "GET", log, &Value::Null);
    let entries = log["items"].as_array().unwrap().iter();
    let uris: Vec<&str> = entries
        .filter(|entry| entry["operation_id"] == "disk_delete")
        .map(|entry| entry["request_uri"].as_str().unwrap())
        .collect();
    assert_eq!(uris.len(), ITEMS, "one entry for each item");
    assert_eq!(uris.iter().collect::<BTreeSet<_>>().len(), ITEMS);
}
