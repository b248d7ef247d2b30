//! The firewall of a VPC, as rules of its namespace.
//!
//! Every interface has its own link, so the incoming link of a packet identifies the sender, and the outgoing one the
//! receiver. A packet must pass the sender's outbound rules, then the receiver's inbound rules. Replies pass if the
//! packets that they reply to pass. All other packets are checked against the rules each time, so that removing a rule
//! ends existing connections and their replies. This is also required where a guest forwards packets: the forwarded
//! packets belong to the same connection, but other rules apply.
//!
//! Interfaces with the same rules share a chain.

use std::{
    collections::BTreeMap,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
};

use croft_api::{
    firewall::{VpcFirewallRuleAction, VpcFirewallRuleDirection, VpcFirewallRuleProtocol},
    scalar::IpNet,
};
use croft_network::{Interface, Network, RouteTarget, Rule as FirewallRule, Subnet};
use uuid::Uuid;

use super::{
    external,
    names::{self, TAPS, UPLINK},
    ranges::{Addresses, Family, merged, runs},
    routing,
    ruleset::{Action, Chain, Element, Field, Hook, Rule, Ruleset, Set, Test, Transport, Value, ValueKind},
};

const REFUSE: &str = "refuse";
const SENDERS: [&str; 2] = ["senders4", "senders6"];
const RECEIVERS: [&str; 2] = ["receivers4", "receivers6"];
const OUTBOUND: &str = "outbound_rules";
const INBOUND: &str = "inbound_rules";
const SUBNETS: &str = "subnets";
const LOOPS: &str = "loops";

/// The complete table of a VPC.
pub(super) fn ruleset(network: &Network) -> Ruleset {
    let outbound = RuleGroups::of(network, VpcFirewallRuleDirection::Outbound);
    let inbound = RuleGroups::of(network, VpcFirewallRuleDirection::Inbound);
    let mut sets = vec![
        subnets(network),
        loops(network),
        outbound.dispatch(network, OUTBOUND, Field::In),
        inbound.dispatch(network, INBOUND, Field::Out),
    ];
    for family in Family::BOTH {
        sets.push(senders(network, family));
        sets.push(receivers(network, family));
    }
    let mut chains = vec![arriving(network), external::entering(), input(), forward()];
    let mut sharing = Vec::new();
    for family in Family::BOTH {
        let (external, chains) = external::sets(network, family);
        sets.extend(external);
        sharing.extend(chains);
    }
    chains.extend(outbound.chains(network));
    chains.extend(inbound.chains(network));
    chains.push(chain(REFUSE, None, vec![rule([], [Action::Remember { refused: true }, Action::Drop])]));
    chains.extend(sharing);
    chains.extend([external::exiting(), external::leaving()]);
    Ruleset { sets, chains }
}

pub(super) fn rule<const T: usize, const A: usize>(tests: [Test; T], actions: [Action; A]) -> Rule {
    Rule { tests: tests.into(), actions: actions.into() }
}

pub(super) fn chain(name: impl Into<String>, hook: Option<Hook>, rules: Vec<Rule>) -> Chain {
    Chain { name: name.into(), hook, rules }
}

/// Accepts incoming packets, and sets the mark that selects their routes.
fn arriving(network: &Network) -> Chain {
    let dhcp = Addresses::one(Ipv4Addr::UNSPECIFIED.into());
    // Neighbor discovery and DHCP, which are never forwarded.
    let link_local = [
        Addresses::one(Ipv6Addr::UNSPECIFIED.into()),
        Addresses {
            first: Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0, 0).into(),
            last: Ipv6Addr::new(0xfebf, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff, 0xffff).into(),
        },
    ];
    let udp = Test::Transport(vec![Transport::Udp]);
    let mut rules = vec![
        rule([Test::In(TAPS), Test::Source(vec![dhcp]), udp, Test::Ports(vec![(67, 67)])], [Action::Accept]),
        rule([Test::In(TAPS), Test::Source(link_local.into())], [Action::Accept]),
    ];
    for (family, senders) in Family::BOTH.into_iter().zip(SENDERS) {
        let sender = vec![Field::In, Field::SourceMac, Field::Source(family)];
        rules.push(rule([Test::In(TAPS), Test::Member(sender, senders, false)], [Action::Drop]));
    }
    rules.extend(external::arriving(network));
    rules.push(rule([], [Action::Mark(Field::In, SUBNETS)]));
    chain("arriving", Some(Hook::Arriving), rules)
}

/// Services of the gateway for guests: DHCP, DNS and ping.
fn input() -> Chain {
    let accept = |tests: Vec<Test>| Rule { tests, actions: vec![Action::Accept] };
    let from_guests = |transport, ports: &[u16]| {
        let ports = ports.iter().map(|port| (*port, *port)).collect();
        accept(vec![Test::In(TAPS), Test::Transport(vec![transport]), Test::Ports(ports)])
    };
    let rules = vec![
        accept(vec![Test::In(TAPS), Test::IcmpTypes(Family::V4, vec![(8, 8)])]),
        accept(vec![Test::In(TAPS), Test::IcmpTypes(Family::V6, vec![(128, 128), (133, 136)])]),
        from_guests(Transport::Udp, &[53, 67, 547]),
        from_guests(Transport::Tcp, &[53]),
        rule([Test::In(TAPS)], [Action::Drop]),
        rule([Test::In(UPLINK)], [Action::Drop]),
    ];
    chain("asking", Some(Hook::Input), rules)
}

