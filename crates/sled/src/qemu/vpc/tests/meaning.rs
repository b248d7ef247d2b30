//! Property test: random packets in random VPCs end where [`decide`] says.

use std::net::IpAddr;

use croft_api::{
    firewall::{
        VpcFirewallIcmpFilter, VpcFirewallRuleAction, VpcFirewallRuleDirection, VpcFirewallRuleProtocol,
    },
    scalar::{IcmpParamRange, IpNet, MacAddr},
};
use croft_network::{
    Delivery, ExternalKind, Network, Origin, Outcome, Packet, Protocol, Route, RouteTarget, Rule, SourceNat,
    Step, decide,
};
use proptest::prelude::*;

use super::{
    fixture,
    kernel::{End, Kernel, PacketState},
};
use crate::qemu::vpc::names::{self, UPLINK, tap};

/// The random choices of a test case: zero once they are used up.
struct Choices(std::vec::IntoIter<u8>);

impl Choices {
    fn below(&mut self, limit: usize) -> usize {
        usize::from(self.0.next().unwrap_or_default()) % limit
    }

    fn of<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }

    fn likely(&mut self) -> bool {
        self.below(4) != 0
    }
}

const NETS: [&str; 8] = [
    "0.0.0.0/0",
    "172.30.0.0/22",
    "172.30.4.0/24",
    "172.30.0.4/31",
    "192.168.0.0/16",
    "203.0.113.0/24",
    "fd12:3456:789a::/48",
    "fd12:3456:789a:1::/64",
];
/// The last one of each family is shared.
const EXTERNAL: [[&str; 6]; 2] = [
    ["10.128.0.10", "10.128.0.20", "10.128.0.21", "10.128.0.22", "10.128.0.30", "10.128.0.40"],
    ["2001:db8::10", "2001:db8::20", "2001:db8::21", "2001:db8::22", "2001:db8::30", "2001:db8::40"],
];

fn net(choices: &mut Choices) -> IpNet {
    choices.of(&NETS).parse().unwrap()
}

fn addresses(network: &Network) -> Vec<IpAddr> {
    let mut all: Vec<IpAddr> = network.interfaces.iter().map(|interface| interface.ip).collect();
    let others =
        ["192.168.7.7", "203.0.113.7", "8.8.8.8", "172.30.0.99", "fd12:3456:789a::99", "2001:db8:1::1"];
    all.extend(
        others
            .into_iter()
            .chain(EXTERNAL.into_iter().flatten())
            .map(|address| address.parse::<IpAddr>().unwrap()),
    );
    all
}

fn network(choices: &mut Choices) -> Network {
    let mut network = fixture::network();
    let extra = fixture::interface(4, &network.subnets[1], "fd12:3456:789a:1::5");
    network.interfaces.push(extra);
    let extra = fixture::interface(5, &network.subnets[0], "fd12:3456:789a::5");
    network.interfaces.push(extra);
    for (number, interface) in network.interfaces.iter_mut().enumerate() {
        interface.transit_ips = (0..choices.below(3)).map(|_| net(choices)).collect();
        interface.external = croft_network::ExternalAddresses::default();
        // Sometimes an address of a family that the interface does not have.
        let is_v6 = interface.ip.is_ipv6() == choices.likely();
        let external = EXTERNAL[usize::from(is_v6)];
        let own = external[number].parse().unwrap();
        match choices.below(4) {
            0 => {}
            1 => interface.external.floating = vec![own],
            2 => interface.external.ephemeral = Some(own),
            _ => {
                let ip = external[5].parse().unwrap();
                interface.external.source_nat = Some(SourceNat { ip, first_port: 0, last_port: 16_383 });
            }
        }
    }
    routes(&mut network, choices);
    rules(&mut network, choices);
    network.sort();
    network
}

fn routes(network: &mut Network, choices: &mut Choices) {
    let all = addresses(network);
    let leaving: Vec<&str> = EXTERNAL.into_iter().flatten().filter(|_| choices.likely()).collect();
    for subnet in &mut network.subnets {
        let (mut system, mut custom): (Vec<Route>, Vec<Route>) = Default::default();
        let to_subnets = |route: &&Route| matches!(route.target, RouteTarget::Subnet(_));
        system.extend(subnet.system_routes.iter().filter(to_subnets).cloned());
        if choices.likely() {
            system.push(fixture::route("out-v4", "0.0.0.0/0", fixture::gateway(&leaving)));
            system.push(fixture::route("out-v6", "::/0", fixture::gateway(&leaving)));
        }
        for number in 0..choices.below(4) {
            let destination = net(choices);
            let next = choices.of(&all);
            let target = match choices.below(3) {
                0 if next.is_ipv4() == destination.addr().is_ipv4() => RouteTarget::Address(next),
                1 => fixture::gateway(&leaving),
                _ => RouteTarget::Drop,
            };
            let route = fixture::route(&format!("r{number}"), &destination.to_string(), target);
            if choices.likely() {
                custom.push(fixture::custom(0x302, route));
            } else {
                system.push(route);
            }
        }
        (subnet.system_routes, subnet.custom_routes) =
            (system.into_iter().collect(), custom.into_iter().collect());
    }
}

