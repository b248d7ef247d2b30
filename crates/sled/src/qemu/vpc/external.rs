//! NAT between a VPC and the outside, as rules of its namespace. Both families are treated alike, with separate sets.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use croft_network::{ExternalKind, Interface, Network, SourceNat};

use super::{
    firewall::{blocks, chain, element, link, rule},
    names::{self, UPLINK},
    ranges::{Addresses, Family, merged},
    routing,
    ruleset::{Action, Chain, Element, Field, Hook, Rule, Set, Test, Transport, Value, ValueKind},
};

const EXTERNAL: [&str; 2] = ["external4", "external6"];
const ENTRANCES: [&str; 2] = ["entrances4", "entrances6"];
const EXITS: [&str; 2] = ["exits4", "exits6"];
const SHARED_EXITS: [&str; 2] = ["shared_exits4", "shared_exits6"];
const LEAVERS: [&str; 2] = ["leavers4", "leavers6"];
const SHARED_LEAVERS: [&str; 2] = ["shared_leavers4", "shared_leavers6"];
const OWN_EXTERNAL: [&str; 2] = ["own_external4", "own_external6"];

/// The external addresses of an interface, without translation between families.
fn entrances_of(interface: &Interface) -> impl Iterator<Item = IpAddr> {
    let all = interface.external.floating.iter().chain(&interface.external.ephemeral).copied();
    all.filter(|external| external.is_ipv4() == interface.ip.is_ipv4())
}

/// The external addresses of an interface, including shared ones.
fn externals_of(interface: &Interface) -> impl Iterator<Item = IpAddr> {
    let own = interface.external.floating.iter().chain(&interface.external.ephemeral).copied();
    own.chain(interface.external.source_nat.map(|shared| shared.ip))
}

/// The external addresses of a VPC, including shared ones.
pub(super) fn externals(network: &Network) -> impl Iterator<Item = IpAddr> {
    network.interfaces.iter().flat_map(externals_of)
}

/// The external addresses that accept incoming connections.
pub(super) fn entrances(network: &Network) -> impl Iterator<Item = IpAddr> {
    network.interfaces.iter().flat_map(entrances_of)
}

/// Source NAT for packets that leave by a gateway.
#[derive(Default)]
struct GatewayExits {
    leavers: Vec<Element>,
    own: Vec<Element>,
    shared_leavers: Vec<Element>,
    shared: Vec<Element>,
    /// The chains that assign the ports of shared addresses.
    chains: Vec<Chain>,
}

impl GatewayExits {
    fn of(network: &Network, family: Family) -> Self {
        let anywhere: IpAddr = match family {
            Family::V4 => Ipv4Addr::UNSPECIFIED.into(),
            Family::V6 => Ipv6Addr::UNSPECIFIED.into(),
        };
        let mut exits = Self::default();
        for interface in &network.interfaces {
            for (number, addresses) in routing::gateways(network).values().enumerate() {
                let leaves = interface.external.egress_address(anywhere, addresses);
                if let Some((address, kind)) = leaves {
                    let gateway = Addresses::one(names::gateway_address(family, number));
                    exits.add([link(interface), Value::Addresses(gateway)], family, address, kind);
                }
            }
        }
        exits
    }

    fn add(&mut self, key: [Value; 2], family: Family, address: IpAddr, kind: ExternalKind) {
        let ExternalKind::SourceNat(SourceNat { first_port, last_port, .. }) = kind else {
            self.leavers.push(element(key.clone(), None));
            self.own.push(element(key, Some(Value::Addresses(Addresses::one(address)))));
            return;
        };
        // Port 0 is not usable.
        let first_port = first_port.max(1);
        self.shared_leavers.push(element(key.clone(), None));
        let value = match family {
            Family::V4 => Value::AddressAndPorts(Addresses::one(address), first_port, last_port),
            Family::V6 => Value::Chain(self.sharing(address, first_port, last_port)),
        };
        self.shared.push(element(key, Some(value)));
    }

    /// A chain that assigns these ports. For IPv6, nftables does not support a map to an address with a range of ports.
    fn sharing(&mut self, address: IpAddr, first: u16, last: u16) -> String {
        let sharing = rule([with_ports(Family::V6)], [Action::ShareSource(address, first, last)]);
        let known = self.chains.iter().find(|chain| chain.rules.first() == Some(&sharing));
        if let Some(known) = known {
            return known.name.clone();
        }
        let name = format!("sharing_{}", self.chains.len());
        self.chains.push(chain(name.clone(), None, vec![sharing]));
        name
    }
}

