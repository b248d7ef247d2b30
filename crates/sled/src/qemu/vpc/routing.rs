//! The routes of a VPC's namespace: one table for the system router, and one for each custom router, selected by the
//! mark of packets from a subnet's interfaces. The table of a custom router includes the routes of the system router,
//! because the most specific route of both applies.
//!
//! Routes to subnets are not in these tables: such packets continue to the main table, which has a route to the address
//! of each interface and nothing else.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    net::IpAddr,
};

use croft_api::scalar::IpNet;
use croft_network::{Network, Route, RouteTarget, Subnet};
use serde_json::Value;
use uuid::Uuid;

use super::{
    firewall,
    names::{self, UPLINK},
    ranges::Family,
};

/// The mark of packets from outside, which use only the main table. Every guest's mark has this bit, too.
pub(super) const FROM_OUTSIDE: u32 = 0x4000_0000;
/// Priority of the rules that select the subnets' tables.
const PREFERENCE: u32 = 10;
/// After the main table: packets with a mark and no route are dropped.
const NOWHERE: u32 = 32_780;
/// After that, packets without a mark are rejected, because neighbors are told that everything is reached through the
/// gateway.
const EVERYWHERE: u32 = 32_790;
/// The table that rejects them.
const EVERYWHERE_TABLE: u32 = 1;

/// Numbers for ids. An id keeps its number when others are added or removed, except in case of a collision.
#[derive(Default)]
struct IdNumbers(BTreeSet<u32>);

impl IdNumbers {
    fn of(&mut self, id: Uuid) -> u32 {
        let end = id.as_u128() & u128::from(FROM_OUTSIDE - 1);
        let mut number = FROM_OUTSIDE | u32::try_from(end).unwrap_or_default();
        while number == FROM_OUTSIDE || !self.0.insert(number) {
            number = FROM_OUTSIDE | (number + 1);
        }
        number
    }
}

/// The marks of the subnets.
pub(super) fn marks(network: &Network) -> BTreeMap<Uuid, u32> {
    let mut numbers = IdNumbers::default();
    network.subnets.iter().map(|subnet| (subnet.id, numbers.of(subnet.id))).collect()
}

/// The table of each subnet. Subnets with the same routers share one.
pub(super) fn tables(network: &Network) -> BTreeMap<Uuid, u32> {
    let mut numbers = IdNumbers::default();
    let mut shared: BTreeMap<Uuid, Vec<(&Subnet, u32)>> = BTreeMap::new();
    let mut tables = BTreeMap::new();
    for subnet in &network.subnets {
        let id = subnet.custom_routes.first().map_or(network.id, |route| route.router_id);
        let with_id = shared.entry(id).or_default();
        let same = |(other, _): &&(&Subnet, u32)| {
            other.system_routes == subnet.system_routes && other.custom_routes == subnet.custom_routes
        };
        let known = with_id.iter().find(same).map(|(_, table)| *table);
        let table = known.unwrap_or_else(|| numbers.of(id));
        if known.is_none() {
            with_id.push((subnet, table));
        }
        tables.insert(subnet.id, table);
    }
    tables
}

/// The internet gateways that are targets of routes, with their external addresses. The position is the number of the
/// gateway.
pub(super) fn gateways(network: &Network) -> BTreeMap<Uuid, &[IpAddr]> {
    network.routes().filter_map(|route| firewall::gateway_of(&route.target)).collect()
}

/// A destination in a table, and the action for its packets.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct TableRoute {
    pub(super) table: u32,
    /// `None` for the default route.
    pub(super) destination: Option<IpNet>,
    pub(super) way: NextHop,
}

/// The action of a route.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum NextHop {
    /// Send to the interface with the address.
    Interfaces,
    /// Send to a next hop on a link.
    Neighbour(IpAddr, String),
    /// Drop silently.
    Drop,
    /// Reject with an error to the sender.
    Unreachable,
}

/// The routes of one family, for the interfaces that have links.
pub(super) fn routes(network: &Network, linked: &BTreeSet<Uuid>, family: Family) -> Vec<TableRoute> {
    let tables = tables(network);
    let mut done = BTreeSet::new();
    let numbers: BTreeMap<Uuid, usize> = gateways(network).into_keys().zip(0..).collect();
    let mut all = Vec::new();
    for subnet in &network.subnets {
        let Some(table) = tables.get(&subnet.id).copied().filter(|table| done.insert(*table)) else {
            continue;
        };
        let mut seen = BTreeSet::new();
        let of_family = |route: &&Route| Family::of(route.destination.addr()) == family;
        for route in subnet.routes().filter(of_family) {
            let destination = plain(route.destination);
            // Of several routes to the same destination the first applies.
            if seen.insert(destination.to_string()) {
                let way = way(network, linked, &numbers, &route.target, family);
                all.push(TableRoute { table, destination: Some(destination), way });
            }
        }
        // A destination without a route in a subnet's table must not fall through to the main table.
        all.push(TableRoute { table, destination: None, way: NextHop::Unreachable });
    }
    all
}

fn way(
    network: &Network,
    linked: &BTreeSet<Uuid>,
    numbers: &BTreeMap<Uuid, usize>,
    target: &RouteTarget,
    family: Family,
) -> NextHop {
    match target {
        RouteTarget::Subnet(_) => NextHop::Interfaces,
        RouteTarget::Drop => NextHop::Drop,
        RouteTarget::Gateway { id, .. } => match numbers.get(id) {
            Some(number) => NextHop::Neighbour(names::gateway_address(family, *number), UPLINK.to_owned()),
            None => NextHop::Unreachable,
        },
        RouteTarget::Address(address) if Family::of(*address) == family => {
            let has_it = |interface: &&croft_network::Interface| interface.ip == *address;
            match network.interfaces.iter().find(has_it) {
                Some(interface) if linked.contains(&interface.id) => {
                    NextHop::Neighbour(*address, names::tap(interface.id))
                }
                _ => NextHop::Unreachable,
            }
        }
        RouteTarget::Address(_) => NextHop::Unreachable,
    }
}

