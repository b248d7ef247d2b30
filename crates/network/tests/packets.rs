//! Outcomes of packets in a small VPC (`docs/rules/networking.md`).

// Helpers may unwrap like tests. Clippy's exception covers only functions that are marked as tests.
#![allow(clippy::unwrap_used)]

use std::net::IpAddr;

use croft_api::{
    firewall::{
        VpcFirewallIcmpFilter, VpcFirewallRuleAction as Action, VpcFirewallRuleDirection as Direction,
        VpcFirewallRuleProtocol as Filter,
    },
    router::VpcRouterKind,
    scalar::{IpNet, MacAddr},
};
use croft_network::{
    Delivery, ExternalAddresses, ExternalKind, Interface, MixedFamilies, Network, Origin, Outcome, Packet,
    Protocol, Route, RouteTarget, Routes, Rule, SourceCheck, SourceNat, Step, Subnet, Verdict, decide,
};
use uuid::Uuid;

const FRONT: Uuid = Uuid::from_u128(1);
const BACK: Uuid = Uuid::from_u128(2);
const FAR: Uuid = Uuid::from_u128(3);
const NEAR_SUBNET: Uuid = Uuid::from_u128(11);
const FAR_SUBNET: Uuid = Uuid::from_u128(12);
const PING: Protocol = Protocol::Icmp { icmp_type: 8, code: 0 };
const OUTSIDE: &str = "192.0.2.7";

fn ip(text: &str) -> IpAddr {
    text.parse().unwrap()
}

fn net(text: &str) -> IpNet {
    text.parse().unwrap()
}

fn tcp(port: u16) -> Protocol {
    Protocol::Tcp { port }
}

fn interface(id: Uuid, name: &str, subnet_id: Uuid, address: &str) -> Interface {
    Interface {
        id,
        name: "net0".parse().unwrap(),
        parent_id: Uuid::from_u128(100 + id.as_u128()),
        parent_name: name.parse().unwrap(),
        is_probe: false,
        hostname: name.to_owned(),
        subnet_id,
        ip: ip(address),
        mac: MacAddr([0xa8, 0x40, 0x25, 0xf0, 0, 0]),
        primary: true,
        transit_ips: Vec::new(),
        external: ExternalAddresses::default(),
    }
}

fn route(name: &str, destination: &str, target: RouteTarget) -> Route {
    Route {
        id: Uuid::from_u128(50),
        name: name.parse().unwrap(),
        router_id: Uuid::from_u128(60),
        router_name: "system".parse().unwrap(),
        router_kind: VpcRouterKind::System,
        destination: net(destination),
        target,
    }
}

fn custom(name: &str, destination: &str, target: RouteTarget) -> Route {
    let router_name = "custom".parse().unwrap();
    Route { router_kind: VpcRouterKind::Custom, router_name, ..route(name, destination, target) }
}

fn gateway(addresses: &[&str]) -> RouteTarget {
    let addresses = addresses.iter().map(|address| ip(address)).collect();
    RouteTarget::Gateway { id: Uuid::from_u128(70), name: "default".parse().unwrap(), addresses }
}

fn rule(name: &str, direction: Direction, action: Action, priority: u16, targets: &[Uuid]) -> Rule {
    Rule {
        id: Uuid::from_u128(80),
        name: name.parse().unwrap(),
        priority,
        direction,
        action,
        targets: targets.to_vec(),
        hosts: None,
        protocols: None,
        ports: None,
    }
}

