use croft_api::scalar::NameOrId;
use croft_store::records::SwitchPortSettings;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    apply, bad, bgp_config, create_settings, delete_bgp_config, delete_lot, delete_settings, list_settings,
    lot, peers, port, settings, settings_body, uses_bgp_config, view_settings,
};
use crate::kit::{Cloud, by_name, refused};

fn address(lot: &str, address: &str) -> Value {
    json!({ "address_lot": lot, "address": address })
}

fn with(field: &str, value: Value) -> Value {
    let mut body = settings_body("tor");
    body[field] = value;
    body
}

fn with_addresses(addresses: &[Value]) -> Value {
    with("addresses", json!([{ "link_name": "phy0", "addresses": addresses }]))
}

/// A body with a BGP peer with this key.
fn with_key(key: &str) -> Value {
    let mut peers = peers(&["as1"]);
    peers[0]["md5_auth_key"] = json!(key);
    with("bgp_peers", json!([{ "link_name": "phy0", "peers": peers }]))
}

#[test]
fn settings_are_replaced_by_name_and_keep_their_id() {
    let mut cloud = Cloud::new();
    lot(&mut cloud, "lot", &[("203.0.113.10", "203.0.113.20")]);
    let first = create_settings(&mut cloud, with_addresses(&[address("lot", "203.0.113.10/24")])).unwrap();
    apply(&mut cloud, "switch0", "qsfp0", &by_name("tor")).unwrap();
    cloud.pass_seconds(5);
    let mut body = with_addresses(&[address("lot", "203.0.113.10/24"), address("lot", "203.0.113.11/24")]);
    body["description"] = json!("second");
    body["links"][0]["mtu"] = json!(1500);
    let second = create_settings(&mut cloud, body).unwrap();
    assert_eq!(second.identity.id, first.identity.id);
    assert_eq!(second.identity.time_created, first.identity.time_created);
    assert!(second.identity.time_modified > first.identity.time_modified);
    assert_eq!(second.identity.description.as_str(), "second");
    assert_eq!((second.links[0].mtu, second.addresses.len()), (1500, 2));
    assert_eq!(port(&cloud, "qsfp0").port_settings_id, Some(first.identity.id), "still applied");
    assert_eq!(view_settings(&cloud, &by_name("tor")).unwrap(), second);
    assert_eq!(view_settings(&cloud, &NameOrId::Id(first.identity.id)).unwrap(), second);
    cloud.check_invariants();
    create_settings(&mut cloud, settings_body("tor")).unwrap();
    delete_lot(&mut cloud, "lot").unwrap();
    cloud.check_invariants();
}

#[test]
fn a_refused_replacement_has_no_effect() {
    let mut cloud = Cloud::new();
    lot(&mut cloud, "lot", &[("203.0.113.10", "203.0.113.20")]);
    let first = create_settings(&mut cloud, with_addresses(&[address("lot", "203.0.113.10/24")])).unwrap();
    let elsewhere = address("lot", "203.0.113.21/24");
    let refusal = refused(create_settings(&mut cloud, with_addresses(&[elsewhere])));
    assert_eq!(refusal, bad("address not in lot"));
    assert_eq!(view_settings(&cloud, &by_name("tor")).unwrap(), first);
    cloud.check_invariants();
}

