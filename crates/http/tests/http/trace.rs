//! The trace of a packet through a VPC, as the console requests it.

use http::StatusCode;
use proptest::prelude::*;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::cloud::{Answer, Client, Cloud};

const TRACE: &str = "/experimental/v1/vpcs/default/trace?project=web";

/// A project with two instances in its VPC, `web` and `db`.
async fn cloud() -> Cloud {
    let cloud = Cloud::new();
    let admin = cloud.with_token();
    admin.create_project("web").await;
    for name in ["web", "db"] {
        add_instance(&admin, "web", name).await;
    }
    cloud
}

async fn add_instance(admin: &Client<'_>, project: &str, name: &str) -> Uuid {
    let body = json!({
        "name": name, "description": "", "hostname": name, "ncpus": 1, "memory": 1_u64 << 30, "start": false,
    });
    let answer = admin.post(&format!("/v1/instances?project={project}"), body).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    answer.json()["id"].as_str().unwrap().parse().unwrap()
}

fn instance(name: &str) -> Value {
    json!({ "type": "instance", "value": name })
}

fn ip(ip: &str) -> Value {
    json!({ "type": "ip", "value": ip })
}

fn tcp(source: Value, destination: Value, port: u16) -> Value {
    json!({ "source": source, "destination": destination, "protocol": "tcp", "port": port })
}

async fn ask(cloud: &Cloud, body: Value) -> Answer {
    cloud.with_token().post(TRACE, body).await
}

async fn trace(cloud: &Cloud, body: Value) -> Value {
    let answer = ask(cloud, body).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()
}

/// Returns verdict and summary of a trace.
async fn verdict_of(cloud: &Cloud, body: Value) -> (String, String) {
    let trace = trace(cloud, body).await;
    let results: Vec<_> = trace["steps"].as_array().unwrap().iter().map(|step| &step["result"]).collect();
    let (last, before) = results.split_last().unwrap();
    assert!(before.iter().all(|result| *result == "passed"), "{trace}");
    let verdict = trace["verdict"].as_str().unwrap().to_owned();
    assert_eq!(**last, if verdict == "allowed" { "passed" } else { &verdict }, "{trace}");
    (verdict, trace["summary"].as_str().unwrap().to_owned())
}

fn denied(summary: &str) -> (String, String) {
    ("denied".to_owned(), summary.to_owned())
}

fn allowed(summary: &str) -> (String, String) {
    ("allowed".to_owned(), summary.to_owned())
}

fn unreachable(summary: &str) -> (String, String) {
    ("unreachable".to_owned(), summary.to_owned())
}

async fn add_rule(cloud: &Cloud, rule: Value) {
    let (admin, path) = (cloud.with_token(), "/v1/vpc-firewall-rules?vpc=default&project=web");
    let mut rules = admin.get(path).await.json()["rules"].as_array().unwrap().clone();
    rules.push(rule);
    let answer = admin.put(path, json!({ "rules": rules })).await;
    assert_eq!(answer.status, 200, "{answer:?}");
}

/// Attaches a custom router to the subnet.
async fn add_router(cloud: &Cloud) {
    let admin = cloud.with_token();
    let router = json!({ "name": "custom", "description": "" });
    let answer = admin.post("/v1/vpc-routers?vpc=default&project=web", router).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    let path = "/v1/vpc-subnets/default?vpc=default&project=web";
    assert_eq!(admin.put(path, json!({ "custom_router": "custom" })).await.status, 200);
}

async fn add_route(cloud: &Cloud, name: &str, destination: &str, target: Value) {
    let destination = json!({ "type": "ip_net", "value": destination });
    let route = json!({ "name": name, "description": "", "destination": destination, "target": target });
    let path = "/v1/vpc-router-routes?router=custom&vpc=default&project=web";
    let answer = cloud.with_token().post(path, route).await;
    assert_eq!(answer.status, 201, "{answer:?}");
}