/// Two interfaces in one subnet and a third in another, all inbound traffic allowed, and a gateway with 203.0.113.1 to
/// .3.
fn vpc() -> Network {
    let routes: Routes = [
        route("near", "10.0.0.0/24", RouteTarget::Subnet(NEAR_SUBNET)),
        route("far", "10.0.1.0/24", RouteTarget::Subnet(FAR_SUBNET)),
        route("default-v4", "0.0.0.0/0", gateway(&["203.0.113.1", "203.0.113.2", "203.0.113.3"])),
    ]
    .into_iter()
    .collect();
    let subnet = |id, name: &str, ipv4: &str, ipv6: &str| Subnet {
        id,
        name: name.parse().unwrap(),
        ipv4: ipv4.parse().unwrap(),
        ipv6: ipv6.parse().unwrap(),
        system_routes: routes.clone(),
        custom_routes: Routes::default(),
    };
    sorted(Network {
        id: Uuid::from_u128(99),
        vni: 5000.try_into().unwrap(),
        dns_name: "inner".parse().unwrap(),
        subnets: vec![
            subnet(NEAR_SUBNET, "near", "10.0.0.0/24", "fd00::/64"),
            subnet(FAR_SUBNET, "far", "10.0.1.0/24", "fd00:0:0:1::/64"),
        ],
        interfaces: vec![
            interface(FRONT, "front", NEAR_SUBNET, "10.0.0.5"),
            interface(BACK, "back", NEAR_SUBNET, "10.0.0.6"),
            interface(FAR, "far", FAR_SUBNET, "10.0.1.5"),
        ],
        rules: vec![rule("in", Direction::Inbound, Action::Allow, 65534, &[FRONT, BACK, FAR])],
    })
}

fn sorted(mut network: Network) -> Network {
    network.sort();
    network
}

fn with_rules(rules: impl IntoIterator<Item = Rule>) -> Network {
    let mut network = vpc();
    network.rules.extend(rules);
    sorted(network)
}

fn add_routes(subnet: &mut Subnet, routes: &[Route]) {
    let of_kind = |kind: VpcRouterKind, there: &Routes| {
        let added = routes.iter().filter(|route| route.router_kind == kind);
        there.iter().chain(added).cloned().collect()
    };
    subnet.system_routes = of_kind(VpcRouterKind::System, &subnet.system_routes);
    subnet.custom_routes = of_kind(VpcRouterKind::Custom, &subnet.custom_routes);
}

fn with_routes(routes: &[Route]) -> Network {
    let mut network = vpc();
    for subnet in &mut network.subnets {
        add_routes(subnet, routes);
    }
    sorted(network)
}

fn edit(network: &mut Network, id: Uuid) -> &mut Interface {
    network.interfaces.iter_mut().find(|interface| interface.id == id).unwrap()
}

fn sent<'n>(network: &'n Network, from: Uuid, to: &str, protocol: Protocol) -> Verdict<'n> {
    let source = network.interface(from).unwrap().ip;
    decide(network, &Packet::new(Origin::Interface(from), source, ip(to), protocol).unwrap())
}

fn from_outside<'n>(network: &'n Network, to: &str, protocol: Protocol) -> Verdict<'n> {
    decide(network, &Packet::new(Origin::Outside, ip(OUTSIDE), ip(to), protocol).unwrap())
}

/// The outcome, and what decided it: the name of a rule or route, or the last step.
fn decided(verdict: &Verdict<'_>) -> (Outcome, String) {
    let text = match verdict.steps.last().unwrap() {
        Step::OutboundFirewall { rule, .. } | Step::InboundFirewall { rule, .. } => {
            rule.map_or("no rule".to_owned(), |rule| rule.name.to_string())
        }
        Step::Route { route, .. } => route.map_or("no route".to_owned(), |route| route.name.to_string()),
        Step::Gateway { .. } => "no address".to_owned(),
        Step::DestinationCheck { .. } => "not taken".to_owned(),
        Step::SourceCheck(check) => format!("{check:?}").split('(').next().unwrap().to_owned(),
        Step::Delivery(Delivery::Interface(receiver)) => receiver.parent_name.to_string(),
        Step::Delivery(delivery) => format!("{delivery:?}").split('(').next().unwrap().to_owned(),
        step => format!("{step:?}"),
    };
    (verdict.outcome(), text)
}

fn allowed(text: &str) -> (Outcome, String) {
    (Outcome::Allowed, text.to_owned())
}

fn denied(text: &str) -> (Outcome, String) {
    (Outcome::Denied, text.to_owned())
}

fn unreachable(text: &str) -> (Outcome, String) {
    (Outcome::Unreachable, text.to_owned())
}

