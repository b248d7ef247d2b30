//! The namespace between the VPCs and the host.
//!
//! It is a router: the host has one link and the routes to it, and external addresses that VPCs share are demultiplexed
//! here. Connection tracking returns replies to the right VPC.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    io,
    net::IpAddr,
};

use croft_api::scalar::Vni;

use super::{
    commands::{Namespace, Tools},
    names::{self, HOST, HOST_ADDRESS, HOST_HOP, LOWER_HOP, LOWER_MAC, Owner, UPPER_ADDRESS, UPPER_MAC},
    ranges::Family,
    uplink::{self, Ipv6Obstacle},
};

/// The external addresses of the VPCs that are set up on this host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct EdgeRoutes {
    /// Exclusive addresses by VPC. Shared ones are not in it.
    pub(super) of_vpc: BTreeMap<u32, BTreeSet<IpAddr>>,
    /// Addresses without a target, for which only replies pass.
    pub(super) shared: BTreeSet<IpAddr>,
}

/// The rules of the edge. Guests can reach each other's external addresses and answer anybody. They can open
/// connections to the host and beyond only if the host has an uplink, with its own rules. Neighbor entries are static,
/// so neighbor discovery is not accepted.
pub(super) fn ruleset(vpcs: impl IntoIterator<Item = u32>, is_open: bool) -> String {
    let marks: Vec<_> = vpcs.into_iter().map(|vni| format!("\"vpc-{vni}\" : {vni:#x}")).collect();
    let elements =
        if marks.is_empty() { String::new() } else { format!("\n    elements = {{ {} }}", marks.join(", ")) };
    // A packet from the host without a target must not return to the host.
    let out =
        if is_open { format!("\n    iifname \"vpc-*\" oifname \"{HOST}\" accept") } else { String::new() };
    format!(
        "table inet croft
delete table inet croft
table inet croft {{
  map vpcs {{
    type ifname : mark;{elements}
  }}
  chain arriving {{
    type filter hook prerouting priority mangle; policy accept;
    ct direction reply meta mark set ct mark accept
    iifname \"vpc-*\" ct mark set iifname map @vpcs
  }}
  chain asking {{
    type filter hook input priority filter; policy drop;
  }}
  chain passing {{
    type filter hook forward priority filter; policy drop;
    ct state invalid drop
    ct state related accept
    ct direction reply accept
    oifname \"vpc-*\" accept{out}
  }}
}}
"
    )
}

const QUIET: [&str; 11] = [
    "ipv4/ip_forward=1",
    "ipv4/conf/all/rp_filter=0",
    "ipv4/conf/default/rp_filter=0",
    "ipv4/conf/all/send_redirects=0",
    "ipv4/conf/default/send_redirects=0",
    "ipv6/conf/all/disable_ipv6=0",
    "ipv6/conf/default/disable_ipv6=0",
    "ipv6/conf/all/forwarding=1",
    "ipv6/conf/default/forwarding=1",
    "ipv6/conf/all/accept_ra=0",
    "ipv6/conf/default/accept_ra=0",
];