#[tokio::test]
async fn each_step_names_the_deciding_rule_or_route() {
    let cloud = cloud().await;
    let answer = trace(&cloud, tcp(instance("web"), instance("db"), 5432)).await;
    let admin = cloud.with_token();
    let mut interfaces = Vec::new();
    for name in ["web", "db"] {
        let path = format!("/v1/network-interfaces?project=web&instance={name}");
        let found = admin.get(&path).await.json()["items"][0].clone();
        let instance = json!({ "id": found["instance_id"], "name": name });
        interfaces
            .push(json!({ "id": found["id"], "name": "net0", "ip": found["ip"], "instance": instance }));
    }
    let subnet = admin.get("/v1/vpc-subnets/default?vpc=default&project=web").await.json();
    let vpc = admin.get("/v1/vpcs/default?project=web").await.json();
    // No operation shows these IDs, so only their format is checked.
    let (rule, route) = (answer["steps"][4]["rule"].clone(), answer["steps"][2]["route"].clone());
    assert_eq!((&rule["name"], &route["name"]), (&json!("allow-internal-inbound"), &json!("default")));
    assert_eq!(route["router"], json!({ "id": vpc["system_router_id"], "name": "system" }));
    for id in [&rule["id"], &route["id"]] {
        id.as_str().unwrap().parse::<Uuid>().unwrap();
    }
    let step = |kind: &str, text: &str, about: Value| {
        let mut step = json!({
            "kind": kind, "result": "passed", "text": text, "rule": null, "route": null, "gateway": null,
            "subnet": null, "interface": null, "address": null,
        });
        for (field, value) in about.as_object().unwrap() {
            step[field] = value.clone();
        }
        step
    };
    let (sender, receiver) = (&interfaces[0], &interfaces[1]);
    let expected = json!({
        "verdict": "allowed",
        "summary": "Allowed: the inbound rule allow-internal-inbound (priority 65534) allows it, and it reaches the \
                    interface net0 of db.",
        "source": "172.30.0.5",
        "destination": "172.30.0.6",
        "steps": [
            step("source_check", "The address 172.30.0.5 is that of the interface net0 of web.", json!({ "interface": sender })),
            step(
                "outbound_firewall",
                "No outbound rule for the interface net0 of web matches, and outbound packets are allowed by default.",
                json!({ "interface": sender }),
            ),
            step(
                "route",
                "The route default of the router system sends 172.30.0.0/22 to the subnet default.",
                json!({ "route": route, "subnet": { "id": subnet["id"], "name": "default" } }),
            ),
            step("destination_check", "The address 172.30.0.6 is that of the interface net0 of db.", json!({ "interface": receiver })),
            step(
                "inbound_firewall",
                "The inbound rule allow-internal-inbound (priority 65534) allows it.",
                json!({ "interface": receiver, "rule": rule }),
            ),
            step("delivery", "It reaches the interface net0 of db.", json!({ "interface": receiver })),
        ],
    });
    assert_eq!(answer, expected);
}

#[tokio::test]
async fn packets_within_the_vpc_are_traced() {
    let cloud = cloud().await;
    let body = || tcp(instance("web"), instance("db"), 5432);
    let rule = json!({
        "name": "deny-db", "description": "", "status": "enabled", "direction": "inbound", "priority": 10,
        "targets": [instance("db")], "filters": { "ports": ["5000-6000"] }, "action": "deny",
    });
    add_rule(&cloud, rule).await;
    let expected = denied("Denied: the inbound rule deny-db (priority 10) denies it.");
    assert_eq!(verdict_of(&cloud, body()).await, expected);
    let by_id = trace(&cloud, body()).await["steps"][0]["interface"].clone();
    let from = json!({ "type": "interface", "value": by_id["id"] });
    assert_eq!(verdict_of(&cloud, tcp(from, ip("172.30.0.6"), 5432)).await, expected);
    let from = json!({ "type": "instance", "value": by_id["instance"]["id"] });
    assert_eq!(verdict_of(&cloud, tcp(from, instance("db"), 5432)).await, expected);
    assert_eq!(verdict_of(&cloud, tcp(ip("172.30.0.5"), instance("db"), 5432)).await, expected);
    assert_eq!(verdict_of(&cloud, tcp(instance("web"), instance("db"), 80)).await.0, "allowed");

    let mut forged = body();
    forged["source_ip"] = json!("172.30.0.9");
    let text = "Denied: the interface net0 of web may not send from 172.30.0.9: it is neither the \
                interface's address nor in its \
                transit IPs.";
    assert_eq!(verdict_of(&cloud, forged).await, denied(text));
    let text = "Unreachable: no interface of the VPC has the address 172.30.0.9.";
    assert_eq!(verdict_of(&cloud, tcp(instance("web"), ip("172.30.0.9"), 80)).await, unreachable(text));
    let text = "Unreachable: the route leads back to the interface net0 of web, which sent it.";
    assert_eq!(verdict_of(&cloud, tcp(instance("web"), instance("web"), 80)).await, unreachable(text));
    let icmp = json!({ "source": instance("web"), "destination": instance("db"), "protocol": "icmp" });
    let text = "Allowed: the inbound rule allow-icmp (priority 65534) allows it, and it reaches the interface net0 of db.";
    assert_eq!(verdict_of(&cloud, icmp).await, allowed(text));
    let other = json!({ "source": instance("web"), "destination": instance("db"), "protocol": "other" });
    assert!(verdict_of(&cloud, other).await.1.contains("allow-internal-inbound"));
}