fn rules(network: &mut Network, choices: &mut Choices) {
    network.rules.clear();
    for number in 0..choices.below(8) {
        let direction = choices.of(&[VpcFirewallRuleDirection::Inbound, VpcFirewallRuleDirection::Outbound]);
        let targets: Vec<_> = network.interfaces.iter().filter(|_| choices.likely()).collect();
        let mut rule = fixture::rule(&format!("rule-{number}"), direction, &targets);
        rule.priority = u16::try_from(choices.below(3)).unwrap();
        rule.action = choices.of(&[VpcFirewallRuleAction::Allow, VpcFirewallRuleAction::Deny]);
        if !choices.likely() {
            rule.hosts = Some((0..=choices.below(3)).map(|_| net(choices)).collect());
        }
        if !choices.likely() {
            rule.ports = Some(
                (0..=choices.below(2))
                    .map(|_| choices.of(&["22", "50-60", "55-90"]))
                    .map(|ports| ports.parse().unwrap())
                    .collect(),
            );
        }
        if !choices.likely() {
            rule.protocols = Some((0..=choices.below(2)).map(|_| protocol_filter(choices)).collect());
        }
        if !rule.targets.is_empty() {
            network.rules.push(rule);
        }
    }
    let everyone: Vec<_> = network.interfaces.iter().collect();
    if choices.likely() {
        let last = fixture::rule("last", VpcFirewallRuleDirection::Inbound, &everyone);
        network.rules.push(Rule { priority: 9, ..last });
    }
}

fn protocol_filter(choices: &mut Choices) -> VpcFirewallRuleProtocol {
    match choices.below(4) {
        0 => VpcFirewallRuleProtocol::Tcp,
        1 => VpcFirewallRuleProtocol::Udp,
        2 => VpcFirewallRuleProtocol::Icmp { value: None },
        _ => {
            let code = choices.of(&[None, Some(IcmpParamRange { first: 0, last: 2 })]);
            VpcFirewallRuleProtocol::Icmp { value: Some(VpcFirewallIcmpFilter { icmp_type: 8, code }) }
        }
    }
}

fn protocol(choices: &mut Choices) -> Protocol {
    match choices.below(4) {
        0 => Protocol::Tcp { port: choices.of(&[22, 57, 80, 443]) },
        1 => Protocol::Udp { port: choices.of(&[22, 57, 80, 443]) },
        2 => Protocol::Icmp { icmp_type: choices.of(&[0, 8]), code: choices.of(&[0, 3]) },
        _ => Protocol::Other,
    }
}

/// Where a packet comes out and its source address, in the terms of [`decide`].
fn decided(network: &Network, packet: &Packet) -> End {
    let verdict = decide(network, packet);
    if verdict.outcome() != Outcome::Allowed {
        return End::Dropped;
    }
    let (mut source, mut destination) = (packet.source(), packet.destination());
    for step in &verdict.steps {
        match step {
            // Protocols without ports cannot share an address.
            Step::SourceNat { kind: ExternalKind::SourceNat(_), .. }
                if packet.protocol() == Protocol::Other =>
            {
                return End::Dropped;
            }
            Step::SourceNat { to, .. } => source = *to,
            Step::DestinationNat { interface, .. } => destination = interface.ip,
            Step::Delivery(Delivery::Outside) => return End::Outside { source },
            Step::Delivery(Delivery::Interface(interface)) => {
                return End::At { link: tap(interface.id), source, destination };
            }
            _ => {}
        }
    }
    End::Dropped
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn packets_reach_the_expected_destination(bytes in proptest::collection::vec(any::<u8>(), 0..160)) {
        let mut choices = Choices(bytes.into_iter());
        let packets: Vec<[usize; 3]> =
            (0..8).map(|_| [choices.below(250), choices.below(250), choices.below(250)]).collect();
        let protocols: Vec<Protocol> = (0..8).map(|_| protocol(&mut choices)).collect();
        let network = network(&mut choices);
        let all = addresses(&network);
        let kernel = Kernel::of(&network);
        for ([sender, source, destination], protocol) in packets.into_iter().zip(protocols) {
            let interface = network.interfaces.get(sender % (network.interfaces.len() + 1));
            // Most packets have a valid source address.
            let own = interface.filter(|_| source % 3 != 0).map(|interface| interface.ip);
            let source = own.unwrap_or(all[source % all.len()]);
            let destination = all[destination % all.len()];
            let origin = interface.map_or(Origin::Outside, |interface| Origin::Interface(interface.id));
            let Ok(packet) = Packet::new(origin, source, destination, protocol) else { continue };
            let (link, mac) = interface.map_or_else(
                || (UPLINK.to_owned(), names::UPPER_MAC),
                |interface| (tap(interface.id), interface.mac),
            );
            let seen = kernel.pass(PacketState::new(link, mac, source, destination, protocol));
            prop_assert_eq!(seen, decided(&network, &packet), "{:?} in {:?}", packet, network);
        }
    }

    #[test]
    fn packets_with_a_foreign_hardware_address_are_dropped(last in 6_u8..=255) {
        let network = fixture::network();
        let (thief, owner) = (&network.interfaces[1], &network.interfaces[0]);
        let tcp = Protocol::Tcp { port: 22 };
        let kernel = Kernel::of(&network);
        let mac = MacAddr([0xa8, 0x40, 0x25, 0xf0, 0, last]);
        let passing = |mac, source| PacketState::new(tap(thief.id), mac, source, owner.ip, tcp);
        prop_assert_eq!(kernel.pass(passing(mac, thief.ip)), End::Dropped);
        prop_assert_eq!(kernel.pass(passing(thief.mac, network.interfaces[2].ip)), End::Dropped);
        let honest = End::At { link: tap(owner.id), source: thief.ip, destination: owner.ip };
        prop_assert_eq!(kernel.pass(passing(thief.mac, thief.ip)), honest);
    }
}
