//! Concurrent requests on a database with a writer thread: the second request sees what the first has committed
//! (`docs/rules/networking.md#races`).

use std::{
    future::Future,
    sync::{Barrier, LazyLock},
    thread,
};

use http::Method;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{bad, check_network_invariants, create, delete, done, missing, text_of};
use crate::cloud::{Answer, Client, Cloud, SILO};

const ROUNDS: usize = 12;
const WITHIN: &str = "project=web&vpc=default";

/// Status, code and message of an error.
type Refusal = (u16, String, String);

fn runtime() -> &'static tokio::runtime::Runtime {
    static RUNTIME: LazyLock<tokio::runtime::Runtime> =
        LazyLock::new(|| tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap());
    &RUNTIME
}

/// Blocks the calling thread until the future completes.
fn wait<T>(future: impl Future<Output = T>) -> T {
    runtime().block_on(future)
}

/// A cloud on a file, with a project `web`.
fn web() -> (Cloud, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    let options = croft_store::SqliteOptions::new(folder.path().join("croft.db"));
    let database = croft_store::Database::sqlite(&options, &croft_store::schema::CROFT).unwrap();
    let cloud = Cloud::on(database, croft_http::Settings::default());
    wait(cloud.with_token().create_project("web"));
    (cloud, folder)
}

struct Request {
    method: Method,
    uri: String,
    body: String,
}

fn post(uri: &str, body: &Value) -> Request {
    Request { method: Method::POST, uri: uri.to_owned(), body: body.to_string() }
}

fn remove(uri: &str) -> Request {
    Request { method: Method::DELETE, uri: uri.to_owned(), body: String::new() }
}