/// Creates the edge and its link to the host, if they do not exist.
pub(super) fn ensure(tools: &Tools, owner: Owner) -> io::Result<()> {
    let name = owner.edge();
    let (edge, host, link) = (tools.space(&name), tools.host(), owner.host_link());
    tools.add_namespace(&name)?;
    edge.settings(&QUIET)?;
    if !edge.links()?.iter().any(|link| link == HOST) {
        edge.nft(&ruleset([], false))?;
        // A leftover link of this name has no peer.
        if host.links()?.contains(&link) {
            host.batch(Family::V4, &format!("link del {link}\n"))?;
        }
        let ends = format!(
            "link add {link} address {UPPER_MAC} type veth peer name {HOST} address {LOWER_MAC} netns {name}\n"
        );
        host.batch(Family::V4, &ends)?;
    }
    host.batch(Family::V4, &format!("link set {link} up\n"))?;
    edge.batch(Family::V4, &format!("link set lo up\nlink set {HOST} up\n"))?;
    for family in Family::BOTH {
        let number = family as usize;
        let (address, hop, lower_hop) = (HOST_ADDRESS[number], HOST_HOP[number], LOWER_HOP[number]);
        let (width, quiet) = match family {
            Family::V4 => (32, ""),
            // The host's programs should use this address only towards guests, so it is not preferred for other
            // destinations.
            Family::V6 => (128, " nodad preferred_lft 0"),
        };
        if has(host, &link, family)? {
            let upper = format!(
                "addr replace {address}/{width} dev {link}{quiet}\n\
                 neigh replace {lower_hop} lladdr {LOWER_MAC} dev {link} nud permanent\n"
            );
            host.batch(family, &upper)?;
        }
        let own = UPPER_ADDRESS[number];
        let lower = format!(
            "addr replace {own}/{width} dev lo\n\
             neigh replace {hop} lladdr {UPPER_MAC} dev {HOST} nud permanent\n\
             route replace default via {hop} dev {HOST} onlink\n"
        );
        edge.batch(family, &lower)?;
    }
    Ok(())
}

/// Whether a link of the host supports a family: IPv6 can be disabled.
pub(super) fn has(host: Namespace<'_>, link: &str, family: Family) -> io::Result<bool> {
    match family {
        Family::V4 => Ok(true),
        Family::V6 => {
            Ok(host.setting(&format!("ipv6/conf/{link}/disable_ipv6"))?.is_some_and(|off| off == 0))
        }
    }
}

/// Creates a VPC's link to the edge, if it does not exist.
pub(super) fn connect(tools: &Tools, owner: Owner, vni: Vni) -> io::Result<()> {
    let (name, vpc, link) = (owner.edge(), owner.vpc(vni), names::edge_link(vni));
    let edge = tools.space(&name);
    if !tools.space(&vpc).links()?.iter().any(|link| link == names::UPLINK) {
        let peer = names::UPLINK;
        let ends = format!(
            "link add {link} address {UPPER_MAC} type veth peer name {peer} address {LOWER_MAC} netns {vpc}\n"
        );
        edge.batch(Family::V4, &ends)?;
    }
    let number = u32::from(vni);
    edge.batch(Family::V4, &format!("link set {link} up\n"))?;
    for family in Family::BOTH {
        let hop = LOWER_HOP[family as usize];
        let upper = format!(
            "neigh replace {hop} lladdr {LOWER_MAC} dev {link} nud permanent\n\
             route replace default via {hop} dev {link} onlink table {number}\n"
        );
        edge.batch(family, &upper)?;
    }
    Ok(())
}

/// Sets the routes to external addresses on the edge and the host, and opens or closes the uplink. Returns why IPv6
/// does not pass, if it does not.
pub(super) fn apply(
    tools: &Tools,
    owner: Owner,
    entrances: &EdgeRoutes,
    external: Option<&str>,
) -> io::Result<Option<Ipv6Obstacle>> {
    let vpcs = entrances.of_vpc.keys().copied();
    let Some(interface) = external else {
        close(tools, owner, vpcs)?;
        apply_routes(tools, owner, entrances, &BTreeSet::new())?;
        return Ok(None);
    };
    // The host's rules must be in effect before the edge is opened to guests.
    let uplink = uplink::guard(tools, owner, interface)?;
    tools.space(&owner.edge()).nft(&ruleset(vpcs, true))?;
    apply_routes(tools, owner, entrances, &entrances.shared)?;
    let Some(uplink) = uplink else { return Ok(Some(Ipv6Obstacle::InterfaceGone)) };
    let all = entrances.of_vpc.values().flatten().chain(&entrances.shared).copied().collect();
    uplink::open(tools, owner, &uplink, &all)?;
    Ok(uplink.v6.err())
}

/// Blocks all traffic between guests and outside networks.
pub(super) fn close(tools: &Tools, owner: Owner, vpcs: impl IntoIterator<Item = u32>) -> io::Result<()> {
    tools.space(&owner.edge()).nft(&ruleset(vpcs, false))?;
    uplink::close(tools, owner)
}

