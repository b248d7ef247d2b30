use croft_api::{
    Result,
    bgp::{BgpAnnounceSet, BgpAnnouncement, BgpConfig},
    page::{NameOrIdSortMode, NoSelector, PageQuery},
    scalar::NameOrId,
};
use croft_control::{address_lot, bgp, operation};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    bad,
    daemon::{ASN, Daemon, peer},
};
use crate::kit::{Cloud, by_name, refused};

fn page(limit: u32) -> PageQuery<NoSelector, NameOrIdSortMode> {
    PageQuery { selector: NoSelector {}, sort: NameOrIdSortMode::NameAscending, after: None, limit }
}

fn conflict(text: &str) -> (u16, String) {
    (409, text.to_owned())
}

/// Creates or replaces a set of announced networks, each with its address lot.
fn announce(cloud: &mut Cloud, set: &str, networks: &[(&str, Value)]) -> Result<BgpAnnounceSet> {
    let networks: Vec<Value> =
        networks.iter().map(|(network, lot)| json!({"network": network, "address_lot_block": lot})).collect();
    let params = json!({"name": set, "description": "first", "announcement": networks});
    let params = serde_json::from_value(params).unwrap();
    let admin = cloud.admin.clone();
    cloud.act(&admin, &operation::NETWORKING_BGP_ANNOUNCE_SET_UPDATE, move |cx, caller| {
        bgp::announce_set_update(cx, caller, &params)
    })
}

fn announced(cloud: &Cloud, set: &str) -> Result<Vec<BgpAnnouncement>> {
    let set = by_name(set);
    cloud.see(&cloud.admin, move |cx, caller| bgp::announcement_list(cx, caller, &set))
}

fn networks(cloud: &Cloud, set: &str) -> Vec<String> {
    announced(cloud, set).unwrap().iter().map(|announcement| announcement.network.to_string()).collect()
}

fn sets(cloud: &Cloud, limit: u32) -> Vec<String> {
    let sets = cloud.see(&cloud.admin, move |cx, caller| bgp::announce_set_list(cx, caller, &page(limit)));
    sets.unwrap().iter().map(|set| set.name.to_string()).collect()
}

fn delete_set(cloud: &mut Cloud, set: &str) -> Result<()> {
    let (admin, set) = (cloud.admin.clone(), by_name(set));
    cloud.act(&admin, &operation::NETWORKING_BGP_ANNOUNCE_SET_DELETE, move |cx, caller| {
        bgp::announce_set_delete(cx, caller, &set)
    })
}

fn configure(cloud: &mut Cloud, name: &str, asn: u32, set: &str, vrf: Option<&str>) -> Result<BgpConfig> {
    let params = json!({"name": name, "description": "", "asn": asn, "bgp_announce_set_id": set, "vrf": vrf});
    let params = serde_json::from_value(params).unwrap();
    let admin = cloud.admin.clone();
    cloud.act(&admin, &operation::NETWORKING_BGP_CONFIG_CREATE, move |cx, caller| {
        bgp::config_create(cx, caller, &params)
    })
}

fn delete_config(cloud: &mut Cloud, config: NameOrId) -> Result<()> {
    let admin = cloud.admin.clone();
    cloud.act(&admin, &operation::NETWORKING_BGP_CONFIG_DELETE, move |cx, caller| {
        bgp::config_delete(cx, caller, &config)
    })
}

#[test]
fn an_announcement_replaces_all_that_went_before_under_its_name() {
    let mut cloud = Cloud::new();
    let lot = || json!("nowhere");
    let first =
        announce(&mut cloud, "ours", &[("198.51.100.0/24", lot()), ("2001:db8::/32", lot())]).unwrap();
    assert_eq!((first.name.as_str(), first.description.as_str()), ("ours", "first"));
    assert_eq!(networks(&cloud, "ours"), ["198.51.100.0/24", "2001:db8::/32"], "in the requested order");
    cloud.pass_seconds(1);
    let params = json!({
        "name": "ours", "description": "second",
        "announcement": [{"network": "203.0.113.0/24", "address_lot_block": "nowhere"}],
    });
    let params = serde_json::from_value(params).unwrap();
    let admin = cloud.admin.clone();
    let again = cloud.act(&admin, &operation::NETWORKING_BGP_ANNOUNCE_SET_UPDATE, move |cx, caller| {
        bgp::announce_set_update(cx, caller, &params)
    });
    assert_eq!(again.unwrap(), first, "the identity of the set is kept");
    assert_eq!(networks(&cloud, "ours"), ["203.0.113.0/24"]);
    announce(&mut cloud, "ours", &[]).unwrap();
    assert!(networks(&cloud, "ours").is_empty());
}