// Section 3: firewall rules

#[test]
fn what_is_sent_passes_and_what_comes_does_not_unless_a_rule_says_so() {
    let mut network = vpc();
    assert_eq!(decided(&sent(&network, FRONT, "10.0.0.6", tcp(80))), allowed("back"));
    assert_eq!(decided(&sent(&network, FRONT, "10.0.1.5", tcp(80))), allowed("far"));
    network.rules.clear();
    let verdict = sent(&network, FRONT, "10.0.0.6", tcp(80));
    assert_eq!(decided(&verdict), denied("no rule"));
    assert!(matches!(verdict.steps[1], Step::OutboundFirewall { rule: None, .. }));
    let network = with_rules([rule("out", Direction::Outbound, Action::Deny, 65535, &[FRONT])]);
    assert_eq!(decided(&sent(&network, FRONT, "10.0.0.6", tcp(80))), denied("out"));
    assert_eq!(decided(&sent(&network, BACK, "10.0.0.5", tcp(80))), allowed("front"));
}

#[test]
fn the_lowest_number_decides_and_among_equals_what_denies() {
    let allow = |name, priority| rule(name, Direction::Inbound, Action::Allow, priority, &[BACK]);
    let deny = |name, priority| rule(name, Direction::Inbound, Action::Deny, priority, &[BACK]);
    for (rules, expected) in [
        (vec![deny("d", 10), allow("a", 9)], allowed("back")),
        (vec![deny("d", 9), allow("a", 10)], denied("d")),
        (vec![allow("a", 10), deny("d", 10)], denied("d")),
        (vec![deny("z", 10), deny("d", 10)], denied("d")),
        (vec![deny("d", 65535)], allowed("back")),
        (vec![deny("d", 0)], denied("d")),
    ] {
        let network = with_rules(rules);
        assert_eq!(decided(&sent(&network, FRONT, "10.0.0.6", tcp(80))), expected);
    }
}

#[test]
fn every_kind_of_filter_must_fit_and_one_entry_of_each_is_enough() {
    let deny = |edit: fn(&mut Rule)| {
        let mut rule = rule("deny", Direction::Inbound, Action::Deny, 1, &[BACK]);
        edit(&mut rule);
        with_rules([rule])
    };
    let hits =
        |network: &Network, protocol| decided(&sent(network, FRONT, "10.0.0.6", protocol)) == denied("deny");
    let network = deny(|rule| rule.hosts = Some(vec![net("192.0.2.0/24"), net("10.0.0.5/32")]));
    assert!(hits(&network, tcp(80)) && hits(&network, PING) && hits(&network, Protocol::Other));
    assert_eq!(decided(&sent(&network, FAR, "10.0.0.6", tcp(80))), allowed("back"));
    let network = deny(|rule| rule.ports = Some(vec!["22".parse().unwrap(), "80-90".parse().unwrap()]));
    assert!(hits(&network, tcp(80)) && hits(&network, Protocol::Udp { port: 90 }) && hits(&network, tcp(22)));
    assert!(!hits(&network, tcp(79)) && !hits(&network, tcp(91)));
    assert!(
        !hits(&network, PING) && !hits(&network, Protocol::Other),
        "protocols without ports match no ports"
    );
    let network = deny(|rule| rule.protocols = Some(vec![Filter::Udp, Filter::Tcp]));
    assert!(hits(&network, tcp(80)) && hits(&network, Protocol::Udp { port: 1 }));
    assert!(!hits(&network, PING) && !hits(&network, Protocol::Other));
    let network = deny(|rule| {
        rule.protocols = Some(vec![Filter::Udp]);
        rule.ports = Some(vec!["53".parse().unwrap()]);
        rule.hosts = Some(vec![net("10.0.0.0/29")]);
    });
    assert!(hits(&network, Protocol::Udp { port: 53 }));
    assert!(!hits(&network, tcp(53)) && !hits(&network, Protocol::Udp { port: 54 }));
}