#[tokio::test]
async fn packets_from_and_to_outside_are_traced() {
    let cloud = cloud().await;
    let admin = cloud.with_token();
    let out = || json!({ "source": instance("web"), "destination": ip("192.0.2.7"), "protocol": "udp", "port": 53 });
    let answer = trace(&cloud, out()).await;
    assert_eq!(answer["summary"], "Allowed: it leaves the VPC through the gateway default as 10.128.0.10.");
    let texts: Vec<_> = answer["steps"].as_array().unwrap().iter().map(|step| step["text"].clone()).collect();
    assert_eq!(
        texts[2..],
        [
            "The route default-v4 of the router system sends 0.0.0.0/0 to the internet gateway default.",
            "The gateway default lets packets out with the shared address 10.128.0.10 of web.",
            "The source address 172.30.0.5 becomes 10.128.0.10, ports 0 to 16383.",
            "It leaves the VPC; its further path is unknown.",
        ]
    );
    assert_eq!(answer["steps"][3]["gateway"]["name"], "default");
    assert_eq!(answer["steps"][4]["address"], "10.128.0.10");

    let inwards = || tcp(ip("192.0.2.7"), instance("db"), 22);
    let text = "Unreachable: only floating and ephemeral IPs of the VPC can be reached from outside, and \
                172.30.0.6 is neither.";
    assert_eq!(verdict_of(&cloud, inwards()).await, unreachable(text));
    let text =
        "Unreachable: the address 10.128.0.10 is for outbound connections only: only replies are let in.";
    assert_eq!(verdict_of(&cloud, tcp(ip("192.0.2.7"), ip("10.128.0.10"), 22)).await, unreachable(text));
    let answer = admin.post("/v1/instances/db/external-ips/ephemeral?project=web", json!({})).await;
    assert_eq!(answer.status, 202, "{answer:?}");
    let text = "Allowed: the inbound rule allow-ssh (priority 65534) allows it, and it reaches the interface net0 of db.";
    assert_eq!(verdict_of(&cloud, inwards()).await, allowed(text));
    let answer = trace(&cloud, inwards()).await;
    assert_eq!(
        answer["steps"][1]["text"],
        format!(
            "The ephemeral IP {} leads to 172.30.0.6, the interface net0 of db.",
            answer["destination"].as_str().unwrap()
        )
    );
    let text = "Denied: no inbound rule allows it to the interface net0 of db.";
    assert_eq!(verdict_of(&cloud, tcp(ip("192.0.2.7"), instance("db"), 80)).await, denied(text));
    let text = "Denied: no interface has the address 172.30.1.9, and packets from outside may not use a \
                source address of the subnet default.";
    assert_eq!(verdict_of(&cloud, tcp(ip("172.30.1.9"), instance("db"), 22)).await, denied(text));
    // Through the gateway and back in: the receiver sees the external source address.
    let around = trace(&cloud, tcp(instance("web"), ip(answer["destination"].as_str().unwrap()), 80)).await;
    assert_eq!((&around["verdict"], around["steps"].as_array().unwrap().len()), (&json!("denied"), 7));

    let answer =
        admin.post("/v1/floating-ips?project=web", json!({ "name": "fixed", "description": "" })).await;
    let fixed = answer.json()["ip"].clone();
    let attach = json!({ "kind": "instance", "parent": "db" });
    assert_eq!(admin.post("/v1/floating-ips/fixed/attach?project=web", attach).await.status, 202);
    assert_eq!(trace(&cloud, inwards()).await["destination"], fixed);

    add_router(&cloud).await;
    add_route(&cloud, "hole", "192.0.2.0/24", json!({ "type": "drop" })).await;
    let text = "Denied: the route hole of the router custom drops packets to 192.0.2.0/24.";
    assert_eq!(verdict_of(&cloud, out()).await, denied(text));
    add_route(&cloud, "by-db", "192.0.2.0/25", json!({ "type": "instance", "value": "db" })).await;
    let text = "Denied: the interface net0 of db accepts no packets to 192.0.2.7: it is neither the \
                interface's address nor in its \
                transit IPs.";
    assert_eq!(verdict_of(&cloud, out()).await, denied(text));
    for name in ["web", "db"] {
        let path = format!("/v1/network-interfaces/net0?instance={name}&project=web");
        let answer = admin.put(&path, json!({ "transit_ips": ["192.0.2.0/28"] })).await;
        assert_eq!(answer.status, 200, "{answer:?}");
    }
    let text = "Allowed: the inbound rule allow-internal-inbound (priority 65534) allows it, and it reaches the interface \
                net0 of db.";
    assert_eq!(verdict_of(&cloud, out()).await, allowed(text));
    let mut transit = out();
    transit["source_ip"] = json!("192.0.2.8");
    let text = "Denied: no inbound rule allows it to the interface net0 of db.";
    assert_eq!(verdict_of(&cloud, transit).await, denied(text));
    let mut v6 = out();
    v6["destination"] = ip("2001:db8::1");
    let answer = ask(&cloud, v6).await;
    let text = "source and destination must be of the same address family";
    answer.assert_error(StatusCode::BAD_REQUEST, "InvalidRequest", text);
}

