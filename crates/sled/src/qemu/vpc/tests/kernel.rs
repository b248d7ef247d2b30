//! A model of what the kernel does with the first packet of a connection, as far as the rules and routes of a VPC need
//! it.

use std::{collections::BTreeSet, net::IpAddr};

use croft_api::scalar::{IpNet, MacAddr};
use croft_network::{Network, Protocol};

use super::super::{
    external, firewall,
    names::{self, UPLINK, tap},
    ranges::{Addresses, Family},
    routing::{self, NextHop},
    ruleset::{Action, Element, Field, Hook, Rule, Ruleset, Set, Test, Transport, Value},
};

/// A packet in the kernel.
#[derive(Clone, Debug)]
pub(super) struct PacketState {
    pub(super) came_by: String,
    pub(super) mac: MacAddr,
    pub(super) source: IpAddr,
    pub(super) destination: IpAddr,
    pub(super) protocol: Protocol,
    leaves_by: String,
    next_hop: Option<IpAddr>,
    mark: u32,
}

impl PacketState {
    pub(super) fn new(
        came_by: String,
        mac: MacAddr,
        source: IpAddr,
        destination: IpAddr,
        protocol: Protocol,
    ) -> Self {
        let leaves_by = String::new();
        Self { came_by, mac, source, destination, protocol, leaves_by, next_hop: None, mark: 0 }
    }
}

/// Where a packet came out, with its final addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum End {
    Dropped,
    At { link: String, source: IpAddr, destination: IpAddr },
    Outside { source: IpAddr },
}

enum Flow {
    Accept,
    Drop,
    /// Return: continue after the chain that jumped here.
    Back,
}

/// A namespace with all its interfaces' links.
pub(super) struct Kernel<'n> {
    network: &'n Network,
    ruleset: Ruleset,
}

impl<'n> Kernel<'n> {
    pub(super) fn of(network: &'n Network) -> Self {
        Self { network, ruleset: firewall::ruleset(network) }
    }

    /// The path of a packet through the VPC, and through the edge if it comes back from there.
    pub(super) fn pass(&self, mut packet: PacketState) -> End {
        if !self.hook(Hook::Arriving, &mut packet) || !self.hook(Hook::DestinationNat, &mut packet) {
            return End::Dropped;
        }
        if !self.route(&mut packet)
            || !self.hook(Hook::Forward, &mut packet)
            || !self.hook(Hook::SourceNat, &mut packet)
            || !self.hook(Hook::Leaving, &mut packet)
        {
            return End::Dropped;
        }
        if packet.leaves_by != UPLINK {
            return End::At {
                link: packet.leaves_by,
                source: packet.source,
                destination: packet.destination,
            };
        }
        if external::entrances(self.network).any(|address| address == packet.destination) {
            let PacketState { source, destination, protocol, .. } = packet;
            return self.pass(PacketState::new(
                UPLINK.to_owned(),
                names::UPPER_MAC,
                source,
                destination,
                protocol,
            ));
        }
        // Addresses that are only shared accept no incoming connections at the edge.
        if external::externals(self.network).any(|address| address == packet.destination) {
            return End::Dropped;
        }
        End::Outside { source: packet.source }
    }

    fn route(&self, packet: &mut PacketState) -> bool {
        let family = Family::of(packet.destination);
        let linked: BTreeSet<_> = self.network.interfaces.iter().map(|interface| interface.id).collect();
        let routes = routing::routes(self.network, &linked, family);
        let of_mark = routing::marks(self.network).into_iter().find(|(_, mark)| *mark == packet.mark);
        let table = of_mark.and_then(|(subnet, _)| routing::tables(self.network).get(&subnet).copied());
        let of_table = routes.iter().filter(|route| Some(route.table) == table);
        let fitting =
            of_table.filter(|route| route.destination.is_none_or(|net| net.contains(packet.destination)));
        let best = fitting.max_by_key(|route| route.destination.map(IpNet::width));
        match best.map(|route| &route.way) {
            None | Some(NextHop::Interfaces) => match self.network.interface_at(packet.destination) {
                Some(interface) => packet.leaves_by = tap(interface.id),
                None => return false,
            },
            Some(NextHop::Neighbour(next, link)) => {
                packet.next_hop = Some(*next);
                packet.leaves_by.clone_from(link);
            }
            Some(NextHop::Drop | NextHop::Unreachable) => return false,
        }
        true
    }

    fn hook(&self, hook: Hook, packet: &mut PacketState) -> bool {
        let chain = self.ruleset.chains.iter().find(|chain| chain.hook == Some(hook)).expect("a chain");
        match self.rules(&chain.rules, packet) {
            Flow::Accept => true,
            Flow::Drop => false,
            Flow::Back => hook != Hook::Forward,
        }
    }

    fn chain(&self, name: &str, packet: &mut PacketState) -> Flow {
        let chain = self.ruleset.chains.iter().find(|chain| chain.name == name).expect("a chain");
        self.rules(&chain.rules, packet)
    }

