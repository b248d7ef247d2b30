//! Switches: address lots, loopback addresses, ports, their settings, LLDP.

use http::StatusCode;
use serde_json::{Value, json};

use crate::cloud::{Client, Cloud};

const LOTS: &str = "/v1/system/networking/address-lot";
const LOOPBACKS: &str = "/v1/system/networking/loopback-address";
const SETTINGS: &str = "/v1/system/networking/switch-port-settings";
const PORTS: &str = "/v1/system/hardware/switch-port";

async fn created(client: &Client<'_>, path: &str, body: Value) -> Value {
    let answer = client.post(path, body).await;
    assert_eq!(answer.status, 201, "{answer:?}");
    answer.json()
}

async fn lot(client: &Client<'_>) -> Value {
    let blocks = json!([{ "first_address": "203.0.113.10", "last_address": "203.0.113.20" }]);
    let body = json!({ "name": "parkinglot", "description": "an address parking lot", "kind": "infra", "blocks": blocks });
    created(client, LOTS, body).await
}

async fn items(client: &Client<'_>, path: &str) -> Value {
    let answer = client.get(path).await;
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()["items"].clone()
}

/// Returns the only port.
async fn port(client: &Client<'_>) -> Value {
    let ports = items(client, PORTS).await;
    assert_eq!(ports.as_array().unwrap().len(), 1, "{ports}");
    ports[0].clone()
}

/// Returns the query that selects the switch.
async fn on_switch(client: &Client<'_>) -> String {
    let rack = port(client).await["rack_id"].clone();
    format!("rack_id={}&switch_location=switch0", rack.as_str().unwrap())
}

#[tokio::test]
async fn address_lot_lifecycle() {
    let cloud = Cloud::new();
    let client = cloud.with_token();
    let seeded = items(&client, LOTS).await;
    assert_eq!((&seeded[0]["name"], &seeded[0]["kind"]), (&json!("initial-infra"), &json!("infra")));
    let new_lot = lot(&client).await;
    let (lot, block) = (&new_lot["lot"], &new_lot["blocks"][0]);
    assert_eq!(
        new_lot,
        json!({
            "lot": {
                "id": lot["id"], "name": "parkinglot", "description": "an address parking lot",
                "kind": "infra", "time_created": lot["time_created"], "time_modified": lot["time_created"],
            },
            "blocks": [{
                "id": block["id"], "first_address": "203.0.113.10", "last_address": "203.0.113.20",
            }],
        })
    );
    assert_eq!(items(&client, LOTS).await, json!([seeded[0], lot]));
    assert_eq!(items(&client, &format!("{LOTS}/parkinglot/blocks")).await, new_lot["blocks"]);
    for (first, last, text) in [
        ("203.0.113.20", "203.0.113.10", "Invalid range, first must be <= last"),
        ("203.0.113.20", "fd00::1", "Block bounds must be in same address family"),
        ("fd00::1", "203.0.113.10", "Block bounds must be in same address family"),
    ] {
        let blocks = json!([{ "first_address": first, "last_address": last }]);
        let body = json!({ "name": "bad", "description": "", "kind": "infra", "blocks": blocks });
        client.post(LOTS, body).await.assert_error(StatusCode::BAD_REQUEST, "InvalidRequest", text);
    }
    let path = format!("{LOTS}/{}", lot["id"].as_str().unwrap());
    let answer = client.delete(&path).await;
    assert_eq!((answer.status, answer.body.len()), (204, 0));
    let missing = "not found: address-lot with name \"parkinglot\"";
    let answer = client.get(&format!("{LOTS}/parkinglot/blocks")).await;
    answer.assert_error(StatusCode::NOT_FOUND, "ObjectNotFound", missing);
}

