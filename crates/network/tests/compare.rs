//! The comparison of two states of a VPC reports exactly the packets whose outcomes differ.

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
    ExternalAddresses, Interface, Network, Origin, Outcome, Packet, Peer, Protocol, Route, RouteTarget, Rule,
    Subnet, Traffic, compare, decide,
};
use uuid::Uuid;

const WEB: Uuid = Uuid::from_u128(1);
const DB: Uuid = Uuid::from_u128(2);
const LONE: Uuid = Uuid::from_u128(3);
const SUBNET: Uuid = Uuid::from_u128(11);
const MESSAGES: [Protocol; 3] =
    [Protocol::Icmp { icmp_type: 8, code: 0 }, Protocol::Icmp { icmp_type: 3, code: 4 }, Protocol::Other];
/// Ports at the boundaries of the ranges below, and between them.
const PORTS: [u16; 9] = [1, 21, 22, 23, 442, 443, 5000, 6000, u16::MAX];

fn ip(text: &str) -> IpAddr {
    text.parse().unwrap()
}

fn interface(id: Uuid, name: &str, address: &str, floating: &[&str]) -> Interface {
    let external = ExternalAddresses {
        floating: floating.iter().map(|address| ip(address)).collect(),
        ..Default::default()
    };
    Interface {
        id,
        name: "net0".parse().unwrap(),
        parent_id: Uuid::from_u128(100 + id.as_u128()),
        parent_name: name.parse().unwrap(),
        is_probe: false,
        hostname: name.to_owned(),
        subnet_id: SUBNET,
        ip: ip(address),
        mac: MacAddr([0xa8, 0x40, 0x25, 0xf0, 0, 0]),
        primary: true,
        transit_ips: Vec::new(),
        external,
    }
}

fn route(name: &str, destination: &str, target: RouteTarget) -> Route {
    Route {
        id: Uuid::from_u128(50),
        name: name.parse().unwrap(),
        router_id: Uuid::from_u128(60),
        router_name: "system".parse().unwrap(),
        router_kind: VpcRouterKind::System,
        destination: destination.parse().unwrap(),
        target,
    }
}

fn rule(name: &str, direction: Direction, action: Action, targets: &[Uuid]) -> Rule {
    Rule {
        id: Uuid::from_u128(80),
        name: name.parse().unwrap(),
        priority: 100,
        direction,
        action,
        targets: targets.to_vec(),
        hosts: None,
        protocols: None,
        ports: None,
    }
}

/// A VPC that allows inbound SSH, with additional rules and a route for the test network.
fn vpc(rules: Vec<Rule>, test_network: RouteTarget) -> Network {
    let ssh = Rule {
        priority: 60000,
        ports: Some(vec!["22".parse().unwrap()]),
        protocols: Some(vec![Filter::Tcp]),
        ..rule("ssh", Direction::Inbound, Action::Allow, &[WEB, DB, LONE])
    };
    let routes = [
        route("near", "10.0.0.0/24", RouteTarget::Subnet(SUBNET)),
        route("test", "192.0.2.0/24", test_network),
    ];
    let mut network = Network {
        id: Uuid::from_u128(99),
        vni: 5000.try_into().unwrap(),
        dns_name: "inner".parse().unwrap(),
        subnets: vec![Subnet {
            id: SUBNET,
            name: "near".parse().unwrap(),
            ipv4: "10.0.0.0/24".parse().unwrap(),
            ipv6: "fd00::/64".parse().unwrap(),
            system_routes: routes.into_iter().collect(),
            custom_routes: croft_network::Routes::default(),
        }],
        interfaces: vec![
            interface(WEB, "web", "10.0.0.5", &["203.0.113.1"]),
            interface(DB, "db", "10.0.0.6", &[]),
            interface(LONE, "lone", "10.0.0.7", &[]),
        ],
        rules: [vec![ssh], rules].concat(),
    };
    network.sort();
    network
}

fn gateway() -> RouteTarget {
    let addresses = [ip("203.0.113.1")].into_iter().collect();
    RouteTarget::Gateway { id: Uuid::from_u128(70), name: "default".parse().unwrap(), addresses }
}

/// States of the VPC that differ in rules of either direction, with and without each filter, and in a route.
fn states() -> Vec<Network> {
    let hosts = |network: &str| Some(vec![network.parse::<IpNet>().unwrap()]);
    let message = VpcFirewallIcmpFilter { icmp_type: 3, code: Some("4".parse().unwrap()) };
    let rules = vec![
        Vec::new(),
        vec![Rule {
            ports: Some(vec!["22-442".parse().unwrap()]),
            ..rule("a", Direction::Inbound, Action::Allow, &[DB])
        }],
        vec![
            Rule {
                protocols: Some(vec![Filter::Udp]),
                ..rule("a", Direction::Inbound, Action::Allow, &[WEB, DB])
            },
            Rule {
                ports: Some(vec!["5000-6000".parse().unwrap()]),
                ..rule("b", Direction::Outbound, Action::Deny, &[LONE])
            },
        ],
        vec![Rule { hosts: hosts("192.0.2.0/24"), ..rule("a", Direction::Inbound, Action::Allow, &[WEB]) }],
        vec![Rule { hosts: hosts("192.0.2.0/24"), ..rule("a", Direction::Outbound, Action::Deny, &[WEB]) }],
        vec![Rule {
            protocols: Some(vec![Filter::Icmp { value: Some(message) }]),
            ..rule("a", Direction::Inbound, Action::Allow, &[DB, LONE])
        }],
    ];
    let with_gateway = rules.into_iter().map(|rules| vpc(rules, gateway()));
    with_gateway.chain([vpc(Vec::new(), RouteTarget::Drop)]).collect()
}

