//! Differences in reachability between two states of a VPC.

use std::{
    cmp::Reverse,
    collections::BTreeSet,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
};

use croft_api::{
    firewall::{VpcFirewallRuleDirection as Direction, VpcFirewallRuleProtocol as Filter},
    scalar::IpNet,
};
use uuid::Uuid;

use crate::{Interface, Network, Origin, Outcome, Packet, Protocol, Rule, decide};

/// Maximum number of packets whose verdicts are compared. The time for a verdict is proportional to the number of
/// rules, up to 1,024.
const MAX_PACKETS: usize = 20_000;
/// Maximum number of networks outside the VPC that are compared.
const MAX_OUTSIDE: usize = 64;
/// Candidates for an address that represents all external addresses that no rule or route names. The first unnamed one
/// is used.
const ELSEWHERE_V4: [[u8; 4]; 5] =
    [[203, 0, 113, 1], [198, 51, 100, 1], [192, 0, 2, 1], [93, 0, 113, 1], [45, 51, 100, 1]];
const ELSEWHERE_V6: [u128; 3] = [0x2001_0db8 << 96 | 1, (0x2001_0db8_ffff << 80) | 1, 0x2a00_0db8 << 96 | 1];

/// The effect of a change of a VPC on packets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// The pairs and their traffic with another outcome than before.
    pub changes: Vec<Change>,
    /// Whether all pairs were compared. False if there were too many.
    pub is_complete: bool,
}

/// Traffic from one peer to another whose outcome has changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The sender.
    pub source: Peer,
    /// The receiver.
    pub destination: Peer,
    /// The traffic.
    pub traffic: Traffic,
    /// An example of a packet.
    pub packet: Packet,
    /// The outcome of the packet before the change.
    pub before: Outcome,
    /// The outcome of the packet after the change.
    pub after: Outcome,
}

/// A sender or a receiver of packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Peer {
    /// The interface with this id.
    Interface(Uuid),
    /// Addresses outside the VPC.
    Outside {
        /// The network, excluding narrower ones that rules and routes name. `None` for all addresses that they do not
        /// name.
        network: Option<IpNet>,
        /// The address that was compared.
        address: IpAddr,
    },
}

/// A set of packets that all rules treat in the same way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Traffic {
    /// TCP to a range of ports, inclusive.
    Tcp(u16, u16),
    /// UDP to a range of ports, inclusive.
    Udp(u16, u16),
    /// An ICMP message.
    Icmp {
        /// The type.
        icmp_type: u8,
        /// The code.
        code: u8,
    },
    /// Protocols that rules cannot name.
    Other,
}

/// Compares two states of a VPC with the same interfaces. The pairs are all pairs of interfaces, and each interface
/// with the external networks that rules and routes name and with an address that they do not name. Packets are sent to
/// the receiver's own address, or from outside to its floating or ephemeral address.
pub fn compare(before: &Network, after: &Network) -> Comparison {
    let comparison = Comparison { changes: Vec::new(), is_complete: true };
    let mut comparing = Comparing { before, after, packets: 0, comparison };
    comparing.all();
    comparing.comparison
}

struct Comparing<'n> {
    before: &'n Network,
    after: &'n Network,
    packets: usize,
    comparison: Comparison,
}