#[tokio::test]
async fn loopback_address_lifecycle() {
    let cloud = Cloud::new();
    let client = cloud.with_token();
    let new_lot = lot(&client).await;
    let rack = port(&client).await["rack_id"].clone();
    let body = json!({
        "address_lot": "parkinglot", "rack_id": rack, "switch_location": "switch0", "address": "203.0.113.12",
        "mask": 24, "anycast": false,
    });
    let loopback = created(&client, LOOPBACKS, body.clone()).await;
    let expected = json!({
        "id": loopback["id"], "rack_id": rack, "switch_location": "switch0", "address": "203.0.113.12/24",
        "address_lot_block_id": new_lot["blocks"][0]["id"],
    });
    assert_eq!(loopback, expected);
    assert_eq!(items(&client, LOOPBACKS).await, json!([expected]));
    let refused = async |field: &str, value: Value, text: &str| {
        let mut body = body.clone();
        body[field] = value;
        client.post(LOOPBACKS, body).await.assert_error(StatusCode::BAD_REQUEST, "InvalidRequest", text);
    };
    refused("mask", json!(33), "invalid address").await;
    refused("switch_location", json!("switch2"), "Switch location must be switch0 or switch1").await;
    refused("address", json!("203.0.113.9"), "address not in lot").await;
    refused("switch_location", json!("switch1"), "address unavailable").await;
    let answer = client.delete(&format!("{LOTS}/parkinglot")).await;
    answer.assert_error(StatusCode::BAD_REQUEST, "InvalidRequest", "lot is in use");
    let path = |mask: &str| format!("{LOOPBACKS}/{}/switch0/203.0.113.12/{mask}", rack.as_str().unwrap());
    let answer = client.delete(&path("33")).await;
    answer.assert_error(StatusCode::BAD_REQUEST, "InvalidRequest", "invalid ip address");
    client.delete(&path("256")).await.assert_unreadable_start("bad parameter in URL path: ");
    assert_eq!(client.delete(&path("24")).await.status, 204);
    let answer = client.delete(&path("24")).await;
    let text = "not found: loopback-address with name \"lo 203.0.113.12/24\"";
    answer.assert_error(StatusCode::NOT_FOUND, "ObjectNotFound", text);
    assert_eq!(client.delete(&format!("{LOTS}/parkinglot")).await.status, 204);
}

/// A body that creates settings with one element of each kind except BGP peers.
fn settings() -> Value {
    json!({
        "name": "portofino", "description": "just a port", "port_config": { "geometry": "qsfp28x1" },
        "links": [{
            "link_name": "phy0", "mtu": 4700, "speed": "speed100_g", "autoneg": false, "fec": "none",
            "lldp": { "enabled": true, "link_name": "Link Name", "management_ip": "203.0.113.10" },
            "tx_eq": { "pre1": 0, "main": 26 },
        }],
        "interfaces": [{ "link_name": "phy0", "v6_enabled": true, "kind": { "type": "vlan", "vid": 7 } }],
        "routes": [{ "link_name": "phy0", "routes": [{ "dst": "1.2.3.0/24", "gw": "1.2.3.4" }] }],
        "addresses": [{
            "link_name": "phy0", "addresses": [{ "address": "203.0.113.10/24", "address_lot": "parkinglot" }],
        }],
    })
}

/// The expected view, with the IDs of the response.
fn shown(answer: &Value, lot: &Value) -> Value {
    let (id, link, interface) = (&answer["id"], &answer["links"][0], &answer["interfaces"][0]);
    json!({
        "id": id, "name": "portofino", "description": "just a port", "time_created": answer["time_created"],
        "time_modified": answer["time_modified"], "groups": [],
        "port": { "port_settings_id": id, "geometry": "qsfp28x1" },
        "links": [{
            "port_settings_id": id, "link_name": "phy0", "mtu": 4700, "fec": "none", "speed": "speed100_g",
            "autoneg": false,
            "lldp_link_config": {
                "id": link["lldp_link_config"]["id"], "enabled": true, "link_name": "Link Name",
                "link_description": null, "chassis_id": null, "system_name": null, "system_description": null,
                "management_ip": "203.0.113.10",
            },
            "tx_eq_config": { "pre1": 0, "pre2": null, "main": 26, "post2": null, "post1": null },
        }],
        "interfaces": [{
            "port_settings_id": id, "id": interface["id"], "interface_name": "phy0", "v6_enabled": true,
            "kind": "vlan",
        }],
        "vlan_interfaces": [{ "interface_config_id": interface["id"], "vlan_id": 7 }],
        "routes": [{
            "port_settings_id": id, "interface_name": "phy0", "dst": "1.2.3.0/24", "gw": "1.2.3.4",
            "vlan_id": null, "rib_priority": null,
        }],
        "bgp_peers": [],
        "addresses": [{
            "port_settings_id": id, "address_lot_id": lot["lot"]["id"], "address_lot_name": "parkinglot",
            "address_lot_block_id": lot["blocks"][0]["id"], "address": "203.0.113.10/24", "vlan_id": null,
            "interface_name": "phy0",
        }],
    })
}