/// The sets of one family: all external addresses, their targets, and the source addresses; and the chains that the
/// maps refer to.
pub(super) fn sets(network: &Network, family: Family) -> ([Set; 7], Vec<Chain>) {
    let (mut entrances, mut own_external) = (Vec::new(), Vec::new());
    for interface in &network.interfaces {
        let led = || Some(Value::Addresses(Addresses::one(interface.ip)));
        for external in entrances_of(interface).filter(|external| Family::of(*external) == family) {
            entrances.push(element([Value::Addresses(Addresses::one(external))], led()));
        }
        for run in merged(externals_of(interface).map(Addresses::one), family) {
            own_external.push(element([link(interface), Value::Addresses(run)], None));
        }
    }
    let all = merged(externals(network).map(Addresses::one), family);
    let all = all.into_iter().map(|run| element([Value::Addresses(run)], None)).collect();
    let exits = GatewayExits::of(network, family);
    let destination = || vec![Field::Destination(family)];
    let address = Some(ValueKind::Address(family));
    let shared = match family {
        Family::V4 => ValueKind::AddressAndPorts,
        Family::V6 => ValueKind::Chain,
    };
    let number = family as usize;
    let of_exits = |name, value, elements| Set { name, key: exit(family), value, elements };
    let sets = [
        Set { name: EXTERNAL[number], key: destination(), value: None, elements: all },
        Set { name: ENTRANCES[number], key: destination(), value: address, elements: entrances },
        Set {
            name: OWN_EXTERNAL[number],
            key: vec![Field::In, Field::Source(family)],
            value: None,
            elements: own_external,
        },
        of_exits(LEAVERS[number], None, exits.leavers),
        of_exits(SHARED_LEAVERS[number], None, exits.shared_leavers),
        of_exits(EXITS[number], address, exits.own),
        of_exits(SHARED_EXITS[number], Some(shared), exits.shared),
    ];
    (sets, exits.chains)
}

/// Accepts packets from outside to external addresses, unless their source is inside.
pub(super) fn arriving(network: &Network) -> Vec<Rule> {
    let mut rules = Vec::new();
    for family in Family::BOTH {
        let blocks = network.subnets.iter().flat_map(blocks);
        let blocks = merged(blocks, family);
        if !blocks.is_empty() {
            rules.push(rule([Test::In(UPLINK), Test::Source(blocks)], [Action::Drop]));
        }
        let unknown = Test::Member(vec![Field::Destination(family)], EXTERNAL[family as usize], false);
        rules.push(rule([Test::In(UPLINK), unknown], [Action::Drop]));
    }
    rules
}

/// Destination NAT from external addresses to interfaces.
pub(super) fn entering() -> Chain {
    let translate = |family: Family| {
        let destination = vec![Field::Destination(family)];
        rule(
            [Test::In(UPLINK)],
            [Action::TranslateDestination(family, destination, ENTRANCES[family as usize])],
        )
    };
    chain("entering", Some(Hook::DestinationNat), Family::BOTH.map(translate).into())
}

/// Whether a packet that passed its sender's rules may leave the VPC.
pub(super) fn passing() -> Vec<Rule> {
    let leave = || [Action::Remember { refused: false }, Action::Accept];
    let mut rules = Vec::new();
    for family in Family::BOTH {
        let own = Test::Member(exit(family), LEAVERS[family as usize], true);
        let shared = Test::Member(exit(family), SHARED_LEAVERS[family as usize], true);
        rules.push(rule([Test::Out(UPLINK), own], leave()));
        rules.push(rule([Test::Out(UPLINK), with_ports(family), shared], leave()));
    }
    rules.push(rule([Test::Out(UPLINK)], [Action::Drop]));
    rules
}

/// Source NAT to an external address of the sender.
pub(super) fn exiting() -> Chain {
    let mut rules = Vec::new();
    for family in Family::BOTH {
        let (own, shared) = (EXITS[family as usize], SHARED_EXITS[family as usize]);
        rules.push(rule([Test::Out(UPLINK)], [Action::TranslateSource(family, exit(family), own)]));
        let share = match family {
            Family::V4 => Action::TranslateSource(family, exit(family), shared),
            Family::V6 => Action::Dispatch(exit(family), shared),
        };
        rules.push(rule([Test::Out(UPLINK), with_ports(family)], [share]));
    }
    chain("exiting", Some(Hook::SourceNat), rules)
}

/// Packets may leave only with an external address of their sender. Otherwise, a packet that a guest forwards for
/// another one would leave untranslated, because its connection started inside.
pub(super) fn leaving() -> Chain {
    let foreign = |family: Family| {
        let source = vec![Field::In, Field::Source(family)];
        rule([Test::Out(UPLINK), Test::Member(source, OWN_EXTERNAL[family as usize], false)], [Action::Drop])
    };
    chain("leaving", Some(Hook::Leaving), Family::BOTH.map(foreign).into())
}

/// The sender and the gateway of a packet.
fn exit(family: Family) -> Vec<Field> {
    vec![Field::In, Field::NextHop(family)]
}

/// Protocols that can share an address: ICMP messages have an identifier in place of ports.
fn with_ports(family: Family) -> Test {
    let icmp = match family {
        Family::V4 => Transport::Icmp,
        Family::V6 => Transport::Icmpv6,
    };
    Test::Transport(vec![icmp, Transport::Tcp, Transport::Udp])
}