/// Sets the routes to external addresses on the edge and the host.
fn apply_routes(
    tools: &Tools,
    owner: Owner,
    entrances: &EdgeRoutes,
    answered: &BTreeSet<IpAddr>,
) -> io::Result<()> {
    for family in Family::BOTH {
        apply_edge_routes(tools, owner, entrances, family)?;
        if has(tools.host(), &owner.host_link(), family)? {
            apply_host_routes(tools, owner, entrances, answered, family)?;
        }
    }
    Ok(())
}

/// Sets the edge's routes from external addresses to VPCs, and for replies.
fn apply_edge_routes(tools: &Tools, owner: Owner, entrances: &EdgeRoutes, family: Family) -> io::Result<()> {
    let name = owner.edge();
    let (edge, hop) = (tools.space(&name), LOWER_HOP[family as usize]);
    let (mut lines, mut wanted) = (String::new(), BTreeSet::new());
    for (vni, addresses) in &entrances.of_vpc {
        for address in addresses.iter().filter(|address| Family::of(**address) == family) {
            wanted.insert(address.to_string());
            let _ = writeln!(lines, "route replace {address} via {hop} dev vpc-{vni} onlink");
        }
    }
    let rules = edge.show(Some(family), &["rule", "show"])?;
    let there: BTreeSet<u32> =
        elements(&rules).filter(|rule| rule["priority"] == 10).filter_map(table).collect();
    for vni in entrances.of_vpc.keys().filter(|vni| !there.contains(vni)) {
        let _ = writeln!(lines, "rule add pref 10 fwmark {vni:#x} lookup {vni}");
    }
    for vni in there.iter().filter(|vni| !entrances.of_vpc.contains_key(vni)) {
        let _ = writeln!(lines, "rule del pref 10 fwmark {vni:#x} lookup {vni}");
    }
    let routes = edge.show(Some(family), &["route", "show"])?;
    stale(&routes, &wanted, "", &mut lines);
    edge.batch(family, &lines)
}

/// Sets the host's routes to external addresses behind the edge.
fn apply_host_routes(
    tools: &Tools,
    owner: Owner,
    entrances: &EdgeRoutes,
    answered: &BTreeSet<IpAddr>,
    family: Family,
) -> io::Result<()> {
    let (host, link) = (tools.host(), owner.host_link());
    let (hop, own) = (LOWER_HOP[family as usize], HOST_ADDRESS[family as usize]);
    let (mut lines, mut wanted) = (String::new(), BTreeSet::new());
    let all = entrances.of_vpc.values().flatten().chain(answered);
    for address in all.filter(|address| Family::of(**address) == family) {
        if wanted.insert(address.to_string()) {
            let _ = writeln!(lines, "route replace {address} via {hop} dev {link} onlink src {own}");
        }
    }
    let routes = host.show(Some(family), &["route", "show", "dev", &link])?;
    stale(&routes, &wanted, &format!(" dev {link}"), &mut lines);
    host.batch(family, &lines)
}

/// Lines that remove routes to addresses that are no longer in use. The kernel's own routes are skipped.
fn stale(routes: &serde_json::Value, wanted: &BTreeSet<String>, link: &str, lines: &mut String) {
    let made = elements(routes).filter(|route| route["protocol"] != "kernel");
    let destinations = made.filter_map(|route| route["dst"].as_str());
    for destination in destinations.filter(|destination| *destination != "default") {
        if !wanted.contains(destination) {
            let _ = writeln!(lines, "route del {destination}{link}");
        }
    }
}

fn table(rule: &serde_json::Value) -> Option<u32> {
    rule["table"].as_str()?.parse().ok()
}

/// The elements of an array; empty for other values.
pub(super) fn elements(array: &serde_json::Value) -> impl Iterator<Item = &serde_json::Value> {
    array.as_array().into_iter().flatten()
}