#[test]
fn messages_of_icmp() {
    let deny = |filter: Option<(u8, Option<&str>)>| {
        let mut rule = rule("deny", Direction::Inbound, Action::Deny, 1, &[BACK]);
        let value = filter.map(|(icmp_type, code)| {
            let code = code.map(|code| code.parse().unwrap());
            VpcFirewallIcmpFilter { icmp_type, code }
        });
        rule.protocols = Some(vec![Filter::Icmp { value }]);
        with_rules([rule])
    };
    for (filter, icmp_type, code, expected) in [
        (None, 8, 0, true),
        (None, 255, 255, true),
        (Some((8, None)), 8, 7, true),
        (Some((8, None)), 0, 0, false),
        (Some((3, Some("4"))), 3, 4, true),
        (Some((3, Some("4"))), 3, 5, false),
        (Some((3, Some("1-5"))), 3, 5, true),
        (Some((3, Some("1-5"))), 3, 0, false),
        (Some((3, Some("5-1"))), 3, 3, false),
    ] {
        let network = deny(filter);
        let verdict = sent(&network, FRONT, "10.0.0.6", Protocol::Icmp { icmp_type, code });
        assert_eq!(decided(&verdict) == denied("deny"), expected, "{filter:?} {icmp_type} {code}");
        assert_eq!(decided(&sent(&network, FRONT, "10.0.0.6", tcp(8))), allowed("back"));
    }
    let mut network = deny(None);
    for (id, address) in [(FRONT, "fd00::5"), (BACK, "fd00::6")] {
        edit(&mut network, id).ip = ip(address);
    }
    for subnet in &mut network.subnets {
        add_routes(subnet, &[route("near", "fd00::/64", RouteTarget::Subnet(NEAR_SUBNET))]);
    }
    assert_eq!(
        decided(&sent(&network, FRONT, "fd00::6", PING)),
        allowed("back"),
        "ICMPv6 is another protocol"
    );
}

// Section 4: routes

#[test]
fn the_narrowest_route_is_taken_and_among_equals_the_custom_one() {
    let drop = || RouteTarget::Drop;
    for (routes, expected) in [
        (vec![custom("wide", "10.0.0.0/23", drop())], allowed("back")),
        (vec![custom("same", "10.0.0.0/24", drop())], denied("same")),
        (vec![route("narrow", "10.0.0.6/32", drop())], denied("narrow")),
        (vec![route("narrow", "10.0.0.4/30", drop()), custom("c", "10.0.0.0/24", drop())], denied("narrow")),
        (vec![custom("b", "10.0.0.0/24", drop()), custom("a", "10.0.0.9/24", drop())], denied("a")),
        (vec![custom("v6", "::/0", drop())], allowed("back")),
    ] {
        assert_eq!(decided(&sent(&with_routes(&routes), FRONT, "10.0.0.6", tcp(80))), expected);
    }
    let mut network = vpc();
    network.subnets.iter_mut().for_each(|subnet| subnet.system_routes = Routes::default());
    assert_eq!(decided(&sent(&network, FRONT, "10.0.0.6", tcp(80))), unreachable("no route"));
    let network = vpc();
    assert_eq!(decided(&sent(&network, FRONT, "10.0.0.7", tcp(80))), unreachable("Nobody"));
    assert_eq!(decided(&sent(&network, FRONT, "10.0.0.5", tcp(80))), unreachable("Sender"));
}

#[test]
fn a_route_to_an_address_hands_packets_to_whoever_carries_them() {
    let by_back = [custom("by-back", "198.51.100.0/24", RouteTarget::Address(ip("10.0.0.6")))];
    let mut network = with_routes(&by_back);
    assert_eq!(decided(&sent(&network, FRONT, "198.51.100.1", tcp(80))), denied("not taken"));
    edit(&mut network, BACK).transit_ips = vec![net("198.51.100.0/25")];
    assert_eq!(decided(&sent(&network, FRONT, "198.51.100.1", tcp(80))), allowed("back"));
    assert_eq!(decided(&sent(&network, FRONT, "198.51.100.200", tcp(80))), denied("not taken"));
    assert_eq!(decided(&sent(&network, BACK, "198.51.100.1", tcp(80))), unreachable("Sender"));
    let nobody = [custom("by-nobody", "198.51.100.0/24", RouteTarget::Address(ip("10.0.0.77")))];
    assert_eq!(decided(&sent(&with_routes(&nobody), FRONT, "198.51.100.1", tcp(80))), unreachable("Nobody"));
}