#[tokio::test]
async fn invalid_trace_requests_are_refused() {
    let cloud = cloud().await;
    let admin = cloud.with_token();
    let refused = |field: &str, value: Value| {
        let mut body = tcp(instance("web"), instance("db"), 80);
        body[field] = value;
        body
    };
    for (body, text) in [
        (refused("port", json!(null)), "port is required with tcp and udp"),
        (refused("protocol", json!("icmp")), "port is only valid with tcp and udp"),
        (refused("protocol", json!("other")), "port is only valid with tcp and udp"),
        (refused("icmp", json!({ "icmp_type": 8, "code": 0 })), "icmp is only valid with the protocol icmp"),
        (refused("source_ip", json!("fd00::1")), "source and destination must be of the same address family"),
        (
            json!({ "source": ip("192.0.2.7"), "source_ip": "192.0.2.8", "destination": instance("db"), "protocol": "other" }),
            "source_ip is only valid with an instance or an interface",
        ),
    ] {
        ask(&cloud, body).await.assert_error(StatusCode::BAD_REQUEST, "InvalidRequest", text);
    }
    for (field, value, start) in [
        ("port", json!(0), "port: invalid value: integer `0`"),
        ("port", json!(65536), "port: invalid value: integer `65536`"),
        ("protocol", json!("sctp"), "protocol: unknown variant `sctp`"),
        ("source", json!({ "type": "probe", "value": "x" }), "source.type: unknown variant `probe`"),
        (
            "destination",
            json!({ "type": "ip", "value": "300.1.1.1" }),
            "destination: invalid IP address syntax",
        ),
        ("icmp", json!({ "icmp_type": 256, "code": 0 }), "icmp.icmp_type: invalid value: integer `256`"),
    ] {
        ask(&cloud, refused(field, value))
            .await
            .assert_unreadable_start(&format!("unable to parse JSON body: {start}"));
    }
    let nobody = Uuid::from_u128(7);
    for (field, value, text) in [
        ("source", instance("none"), "not found: instance with name \"none\"".to_owned()),
        ("destination", instance(&nobody.to_string()), format!("not found: instance with id \"{nobody}\"")),
        (
            "source",
            json!({ "type": "interface", "value": nobody }),
            format!("not found: instance-network-interface with id \"{nobody}\""),
        ),
    ] {
        ask(&cloud, refused(field, value)).await.assert_error(StatusCode::NOT_FOUND, "ObjectNotFound", &text);
    }
    let bare = json!({
        "name": "bare", "description": "", "hostname": "bare", "ncpus": 1, "memory": 1_u64 << 30, "start": false,
        "network_interfaces": { "type": "none" },
    });
    assert_eq!(admin.post("/v1/instances?project=web", bare).await.status, 201);
    admin.create_project("shop").await;
    let other = add_instance(&admin, "shop", "till").await;
    let text = "the instance has no network interface in this VPC";
    for name in ["bare", &other.to_string()] {
        let answer = ask(&cloud, refused("destination", instance(name))).await;
        answer.assert_error(StatusCode::BAD_REQUEST, "InvalidRequest", text);
    }
    let text = "not found: instance with name \"till\"";
    ask(&cloud, refused("source", instance("till"))).await.assert_error(
        StatusCode::NOT_FOUND,
        "ObjectNotFound",
        text,
    );
    let body = tcp(instance("web"), instance("db"), 80);
    let vpc = admin.get("/v1/vpcs/default?project=shop").await.json()["id"].as_str().unwrap().to_owned();
    let answer = admin.post(&format!("/experimental/v1/vpcs/{vpc}/trace"), body.clone()).await;
    answer.assert_error(StatusCode::NOT_FOUND, "ObjectNotFound", "not found: instance with name \"web\"");
    let interface =
        admin.get("/v1/network-interfaces?project=shop&instance=till").await.json()["items"][0]["id"].clone();
    let foreign = refused("source", json!({ "type": "interface", "value": interface }));
    assert_eq!(ask(&cloud, foreign).await.status, 404);
    let answer = admin.post("/experimental/v1/vpcs/default/trace", body.clone()).await;
    let text = "vpc should either be an ID or project should be specified";
    answer.assert_error(StatusCode::BAD_REQUEST, "InvalidRequest", text);
    let answer = admin.post(&format!("/experimental/v1/vpcs/{vpc}/trace?project=shop"), body).await;
    let text = "when providing vpc as an ID, project should not be specified";
    answer.assert_error(StatusCode::BAD_REQUEST, "InvalidRequest", text);
    assert_eq!(admin.get(TRACE).await.status, 405);
}