#[test]
fn a_network_is_announced_once() {
    let mut cloud = Cloud::new();
    announce(&mut cloud, "ours", &[("203.0.113.0/24", json!("lot"))]).unwrap();
    for twice in ["198.51.100.0/24", "198.51.100.7/24"] {
        let networks = [("198.51.100.0/24", json!("one")), (twice, json!("two"))];
        let text = format!("network {twice} is announced more than once");
        assert_eq!(refused(announce(&mut cloud, "ours", &networks)), bad(&text));
    }
    assert_eq!(networks(&cloud, "ours"), ["203.0.113.0/24"], "a refusal changes nothing");
    announce(&mut cloud, "theirs", &[("203.0.113.0/24", json!("lot")), ("203.0.113.0/25", json!("lot"))])
        .unwrap();
}

#[test]
fn an_announcement_keeps_the_id_of_its_block() {
    let mut cloud = Cloud::new();
    let block = Uuid::from_u128(7);
    let given = [("203.0.113.0/25", json!(block)), ("203.0.113.128/25", json!("nowhere"))];
    announce(&mut cloud, "ours", &given).unwrap();
    let seen = announced(&cloud, "ours").unwrap();
    assert_eq!(seen[0].address_lot_block_id, block);
    announce(&mut cloud, "theirs", &given[1..]).unwrap();
    assert_eq!(announced(&cloud, "theirs").unwrap()[0].address_lot_block_id, seen[1].address_lot_block_id);
}

#[test]
fn announcement_names_the_block_of_its_network() {
    let mut cloud = Cloud::new();
    let (first, second) = (("198.51.100.0", "198.51.100.127"), ("198.51.100.128", "198.51.101.255"));
    let blocks = [first, second].map(|(first, last)| json!({"first_address": first, "last_address": last}));
    let params = json!({"name": "lot", "description": "", "kind": "infra", "blocks": blocks});
    let params = serde_json::from_value(params).unwrap();
    let admin = cloud.admin.clone();
    let lot = cloud
        .act(&admin, &operation::NETWORKING_ADDRESS_LOT_CREATE, move |cx, caller| {
            address_lot::create(cx, caller, &params)
        })
        .unwrap();
    let [first, second] = [lot.blocks[0].id, lot.blocks[1].id];
    let (by_name, by_id) = (json!("lot"), json!(lot.lot.id));
    let given = [
        ("198.51.100.0/25", by_name.clone()),
        ("198.51.100.128/25", by_id.clone()),
        ("198.51.101.7/32", by_name.clone()),
        ("198.51.100.0/24", by_name.clone()),
        ("2001:db8::/32", by_name.clone()),
        ("203.0.113.0/24", by_id),
    ];
    announce(&mut cloud, "ours", &given).unwrap();
    let blocks: Vec<_> = announced(&cloud, "ours")
        .unwrap()
        .iter()
        .map(|announcement| announcement.address_lot_block_id)
        .collect();
    assert_eq!(blocks[..3], [first, second, second]);
    assert!(blocks[3] == blocks[4] && ![first, second].contains(&blocks[3]), "not within a single block");
    assert_eq!(blocks[5], lot.lot.id, "not within a block, so the given ID");

    announce(&mut cloud, "early", &[("192.0.2.0/24", json!("nowhere"))]).unwrap();
    let early = announced(&cloud, "early").unwrap();
    announce(&mut cloud, "ours", &[("198.51.100.0/25", json!("nowhere"))]).unwrap();
    assert_eq!(announced(&cloud, "ours").unwrap()[0].address_lot_block_id, early[0].address_lot_block_id);
}

#[test]
fn announce_set_list_is_limited_to_one_page() {
    let mut cloud = Cloud::new();
    for name in ["b", "c", "a"] {
        announce(&mut cloud, name, &[]).unwrap();
    }
    assert_eq!(sets(&cloud, 100), ["a", "b", "c"]);
    assert_eq!(sets(&cloud, 2), ["a", "b"]);
}

#[test]
fn announce_set_in_use_cannot_be_deleted() {
    let mut cloud = Cloud::new();
    announce(&mut cloud, "ours", &[("203.0.113.0/24", json!("lot"))]).unwrap();
    configure(&mut cloud, "main", ASN, "ours", None).unwrap();
    assert_eq!(refused(delete_set(&mut cloud, "ours")), conflict("announce set in use"));
    cloud.check_invariants();
    delete_config(&mut cloud, by_name("main")).unwrap();
    delete_set(&mut cloud, "ours").unwrap();
    let missing = (404, "not found: bgp-announce-set with name \"ours\"".to_owned());
    assert_eq!(refused(delete_set(&mut cloud, "ours")), missing);
    assert_eq!(refused(announced(&cloud, "ours")), missing);
    assert!(sets(&cloud, 100).is_empty());
    announce(&mut cloud, "ours", &[]).unwrap();
    assert!(networks(&cloud, "ours").is_empty(), "its networks were deleted with it");
    cloud.check_invariants();
}