#[tokio::test]
async fn port_settings_lifecycle() {
    let cloud = Cloud::new();
    let client = cloud.with_token();
    let answer = client.post(SETTINGS, settings()).await;
    answer.assert_error(StatusCode::BAD_REQUEST, "InvalidRequest", "AddressLot not found");
    let lot = lot(&client).await;
    let new_settings = created(&client, SETTINGS, settings()).await;
    assert_eq!(new_settings, shown(&new_settings, &lot));
    let path = format!("{SETTINGS}/portofino");
    assert_eq!(client.get(&path).await.json(), new_settings);
    let identity = json!({
        "id": new_settings["id"], "name": "portofino", "description": "just a port",
        "time_created": new_settings["time_created"], "time_modified": new_settings["time_modified"],
    });
    assert_eq!(items(&client, SETTINGS).await, json!([identity]));
    assert_eq!(items(&client, &format!("{SETTINGS}?port_settings=other")).await, json!([]));
    let again = created(&client, SETTINGS, settings()).await;
    assert_eq!((&again["id"], &again), (&new_settings["id"], &shown(&again, &lot)), "replaced");
    let answer = client.delete(SETTINGS).await;
    answer.assert_error(StatusCode::BAD_REQUEST, "InvalidRequest", "name or id required");
    let answer = client.delete(&format!("{SETTINGS}?port_settings=portofino")).await;
    assert_eq!((answer.status, answer.body.len()), (204, 0));
    let answer = client.delete(&format!("{SETTINGS}?port_settings=portofino")).await;
    answer.assert_error(StatusCode::BAD_REQUEST, "InvalidRequest", "port settings not found");
    let text = "not found: switch-port-settings with name \"portofino\"";
    client.get(&path).await.assert_error(StatusCode::NOT_FOUND, "ObjectNotFound", text);
}

#[tokio::test]
async fn malformed_settings_are_refused() {
    let cloud = Cloud::new();
    let client = cloud.with_token();
    let kind = json!([{ "link_name": "phy0", "v6_enabled": true, "kind": { "type": "vlan" } }]);
    let peers = json!([{ "link_name": "phy0", "peers": [{ "addr": "203.0.113.1" }] }]);
    for (field, value, text) in [
        ("port_config", json!({ "geometry": "sfp28x1" }), "port_config.geometry: unknown variant `sfp28x1`"),
        ("links", Value::Null, "links: invalid type: null"),
        ("interfaces", kind, "missing field `vid`"),
        ("bgp_peers", peers, "missing field `bgp_config`"),
        ("addresses", json!([{ "link_name": "Phy", "addresses": [] }]), "name must begin with"),
    ] {
        let mut body = settings();
        body[field] = value;
        let answer = client.post(SETTINGS, body).await;
        answer.assert_unreadable_start("unable to parse JSON body: ");
        assert!(answer.text().contains(text), "{field}: {}", answer.text());
    }
}