/// Whether a packet may be forwarded between two links.
fn forward() -> Chain {
    let mut rules = vec![
        rule([Test::Invalid], [Action::Drop]),
        rule([Test::Related, Test::Refused(false)], [Action::Accept]),
        rule([Test::Reply, Test::Refused(false)], [Action::Accept]),
        rule([Test::Related], [Action::Drop]),
        rule([Test::Reply], [Action::Drop]),
        rule([Test::Member(vec![Field::In, Field::Out], LOOPS, true)], [Action::Drop]),
        rule([], [Action::Dispatch(vec![Field::In], OUTBOUND)]),
    ];
    rules.extend(external::passing());
    for (family, receivers) in Family::BOTH.into_iter().zip(RECEIVERS) {
        let receiver = vec![Field::Out, Field::Destination(family)];
        rules.push(rule([Test::Member(receiver, receivers, false)], [Action::Drop]));
    }
    rules.push(rule([], [Action::Dispatch(vec![Field::Out], INBOUND)]));
    rules.push(rule([], [Action::Remember { refused: false }, Action::Accept]));
    chain("passing", Some(Hook::Forward), rules)
}

pub(super) fn link(interface: &Interface) -> Value {
    Value::Link(names::tap(interface.id))
}

pub(super) fn element<const K: usize>(key: [Value; K], value: Option<Value>) -> Element {
    Element { key: key.into(), value }
}

/// Sets the mark that selects the routes of the sender's subnet.
fn subnets(network: &Network) -> Set {
    let marks = routing::marks(network);
    let mut elements =
        vec![element([Value::Link(UPLINK.to_owned())], Some(Value::Mark(routing::FROM_OUTSIDE)))];
    for interface in &network.interfaces {
        if let Some(mark) = marks.get(&interface.subnet_id) {
            elements.push(element([link(interface)], Some(Value::Mark(*mark))));
        }
    }
    Set { name: SUBNETS, key: vec![Field::In], value: Some(ValueKind::Mark), elements }
}

/// Reverse path checks.
fn loops(network: &Network) -> Set {
    let elements = network
        .interfaces
        .iter()
        .map(|interface| element([link(interface), link(interface)], None))
        .collect();
    Set { name: LOOPS, key: vec![Field::In, Field::Out], value: None, elements }
}

/// The addresses of a subnet's interfaces.
pub(super) fn blocks(subnet: &Subnet) -> [Addresses; 2] {
    [IpNet::V4(subnet.ipv4), IpNet::V6(subnet.ipv6)].map(Addresses::of)
}

/// The addresses that an interface may send from and receive at.
fn addresses(interface: &Interface, family: Family) -> Vec<Addresses> {
    let transit = interface.transit_ips.iter().map(|net| Addresses::of(*net));
    merged(transit.chain([Addresses::one(interface.ip)]), family)
}

fn senders(network: &Network, family: Family) -> Set {
    let mut elements = Vec::new();
    for interface in &network.interfaces {
        for run in addresses(interface, family) {
            let key = [link(interface), Value::Mac(interface.mac), Value::Addresses(run)];
            elements.push(element(key, None));
        }
    }
    let key = vec![Field::In, Field::SourceMac, Field::Source(family)];
    Set { name: SENDERS[family as usize], key, value: None, elements }
}

fn receivers(network: &Network, family: Family) -> Set {
    let mut elements = Vec::new();
    for interface in &network.interfaces {
        for run in addresses(interface, family) {
            elements.push(element([link(interface), Value::Addresses(run)], None));
        }
    }
    let key = vec![Field::Out, Field::Destination(family)];
    Set { name: RECEIVERS[family as usize], key, value: None, elements }
}

/// The rules of one direction, and the interfaces that share them.
struct RuleGroups {
    direction: VpcFirewallRuleDirection,
    /// The rule numbers of each chain, in the order of `members`.
    lists: Vec<Vec<usize>>,
    /// The list of each interface.
    members: BTreeMap<Uuid, usize>,
}

impl RuleGroups {
    fn of(network: &Network, direction: VpcFirewallRuleDirection) -> Self {
        let mut of_interface: BTreeMap<Uuid, Vec<usize>> =
            network.interfaces.iter().map(|interface| (interface.id, Vec::new())).collect();
        for (number, rule) in network.rules.iter().enumerate().filter(|(_, rule)| rule.direction == direction)
        {
            for target in &rule.targets {
                if let Some(list) = of_interface.get_mut(target) {
                    list.push(number);
                }
            }
        }
        let mut lists = Vec::new();
        let mut numbers: BTreeMap<Vec<usize>, usize> = BTreeMap::new();
        let mut members = BTreeMap::new();
        for (interface, list) in of_interface {
            let number = *numbers.entry(list).or_insert_with_key(|list| {
                lists.push(list.clone());
                lists.len() - 1
            });
            members.insert(interface, number);
        }
        Self { direction, lists, members }
    }

