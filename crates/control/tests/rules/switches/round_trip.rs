//! Random settings are returned as the contract specifies.

use proptest::prelude::*;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{bgp_config, create_settings, list_settings, lot, view_settings};
use crate::kit::{Cloud, by_name};

const LINKS: [&str; 3] = ["phy0", "phy1", "phy2"];

/// A number or null.
fn number_or_null<T: std::fmt::Debug + Clone + Into<Value> + Arbitrary + 'static>() -> BoxedStrategy<Value> {
    prop_oneof![Just(Value::Null), any::<T>().prop_map(Into::into)].boxed()
}

fn one_of(choices: &'static [&'static str]) -> impl Strategy<Value = Value> {
    prop::sample::select(choices).prop_map(|choice| json!(choice))
}

fn text_or_null() -> BoxedStrategy<Value> {
    prop_oneof![Just(Value::Null), "[ -~]{0,9}".prop_map(Value::from)].boxed()
}

fn lldp() -> impl Strategy<Value = Value> {
    let texts = prop::array::uniform5(text_or_null());
    let address = prop::sample::select(vec![Value::Null, json!("203.0.113.1"), json!("fd00::1")]);
    (any::<bool>(), texts, address).prop_map(|(enabled, texts, address)| {
        let [name, description, chassis, system, system_description] = texts;
        json!({
            "enabled": enabled, "link_name": name, "link_description": description, "chassis_id": chassis,
            "system_name": system, "system_description": system_description, "management_ip": address,
        })
    })
}

fn link() -> impl Strategy<Value = Value> {
    let speeds = one_of(&[
        "speed0_g",
        "speed1_g",
        "speed10_g",
        "speed25_g",
        "speed40_g",
        "speed50_g",
        "speed100_g",
        "speed200_g",
        "speed400_g",
    ]);
    let fec = prop::sample::select(vec![Value::Null, json!("firecode"), json!("none"), json!("rs")]);
    let taps = prop::array::uniform5(number_or_null::<i32>());
    (any::<u16>(), any::<bool>(), speeds, fec, lldp(), prop::option::of(taps)).prop_map(
        |(mtu, autoneg, speed, fec, lldp, taps)| {
            let taps = taps.map(|[pre1, pre2, main, post2, post1]| {
                json!({ "pre1": pre1, "pre2": pre2, "main": main, "post2": post2, "post1": post1 })
            });
            json!({ "mtu": mtu, "autoneg": autoneg, "speed": speed, "fec": fec, "lldp": lldp, "tx_eq": taps })
        },
    )
}

fn interface() -> impl Strategy<Value = Value> {
    let kind = prop_oneof![
        Just(json!({ "type": "primary" })),
        Just(json!({ "type": "loopback" })),
        any::<u16>().prop_map(|vid| json!({ "type": "vlan", "vid": vid })),
    ];
    (any::<bool>(), kind).prop_map(|(v6_enabled, kind)| json!({ "v6_enabled": v6_enabled, "kind": kind }))
}

fn route() -> impl Strategy<Value = Value> {
    let networks = one_of(&["0.0.0.0/0", "::/0", "10.1.2.3/8", "fd00::/64"]);
    (networks, number_or_null::<u16>(), number_or_null::<u8>())
        .prop_map(|(dst, vid, priority)| json!({ "dst": dst, "vid": vid, "rib_priority": priority }))
}

fn policy() -> impl Strategy<Value = Value> {
    let networks = prop::collection::vec(one_of(&["10.0.0.0/8", "fd00::1/64"]), 0..3);
    prop_oneof![
        Just(json!({ "type": "no_filtering" })),
        networks.prop_map(|networks| json!({ "type": "allow", "value": networks })),
    ]
}

fn peer() -> impl Strategy<Value = Value> {
    let times = prop::array::uniform5(any::<u32>());
    let numbers = prop::array::uniform3(number_or_null::<u32>());
    let small = (number_or_null::<u8>(), number_or_null::<u16>(), text_or_null());
    let communities = prop::collection::vec(any::<u32>(), 0..3);
    (times, numbers, small, communities, any::<bool>(), policy(), policy()).prop_map(
        |(times, numbers, (min_ttl, vlan_id, key), communities, first, import, export)| {
            json!({
                "bgp_config": "as1", "interface_name": "ignored", "hold_time": times[0],
                "idle_hold_time": times[1], "delay_open": times[2], "connect_retry": times[3],
                "keepalive": times[4], "remote_asn": numbers[0], "multi_exit_discriminator": numbers[1],
                "local_pref": numbers[2], "min_ttl": min_ttl, "vlan_id": vlan_id, "md5_auth_key": key,
                "communities": communities, "enforce_first_as": first, "allowed_import": import,
                "allowed_export": export,
            })
        },
    )
}

fn address() -> impl Strategy<Value = Value> {
    number_or_null::<u16>().prop_map(|vlan_id| json!({ "address_lot": "lot", "vlan_id": vlan_id }))
}

/// Up to two items for each link.
fn per_link(item: impl Strategy<Value = Value>) -> impl Strategy<Value = Vec<Vec<Value>>> {
    prop::collection::vec(prop::collection::vec(item, 0..3), LINKS.len())
}

/// Groups of items by link. `number` sets the field that makes each item unique.
fn groups(field: &str, lists: Vec<Vec<Value>>, number: impl Fn(&mut Value, usize)) -> Value {
    let mut count = 0;
    let groups = LINKS.iter().zip(lists).map(|(link, mut items)| {
        for item in &mut items {
            count += 1;
            number(item, count);
        }
        json!({ "link_name": link, field: items })
    });
    groups.collect()
}