impl Comparing<'_> {
    /// Compares only pairs for whose sender or receiver the rules or routes have changed.
    fn all(&mut self) {
        let interfaces = &self.after.interfaces;
        let outside = self.outside();
        let is_changed = |interface: &&Interface, direction| {
            rules_of(self.before, interface.id, direction).ne(rules_of(self.after, interface.id, direction))
        };
        let has_new_routes = |interface: &&Interface| {
            let of = |network: &Network| -> Vec<_> {
                network
                    .subnet(interface.subnet_id)
                    .into_iter()
                    .flat_map(|subnet| subnet.routes().cloned())
                    .collect()
            };
            of(self.before) != of(self.after)
        };
        let senders: BTreeSet<Uuid> = interfaces
            .iter()
            .filter(|interface| is_changed(interface, Direction::Outbound) || has_new_routes(interface))
            .map(|interface| interface.id)
            .collect();
        let receivers: BTreeSet<Uuid> = interfaces
            .iter()
            .filter(|interface| is_changed(interface, Direction::Inbound))
            .map(|interface| interface.id)
            .collect();
        for source in interfaces {
            let is_sender = senders.contains(&source.id);
            for destination in interfaces {
                if source.id != destination.id && (is_sender || receivers.contains(&destination.id)) {
                    self.inside(source, destination);
                }
            }
            for &peer in outside.iter().filter(|_| is_sender) {
                self.outwards(source, peer);
            }
        }
        for &peer in &outside {
            for destination in interfaces.iter().filter(|interface| receivers.contains(&interface.id)) {
                self.inwards(peer, destination);
            }
        }
    }

    fn inside(&mut self, source: &Interface, destination: &Interface) {
        let rules = [(source.id, Direction::Outbound), (destination.id, Direction::Inbound)];
        let pair = (Peer::Interface(source.id), Peer::Interface(destination.id));
        self.pair(pair, &rules, Origin::Interface(source.id), source.ip, destination.ip);
    }

    fn outwards(&mut self, source: &Interface, (network, address): (Option<IpNet>, IpAddr)) {
        let pair = (Peer::Interface(source.id), Peer::Outside { network, address });
        let rules = [(source.id, Direction::Outbound)];
        self.pair(pair, &rules, Origin::Interface(source.id), source.ip, address);
    }

    fn inwards(&mut self, (network, address): (Option<IpNet>, IpAddr), destination: &Interface) {
        let Some(external) = destination.external.reached_from(address) else { return };
        let pair = (Peer::Outside { network, address }, Peer::Interface(destination.id));
        self.pair(pair, &[(destination.id, Direction::Inbound)], Origin::Outside, address, external);
    }

    /// Compares all traffic of a pair. Adjacent port ranges with the same outcomes are joined.
    fn pair(
        &mut self,
        (source, destination): (Peer, Peer),
        rules: &[(Uuid, Direction)],
        origin: Origin,
        from: IpAddr,
        to: IpAddr,
    ) {
        for traffic in self.traffic(rules) {
            let Ok(packet) = Packet::new(origin, from, to, traffic.example()) else { return };
            if self.packets == MAX_PACKETS {
                self.comparison.is_complete = false;
                return;
            }
            self.packets += 1;
            let (before, after) =
                (decide(self.before, &packet).outcome(), decide(self.after, &packet).outcome());
            if before == after {
                continue;
            }
            let change = Change { source, destination, traffic, packet, before, after };
            match self.comparison.changes.last_mut().and_then(|last| last.joined_with(&change)) {
                Some(joined) => {
                    self.comparison.changes.pop();
                    self.comparison.changes.push(joined);
                }
                None => self.comparison.changes.push(change),
            }
        }
    }

    /// The traffic that the rules of these interfaces distinguish, before or after the change.
    fn traffic(&self, of: &[(Uuid, Direction)]) -> Vec<Traffic> {
        let networks = [self.before, self.after];
        let rules = || {
            of.iter().flat_map(|&(interface, direction)| {
                networks.into_iter().flat_map(move |network| rules_of(network, interface, direction))
            })
        };
        let mut starts = BTreeSet::from([1]);
        for range in rules().flat_map(|rule| rule.ports.iter().flatten()) {
            starts.insert(range.first.number());
            starts.extend(range.last.number().checked_add(1));
        }
        let starts = Vec::from_iter(starts);
        let ranges = || {
            let ends = starts.iter().skip(1).map(|next| next - 1).chain([u16::MAX]);
            starts.iter().copied().zip(ends)
        };
        let named =
            rules().flat_map(|rule| rule.protocols.iter().flatten()).filter_map(|filter| match filter {
                Filter::Icmp { value: Some(value) } => {
                    Some((value.icmp_type, value.code.map_or(0, |codes| codes.first)))
                }
                _ => None,
            });
        let messages: BTreeSet<(u8, u8)> = named.chain([(8, 0)]).collect();
        let tcp = ranges().map(|(first, last)| Traffic::Tcp(first, last));
        let udp = ranges().map(|(first, last)| Traffic::Udp(first, last));
        let icmp = messages.into_iter().map(|(icmp_type, code)| Traffic::Icmp { icmp_type, code });
        tcp.chain(udp).chain(icmp).chain([Traffic::Other]).collect()
    }

    /// The external networks, each with an address that is in no narrower one, and an address of each family that is in
    /// none.
    fn outside(&mut self) -> Vec<(Option<IpNet>, IpAddr)> {
        let networks = [self.before, self.after];
        let hosts =
            networks.iter().flat_map(|network| &network.rules).flat_map(|rule| rule.hosts.iter().flatten());
        let destinations =
            networks.iter().flat_map(|network| network.routes()).map(|route| &route.destination);
        let inside = |named: &IpNet| self.after.subnets.iter().any(|subnet| subnet.contains(named.first()));
        let mut named: Vec<IpNet> =
            hosts.chain(destinations).copied().filter(|named| named.width() > 0 && !inside(named)).collect();
        named.sort_unstable_by_key(|named| (Reverse(named.width()), *named));
        named.dedup();
        if named.len() > MAX_OUTSIDE {
            named.truncate(MAX_OUTSIDE);
            self.comparison.is_complete = false;
        }
        let mut outside: Vec<(Option<IpNet>, IpAddr)> = Vec::new();
        for (index, network) in named.iter().enumerate() {
            let narrower = &named[..index];
            let mut tried = [network.first(), after(network.first()), network.last()].into_iter();
            let own = tried.find(|address| {
                network.contains(*address) && !narrower.iter().any(|other| other.contains(*address))
            });
            outside.extend(own.map(|address| (Some(*network), address)));
        }
        let is_free = |address: &IpAddr| !named.iter().any(|network| network.contains(*address));
        let mut v4 = ELSEWHERE_V4.into_iter().map(|octets| IpAddr::V4(Ipv4Addr::from(octets)));
        let mut v6 = ELSEWHERE_V6.into_iter().map(|bits| IpAddr::V6(Ipv6Addr::from_bits(bits)));
        outside.extend(v4.find(is_free).into_iter().chain(v6.find(is_free)).map(|address| (None, address)));
        outside
    }
}

