//! Packet filter rules as data, and their serialization for nftables.
//!
//! Only the features that a VPC needs are modeled. A test interprets the data to determine the effect of the rules.

use std::{
    fmt::{self, Write as _},
    net::{IpAddr, SocketAddr},
};

use croft_api::scalar::MacAddr;

use super::ranges::{Addresses, Family};

/// A table, which replaces an earlier table of the same name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Ruleset {
    pub(super) sets: Vec<Set>,
    pub(super) chains: Vec<Chain>,
}

/// The table's name. Its family covers IPv4 and IPv6.
const TABLE: &str = "inet croft";

/// A set, or a map if its elements have values. The fields of `key` are matched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Set {
    pub(super) name: &'static str,
    pub(super) key: Vec<Field>,
    pub(super) value: Option<ValueKind>,
    pub(super) elements: Vec<Element>,
}

/// The type of the values of a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ValueKind {
    Mark,
    Address(Family),
    AddressAndPorts,
    Chain,
}

/// An element of a set or map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Element {
    pub(super) key: Vec<Value>,
    pub(super) value: Option<Value>,
}

/// A value in an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Value {
    Link(String),
    Mac(MacAddr),
    Addresses(Addresses),
    Mark(u32),
    AddressAndPorts(Addresses, u16, u16),
    Chain(String),
}

/// A field of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Field {
    /// The incoming interface.
    In,
    /// The outgoing interface.
    Out,
    /// The source hardware address.
    SourceMac,
    /// The source address.
    Source(Family),
    /// The destination address.
    Destination(Family),
    /// The next hop.
    NextHop(Family),
}

/// The hook of a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hook {
    /// Before connection tracking.
    Arriving,
    /// Before the routing decision, for destination NAT.
    DestinationNat,
    /// Input: addressed to this host or namespace.
    Input,
    /// Forwarded.
    Forward,
    /// After the routing decision, for source NAT.
    SourceNat,
    /// Last.
    Leaving,
}

/// A list of rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Chain {
    pub(super) name: String,
    /// `None` for a chain that only others jump to.
    pub(super) hook: Option<Hook>,
    pub(super) rules: Vec<Rule>,
}

/// If all conditions match, all actions are performed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Rule {
    pub(super) tests: Vec<Test>,
    pub(super) actions: Vec<Action>,
}

/// Transport protocols in rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Transport {
    Icmp,
    Icmpv6,
    Tcp,
    Udp,
}