fn body() -> impl Strategy<Value = Value> {
    let links = prop::collection::vec(link(), 0..=LINKS.len());
    let interfaces = prop::collection::vec(interface(), 0..=LINKS.len());
    let geometry = one_of(&["qsfp28x1", "qsfp28x2", "sfp28x4"]);
    (geometry, links, interfaces, per_link(route()), per_link(peer()), per_link(address())).prop_map(
        |(geometry, mut links, mut interfaces, routes, peers, addresses)| {
            for list in [&mut links, &mut interfaces] {
                for (item, name) in list.iter_mut().zip(LINKS) {
                    item["link_name"] = json!(name);
                }
            }
            let numbered = |field: &'static str, suffix: &'static str| {
                move |item: &mut Value, number: usize| {
                    item[field] = json!(format!("203.0.113.{number}{suffix}"));
                }
            };
            json!({
                "name": "tor", "description": "top of rack", "port_config": { "geometry": geometry },
                "groups": ["unknown"], "links": links, "interfaces": interfaces,
                "routes": groups("routes", routes, numbered("gw", "")),
                "bgp_peers": groups("peers", peers, numbered("addr", "")),
                "addresses": groups("addresses", addresses, numbered("address", "/24")),
            })
        },
    )
}

/// The items of all groups, each with the name of its link.
fn flat(groups: &Value, field: &str) -> Vec<Value> {
    let items = groups.as_array().unwrap().iter().flat_map(|group| {
        let named = group[field].as_array().unwrap().iter().cloned();
        named.map(|mut item| {
            item["interface_name"] = group["link_name"].clone();
            item
        })
    });
    items.collect()
}

/// The IDs that the expected view contains.
struct Ids {
    lot: Uuid,
    block: Uuid,
    config: Uuid,
}

/// The expected view of a body. Generated IDs and times are taken from the response.
fn expected(body: &Value, shown: &Value, ids: &Ids) -> Value {
    let id = &shown["id"];
    let links = body["links"].as_array().unwrap().iter().zip(shown["links"].as_array().unwrap());
    let links: Vec<Value> = links
        .map(|(link, shown)| {
            let mut lldp = link["lldp"].clone();
            lldp["id"] = shown["lldp_link_config"]["id"].clone();
            json!({
                "port_settings_id": id, "link_name": link["link_name"], "mtu": link["mtu"],
                "fec": link["fec"], "speed": link["speed"], "autoneg": link["autoneg"],
                "lldp_link_config": lldp, "tx_eq_config": link["tx_eq"],
            })
        })
        .collect();
    let interfaces: Vec<(&Value, &Value)> =
        body["interfaces"].as_array().unwrap().iter().zip(shown["interfaces"].as_array().unwrap()).collect();
    let vlans = interfaces.iter().filter(|(interface, _)| interface["kind"]["type"] == "vlan");
    let vlans: Vec<Value> = vlans
        .map(|(interface, shown)| {
            json!({ "interface_config_id": shown["id"], "vlan_id": interface["kind"]["vid"] })
        })
        .collect();
    let interfaces: Vec<Value> = interfaces
        .iter()
        .map(|(interface, shown)| {
            json!({
                "port_settings_id": id, "id": shown["id"], "interface_name": interface["link_name"],
                "v6_enabled": interface["v6_enabled"], "kind": interface["kind"]["type"],
            })
        })
        .collect();
    let routes = flat(&body["routes"], "routes").into_iter().map(|route| {
        json!({
            "port_settings_id": id, "interface_name": route["interface_name"], "dst": route["dst"],
            "gw": route["gw"], "vlan_id": route["vid"], "rib_priority": route["rib_priority"],
        })
    });
    let peers = flat(&body["bgp_peers"], "peers").into_iter().map(|mut peer| {
        peer["bgp_config"] = json!(ids.config);
        peer
    });
    let addresses = flat(&body["addresses"], "addresses").into_iter().map(|address| {
        json!({
            "port_settings_id": id, "address_lot_id": ids.lot, "address_lot_name": "lot",
            "address_lot_block_id": ids.block, "address": address["address"], "vlan_id": address["vlan_id"],
            "interface_name": address["interface_name"],
        })
    });
    json!({
        "id": id, "name": body["name"], "description": body["description"],
        "time_created": shown["time_created"], "time_modified": shown["time_modified"], "groups": [],
        "port": { "port_settings_id": id, "geometry": body["port_config"]["geometry"] },
        "links": links, "interfaces": interfaces, "vlan_interfaces": vlans,
        "routes": routes.collect::<Vec<_>>(), "bgp_peers": peers.collect::<Vec<_>>(),
        "addresses": addresses.collect::<Vec<_>>(),
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn settings_round_trip(bodies in prop::collection::vec(body(), 1..3)) {
        let mut cloud = Cloud::new();
        let lot = lot(&mut cloud, "lot", &[("203.0.113.0", "203.0.113.255")]);
        let config = bgp_config(&mut cloud, "as1", 1);
        let ids = Ids { lot: lot.lot.id, block: lot.blocks[0].id, config };
        for body in bodies {
            let created = create_settings(&mut cloud, body.clone()).unwrap();
            let shown = serde_json::to_value(&created).unwrap();
            prop_assert_eq!(&shown, &expected(&body, &shown, &ids));
            prop_assert_eq!(&view_settings(&cloud, &by_name("tor")).unwrap(), &created);
            let listed = list_settings(&cloud, None);
            prop_assert_eq!(&listed, &[created.identity]);
            cloud.check_invariants();
        }
    }
}
