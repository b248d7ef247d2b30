//! BGP, BFD and probes (`docs/rules/networking.md#probes`, `docs/rules/networking.md#bgp` and
//! `docs/rules/networking.md#bfd`).

use croft_sled::Hypervisor as _;
use croft_store::{ListBy, Sort, records::SwitchPort};
use serde_json::{Value, json};

use crate::cloud::{Answer, Cloud};

const BGP: &str = "/v1/system/networking/bgp";
const SETS: &str = "/v1/system/networking/bgp-announce-set";

fn message(answer: &Answer) -> (u16, Value, String) {
    let body = answer.json();
    (answer.status, body["error_code"].clone(), body["message"].as_str().unwrap_or_default().to_owned())
}

#[tokio::test]
async fn announce_set_lifecycle() {
    let cloud = Cloud::new();
    let client = cloud.with_token();
    let set = json!({
        "name": "ours", "description": "our networks",
        "announcement": [{ "network": "203.0.113.0/24", "address_lot_block": "initial-infra" }],
    });
    let response = client.put(SETS, set.clone()).await;
    assert_eq!((response.status, response.json()["name"].as_str()), (200, Some("ours")), "{response:?}");
    assert_eq!(response.json().as_object().unwrap().len(), 5);
    assert_eq!(
        client.get(&format!("{SETS}?limit=5&sort_by=id_ascending")).await.json(),
        json!([response.json()])
    );
    let announced = client.get(&format!("{SETS}/ours/announcement")).await.json();
    let [announcement] = &announced.as_array().unwrap()[..] else { panic!("{announced}") };
    assert_eq!(
        (&announcement["network"], &announcement["announce_set_id"]),
        (&json!("203.0.113.0/24"), &response.json()["id"])
    );
    let mut twice = set;
    twice["announcement"] = json!([announcement_of("10.0.0.0/8"), announcement_of("10.0.0.0/8")]);
    let twice = client.put(SETS, twice).await;
    let text = "network 10.0.0.0/8 is announced more than once".to_owned();
    assert_eq!(message(&twice), (400, json!("InvalidRequest"), text));

    let config = json!({ "name": "main", "description": "", "asn": 64512, "bgp_announce_set_id": "ours" });
    let created = client.post(BGP, config.clone()).await;
    assert_eq!((created.status, &created.json()["vrf"]), (201, &Value::Null), "{created:?}");
    let again = client.post(BGP, config.clone()).await;
    assert_eq!((again.status, again.json()), (201, created.json()));
    let mut other = config;
    other["vrf"] = json!("blue");
    let text = "cannot have more than one configuration per ASN".to_owned();
    assert_eq!(message(&client.post(BGP, other.clone()).await), (409, json!("Conflict"), text));
    other["asn"] = json!(64513);
    let text = "a field that must be unique conflicts with an existing record".to_owned();
    assert_eq!(message(&client.post(BGP, other.clone()).await), (409, json!("Conflict"), text));
    other["bgp_announce_set_id"] = json!("theirs");
    let text = "not found: bgp-announce-set with name \"theirs\"".to_owned();
    assert_eq!(message(&client.post(BGP, other).await), (404, json!("ObjectNotFound"), text));
    assert_eq!(client.get(BGP).await.json()["items"], json!([created.json()]));

    let text = "announce set in use".to_owned();
    assert_eq!(message(&client.delete(&format!("{SETS}/ours")).await), (409, json!("Conflict"), text));
    let missing = client.delete(BGP).await;
    missing.assert_unreadable_start("unable to parse query string: missing field `name_or_id`");
    assert_eq!(client.delete(&format!("{BGP}?name_or_id=main")).await.status, 204);
    let text = "not found: bgp-config with name \"main\"".to_owned();
    let gone = client.delete(&format!("{BGP}?name_or_id=main")).await;
    assert_eq!(message(&gone), (404, json!("ObjectNotFound"), text));
    assert_eq!(client.delete(&format!("{SETS}/ours")).await.status, 204);
    let text = "not found: bgp-announce-set with name \"ours\"".to_owned();
    let gone = client.get(&format!("{SETS}/ours/announcement")).await;
    assert_eq!(message(&gone), (404, json!("ObjectNotFound"), text));
}

#[tokio::test]
async fn announced_networks_must_belong_to_their_block() {
    let cloud = Cloud::new();
    let client = cloud.with_token();
    let lot = json!({
        "name": "lot", "description": "", "kind": "infra",
        "blocks": [{ "first_address": "203.0.113.0", "last_address": "203.0.113.255" }],
    });
    let lot = client.post("/v1/system/networking/address-lot", lot).await;
    assert_eq!(lot.status, 201, "{lot:?}");
    let set = json!({
        "name": "ours", "description": "",
        "announcement": [announcement_of("203.0.113.0/25"), announcement_of("198.51.100.0/24")],
    });
    assert_eq!(client.put(SETS, set).await.status, 200);
    let announced = client.get(&format!("{SETS}/ours/announcement")).await.json();
    let block = &lot.json()["blocks"][0]["id"];
    assert_eq!(announced[0]["address_lot_block_id"], *block);
    assert_ne!(announced[1]["address_lot_block_id"], *block);
}