/// Values for a body, most of which are valid somewhere.
fn values() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        4 => proptest::sample::select(&[
            "web", "db", "none", "172.30.0.5", "172.30.0.6", "10.128.0.10", "0.0.0.0", "255.255.255.255", "224.0.0.1",
            "::", "::ffff:172.30.0.5", "fd00::1", "ff02::1", "00000000-0000-0000-0000-000000000000", "tcp", "udp", "icmp",
            "other", "instance", "interface", "ip", "1.2.3.4/0", "%00", "\u{0}", "\u{202e}", "",
        ]).prop_map(Value::from),
        2 => proptest::sample::select(&[-1, 0, 1, 8, 22, 255, 256, 65535, 65536, i64::MAX, i64::MIN]).prop_map(Value::from),
        1 => Just(json!(1e300)),
        1 => Just(Value::Null),
        1 => any::<bool>().prop_map(Value::from),
        1 => "\\PC{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 12, 4, |inner| {
        let field = proptest::sample::select(&["type", "value", "icmp_type", "code", "x"]);
        prop_oneof![
            3 => proptest::collection::vec((field, inner.clone()), 0..4).prop_map(|fields| {
                fields.into_iter().map(|(field, value)| (field.to_owned(), value)).collect::<serde_json::Map<_, _>>().into()
            }),
            1 => proptest::collection::vec(inner, 0..4).prop_map(Value::from),
        ]
    })
}