/// The rules for packets that an interface sends or receives.
fn rules_of(network: &Network, interface: Uuid, direction: Direction) -> impl Iterator<Item = &Rule> {
    let of_direction = network.rules.iter().filter(move |rule| rule.direction == direction);
    of_direction.filter(move |rule| rule.targets.binary_search(&interface).is_ok())
}

/// The next address, or the same if it is the last one.
fn after(address: IpAddr) -> IpAddr {
    match address {
        IpAddr::V4(address) => Ipv4Addr::from_bits(address.to_bits().saturating_add(1)).into(),
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits().saturating_add(1)).into(),
    }
}

impl Traffic {
    /// A protocol that represents the whole set.
    fn example(self) -> Protocol {
        match self {
            Self::Tcp(port, _) => Protocol::Tcp { port },
            Self::Udp(port, _) => Protocol::Udp { port },
            Self::Icmp { icmp_type, code } => Protocol::Icmp { icmp_type, code },
            Self::Other => Protocol::Other,
        }
    }

    /// The union, if they are adjacent ranges of the same protocol.
    fn joined_with(self, next: Self) -> Option<Self> {
        match (self, next) {
            (Self::Tcp(first, end), Self::Tcp(start, last)) if start.checked_sub(1) == Some(end) => {
                Some(Self::Tcp(first, last))
            }
            (Self::Udp(first, end), Self::Udp(start, last)) if start.checked_sub(1) == Some(end) => {
                Some(Self::Udp(first, last))
            }
            _ => None,
        }
    }
}

impl Change {
    /// The union, if they differ only in adjacent ports.
    fn joined_with(&self, next: &Self) -> Option<Self> {
        let traffic = self.traffic.joined_with(next.traffic)?;
        let joined = Self { traffic, ..self.clone() };
        (joined == Self { traffic, packet: self.packet, ..next.clone() }).then_some(joined)
    }
}