/// A condition on a packet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Test {
    /// The incoming interface; a trailing `*` is a wildcard.
    In(&'static str),
    /// The outgoing interface.
    Out(&'static str),
    Family(Family),
    Source(Vec<Addresses>),
    Destination(Vec<Addresses>),
    Transport(Vec<Transport>),
    /// The destination port, for TCP and UDP.
    Ports(Vec<(u16, u16)>),
    /// ICMP or ICMPv6 types.
    IcmpTypes(Family, Vec<(u8, u8)>),
    /// ICMP codes.
    IcmpCodes(Vec<(u8, u8)>),
    /// Whether it is in a set.
    Member(Vec<Field>, &'static str, bool),
    /// Invalid: not part of a connection, and cannot start one.
    Invalid,
    /// Related: an ICMP error about a connection.
    Related,
    /// A reply.
    Reply,
    /// Whether its connection has been rejected.
    Refused(bool),
}

/// An action on a packet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Accept,
    Drop,
    Return,
    Goto(&'static str),
    /// Jumps to the chain in a map, if there is one.
    Dispatch(Vec<Field>, &'static str),
    /// Sets the packet mark from a map.
    Mark(Field, &'static str),
    /// Records in the connection mark whether the connection was rejected.
    Remember {
        refused: bool,
    },
    /// Destination NAT with the address from a map.
    TranslateDestination(Family, Vec<Field>, &'static str),
    /// Source NAT with the address from a map.
    TranslateSource(Family, Vec<Field>, &'static str),
    /// Source NAT with this address and a range of ports.
    ShareSource(IpAddr, u16, u16),
}

/// The connection mark of a rejected connection.
pub(super) const REFUSED: u32 = 1;

impl fmt::Display for Ruleset {
    /// A transaction that replaces a table.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Only a table that exists can be deleted.
        writeln!(f, "table {TABLE}\ndelete table {TABLE}\ntable {TABLE} {{")?;
        for set in &self.sets {
            write!(f, "{set}")?;
        }
        for chain in &self.chains {
            writeln!(f, "  chain {} {{", chain.name)?;
            if let Some(hook) = chain.hook {
                writeln!(f, "    {}", hook.text())?;
            }
            for rule in &chain.rules {
                writeln!(f, "    {rule}")?;
            }
            writeln!(f, "  }}")?;
        }
        writeln!(f, "}}")
    }
}

impl Hook {
    /// Chains accept by default, so that only what is dropped needs a rule.
    const fn text(self) -> &'static str {
        match self {
            Self::Arriving => "type filter hook prerouting priority raw; policy accept;",
            Self::DestinationNat => "type nat hook prerouting priority dstnat; policy accept;",
            Self::Input => "type filter hook input priority filter; policy accept;",
            Self::Forward => "type filter hook forward priority filter; policy drop;",
            Self::SourceNat => "type nat hook postrouting priority srcnat; policy accept;",
            Self::Leaving => "type filter hook postrouting priority 150; policy accept;",
        }
    }
}

impl fmt::Display for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = if self.value.is_some() { "map" } else { "set" };
        let key: Vec<_> = self.key.iter().map(|field| field.kind()).collect();
        let value = self.value.map(|value| format!(" : {}", value.text())).unwrap_or_default();
        writeln!(f, "  {word} {} {{\n    type {}{value};", self.name, key.join(" . "))?;
        if self.key.iter().any(|field| matches!(field, Field::Source(_) | Field::Destination(_))) {
            writeln!(f, "    flags interval;")?;
        }
        if !self.elements.is_empty() {
            let elements: Vec<_> = self.elements.iter().map(ToString::to_string).collect();
            writeln!(f, "    elements = {{\n      {}\n    }}", elements.join(",\n      "))?;
        }
        writeln!(f, "  }}")
    }
}

impl ValueKind {
    const fn text(self) -> &'static str {
        match self {
            Self::Mark => "mark",
            Self::Address(Family::V4) => "ipv4_addr",
            Self::Address(Family::V6) => "ipv6_addr",
            Self::AddressAndPorts => "interval ipv4_addr . inet_service",
            Self::Chain => "verdict",
        }
    }
}

impl fmt::Display for Element {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let key: Vec<_> = self.key.iter().map(ToString::to_string).collect();
        f.write_str(&key.join(" . "))?;
        self.value.as_ref().map_or(Ok(()), |value| write!(f, " : {value}"))
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Link(name) => write!(f, "\"{name}\""),
            Self::Mac(mac) => f.write_str(&mac.to_string().to_lowercase()),
            Self::Addresses(addresses) => addresses.fmt(f),
            Self::Mark(mark) => write!(f, "{mark:#x}"),
            Self::AddressAndPorts(addresses, first, last) => write!(f, "{addresses} . {first}-{last}"),
            Self::Chain(name) => write!(f, "jump {name}"),
        }
    }
}

impl fmt::Display for Addresses {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.first.fmt(f)?;
        if self.last == self.first { Ok(()) } else { write!(f, "-{}", self.last) }
    }
}

impl Field {
    const fn kind(self) -> &'static str {
        match self {
            Self::In | Self::Out => "ifname",
            Self::SourceMac => "ether_addr",
            Self::Source(family) | Self::Destination(family) | Self::NextHop(family) => match family {
                Family::V4 => "ipv4_addr",
                Family::V6 => "ipv6_addr",
            },
        }
    }

    const fn text(self) -> &'static str {
        match self {
            Self::In => "iifname",
            Self::Out => "oifname",
            Self::SourceMac => "ether saddr",
            Self::Source(Family::V4) => "ip saddr",
            Self::Source(Family::V6) => "ip6 saddr",
            Self::Destination(Family::V4) => "ip daddr",
            Self::Destination(Family::V6) => "ip6 daddr",
            Self::NextHop(Family::V4) => "rt ip nexthop",
            Self::NextHop(Family::V6) => "rt ip6 nexthop",
        }
    }
}