#[tokio::test]
async fn bgp_objects_used_by_port_settings_cannot_be_deleted() {
    let cloud = Cloud::new();
    let client = cloud.with_token();
    let set = json!({ "name": "ours", "description": "", "announcement": [] });
    assert_eq!(client.put(SETS, set).await.status, 200);
    for (name, asn) in [("main", 64_512), ("other", 64_513)] {
        let config = json!({ "name": name, "description": "", "asn": asn, "bgp_announce_set_id": "ours" });
        assert_eq!(client.post(BGP, config).await.status, 201);
    }
    let settings = "/v1/system/networking/switch-port-settings";
    for config in ["main", "other"] {
        let response = client.post(settings, settings_under(config)).await;
        assert_eq!(response.status, 201, "{response:?}");
    }
    let port = client.get("/v1/system/hardware/switch-port").await.json()["items"][0].clone();
    let rack = port["rack_id"].as_str().unwrap();
    let path =
        format!("/v1/system/hardware/switch-port/qsfp0/settings?rack_id={rack}&switch_location=switch0");
    for config in ["main", "other"] {
        let applied = client.post(&path, json!({ "port_settings": format!("under-{config}") })).await;
        assert_eq!(
            applied.status, 204,
            "the only configured port may change the autonomous system: {applied:?}"
        );
    }
    let text = "BGP Config is in use and cannot be deleted".to_owned();
    for config in ["main", "other"] {
        let held = client.delete(&format!("{BGP}?name_or_id={config}")).await;
        assert_eq!(
            message(&held),
            (409, json!("Conflict"), text.clone()),
            "whether the settings are applied to a port or not"
        );
    }
    assert_eq!(client.delete(&format!("{settings}?port_settings=under-main")).await.status, 204);
    assert_eq!(client.delete(&format!("{BGP}?name_or_id=main")).await.status, 204);
    let held = client.delete(&format!("{BGP}?name_or_id=other")).await;
    assert_eq!(message(&held), (409, json!("Conflict"), text));
}

#[tokio::test]
async fn switch_has_one_autonomous_system() {
    let cloud = Cloud::new();
    let client = cloud.with_token();
    cloud
        .rule(|cx| {
            let first: Vec<SwitchPort> = cx.tx.page(ListBy::All, Sort::IdAsc, None, 9)?;
            let port =
                SwitchPort { meta: cx.new_meta(), port_name: "qsfp1".parse().unwrap(), ..first[0].clone() };
            Ok(cx.tx.insert(&port)?)
        })
        .unwrap();
    let set = json!({ "name": "ours", "description": "", "announcement": [] });
    assert_eq!(client.put(SETS, set).await.status, 200);
    let settings = "/v1/system/networking/switch-port-settings";
    for (name, asn) in [("main", 64_512), ("other", 64_513)] {
        let config = json!({ "name": name, "description": "", "asn": asn, "bgp_announce_set_id": "ours" });
        assert_eq!(client.post(BGP, config).await.status, 201);
        assert_eq!(client.post(settings, settings_under(name)).await.status, 201);
    }
    let port = client.get("/v1/system/hardware/switch-port").await.json()["items"][0].clone();
    let rack = port["rack_id"].as_str().unwrap().to_owned();
    let apply = async |port: &str, under: &str| {
        let on = format!("rack_id={rack}&switch_location=switch0");
        let path = format!("/v1/system/hardware/switch-port/{port}/settings?{on}");
        client.post(&path, json!({ "port_settings": format!("under-{under}") })).await
    };
    let conflict =
        (409, json!("Conflict"), "a different asn is already configured on this switch".to_owned());
    assert_eq!(apply("qsfp0", "main").await.status, 204);
    assert_eq!(message(&apply("qsfp1", "other").await), conflict);
    assert_eq!(apply("qsfp1", "main").await.status, 204);
    let mut same = settings_under("main");
    same["name"] = json!("under-other");
    assert_eq!(client.post(settings, same).await.status, 201);
    assert_eq!(apply("qsfp1", "other").await.status, 204);
    assert_eq!(
        message(&client.post(settings, settings_under("other")).await),
        conflict,
        "replaced while applied"
    );
}

/// Port settings with a peer that uses this configuration.
fn settings_under(config: &str) -> Value {
    let session = json!({
        "bgp_config": config, "interface_name": "phy0", "addr": "198.51.100.1", "hold_time": 6,
        "idle_hold_time": 3, "delay_open": 0, "connect_retry": 3, "keepalive": 2, "communities": [],
        "enforce_first_as": false, "allowed_import": { "type": "no_filtering" },
        "allowed_export": { "type": "no_filtering" },
    });
    json!({
        "name": format!("under-{config}"), "description": "", "port_config": { "geometry": "qsfp28x1" },
        "links": [], "addresses": [], "bgp_peers": [{ "link_name": "phy0", "peers": [session] }],
    })
}

fn announcement_of(network: &str) -> Value {
    json!({ "network": network, "address_lot_block": "lot" })
}