fn protocols() -> Vec<Protocol> {
    let ports = PORTS.into_iter().flat_map(|port| [Protocol::Tcp { port }, Protocol::Udp { port }]);
    ports.chain(MESSAGES).collect()
}

fn carries(traffic: Traffic, protocol: Protocol) -> bool {
    match (traffic, protocol) {
        (Traffic::Tcp(first, last), Protocol::Tcp { port })
        | (Traffic::Udp(first, last), Protocol::Udp { port }) => (first..=last).contains(&port),
        (Traffic::Icmp { icmp_type, code }, Protocol::Icmp { icmp_type: other, code: other_code }) => {
            (icmp_type, code) == (other, other_code)
        }
        (Traffic::Other, Protocol::Other) => true,
        _ => false,
    }
}

/// The outcomes that the comparison reports for a packet, if they differ.
fn reported(before: &Network, after: &Network, packet: &Packet) -> Option<(Outcome, Outcome)> {
    let ends = |peer: Peer, address: IpAddr| match peer {
        Peer::Interface(id) => {
            let interface = after.interface(id).unwrap();
            interface.ip == address || interface.external.floating.contains(&address)
        }
        Peer::Outside { address: tried, network } => {
            network.map_or(tried == address, |network| network.contains(address))
        }
    };
    let comparison = compare(before, after);
    assert!(comparison.is_complete);
    let mut fitting = comparison.changes.into_iter().filter(|change| {
        ends(change.source, packet.source())
            && ends(change.destination, packet.destination())
            && carries(change.traffic, packet.protocol())
    });
    let change = fitting.next()?;
    assert_eq!(fitting.next(), None, "a packet must be in one change only");
    Some((change.before, change.after))
}

#[test]
fn it_reports_each_packet_with_another_outcome_and_no_other() {
    let outside = ["192.0.2.9", "203.0.113.77"].map(ip);
    let states = states();
    let mut changed = 0;
    for (before, after) in states.iter().flat_map(|before| states.iter().map(move |after| (before, after))) {
        let mut pairs = Vec::new();
        for source in &after.interfaces {
            let others = after.interfaces.iter().filter(|other| other.id != source.id).map(|other| other.ip);
            let destinations = others.chain([outside[0]]);
            pairs.extend(
                destinations.map(|destination| (Origin::Interface(source.id), source.ip, destination)),
            );
        }
        pairs.push((Origin::Outside, outside[0], ip("203.0.113.1")));
        for (origin, source, destination) in pairs {
            for protocol in protocols() {
                let packet = Packet::new(origin, source, destination, protocol).unwrap();
                let outcomes = (decide(before, &packet).outcome(), decide(after, &packet).outcome());
                // An ICMP type that no rule names has the same outcome as an echo request, which is in the list.
                let is_named = !matches!(protocol, Protocol::Icmp { icmp_type: 3, .. })
                    || [before, after].iter().any(|state| {
                        state.rules.iter().any(|rule| {
                            rule.protocols
                                .iter()
                                .flatten()
                                .any(|filter| matches!(filter, Filter::Icmp { .. }))
                                && (rule
                                    .targets
                                    .iter()
                                    .any(|id| state.interface(*id).unwrap().ip == destination))
                        })
                    });
                if !is_named {
                    continue;
                }
                let expected = (outcomes.0 != outcomes.1).then_some(outcomes);
                assert_eq!(reported(before, after, &packet), expected, "{packet:?}\n{before:#?}\n{after:#?}");
                changed += usize::from(expected.is_some());
            }
        }
    }
    assert!(changed > 100, "{changed}");
}

#[test]
fn nothing_differs_from_itself() {
    for state in states() {
        assert_eq!(compare(&state, &state).changes, []);
    }
}

#[test]
fn a_comparison_of_too_much_says_so() {
    let named = (0..100_u8).map(|third| format!("198.18.{third}.0/24").parse().unwrap()).collect();
    let many = Rule { hosts: Some(named), ..rule("a", Direction::Outbound, Action::Deny, &[WEB]) };
    let comparison = compare(&vpc(Vec::new(), gateway()), &vpc(vec![many], gateway()));
    assert!(!comparison.is_complete);
}