/// A source or destination of a packet.
fn ends() -> impl Strategy<Value = Value> {
    let kind = proptest::sample::select(&["instance", "interface", "ip"]);
    prop_oneof![
        3 => (kind, values()).prop_map(|(kind, value)| json!({ "type": kind, "value": value })),
        1 => values(),
    ]
}

fn bodies() -> impl Strategy<Value = Value> {
    let protocol = prop_oneof![3 => proptest::sample::select(&["tcp", "udp", "icmp", "other"]).prop_map(Value::from), 1 => values()];
    let port = prop_oneof![Just(json!(22)), values()];
    let icmp = prop_oneof![Just(Value::Null), Just(json!({ "icmp_type": 3, "code": 4 })), values()];
    let source_ip = prop_oneof![3 => Just(Value::Null), 1 => values()];
    let whole = (ends(), ends(), protocol, port, icmp, source_ip).prop_map(
        |(source, destination, protocol, port, icmp, source_ip)| {
            json!({
                "source": source, "destination": destination, "protocol": protocol, "port": port, "icmp": icmp,
                "source_ip": source_ip,
            })
        },
    );
    prop_oneof![9 => whole, 1 => values()]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn trace_handles_any_body(bodies in proptest::collection::vec(bodies(), 200)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let cloud = cloud().await;
            let admin = cloud.with_token();
            for body in bodies {
                let answer = admin.post(TRACE, body.clone()).await;
                prop_assert!(matches!(answer.status, 200 | 400 | 404), "{}: {body}", answer.status);
            }
            Ok(())
        })?;
    }
}

const REACHABILITY: &str = "/experimental/v1/vpcs/default/reachability-changes?project=web";

/// The rules of the VPC and another one.
async fn rules_with(cloud: &Cloud, rule: Value) -> Value {
    let path = "/v1/vpc-firewall-rules?vpc=default&project=web";
    let mut rules = cloud.with_token().get(path).await.json()["rules"].as_array().unwrap().clone();
    rules.push(rule);
    json!({ "firewall_rules": rules })
}

/// Sends the changes. Returns each difference as one line, and whether the list is complete.
async fn lines(cloud: &Cloud, changes: Value) -> (Vec<String>, bool) {
    let answer = cloud.with_token().post(REACHABILITY, json!({ "changes": changes })).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    let answer = answer.json();
    let peer = |peer: &Value| match peer["type"].as_str().unwrap() {
        "interface" => peer["value"]["instance"]["name"].as_str().unwrap().to_owned(),
        _ => peer["network"].as_str().unwrap_or("elsewhere").to_owned(),
    };
    let line = |change: &Value| {
        let ports = match &change["ports"] {
            Value::Null => String::new(),
            ports => format!(" {}-{}", ports["first"], ports["last"]),
        };
        format!(
            "{} -> {}: {}{ports} {} -> {}",
            peer(&change["source"]),
            peer(&change["destination"]),
            change["protocol"].as_str().unwrap(),
            change["before"]["verdict"].as_str().unwrap(),
            change["after"]["verdict"].as_str().unwrap(),
        )
    };
    let changes = answer["changes"].as_array().unwrap().iter().map(line).collect();
    (changes, answer["is_complete"].as_bool().unwrap())
}

fn deny_postgres() -> Value {
    json!({
        "name": "deny-db", "description": "", "status": "enabled", "direction": "inbound", "priority": 10,
        "targets": [instance("db")], "filters": { "ports": ["5000-6000"] }, "action": "deny",
    })
}