#[test]
fn references_must_exist() {
    let mut cloud = Cloud::new();
    lot(&mut cloud, "lot", &[("203.0.113.10", "203.0.113.20")]);
    settings(&mut cloud, "other");
    let (nowhere, id) = (Uuid::from_u128(9).to_string(), Uuid::from_u128(8).to_string());
    for lot in ["none", &nowhere] {
        let refusal =
            refused(create_settings(&mut cloud, with_addresses(&[address(lot, "203.0.113.10/24")])));
        assert_eq!(refusal, bad("AddressLot not found"));
    }
    for config in ["none", &id] {
        let peers = with("bgp_peers", json!([{ "link_name": "phy0", "peers": peers(&[config]) }]));
        assert_eq!(refused(create_settings(&mut cloud, peers)), bad("BGP config not found"));
    }
    let taken = with_addresses(&[address("lot", "203.0.113.10/24")]);
    create_settings(&mut cloud, taken.clone()).unwrap();
    let mut body = taken;
    body["name"] = json!("another");
    assert_eq!(refused(create_settings(&mut cloud, body)), bad("address unavailable"));
    let twice = [address("lot", "203.0.113.12/24"), address("lot", "203.0.113.12/32")];
    assert_eq!(refused(create_settings(&mut cloud, with_addresses(&twice))), bad("address unavailable"));
    cloud.check_invariants();
}

#[test]
fn keys_of_peers_are_short_and_printable() {
    let mut cloud = Cloud::new();
    bgp_config(&mut cloud, "as1", 1);
    let label = "unsupported value for \"md5_auth_key\": md5 auth key for 198.51.100.1";
    let long = refused(create_settings(&mut cloud, with_key(&"x".repeat(81))));
    assert_eq!(long, bad(&format!("{label} is longer than 80 characters")));
    for key in ["tab\tulator", "\u{e9}", "\u{7f}"] {
        let refusal = refused(create_settings(&mut cloud, with_key(key)));
        assert_eq!(refusal, bad(&format!("{label} must be printable ascii")));
    }
    for key in ["", " ~", &"x".repeat(80)] {
        let created = create_settings(&mut cloud, with_key(key)).unwrap();
        assert_eq!(created.bgp_peers[0].session.md5_auth_key.as_deref(), Some(key));
        let id = created.identity.id;
        let stored: SwitchPortSettings = cloud.rule(move |cx| Ok(cx.tx.get(id)?.unwrap())).unwrap();
        let sealed = stored.bgp_peers[0].session.md5_auth_key.clone().unwrap();
        let opened = cloud.environment.secret_key.open("key of a BGP peer", id, &sealed).unwrap();
        assert_eq!(opened.as_slice(), key.as_bytes(), "stored sealed");
    }
}

#[test]
fn duplicates_in_settings_are_refused() {
    let mut cloud = Cloud::new();
    bgp_config(&mut cloud, "as1", 1);
    bgp_config(&mut cloud, "as2", 2);
    for name in ["lot", "spare"] {
        lot(&mut cloud, name, &[("203.0.113.10", "203.0.113.20")]);
    }
    let link = settings_body("tor")["links"][0].clone();
    let interface = |kind: Value| json!({ "link_name": "phy0", "v6_enabled": false, "kind": kind });
    let route = |dst: &str, gw: &str, vid: Value| json!({ "dst": dst, "gw": gw, "vid": vid });
    let routes = |routes: &[Value]| json!([{ "link_name": "phy0", "routes": routes }]);
    let same_peer = json!([
        { "link_name": "phy0", "peers": peers(&["as1"]) },
        { "link_name": "phy0", "peers": peers(&["as2"]) },
    ]);
    let twice = [
        with("links", json!([link, link])),
        with(
            "interfaces",
            json!([interface(json!({ "type": "primary" })), interface(json!({ "type": "vlan", "vid": 3 }))]),
        ),
        with(
            "routes",
            routes(&[route("0.0.0.0/0", "10.0.0.1", json!(null)), route("0.0.0.0/0", "10.0.0.1", json!(4))]),
        ),
        with("bgp_peers", same_peer),
        with_addresses(&[address("lot", "203.0.113.12/24"), address("spare", "203.0.113.12/24")]),
    ];
    let refusal = bad("already exists: switch-port-settings \"tor\"");
    for body in twice {
        assert_eq!(refused(create_settings(&mut cloud, body.clone())), refusal, "{body}");
    }
    let distinct = [
        with(
            "routes",
            routes(&[
                route("0.0.0.0/0", "10.0.0.1", json!(null)),
                route("0.0.0.0/0", "10.0.0.2", json!(null)),
            ]),
        ),
        with(
            "bgp_peers",
            json!([
                { "link_name": "phy0", "peers": peers(&["as1"]) },
                { "link_name": "phy1", "peers": peers(&["as2"]) },
            ]),
        ),
        with_addresses(&[address("lot", "203.0.113.12/24"), address("spare", "203.0.113.12/25")]),
    ];
    for body in distinct {
        create_settings(&mut cloud, body).unwrap();
        cloud.check_invariants();
    }
}

