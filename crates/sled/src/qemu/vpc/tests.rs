//! The rules and routes of a VPC as text, and a check that they agree with [`croft_network`].

mod carried;
mod fixture;
mod icmp;
mod kernel;
mod live;
mod meaning;
mod names;

use std::{collections::BTreeSet, path::Path};

use croft_network::{ExternalAddresses, Network, RouteTarget, Routes, SourceNat, Subnet};
use uuid::Uuid;

use super::{
    edge, firewall,
    names::Owner,
    ranges::{Addresses, Family},
    routing, service,
    uplink::{self, Connection, Ipv6Obstacle, Uplink},
};

#[test]
fn links_are_opened_by_users_without_rights() {
    assert!(super::check_device(0o20666).is_ok());
    for closed in [0o20600, 0o20660, 0o20664] {
        let error = super::check_device(closed).unwrap_err().to_string();
        assert!(error.contains("`chmod 0666 /dev/net/tun`"), "{error}");
    }
}

#[test]
fn the_rules_of_a_vpc_as_text() {
    insta::assert_snapshot!(firewall::ruleset(&fixture::network()).to_string());
}

#[test]
fn the_rules_of_an_empty_vpc_as_text() {
    let mut network = fixture::network();
    network.subnets.clear();
    network.interfaces.clear();
    network.rules.clear();
    insta::assert_snapshot!(firewall::ruleset(&network).to_string());
}

/// A VPC with IPv6 and external addresses: one exclusive and one shared by two guests.
fn network_of_v6() -> Network {
    let mut network = fixture::network();
    let addresses = ["fd12:3456:789a::5", "fd12:3456:789a::6", "fd12:3456:789a:1::5"];
    for (interface, address) in network.interfaces.iter_mut().zip(addresses) {
        interface.ip = address.parse().unwrap();
        interface.external = ExternalAddresses::default();
    }
    network.interfaces[2].transit_ips = vec!["fd99::/64".parse().unwrap()];
    network.interfaces[0].external.floating = vec!["2001:db8::10".parse().unwrap()];
    for (interface, first_port) in network.interfaces.iter_mut().skip(1).zip([0, 16_384]) {
        let ip = "2001:db8::20".parse().unwrap();
        interface.external.source_nat = Some(SourceNat { ip, first_port, last_port: first_port + 16_383 });
    }
    let out = fixture::gateway(&["2001:db8::10", "2001:db8::20"]);
    let to_appliance = RouteTarget::Address(network.interfaces[2].ip);
    for subnet in &mut network.subnets {
        subnet.system_routes = [fixture::route("default-v6", "::/0", out.clone())].into_iter().collect();
    }
    let appliance = fixture::custom(0x302, fixture::route("appliance", "fd99::/64", to_appliance));
    network.subnets[0].custom_routes = [appliance].into_iter().collect();
    network
}

#[test]
fn the_rules_of_a_vpc_of_ipv6_as_text() {
    insta::assert_snapshot!(firewall::ruleset(&network_of_v6()).to_string());
}

#[test]
fn the_routes_of_a_vpc_of_ipv6_as_text() {
    let network = network_of_v6();
    let linked: BTreeSet<_> = network.interfaces.iter().map(|interface| interface.id).collect();
    let wanted = routing::routes(&network, &linked, Family::V6);
    let nothing = serde_json::json!([]);
    insta::assert_snapshot!(routing::changes(&network, &wanted, &nothing, &nothing));
}

#[test]
fn dnsmasq_files_with_ipv6_as_text() {
    let files = service::files_for(&network_of_v6(), Path::new("/run/croft-00000000/1024"), false);
    insta::assert_snapshot!(format!("{}---\n{}---\n{}", files.configuration, files.hosts, files.names));
}

#[test]
fn the_routes_of_a_vpc_as_text() {
    let network = fixture::network();
    let linked: BTreeSet<_> = network.interfaces.iter().take(2).map(|interface| interface.id).collect();
    let mut text = String::new();
    for family in Family::BOTH {
        let wanted = routing::routes(&network, &linked, family);
        let nothing = serde_json::json!([]);
        text.push_str(&routing::changes(&network, &wanted, &nothing, &nothing));
    }
    insta::assert_snapshot!(text);
}