#[tokio::test]
async fn port_applies_settings() {
    let cloud = Cloud::new();
    let client = cloud.with_token();
    lot(&client).await;
    let new_settings = created(&client, SETTINGS, settings()).await;
    let before = port(&client).await;
    let expected = json!({
        "id": before["id"], "rack_id": before["rack_id"], "switch_location": "switch0", "port_name": "qsfp0",
        "port_settings_id": null,
    });
    assert_eq!(before, expected);
    let on = on_switch(&client).await;
    let path = format!("{PORTS}/qsfp0/settings?{on}");
    let answer = client.post(&path, json!({ "port_settings": "portofino" })).await;
    assert_eq!((answer.status, answer.body.len()), (204, 0));
    assert_eq!(port(&client).await["port_settings_id"], new_settings["id"]);
    assert_eq!(client.delete(&path).await.status, 204);
    assert_eq!(port(&client).await, before);
    let answer =
        client.post(&format!("{PORTS}/qsfp1/settings?{on}"), json!({ "port_settings": "portofino" })).await;
    let text = "not found: switch-port with name \"qsfp1\"";
    answer.assert_error(StatusCode::NOT_FOUND, "ObjectNotFound", text);
    let answer = client.post(&path, json!({ "port_settings": "other" })).await;
    let text = "not found: switch-port-settings with name \"other\"";
    answer.assert_error(StatusCode::NOT_FOUND, "ObjectNotFound", text);
    client
        .delete(&format!("{PORTS}/qsfp0/settings"))
        .await
        .assert_unreadable_start("unable to parse query string: ");
    let answer = client.get(&format!("{PORTS}/qsfp0/status?{on}")).await;
    let link = json!({
        "port_id": "qsfp0", "address": { "a": [2, 0, 0, 0, 1, 0] }, "enabled": false, "autoneg": false, "fec": "none",
        "link_state": "down", "fsm_state": "down", "media": "none", "speed": "speed0_g",
    });
    let down = json!({ "link": link, "monitors": null });
    assert_eq!((answer.status, answer.json()), (200, down));
    let listed =
        items(&client, &format!("{PORTS}?switch_port_id={}&limit=1", new_settings["id"].as_str().unwrap()))
            .await;
    assert_eq!(listed, json!([before]));
}

#[tokio::test]
async fn port_shows_lldp_config_and_status() {
    let cloud = Cloud::new();
    let client = cloud.with_token();
    lot(&client).await;
    let new_settings = created(&client, SETTINGS, settings()).await;
    let on = on_switch(&client).await;
    let path = format!("{PORTS}/qsfp0/lldp/config?{on}");
    let text = "unsupported value for \"settings\": switch port not yet configured";
    client.get(&path).await.assert_error(StatusCode::BAD_REQUEST, "InvalidValue", text);
    let answer =
        client.post(&format!("{PORTS}/qsfp0/settings?{on}"), json!({ "port_settings": "portofino" })).await;
    assert_eq!(answer.status, 204);
    let current = client.get(&path).await.json();
    assert_eq!(current, new_settings["links"][0]["lldp_link_config"]);
    let id = current["id"].as_str().unwrap();
    let answer = client.post(&path, json!({ "id": new_settings["id"], "enabled": false })).await;
    let text = format!("id ({id}) doesn't match provided config ({})", new_settings["id"].as_str().unwrap());
    answer.assert_error(StatusCode::BAD_REQUEST, "InvalidRequest", &text);
    let answer = client.post(&path, json!({ "id": id, "enabled": false, "system_name": "tor" })).await;
    assert_eq!((answer.status, answer.body.len()), (204, 0));
    let expected = json!({
        "id": id, "enabled": false, "link_name": null, "link_description": null, "chassis_id": null,
        "system_name": "tor", "system_description": null, "management_ip": null,
    });
    assert_eq!(client.get(&path).await.json(), expected);
    let rack = port(&client).await["rack_id"].clone();
    let neighbours = |location: &str| {
        let rack = rack.as_str().unwrap();
        format!("/v1/system/hardware/rack-switch-port/{rack}/{location}/qsfp0/lldp/neighbors")
    };
    let answer = client.get(&neighbours("switch0")).await;
    assert_eq!((answer.status, answer.json()), (200, json!({ "items": [], "next_page": null })));
    let text = "invalid switch name left: parse switch location error: not a valid location: left";
    let answer = client.get(&neighbours("left")).await;
    answer.assert_error(StatusCode::BAD_REQUEST, "InvalidRequest", text);
}