#[test]
fn an_autonomous_system_has_one_configuration() {
    let mut cloud = Cloud::new();
    let missing = (404, "not found: bgp-announce-set with name \"ours\"".to_owned());
    assert_eq!(refused(configure(&mut cloud, "main", ASN, "ours", None)), missing);
    for set in ["ours", "theirs"] {
        announce(&mut cloud, set, &[]).unwrap();
    }
    let first = configure(&mut cloud, "main", ASN, "ours", Some("blue")).unwrap();
    assert_eq!((first.asn, first.vrf.as_deref()), (ASN, Some("blue")));
    assert_eq!(
        configure(&mut cloud, "main", ASN, "ours", Some("blue")).unwrap(),
        first,
        "configuring again changes nothing"
    );
    let twice = conflict("cannot have more than one configuration per ASN");
    for (name, set, vrf) in [
        ("main", "ours", None),
        ("main", "theirs", Some("blue")),
        ("other", "ours", Some("blue")),
        ("other", "theirs", None),
    ] {
        assert_eq!(refused(configure(&mut cloud, name, ASN, set, vrf)), twice);
    }
    let taken = conflict("a field that must be unique conflicts with an existing record");
    assert_eq!(refused(configure(&mut cloud, "main", ASN + 1, "ours", None)), taken);
    let second = configure(&mut cloud, "other", ASN + 1, "ours", None).unwrap();
    assert_eq!(second.vrf, None);
    let listed = cloud.see(&cloud.admin, |cx, caller| bgp::config_list(cx, caller, &page(100))).unwrap();
    assert_eq!(listed.items, [first.clone(), second.clone()]);
    delete_config(&mut cloud, NameOrId::Id(first.id)).unwrap();
    let gone = (404, format!("not found: bgp-config with id \"{}\"", first.id));
    assert_eq!(refused(delete_config(&mut cloud, NameOrId::Id(first.id))), gone);
    let gone = (404, "not found: bgp-config with name \"main\"".to_owned());
    assert_eq!(refused(delete_config(&mut cloud, by_name("main"))), gone);
    configure(&mut cloud, "main", ASN, "theirs", None).unwrap();
    cloud.check_invariants();
}

#[test]
fn without_routing_daemons_status_is_empty() {
    let cloud = Cloud::new();
    let daemons = croft_sled::Hypervisor::routing_daemons(&*cloud.hypervisor);
    assert!(bgp::status(&daemons).is_empty());
    assert_eq!(serde_json::to_value(bgp::exported(&daemons)).unwrap(), json!({"exports": {}}));
    let history = serde_json::to_value(bgp::message_history(&daemons, ASN)).unwrap();
    assert_eq!(history, json!({"switch_histories": []}));
    assert!(bgp::imported_routes_ipv4(&daemons, ASN).is_empty());
}

#[test]
fn switch_reports_are_merged_and_silent_switches_omitted() {
    let both = [Daemon::of("switch0", true), Daemon::of("switch1", true)];
    let status = bgp::status(&both);
    let switches: Vec<_> = status.iter().map(|peer| peer.switch.as_str()).collect();
    assert_eq!(switches, ["switch0", "switch1"]);
    let exports = serde_json::to_value(bgp::exported(&both)).unwrap();
    let networks = ["198.51.100.0/24", "203.0.113.0/25", "203.0.113.128/25"];
    assert_eq!(exports, json!({"exports": {peer().to_string(): networks}}), "each network is exported once");
    assert_eq!(bgp::imported_routes_ipv4(&both, ASN).len(), 2);
    assert!(bgp::imported_routes_ipv4(&both, 1).is_empty());

    let one = [Daemon::of("switch0", false), Daemon::of("switch1", true)];
    let history = serde_json::to_value(bgp::message_history(&one, ASN)).unwrap();
    let messages = json!({peer().to_string(): [{"asn": ASN}]});
    assert_eq!(history, json!({"switch_histories": [{"switch": "switch1", "history": messages}]}));
    assert_eq!(bgp::status(&one).len(), 1);
    assert_eq!(bgp::imported_routes_ipv4(&one, ASN).len(), 1);
}
