use std::net::IpAddr;

use croft_api::{
    firewall::{
        VpcFirewallIcmpFilter, VpcFirewallRuleAction, VpcFirewallRuleDirection, VpcFirewallRuleProtocol,
    },
    router::VpcRouterKind,
    scalar::{MacAddr, Vni},
};
use croft_network::{
    ExternalAddresses, Interface, Network, Route, RouteTarget, Routes, Rule, SourceNat, Subnet,
};
use uuid::Uuid;

fn id(number: u128) -> Uuid {
    Uuid::from_u128(number)
}

pub(super) fn interface(number: u8, subnet: &Subnet, ip: &str) -> Interface {
    Interface {
        id: id(0x100 + u128::from(number)),
        name: "net0".parse().unwrap(),
        parent_id: id(0x200 + u128::from(number)),
        parent_name: format!("db{number}").parse().unwrap(),
        is_probe: false,
        hostname: format!("db{number}"),
        subnet_id: subnet.id,
        ip: ip.parse().unwrap(),
        mac: MacAddr([0xa8, 0x40, 0x25, 0xf0, 0, number]),
        primary: true,
        transit_ips: Vec::new(),
        external: ExternalAddresses::default(),
    }
}

pub(super) fn route(name: &str, destination: &str, target: RouteTarget) -> Route {
    Route {
        id: id(0x300),
        name: name.parse().unwrap(),
        router_id: id(0x301),
        router_name: "system".parse().unwrap(),
        router_kind: VpcRouterKind::System,
        destination: destination.parse().unwrap(),
        target,
    }
}

/// Converts a route to one of a custom router.
pub(super) fn custom(router: u128, route: Route) -> Route {
    let router_name = format!("custom-{router}").parse().unwrap();
    Route { router_id: id(router), router_name, router_kind: VpcRouterKind::Custom, ..route }
}

pub(super) fn gateway(addresses: &[&str]) -> RouteTarget {
    let addresses = addresses.iter().map(|address| address.parse().unwrap()).collect();
    RouteTarget::Gateway { id: id(0x400), name: "default".parse().unwrap(), addresses }
}

pub(super) fn rule(name: &str, direction: VpcFirewallRuleDirection, targets: &[&Interface]) -> Rule {
    Rule {
        id: id(0x500),
        name: name.parse().unwrap(),
        priority: 65_534,
        direction,
        action: VpcFirewallRuleAction::Allow,
        targets: targets.iter().map(|interface| interface.id).collect(),
        hosts: None,
        protocols: None,
        ports: None,
    }
}

/// Two subnets with three guests: one with exclusive addresses, one that shares an address, and an appliance that
/// forwards packets.
pub(super) fn network() -> Network {
    let mut web = Subnet {
        id: id(0x11),
        name: "web".parse().unwrap(),
        ipv4: "172.30.0.0/22".parse().unwrap(),
        ipv6: "fd12:3456:789a::/64".parse().unwrap(),
        system_routes: Routes::default(),
        custom_routes: Routes::default(),
    };
    let mut data = Subnet {
        id: id(0x12),
        name: "data".parse().unwrap(),
        ipv4: "172.30.4.0/24".parse().unwrap(),
        ipv6: "fd12:3456:789a:1::/64".parse().unwrap(),
        system_routes: Routes::default(),
        custom_routes: Routes::default(),
    };
    let mut first = interface(1, &web, "172.30.0.5");
    first.external = ExternalAddresses {
        source_nat: Some(shared(0)),
        ephemeral: Some("10.128.0.21".parse().unwrap()),
        floating: vec!["10.128.0.10".parse().unwrap()],
    };
    let mut second = interface(2, &web, "172.30.0.6");
    second.external.source_nat = Some(shared(16_384));
    let mut appliance = interface(3, &data, "172.30.4.5");
    appliance.transit_ips = vec!["192.168.0.0/16".parse().unwrap(), "172.30.4.4/30".parse().unwrap()];
    let out = gateway(&["10.128.0.20", "10.128.0.21", "10.128.0.10"]);
    let system: Routes = [
        route("default-v4", "0.0.0.0/0", out.clone()),
        route("default-v6", "::/0", out),
        route("web", "172.30.0.0/22", RouteTarget::Subnet(web.id)),
        route("web", "fd12:3456:789a::/64", RouteTarget::Subnet(web.id)),
        route("data", "172.30.4.0/24", RouteTarget::Subnet(data.id)),
        route("data", "fd12:3456:789a:1::/64", RouteTarget::Subnet(data.id)),
    ]
    .into_iter()
    .collect();
    let address = |text: &str| RouteTarget::Address(text.parse::<IpAddr>().unwrap());
    web.custom_routes = [
        custom(0x302, route("nowhere", "203.0.113.7/32", RouteTarget::Drop)),
        custom(0x302, route("appliance", "192.168.0.0/16", address("172.30.4.5"))),
    ]
    .into_iter()
    .collect();
    web.system_routes = system.clone();
    data.custom_routes =
        [custom(0x303, route("back", "10.0.0.0/8", address("172.30.0.6")))].into_iter().collect();
    data.system_routes = system;
    let (inbound, outbound) = (VpcFirewallRuleDirection::Inbound, VpcFirewallRuleDirection::Outbound);
    let everyone = [&first, &second, &appliance];
    let hosts = |all: &[&str]| Some(all.iter().map(|net| net.parse().unwrap()).collect());
    let rules = vec![
        Rule {
            action: VpcFirewallRuleAction::Deny,
            hosts: hosts(&["8.8.8.0/24", "fd99::/16"]),
            protocols: Some(vec![VpcFirewallRuleProtocol::Udp, VpcFirewallRuleProtocol::Tcp]),
            ports: Some(vec!["53".parse().unwrap(), "50-60".parse().unwrap(), "80".parse().unwrap()]),
            ..rule("no-names", outbound, &[&second])
        },
        Rule {
            protocols: Some(vec![VpcFirewallRuleProtocol::Icmp { value: None }]),
            ..rule("allow-icmp", inbound, &everyone)
        },
        Rule {
            hosts: hosts(&["172.30.0.0/22", "172.30.4.0/24", "fd12:3456:789a::/48"]),
            ..rule("allow-internal-inbound", inbound, &everyone)
        },
        Rule {
            protocols: Some(vec![VpcFirewallRuleProtocol::Tcp]),
            ports: Some(vec!["22".parse().unwrap()]),
            ..rule("allow-ssh", inbound, &everyone)
        },
        Rule { ports: Some(vec!["8080-8090".parse().unwrap()]), ..rule("web", inbound, &[&first]) },
        Rule {
            protocols: Some(vec![VpcFirewallRuleProtocol::Icmp {
                value: Some(VpcFirewallIcmpFilter { icmp_type: 3, code: Some("1-4".parse().unwrap()) }),
            }]),
            ..rule("errors", inbound, &[&first])
        },
    ];
    Network {
        id: id(1),
        vni: Vni::try_from(1024).unwrap(),
        dns_name: "shop".parse().unwrap(),
        subnets: vec![web, data],
        interfaces: vec![first, second, appliance],
        rules,
    }
}

fn shared(first_port: u16) -> SourceNat {
    SourceNat { ip: "10.128.0.20".parse().unwrap(), first_port, last_port: first_port + 16_383 }
}