/// Sends all requests at the same time, each from its own thread.
fn race(client: &Client<'_>, requests: &[Request]) -> Vec<Answer> {
    let start = Barrier::new(requests.len());
    let send = |request: &Request| {
        start.wait();
        wait(client.send(request.method.clone(), &request.uri, request.body.clone()))
    };
    thread::scope(|scope| {
        let threads: Vec<_> = requests.iter().map(|request| scope.spawn(|| send(request))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

/// Returns the error of a refused request.
fn refusal_of(answer: &Answer) -> Refusal {
    let (status, code, message) = answer.error();
    (status, code.unwrap_or_default(), message)
}

/// Alternates the order of two requests, because the thread that starts first wins more often.
fn in_turn(round: usize, one: Request, other: Request) -> ([Request; 2], [usize; 2]) {
    if round.is_multiple_of(2) { ([one, other], [0, 1]) } else { ([other, one], [1, 0]) }
}

/// Races a creation against a deletion. One of them succeeds and the other is refused with the expected error. Returns
/// whether the creation succeeded.
fn creation_succeeded(
    cloud: &Cloud,
    round: usize,
    (creation, late): (Request, &Refusal),
    (deletion, held): (Request, &Refusal),
) -> bool {
    let client = cloud.with_token();
    let (requests, [creation, deletion]) = in_turn(round, creation, deletion);
    let answers = race(&client, &requests);
    let (created, deleted) = (&answers[creation], &answers[deletion]);
    check_network_invariants(cloud);
    if created.status == 201 {
        assert_eq!(refusal_of(deleted), *held);
        true
    } else {
        assert_eq!((refusal_of(created), deleted.status), (late.clone(), 204));
        false
    }
}

fn named(name: &str) -> Value {
    json!({ "name": name, "description": "" })
}

#[test]
fn gateway_delete_races_with_attach() {
    let (cloud, _folder) = web();
    let client = cloud.with_token();
    let gateways = format!("/v1/internet-gateways?{WITHIN}");
    let gateway = format!("/v1/internet-gateways/east?{WITHIN}");
    let gone = missing("internet-gateway with name \"east\"");
    for round in 0..ROUNDS {
        wait(create(&client, &gateways, named("east")));
        let (of, what, field, value) = if round % 4 < 2 {
            ("internet-gateway-ip-pools", "pools", "ip_pool", "default")
        } else {
            ("internet-gateway-ip-addresses", "addresses", "address", "192.0.2.1")
        };
        let mut body = named("way");
        body[field] = json!(value);
        let attach = post(&format!("/v1/{of}?{WITHIN}&gateway=east"), &body);
        let text = format!(
            "Ip {what} referencing this gateway exist. To perform a cascading delete set the cascade option"
        );
        if creation_succeeded(&cloud, round, (attach, &gone), (remove(&gateway), &bad(&text))) {
            wait(delete(&client, &format!("{gateway}&cascade=true")));
        }
    }
}

#[test]
fn gateway_cascade_delete_races_with_attach() {
    let (cloud, _folder) = web();
    let client = cloud.with_token();
    let gateway = format!("/v1/internet-gateways/east?{WITHIN}&cascade=true");
    for round in 0..ROUNDS {
        wait(create(&client, &format!("/v1/internet-gateways?{WITHIN}"), named("east")));
        let mut body = named("way");
        body["ip_pool"] = json!("default");
        let attach = post(&format!("/v1/internet-gateway-ip-pools?{WITHIN}&gateway=east"), &body);
        let (requests, [attach, removal]) = in_turn(round, attach, remove(&gateway));
        let answers = race(&client, &requests);
        assert_eq!(answers[removal].status, 204, "{answers:?}");
        if answers[attach].status != 201 {
            assert_eq!(refusal_of(&answers[attach]), missing("internet-gateway with name \"east\""));
        }
        check_network_invariants(&cloud);
    }
}

#[test]
fn range_removal_races_with_allocation() {
    let (cloud, _folder) = web();
    let client = cloud.with_token();
    let pool = "/v1/system/ip-pools/tiny";
    let range = json!({ "first": "203.0.113.7", "last": "203.0.113.7" });
    wait(create(&client, "/v1/system/ip-pools", named("tiny")));
    wait(create(&client, &format!("{pool}/silos"), json!({ "silo": SILO, "is_default": false })));
    let names = ["one", "two", "three"];
    let address = |name: &str| {
        let mut body = named(name);
        body["pool"] = json!("tiny");
        post("/v1/floating-ips?project=web", &body)
    };
    let held = bad("IP pool ranges cannot be deleted while external IP addresses are allocated from them");
    for round in 0..ROUNDS {
        wait(create(&client, &format!("{pool}/ranges/add"), range.clone()));
        let mut requests: Vec<_> = names.map(address).into();
        let removal = round % (names.len() + 1);
        requests.insert(removal, post(&format!("{pool}/ranges/remove"), &range));
        let mut answers = race(&client, &requests);
        let removed = answers.remove(removal);
        let (created, refused): (Vec<_>, Vec<_>) = answers.iter().partition(|answer| answer.status == 201);
        for answer in refused {
            let (status, code, message) = refusal_of(answer);
            assert_eq!((status, &*code), (507, "InsufficientCapacity"), "{message}");
            assert!(message.contains("No external IP addresses available"), "{message}");
        }
        check_network_invariants(&cloud);
        match &created[..] {
            [] => assert_eq!(removed.status, 204, "{removed:?}"),
            [created] => {
                assert_eq!(
                    (&created.json()["ip"], refusal_of(&removed)),
                    (&json!("203.0.113.7"), held.clone())
                );
                let name = text_of(&created.json(), "name");
                wait(delete(&client, &format!("/v1/floating-ips/{name}?project=web")));
                wait(done(&client, Method::POST, &format!("{pool}/ranges/remove"), range.clone(), 204));
            }
            more => panic!("one address was given out {} times", more.len()),
        }
        check_network_invariants(&cloud);
    }
}

#[test]
fn subnet_delete_races_with_interface_creation() {
    let (cloud, _folder) = web();
    let client = cloud.with_token();
    let machine = json!({
        "name": "db", "description": "", "hostname": "db", "ncpus": 1, "memory": 1_u64 << 30, "start": false,
    });
    wait(create(&client, "/v1/instances?project=web", machine));
    let block = json!({ "name": "inner", "description": "", "ipv4_block": "172.30.64.0/24" });
    let interface = json!({
        "name": "second", "description": "", "vpc_name": "default", "subnet_name": "inner",
    });
    let gone = missing("vpc-subnet with name \"inner\"");
    let held = bad("VPC Subnet cannot be deleted while network interfaces in the subnet exist");
    let subnet = format!("/v1/vpc-subnets/inner?{WITHIN}");
    for round in 0..ROUNDS {
        wait(create(&client, &format!("/v1/vpc-subnets?{WITHIN}"), block.clone()));
        let come = post("/v1/network-interfaces?project=web&instance=db", &interface);
        if creation_succeeded(&cloud, round, (come, &gone), (remove(&subnet), &held)) {
            wait(delete(&client, "/v1/network-interfaces/second?project=web&instance=db"));
            wait(delete(&client, &subnet));
        }
    }
    check_network_invariants(&cloud);
}