#[tokio::test]
async fn without_routing_daemons_runtime_views_are_empty() {
    let cloud = Cloud::new();
    let client = cloud.with_token();
    for (view, empty) in [
        ("bgp-status", json!([])),
        ("bgp-exported", json!({ "exports": {} })),
        ("bgp-message-history?asn=1", json!({ "switch_histories": [] })),
        ("bgp-routes-ipv4?asn=1", json!([])),
        ("bfd-status", json!([])),
    ] {
        let answer = client.get(&format!("/v1/system/networking/{view}")).await;
        assert_eq!((answer.status, answer.json()), (200, empty), "{view}");
    }
    for view in ["bgp-message-history", "bgp-routes-ipv4"] {
        let answer = client.get(&format!("/v1/system/networking/{view}")).await;
        answer.assert_unreadable_start("unable to parse query string: missing field `asn`");
    }
}

#[tokio::test]
async fn bfd_session_lifecycle() {
    let cloud = Cloud::new();
    let client = cloud.with_token();
    let path = |what: &str| format!("/v1/system/networking/bfd-{what}");
    let session = json!({
        "switch": "switch0", "remote": "192.0.2.1", "detection_threshold": 3, "required_rx": 1_u64 << 40,
        "mode": "single_hop",
    });
    for _ in 0..2 {
        let answer = client.post(&path("enable"), session.clone()).await;
        assert_eq!((answer.status, answer.body.len()), (204, 0));
    }
    let seen = client.get(&path("status")).await.json();
    let down = json!({
        "peer": "192.0.2.1", "switch": "switch0", "state": "down", "local": null, "detection_threshold": 3,
        "required_rx": u32::MAX, "mode": "single_hop",
    });
    assert_eq!(seen, json!([down]));
    let mut other = session.clone();
    other["mode"] = json!("multi_hop");
    let text = "already exists: bfd-session \"192.0.2.1 on switch0\"".to_owned();
    let taken = client.post(&path("enable"), other).await;
    assert_eq!(message(&taken), (400, json!("ObjectAlreadyExists"), text));
    let peer = json!({ "switch": "switch0", "remote": "192.0.2.1" });
    for _ in 0..2 {
        assert_eq!(client.post(&path("disable"), peer.clone()).await.status, 204);
    }
    assert_eq!(client.get(&path("status")).await.json(), json!([]));
    let mut elsewhere = session;
    elsewhere["switch"] = json!("left");
    let text = "invalid switch name left: parse switch location error: not a valid location: left".to_owned();
    let refused = client.post(&path("enable"), elsewhere).await;
    assert_eq!(message(&refused), (400, json!("InvalidRequest"), text));
}

#[tokio::test]
async fn probe_lifecycle() {
    const PROBES: &str = "/experimental/v1/probes";
    let cloud = Cloud::new();
    let client = cloud.with_token();
    client.create_project("web").await;
    let sled = cloud.hypervisor.sleds()[0].id;
    let probe = json!({ "name": "eye", "description": "watches", "sled": sled });
    let created = client.post(&format!("{PROBES}?project=web"), probe.clone()).await;
    assert_eq!((created.status, &created.json()["sled"]), (201, &json!(sled)), "{created:?}");
    assert_eq!(created.json().as_object().unwrap().len(), 6, "creation returns the short form");
    let id = created.json()["id"].as_str().unwrap().to_owned();
    let seen = client.get(&format!("{PROBES}/{id}?project=web")).await;
    assert_eq!(seen.status, 200, "{seen:?}");
    assert_eq!(seen.json()["interface"]["kind"], json!({ "type": "probe", "id": id }));
    assert_eq!(seen.json()["external_ips"][0]["kind"], "ephemeral");
    let listed = client.get(&format!("{PROBES}?project=web&limit=5")).await.json();
    assert_eq!(listed["items"], json!([seen.json()]));
    let text = "already exists: probe \"eye\"".to_owned();
    let again = client.post(&format!("{PROBES}?project=web"), probe.clone()).await;
    assert_eq!(message(&again), (400, json!("ObjectAlreadyExists"), text));
    let mut lost = probe;
    lost["sled"] = json!("00000000-0000-0000-0000-000000000009");
    let text = "not found: sled with id \"00000000-0000-0000-0000-000000000009\"".to_owned();
    let lost = client.post(&format!("{PROBES}?project=web"), lost).await;
    assert_eq!(message(&lost), (404, json!("ObjectNotFound"), text));
    let subnet = client.delete("/v1/vpc-subnets/default?project=web&vpc=default").await;
    assert_eq!(subnet.status, 400, "{subnet:?}");
    assert_eq!(client.delete(&format!("{PROBES}/eye?project=web")).await.status, 204);
    let text = format!("not found: probe with id \"{id}\"");
    let gone = client.get(&format!("{PROBES}/{id}?project=web")).await;
    assert_eq!(message(&gone), (404, json!("ObjectNotFound"), text));
    let used = client.get("/v1/system/ip-pools/default/utilization").await.json();
    assert_eq!(used["ipv4"]["allocated"], 0);
    let everywhere = client.get(PROBES).await;
    everywhere.assert_unreadable_start("unable to parse query string: missing field `project`");
}