    fn name(&self, number: usize) -> String {
        match self.direction {
            VpcFirewallRuleDirection::Inbound => format!("inbound_{number}"),
            VpcFirewallRuleDirection::Outbound => format!("outbound_{number}"),
        }
    }

    fn dispatch(&self, network: &Network, name: &'static str, field: Field) -> Set {
        let entry = |interface: &Interface| {
            let number = self.members.get(&interface.id)?;
            Some(element([link(interface)], Some(Value::Chain(self.name(*number)))))
        };
        let elements = network.interfaces.iter().filter_map(entry).collect();
        Set { name, key: vec![field], value: Some(ValueKind::Chain), elements }
    }

    fn chains(&self, network: &Network) -> impl Iterator<Item = Chain> {
        self.lists.iter().enumerate().map(|(number, list)| {
            let mut rules: Vec<Rule> =
                list.iter().flat_map(|index| rule_of(&network.rules[*index])).collect();
            // Without a matching rule, everything may be sent and nothing received.
            if self.direction == VpcFirewallRuleDirection::Inbound {
                rules.push(rule([], [Action::Goto(REFUSE)]));
            }
            chain(self.name(number), None, rules)
        })
    }
}

/// A rule of the VPC's firewall, for its targets.
fn rule_of(firewall: &FirewallRule) -> Vec<Rule> {
    let action = match firewall.action {
        VpcFirewallRuleAction::Allow => Action::Return,
        VpcFirewallRuleAction::Deny => Action::Goto(REFUSE),
    };
    let mut rules = Vec::new();
    for host in hosts(firewall) {
        for protocol in protocols(firewall) {
            let tests = host.iter().cloned().chain(protocol).collect();
            rules.push(Rule { tests, actions: vec![action.clone()] });
        }
    }
    rules
}

/// Conditions on the peers of a rule's targets; one of them must match.
fn hosts(firewall: &FirewallRule) -> Vec<Option<Test>> {
    let Some(hosts) = &firewall.hosts else { return vec![None] };
    let of_family = |family| {
        let all = merged(hosts.iter().map(|net| Addresses::of(*net)), family);
        if all.is_empty() {
            return None;
        }
        Some(Some(match firewall.direction {
            VpcFirewallRuleDirection::Inbound => Test::Source(all),
            VpcFirewallRuleDirection::Outbound => Test::Destination(all),
        }))
    };
    Family::BOTH.into_iter().filter_map(of_family).collect()
}

/// Conditions on protocols and ports; one list of them must match. Only TCP and UDP have ports.
fn protocols(firewall: &FirewallRule) -> Vec<Vec<Test>> {
    let ports = firewall.ports.as_ref().map(|ranges| {
        let numbers = ranges.iter().map(|range| (range.first.number().into(), range.last.number().into()));
        let number = |number| u16::try_from(number).unwrap_or(u16::MAX);
        let runs = runs(numbers.filter(|(first, last)| first <= last));
        runs.into_iter().map(|(first, last)| (number(first), number(last))).collect::<Vec<_>>()
    });
    if ports.as_ref().is_some_and(Vec::is_empty) {
        return Vec::new();
    }
    let ports = ports.map(Test::Ports);
    let Some(protocols) = &firewall.protocols else {
        let transports = || Test::Transport(vec![Transport::Tcp, Transport::Udp]);
        return vec![ports.map_or_else(Vec::new, |ports| vec![transports(), ports])];
    };
    let mut transports = Vec::new();
    let mut all = Vec::new();
    for protocol in protocols {
        match protocol {
            VpcFirewallRuleProtocol::Tcp => transports.push(Transport::Tcp),
            VpcFirewallRuleProtocol::Udp => transports.push(Transport::Udp),
            VpcFirewallRuleProtocol::Icmp { .. } if ports.is_some() => {}
            VpcFirewallRuleProtocol::Icmp { value: None } => {
                all.push(vec![Test::Family(Family::V4), Test::Transport(vec![Transport::Icmp])]);
            }
            VpcFirewallRuleProtocol::Icmp { value: Some(filter) } => {
                let mut tests = vec![Test::IcmpTypes(Family::V4, vec![(filter.icmp_type, filter.icmp_type)])];
                tests.extend(filter.code.map(|codes| Test::IcmpCodes(vec![(codes.first, codes.last)])));
                if filter.code.is_none_or(|codes| codes.first <= codes.last) {
                    all.push(tests);
                }
            }
        }
    }
    transports.sort_unstable();
    transports.dedup();
    if !transports.is_empty() {
        all.push([Test::Transport(transports)].into_iter().chain(ports).collect());
    }
    all
}

/// The routes of a VPC to a gateway determine who may leave by it.
pub(super) fn gateway_of(target: &RouteTarget) -> Option<(Uuid, &[IpAddr])> {
    match target {
        RouteTarget::Gateway { id, addresses, .. } => Some((*id, addresses)),
        _ => None,
    }
}