/// A network in the form that routes require: with host bits cleared.
fn plain(net: IpNet) -> IpNet {
    match (net, net.first()) {
        (IpNet::V4(net), IpAddr::V4(first)) => {
            croft_api::scalar::Ipv4Net::new(first, net.width()).map_or(IpNet::V4(net), IpNet::V4)
        }
        (IpNet::V6(net), IpAddr::V6(first)) => {
            croft_api::scalar::Ipv6Net::new(first, net.width()).map_or(IpNet::V6(net), IpNet::V6)
        }
        (net, _) => net,
    }
}

impl TableRoute {
    /// The key by which the kernel identifies the route.
    fn key(&self) -> (u32, String) {
        (self.table, self.destination.map_or_else(|| "default".to_owned(), |net| short(&net.to_string())))
    }

    fn line(&self) -> String {
        let (table, destination) = self.key();
        // A default route of the subnet takes precedence over the one that ends the table.
        let last = if self.destination.is_none() { format!(" metric {LAST}") } else { String::new() };
        match &self.way {
            NextHop::Interfaces => format!("route replace throw {destination} table {table}"),
            NextHop::Neighbour(address, link) => {
                format!("route replace {destination} via {address} dev {link} onlink table {table}")
            }
            NextHop::Drop => format!("route replace blackhole {destination} table {table}"),
            NextHop::Unreachable => format!("route replace unreachable {destination} table {table}{last}"),
        }
    }
}

/// The metric of the route that ends a table: the largest.
const LAST: u32 = u32::MAX;

/// The destination as printed by `ip`.
fn short(destination: &str) -> String {
    let host = destination.strip_suffix("/32").filter(|rest| rest.contains('.'));
    let host = host.or_else(|| destination.strip_suffix("/128"));
    match destination {
        "0.0.0.0/0" | "::/0" => "default".to_owned(),
        _ => host.unwrap_or(destination).to_owned(),
    }
}

/// The lines for `ip -batch` that change the existing routes, as printed by `ip -json`, to these.
pub(super) fn changes(network: &Network, wanted: &[TableRoute], rules: &Value, routes: &Value) -> String {
    let mut lines = String::new();
    let mut line = |text: String| {
        let _ = writeln!(lines, "{text}");
    };
    let keys: BTreeSet<_> = wanted.iter().map(|route| (route.key(), route.destination.is_none())).collect();
    for route in wanted {
        line(route.line());
    }
    let (marks, tables) = (marks(network), tables(network));
    let leading: BTreeSet<MarkRule> = network
        .subnets
        .iter()
        .filter_map(|subnet| Some((*marks.get(&subnet.id)?, *tables.get(&subnet.id)?)))
        .collect();
    let there: BTreeSet<MarkRule> = elements(rules)
        .filter(|rule| rule["priority"].as_u64() == Some(PREFERENCE.into()))
        .filter_map(|rule| Some((number(rule["fwmark"].as_str()?)?, number(rule["table"].as_str()?)?)))
        .collect();
    // A subnet that gets another table uses the old one until the new one exists.
    for (mark, table) in leading.difference(&there) {
        line(format!("rule add pref {PREFERENCE} fwmark {mark:#x} lookup {table}"));
    }
    for (mark, table) in there.difference(&leading) {
        line(format!("rule del pref {PREFERENCE} fwmark {mark:#x} lookup {table}"));
    }
    for existing in elements(routes) {
        let table = existing["table"].as_str().and_then(|table| table.parse::<u32>().ok());
        let (Some(table), Some(destination)) = (table, existing["dst"].as_str()) else { continue };
        let metric = existing["metric"].as_u64();
        let is_last = metric == Some(LAST.into());
        if table & FROM_OUTSIDE != 0 && !keys.contains(&((table, destination.to_owned()), is_last)) {
            let kind = existing["type"].as_str().unwrap_or("unicast");
            let metric = metric.map(|metric| format!(" metric {metric}")).unwrap_or_default();
            line(format!("route del {kind} {destination} table {table}{metric}"));
        }
    }
    let ends = |rule: &Value| {
        rule["priority"].as_u64() == Some(NOWHERE.into())
            && rule["fwmark"].as_str().and_then(number) == Some(FROM_OUTSIDE)
    };
    if !elements(rules).any(ends) {
        line(format!("rule add pref {NOWHERE} fwmark {FROM_OUTSIDE:#x}/{FROM_OUTSIDE:#x} type unreachable"));
    }
    if !elements(rules).any(|rule| rule["priority"].as_u64() == Some(EVERYWHERE.into())) {
        line(format!("rule add pref {EVERYWHERE} lookup {EVERYWHERE_TABLE}"));
    }
    line(format!("route replace default dev {UPLINK} table {EVERYWHERE_TABLE}"));
    lines
}

/// A mark and its table.
type MarkRule = (u32, u32);

fn number(text: &str) -> Option<u32> {
    let text = text.split('/').next().unwrap_or(text);
    match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => text.parse().ok(),
    }
}

fn elements(array: &Value) -> impl Iterator<Item = &Value> {
    array.as_array().into_iter().flatten()
}