#[test]
fn settings_are_deleted_by_name_or_id() {
    let mut cloud = Cloud::new();
    let id = settings(&mut cloud, "tor");
    assert_eq!(refused(delete_settings(&mut cloud, None)), bad("name or id required"));
    let unknown = bad("port settings not found");
    assert_eq!(refused(delete_settings(&mut cloud, Some(&by_name("none")))), unknown);
    delete_settings(&mut cloud, Some(&NameOrId::Id(id))).unwrap();
    assert_eq!(refused(delete_settings(&mut cloud, Some(&NameOrId::Id(id)))), unknown);
    let missing = (404, "not found: switch-port-settings with name \"tor\"".to_owned());
    assert_eq!(refused(view_settings(&cloud, &by_name("tor"))), missing);
    let missing = (404, format!("not found: switch-port-settings with id \"{id}\""));
    assert_eq!(refused(view_settings(&cloud, &NameOrId::Id(id))), missing);
    assert_ne!(settings(&mut cloud, "tor"), id);
    cloud.check_invariants();
}

#[test]
fn lists_show_identities() {
    let mut cloud = Cloud::new();
    let (two, one) = (settings(&mut cloud, "two"), settings(&mut cloud, "one"));
    let names = |selector: Option<NameOrId>| -> Vec<String> {
        list_settings(&cloud, selector).iter().map(|settings| settings.name.to_string()).collect()
    };
    assert_eq!(names(None), ["one", "two"]);
    assert_eq!(names(Some(by_name("one"))), ["one"]);
    assert_eq!(names(Some(NameOrId::Id(two))), ["two"]);
    assert_eq!(names(Some(by_name("three"))), Vec::<String>::new());
    assert_eq!(list_settings(&cloud, None)[0].id, one);
}

#[test]
fn bgp_configuration_with_peers_is_in_use() {
    let mut cloud = Cloud::new();
    let (one, two) = (bgp_config(&mut cloud, "as1", 1), bgp_config(&mut cloud, "as2", 2));
    let body = |configs: &[&str]| {
        let mut peers = peers(configs);
        peers[0]["interface_name"] = json!("elsewhere");
        with("bgp_peers", json!([{ "link_name": "phy0", "peers": peers }]))
    };
    let created = create_settings(&mut cloud, body(&["as1", "as2"])).unwrap();
    assert_eq!(created.bgp_peers[0].interface_name.as_str(), "phy0", "the name of the group's link");
    assert_eq!(created.bgp_peers[0].bgp_config, NameOrId::Id(one));
    assert!(uses_bgp_config(&mut cloud, one) && uses_bgp_config(&mut cloud, two));
    create_settings(&mut cloud, body(&["as2"])).unwrap();
    assert!(!uses_bgp_config(&mut cloud, one) && uses_bgp_config(&mut cloud, two));
    let in_use = (409, "BGP Config is in use and cannot be deleted".to_owned());
    assert_eq!(refused(delete_bgp_config(&mut cloud, "as2")), in_use);
    delete_bgp_config(&mut cloud, "as1").unwrap();
    delete_settings(&mut cloud, Some(&by_name("tor"))).unwrap();
    assert!(!uses_bgp_config(&mut cloud, two));
    delete_bgp_config(&mut cloud, "as2").unwrap();
    cloud.check_invariants();
}