    fn rules(&self, rules: &[Rule], packet: &mut PacketState) -> Flow {
        for rule in rules {
            if !rule.tests.iter().all(|test| self.holds(test, packet)) {
                continue;
            }
            for action in &rule.actions {
                match action {
                    Action::Accept => return Flow::Accept,
                    Action::Drop => return Flow::Drop,
                    Action::Return => return Flow::Back,
                    Action::Goto(name) => return self.chain(name, packet),
                    Action::Dispatch(fields, set) => {
                        if let Some(Value::Chain(name)) = self.look_up(set, fields, packet) {
                            match self.chain(&name, packet) {
                                Flow::Back => {}
                                end => return end,
                            }
                        }
                    }
                    Action::Mark(field, set) => {
                        if let Some(Value::Mark(mark)) = self.look_up(set, &[*field], packet) {
                            packet.mark = mark;
                        }
                    }
                    Action::Remember { .. } => {}
                    Action::TranslateDestination(_, fields, set) => {
                        if let Some(Value::Addresses(to)) = self.look_up(set, fields, packet) {
                            packet.destination = to.first;
                            return Flow::Accept;
                        }
                    }
                    Action::TranslateSource(_, fields, set) => {
                        if let Some(Value::Addresses(to) | Value::AddressAndPorts(to, ..)) =
                            self.look_up(set, fields, packet)
                        {
                            packet.source = to.first;
                            return Flow::Accept;
                        }
                    }
                    Action::ShareSource(address, ..) => {
                        packet.source = *address;
                        return Flow::Accept;
                    }
                }
            }
        }
        Flow::Back
    }

    fn set(&self, name: &str) -> &Set {
        self.ruleset.sets.iter().find(|set| set.name == name).expect("a set")
    }

    /// The value of the matching element.
    fn look_up(&self, set: &str, fields: &[Field], packet: &PacketState) -> Option<Value> {
        // A match on fields of one family implies that family.
        if !fields.iter().all(|field| is_of(*field, packet)) {
            return None;
        }
        self.element(set, fields, packet)?.value.clone()
    }

    fn element(&self, set: &str, fields: &[Field], packet: &PacketState) -> Option<&Element> {
        let fits = |(field, value): (&Field, &Value)| match (field, value) {
            (Field::In, Value::Link(link)) => *link == packet.came_by,
            (Field::Out, Value::Link(link)) => *link == packet.leaves_by,
            (Field::SourceMac, Value::Mac(mac)) => *mac == packet.mac,
            (Field::Source(_), Value::Addresses(run)) => within(run, packet.source),
            (Field::Destination(_), Value::Addresses(run)) => within(run, packet.destination),
            (Field::NextHop(_), Value::Addresses(run)) => {
                packet.next_hop.is_some_and(|next| within(run, next))
            }
            other => panic!("{other:?} cannot be compared"),
        };
        let set = self.set(set);
        assert_eq!(set.key.len(), fields.len());
        set.elements.iter().find(|element| fields.iter().zip(&element.key).all(fits))
    }

    fn holds(&self, test: &Test, packet: &PacketState) -> bool {
        let named = |name: &str, link: &str| match name.strip_suffix('*') {
            Some(start) => link.starts_with(start),
            None => link == name,
        };
        match test {
            Test::In(name) => named(name, &packet.came_by),
            Test::Out(name) => named(name, &packet.leaves_by),
            Test::Family(family) => Family::of(packet.source) == *family,
            Test::Source(runs) => runs.iter().any(|run| within(run, packet.source)),
            Test::Destination(runs) => runs.iter().any(|run| within(run, packet.destination)),
            Test::Transport(all) => transport(packet).is_some_and(|transport| all.contains(&transport)),
            Test::Ports(runs) => {
                packet.protocol.port().is_some_and(|port| runs.iter().any(|(f, l)| (f..=l).contains(&&port)))
            }
            Test::IcmpTypes(family, runs) => match packet.protocol {
                Protocol::Icmp { icmp_type, .. } => {
                    Family::of(packet.source) == *family
                        && runs.iter().any(|(first, last)| (first..=last).contains(&&icmp_type))
                }
                _ => false,
            },
            Test::IcmpCodes(runs) => match packet.protocol {
                Protocol::Icmp { code, .. } => {
                    packet.source.is_ipv4() && runs.iter().any(|(f, l)| (f..=l).contains(&&code))
                }
                _ => false,
            },
            // A match on fields of one family implies that family.
            Test::Member(fields, set, is) => {
                fields.iter().all(|field| is_of(*field, packet))
                    && self.element(set, fields, packet).is_some() == *is
            }
            Test::Invalid | Test::Related | Test::Reply | Test::Refused(true) => false,
            Test::Refused(false) => true,
        }
    }
}

fn within(run: &Addresses, address: IpAddr) -> bool {
    run.family() == Family::of(address) && (run.first..=run.last).contains(&address)
}

fn is_of(field: Field, packet: &PacketState) -> bool {
    match field {
        Field::In | Field::Out | Field::SourceMac => true,
        Field::Source(family) | Field::Destination(family) | Field::NextHop(family) => {
            Family::of(packet.source) == family
        }
    }
}

fn transport(packet: &PacketState) -> Option<Transport> {
    match packet.protocol {
        Protocol::Tcp { .. } => Some(Transport::Tcp),
        Protocol::Udp { .. } => Some(Transport::Udp),
        Protocol::Icmp { .. } if packet.source.is_ipv4() => Some(Transport::Icmp),
        Protocol::Icmp { .. } => Some(Transport::Icmpv6),
        Protocol::Other => None,
    }
}