// Section 6: addresses of interfaces

#[test]
fn an_interface_sends_from_its_address_and_its_transit_networks() {
    let mut network = vpc();
    edit(&mut network, FRONT).transit_ips = vec![net("198.51.100.0/24"), net("fd01::/64")];
    let from = |network: &Network, source: &str| {
        let packet = Packet::new(Origin::Interface(FRONT), ip(source), ip("10.0.0.6"), tcp(80)).unwrap();
        decided(&decide(network, &packet))
    };
    assert_eq!(from(&network, "10.0.0.5"), allowed("back"));
    assert_eq!(from(&network, "198.51.100.9"), allowed("back"));
    assert_eq!(from(&network, "198.51.101.9"), denied("NotItsOwn"));
    assert_eq!(from(&network, "10.0.0.6"), denied("NotItsOwn"));
    edit(&mut network, FRONT).transit_ips = vec![net("0.0.0.0/0")];
    assert_eq!(from(&network, "192.0.2.200"), allowed("back"));
    let unknown = Packet::new(Origin::Interface(Uuid::nil()), ip("10.0.0.5"), ip("10.0.0.6"), PING).unwrap();
    assert_eq!(decide(&network, &unknown).steps, [Step::SourceCheck(SourceCheck::NoInterface)]);
    let mixed = Packet::new(Origin::Outside, ip("10.0.0.5"), ip("fd00::1"), PING);
    assert_eq!(mixed, Err(MixedFamilies));
}

// Sections 5 and 8: gateways and external addresses

fn external(shared: Option<&str>, ephemeral: Option<&str>, floating: &[&str]) -> ExternalAddresses {
    ExternalAddresses {
        source_nat: shared.map(|shared| SourceNat { ip: ip(shared), first_port: 16384, last_port: 32767 }),
        ephemeral: ephemeral.map(ip),
        floating: floating.iter().map(|address| ip(address)).collect(),
    }
}

#[test]
fn a_gateway_lets_out_floating_then_ephemeral_then_shared_addresses() {
    let shared = SourceNat { ip: ip("203.0.113.1"), first_port: 16384, last_port: 32767 };
    for (addresses, expected) in [
        (
            external(Some("203.0.113.1"), Some("203.0.113.2"), &["203.0.113.3"]),
            Some(("203.0.113.3", ExternalKind::Floating)),
        ),
        (
            external(Some("203.0.113.1"), Some("203.0.113.2"), &["203.0.113.9"]),
            Some(("203.0.113.2", ExternalKind::Ephemeral)),
        ),
        (
            external(Some("203.0.113.1"), Some("203.0.113.8"), &["203.0.113.9"]),
            Some(("203.0.113.1", ExternalKind::SourceNat(shared))),
        ),
        (
            external(None, None, &["203.0.113.3", "203.0.113.2"]),
            Some(("203.0.113.2", ExternalKind::Floating)),
        ),
        (external(Some("203.0.113.7"), None, &["2001:db8::1"]), None),
        (external(None, None, &[]), None),
    ] {
        let mut network = vpc();
        edit(&mut network, FRONT).external = addresses;
        let network = sorted(network);
        let verdict = sent(&network, FRONT, OUTSIDE, tcp(443));
        let Some((address, kind)) = expected else {
            assert_eq!(decided(&verdict), unreachable("no address"));
            continue;
        };
        assert_eq!(decided(&verdict), allowed("Outside"));
        let Step::SourceNat { from, to, kind: taken, .. } = verdict.steps[4] else { panic!("{verdict:?}") };
        assert_eq!((from, to, taken), (ip("10.0.0.5"), ip(address), kind));
    }
}