fn joined(fields: &[Field]) -> String {
    fields.iter().map(|field| field.text()).collect::<Vec<_>>().join(" . ")
}

/// Ranges of numbers or addresses, as an anonymous set.
fn anonymous<T: fmt::Display>(all: &[T]) -> String {
    let all: Vec<_> = all.iter().map(ToString::to_string).collect();
    format!("{{ {} }}", all.join(", "))
}

fn numbers<T: fmt::Display + PartialEq>(all: &[(T, T)]) -> String {
    let run =
        |(first, last): &(T, T)| if first == last { first.to_string() } else { format!("{first}-{last}") };
    anonymous(&all.iter().map(run).collect::<Vec<_>>())
}

fn family_word(addresses: &[Addresses]) -> &'static str {
    addresses.first().map_or(Family::V4, Addresses::family).word()
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = String::new();
        for test in &self.tests {
            write!(line, "{test} ")?;
        }
        let actions: Vec<_> = self.actions.iter().map(ToString::to_string).collect();
        f.write_str(&line)?;
        f.write_str(&actions.join(" "))
    }
}

impl Transport {
    const fn text(self) -> &'static str {
        match self {
            Self::Icmp => "icmp",
            Self::Icmpv6 => "icmpv6",
            Self::Tcp => "tcp",
            Self::Udp => "udp",
        }
    }
}

impl fmt::Display for Test {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::In(link) => write!(f, "iifname \"{link}\""),
            Self::Out(link) => write!(f, "oifname \"{link}\""),
            Self::Family(Family::V4) => f.write_str("meta nfproto ipv4"),
            Self::Family(Family::V6) => f.write_str("meta nfproto ipv6"),
            Self::Source(all) => write!(f, "{} saddr {}", family_word(all), anonymous(all)),
            Self::Destination(all) => write!(f, "{} daddr {}", family_word(all), anonymous(all)),
            Self::Transport(all) => {
                let all: Vec<_> = all.iter().map(|transport| transport.text()).collect();
                write!(f, "meta l4proto {}", anonymous(&all))
            }
            Self::Ports(ports) => write!(f, "th dport {}", numbers(ports)),
            Self::IcmpTypes(Family::V4, types) => write!(f, "icmp type {}", numbers(types)),
            Self::IcmpTypes(Family::V6, types) => write!(f, "icmpv6 type {}", numbers(types)),
            Self::IcmpCodes(codes) => write!(f, "icmp code {}", numbers(codes)),
            Self::Member(fields, set, true) => write!(f, "{} @{set}", joined(fields)),
            Self::Member(fields, set, false) => write!(f, "{} != @{set}", joined(fields)),
            Self::Invalid => f.write_str("ct state invalid"),
            Self::Related => f.write_str("ct state related"),
            Self::Reply => f.write_str("ct direction reply"),
            Self::Refused(true) => write!(f, "ct mark {REFUSED}"),
            Self::Refused(false) => write!(f, "ct mark != {REFUSED}"),
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Accept => f.write_str("accept"),
            Self::Drop => f.write_str("drop"),
            Self::Return => f.write_str("return"),
            Self::Goto(chain) => write!(f, "goto {chain}"),
            Self::Dispatch(fields, set) => write!(f, "{} vmap @{set}", joined(fields)),
            Self::Mark(field, set) => write!(f, "meta mark set {} map @{set}", field.text()),
            Self::Remember { refused } => write!(f, "ct mark set {}", u32::from(*refused) * REFUSED),
            Self::TranslateDestination(family, fields, set) => {
                write!(f, "dnat {} to {} map @{set}", family.word(), joined(fields))
            }
            Self::TranslateSource(family, fields, set) => {
                write!(f, "snat {} to {} map @{set}", family.word(), joined(fields))
            }
            Self::ShareSource(address, first, last) => {
                write!(
                    f,
                    "snat {} to {}-{last}",
                    Family::of(*address).word(),
                    SocketAddr::new(*address, *first)
                )
            }
        }
    }
}