#[test]
fn obsolete_routes_are_removed() {
    let network = fixture::network();
    let first = network.subnets[0].id;
    let (mark, table) = (routing::marks(&network)[&first], routing::tables(&network)[&first]);
    let wanted = routing::routes(&network, &BTreeSet::new(), Family::V4);
    let rules = serde_json::json!([
        { "priority": 10, "fwmark": "0x40000077", "table": "1073741943" },
        { "priority": 10, "fwmark": format!("{mark:#x}"), "table": table.to_string() },
        { "priority": 32_780, "fwmark": "0x40000000", "fwmask": "0x40000000", "action": "unreachable" },
        { "priority": 32_790, "table": "1" },
    ]);
    let routes = serde_json::json!([
        { "type": "throw", "dst": "172.30.0.0/22", "table": table.to_string() },
        { "type": "blackhole", "dst": "10.9.0.0/16", "table": table.to_string() },
        { "dst": "172.30.0.5", "dev": "tap-1" },
        { "dst": "10.0.0.0/8", "table": "1" },
    ]);
    let lines = routing::changes(&network, &wanted, &rules, &routes);
    let removed: Vec<_> = lines.lines().filter(|line| line.contains(" del ")).collect();
    assert_eq!(
        removed,
        [
            "rule del pref 10 fwmark 0x40000077 lookup 1073741943".to_owned(),
            format!("route del blackhole 10.9.0.0/16 table {table}"),
        ]
    );
    assert!(!lines.contains(&format!("rule add pref 10 fwmark {mark:#x} ")), "{lines}");
}

#[test]
fn the_kernel_has_the_routes_of_each_router_once() {
    let mut network = fixture::network();
    let routes_of_one = routing::routes(&network, &BTreeSet::new(), Family::V4).len();
    let subnet = network.subnets[0].clone();
    for number in 0..100 {
        network.subnets.push(Subnet { id: Uuid::from_u128(0x1000 + number), ..subnet.clone() });
    }
    assert_eq!(routing::routes(&network, &BTreeSet::new(), Family::V4).len(), routes_of_one);
    let nothing = serde_json::json!([]);
    let lines = routing::changes(&network, &[], &nothing, &nothing);
    let table = routing::tables(&network)[&subnet.id];
    let leading = lines.lines().filter(|line| line.ends_with(&format!(" lookup {table}")));
    assert_eq!(leading.count(), 101);
}

#[test]
fn subnet_keeps_its_old_table_until_the_new_one_exists() {
    let mut network = fixture::network();
    let (mark, old) = {
        let first = network.subnets[0].id;
        (routing::marks(&network)[&first], routing::tables(&network)[&first])
    };
    network.subnets[0].custom_routes = Routes::default();
    let new = routing::tables(&network)[&network.subnets[0].id];
    let rules =
        serde_json::json!([{ "priority": 10, "fwmark": format!("{mark:#x}"), "table": old.to_string() }]);
    let lines = routing::changes(&network, &[], &rules, &serde_json::json!([]));
    let place = |line: &str| lines.lines().position(|other| other == line).unwrap();
    let added = place(&format!("rule add pref 10 fwmark {mark:#x} lookup {new}"));
    assert!(added < place(&format!("rule del pref 10 fwmark {mark:#x} lookup {old}")), "{lines}");
}

#[test]
fn dnsmasq_files_as_text() {
    let files = service::files_for(&fixture::network(), Path::new("/run/croft-00000000/1024"), false);
    insta::assert_snapshot!(format!("{}---\n{}---\n{}", files.configuration, files.hosts, files.names));
}

#[test]
fn external_names_are_forwarded() {
    let folder = Path::new("/run/croft-00000000/1024");
    let lines = |forwards| service::files_for(&fixture::network(), folder, forwards).configuration;
    let (without, with) = (lines(false), lines(true));
    let more: Vec<_> = with.lines().filter(|line| without.lines().all(|other| other != *line)).collect();
    assert_eq!(more, ["server=127.0.0.1#5300", "domain-needed", "bogus-priv"]);
    assert!(with.contains("no-resolv\n"), "the host's configuration is not used");
}

#[test]
fn the_rules_of_the_edge_as_text() {
    insta::assert_snapshot!(edge::ruleset([1024, 70_000], false));
}

#[test]
fn the_rules_of_an_edge_that_lets_guests_out_as_text() {
    insta::assert_snapshot!(edge::ruleset([1024], true));
}

#[test]
fn the_rules_of_the_host_as_text() {
    let owner = Owner::of(Uuid::from_u128(0x89ab_cdef));
    let neighbours = ["192.0.2.0/24", "198.51.100.0/25"].map(|net| Addresses::of(net.parse().unwrap()));
    let v4 = Connection { neighbours: neighbours.into(), is_router: false };
    let uplink = Uplink { interface: "eth0", v4, v6: Err(Ipv6Obstacle::NoAddress) };
    let neighbours = vec![Addresses::of("2001:db8:7::/64".parse().unwrap())];
    let dual = Uplink { v6: Ok(Connection { neighbours, is_router: false }), ..uplink.clone() };
    let mut router = dual.clone();
    router.v4 = Connection { neighbours: Vec::new(), is_router: true };
    router.v6.as_mut().unwrap().is_router = true;
    let all = [None, Some(&uplink), Some(&dual), Some(&router)].map(|uplink| uplink::ruleset(owner, uplink));
    insta::assert_snapshot!(all.join("---\n"));
}