#[test]
fn an_external_address_leads_nowhere_without_an_address_of_its_family() {
    let mut network = vpc();
    edit(&mut network, BACK).external = external(None, None, &["2001:db8::9"]);
    let asker = |network: &Network| {
        let (source, to) = (ip("2001:db8:ffff::7"), ip("2001:db8::9"));
        decided(&decide(network, &Packet::new(Origin::Outside, source, to, tcp(22)).unwrap()))
    };
    let (outcome, step) = asker(&network);
    assert_eq!(outcome, Outcome::Unreachable);
    assert!(step.starts_with("OtherFamily"), "{step}");
    edit(&mut network, BACK).ip = ip("fd00::6");
    assert_eq!(asker(&network), allowed("back"));
}

#[test]
fn from_outside_only_whole_addresses_lead_in() {
    let mut network = vpc();
    edit(&mut network, BACK).external = external(Some("203.0.113.1"), Some("203.0.113.2"), &["203.0.113.9"]);
    for (to, expected) in [
        ("203.0.113.2", allowed("back")),
        ("203.0.113.9", allowed("back")),
        ("203.0.113.1", unreachable("OnlyAnswers")),
        ("203.0.113.3", unreachable("NotExternal")),
        ("10.0.0.6", unreachable("NotExternal")),
    ] {
        assert_eq!(decided(&from_outside(&network, to, tcp(80))), expected, "{to}");
    }
    let forged = Packet::new(Origin::Outside, ip("10.0.1.200"), ip("203.0.113.2"), tcp(80)).unwrap();
    assert_eq!(decided(&decide(&network, &forged)), denied("Forged"));
    network.rules[0].hosts = Some(vec![net("10.0.0.0/8")]);
    assert_eq!(decided(&from_outside(&network, "203.0.113.2", tcp(80))), denied("no rule"));
}

#[test]
fn who_sends_to_an_external_address_of_the_vpc_comes_in_from_outside() {
    let mut network = vpc();
    edit(&mut network, FRONT).external = external(Some("203.0.113.1"), None, &[]);
    edit(&mut network, BACK).external = external(None, None, &["203.0.113.3"]);
    let verdict = sent(&network, FRONT, "203.0.113.3", tcp(80));
    assert_eq!(decided(&verdict), allowed("back"));
    assert!(matches!(verdict.steps[4], Step::SourceNat { to, .. } if to == ip("203.0.113.1")));
    assert!(
        matches!(verdict.steps[5], Step::DestinationNat { external, .. } if external == ip("203.0.113.3"))
    );
    network.rules[0].hosts = Some(vec![net("10.0.0.0/8")]);
    assert_eq!(decided(&sent(&network, FRONT, "203.0.113.3", tcp(80))), denied("no rule"));
    network.rules[0].hosts = Some(vec![net("203.0.113.1/32")]);
    assert_eq!(decided(&sent(&network, FRONT, "203.0.113.3", tcp(80))), allowed("back"));
    assert_eq!(decided(&sent(&network, BACK, "203.0.113.1", tcp(80))), unreachable("OnlyAnswers"));
    // To itself through the gateway.
    assert_eq!(decided(&sent(&network, BACK, "203.0.113.3", tcp(80))), denied("no rule"));
}

/// The maximum number of rules, each with the maximum number of hosts. The test fails if it exceeds the time limit of
/// tests.
#[test]
fn a_full_firewall_is_no_burden() {
    let full = (0..1024_u16).map(|number| {
        let mut rule = rule("full", Direction::Inbound, Action::Deny, number, &[FRONT, BACK, FAR]);
        rule.hosts = Some((0..=255_u8).map(|host| IpNet::from(ip(&format!("198.51.100.{host}")))).collect());
        rule.ports = Some((1..=256_u16).map(|port| port.to_string().parse().unwrap()).collect());
        rule
    });
    let network = with_rules(full);
    for port in 1000..1010 {
        assert_eq!(decided(&sent(&network, FRONT, "10.0.0.6", tcp(port))), allowed("back"));
    }
}