#[tokio::test]
async fn unsaved_rule_shows_its_effect() {
    let cloud = cloud().await;
    let changes = rules_with(&cloud, deny_postgres()).await;
    let expected =
        ["web -> db: tcp 5000-6000 allowed -> denied", "web -> db: udp 5000-6000 allowed -> denied"];
    let expected = expected.map(str::to_owned).to_vec();
    assert_eq!(lines(&cloud, changes.clone()).await, (expected, true));
    assert_eq!(
        lines(&cloud, rules_with(&cloud, deny_postgres()).await).await.0.len(),
        2,
        "the change was not saved"
    );

    let mut packet = tcp(instance("web"), instance("db"), 5432);
    assert_eq!(verdict_of(&cloud, packet.clone()).await.0, "allowed");
    packet["changes"] = changes;
    assert_eq!(
        verdict_of(&cloud, packet).await,
        denied("Denied: the inbound rule deny-db (priority 10) denies it.")
    );

    let mut disabled = deny_postgres();
    disabled["status"] = json!("disabled");
    let same = rules_with(&cloud, disabled).await;
    assert_eq!(lines(&cloud, same).await, (Vec::new(), true));
    assert_eq!(lines(&cloud, json!({})).await, (Vec::new(), true));
}

#[tokio::test]
async fn unsaved_rule_for_an_external_network_shows_its_effect() {
    let cloud = cloud().await;
    let admin = cloud.with_token();
    let floating = json!({ "name": "front", "description": "" });
    assert_eq!(admin.post("/v1/floating-ips?project=web", floating).await.status, 201);
    let attach = json!({ "kind": "instance", "parent": "db" });
    assert_eq!(admin.post("/v1/floating-ips/front/attach?project=web", attach).await.status, 202);
    let rule = json!({
        "name": "office", "description": "", "status": "enabled", "direction": "inbound", "priority": 10,
        "targets": [instance("db")], "action": "allow",
        "filters": { "ports": ["443"], "protocols": [{ "type": "tcp" }], "hosts": [{ "type": "ip_net", "value": "192.0.2.0/24" }] },
    });
    let changes = rules_with(&cloud, rule).await;
    assert_eq!(
        lines(&cloud, changes).await,
        (vec!["192.0.2.0/24 -> db: tcp 443-443 denied -> allowed".to_owned()], true)
    );
}

#[tokio::test]
async fn unsaved_route_shows_its_effect() {
    let cloud = cloud().await;
    add_router(&cloud).await;
    let route = |target: Value| {
        let destination = json!({ "type": "ip_net", "value": "0.0.0.0/0" });
        json!({ "routers": [{ "router": "custom", "routes": [{ "name": "hole", "destination": destination, "target": target }] }] })
    };
    let (dropped, is_complete) = lines(&cloud, route(json!({ "type": "drop" }))).await;
    assert!(is_complete);
    assert_eq!(dropped[0], "web -> elsewhere: tcp 1-65535 allowed -> denied");
    assert_eq!(dropped.len(), 8, "{dropped:?}");
    let gateway = json!({ "gateways": [{ "gateway": "default", "ip_pools": [], "addresses": [] }] });
    let (closed, _) = lines(&cloud, gateway).await;
    assert!(closed.contains(&"db -> elsewhere: icmp allowed -> unreachable".to_owned()), "{closed:?}");
}

#[tokio::test]
async fn invalid_unsaved_changes_are_refused() {
    let cloud = cloud().await;
    let admin = cloud.with_token();
    let twice = vec![deny_postgres(), deny_postgres()];
    let bad_port = json!({ "name": "x", "filters": { "ports": ["9-1"] } });
    let drop = json!({ "name": "x", "destination": ip("10.0.0.1"), "target": { "type": "drop" } });
    for (changes, text) in [
        (json!({ "firewall_rules": twice }), "Rule names must be unique"),
        (json!({ "firewall_rules": [bad_port] }), "missing field"),
        (json!({ "routers": [{ "router": "nowhere", "routes": [] }] }), "the VPC has no router \"nowhere\""),
        (
            json!({ "routers": [{ "router": "system", "routes": [drop, drop] }] }),
            "two routes are called \"x\"",
        ),
        (
            json!({ "gateways": [{ "gateway": "nowhere", "ip_pools": [], "addresses": [] }] }),
            "the VPC has no internet gateway \"nowhere\"",
        ),
    ] {
        let answer = admin.post(REACHABILITY, json!({ "changes": changes })).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{answer:?}");
        assert!(answer.json()["message"].as_str().unwrap().contains(text), "{answer:?}");
    }
}
