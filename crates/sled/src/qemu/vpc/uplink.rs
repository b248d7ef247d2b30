//! Packets between the edge and an external interface of the host.
//!
//! The host's own rules are not changed. A separate table drops packets between the edge and any other interface, and
//! from guests to the host itself.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write as _,
    fs, io,
    net::IpAddr,
    path::PathBuf,
};

use serde_json::Value;

use super::{
    super::files,
    commands::{Namespace, Tools},
    names::Owner,
    ranges::{Addresses, Family, merged},
    service::folder_of,
    switches::Switches,
};

/// Maximum length of the name of an interface in the kernel.
const LONGEST_NAME: usize = 15;

/// The host's external connectivity for one address family.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Connection {
    /// The subnets of the external interface. Neighbors resolve these addresses on the link.
    pub(super) neighbours: Vec<Addresses>,
    /// Whether the host forwards packets for others as well.
    pub(super) is_router: bool,
}

/// The host's external interface and its connectivity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Uplink<'a> {
    pub(super) interface: &'a str,
    pub(super) v4: Connection,
    /// IPv6 may be unavailable on the host, or the host may not be able to forward it for guests only.
    pub(super) v6: Result<Connection, Ipv6Obstacle>,
}

/// Why no IPv6 packets can pass between guests and the outside. IPv4 is not affected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Ipv6Obstacle {
    #[error("the external interface no longer exists")]
    InterfaceGone,
    #[error("IPv6 is turned off for the external interface by its setting disable_ipv6")]
    SwitchedOff,
    #[error("the external interface has no IPv6 address of global scope")]
    NoAddress,
    #[error(
        "this kernel cannot forward IPv6 on single interfaces (force_forwarding needs Linux 6.17): to \
         forward on all interfaces, set net.ipv6.conf.all.forwarding=1"
    )]
    NoForwarding,
}

/// Metadata services of cloud providers, which the host may use and guests must not. Link-local addresses are not
/// forwarded.
const METADATA_V6: &str = "fd00:c1::a9fe:a9fe, fd00:ec2::254, fd20:ce::254";

/// The same for IPv4, besides the link-local ones: Alibaba Cloud, Azure and Oracle Cloud.
const METADATA_V4: &str = "100.100.100.200, 168.63.129.16, 192.0.0.192";

/// Checks whether an interface can be the uplink, and says why not.
pub(super) fn check(tools: &Tools, owner: Owner, interface: &str) -> Result<(), String> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.@".contains(&byte);
    let is_name = !interface.is_empty() && interface.len() <= LONGEST_NAME && interface.bytes().all(plain);
    if !is_name {
        return Err(format!("{interface:?} is not a valid name of an external interface"));
    }
    if interface == "lo" || interface == owner.host_link() {
        return Err(format!("the interface {interface} does not lead outside this host"));
    }
    let links = tools.host().links().map_err(|error| error.to_string())?;
    if !links.iter().any(|link| link == interface) {
        return Err(format!(
            "this host has no interface {interface}, which is set as the external interface"
        ));
    }
    Ok(())
}

/// The host's rules for packets from and to guests.
pub(super) fn ruleset(owner: Owner, uplink: Option<&Uplink<'_>>) -> String {
    let (table, link) = (format!("inet {owner}"), owner.host_link());
    let start = format!("table {table}\ndelete table {table}\ntable {table} {{\n");
    let Some(Uplink { interface, v4, v6 }) = uplink else {
        return format!(
            "{start}  chain passing {{
    type filter hook forward priority filter; policy accept;
    iifname \"{link}\" drop
    oifname \"{link}\" drop
  }}
}}
"
        );
    };
    let connections = [(Family::V4, Some(v4)), (Family::V6, v6.as_ref().ok())];
    let (mut others, mut masquerades) = (String::new(), String::new());
    for (family, connection) in connections {
        let Some(connection) = connection else { continue };
        // The interface forwards packets for guests. A host that was not a router before must not forward for others.
        // Links of other owners have their own rules.
        if !connection.is_router {
            let elsewhere = format!("oifname != \"{interface}\" oifname != \"croft-*\"");
            let protocol = family.setting();
            let _ = write!(others, "\n    meta nfproto {protocol} iifname \"{interface}\" {elsewhere} drop");
        }
        let foreign = foreign(family, &connection.neighbours);
        let _ = write!(masquerades, "\n    iifname \"{link}\" oifname \"{interface}\" {foreign} masquerade");
    }
    let (from_guests, to_guests) = match v6 {
        Ok(_) => (format!("\n    ip6 daddr {{ {METADATA_V6} }} drop"), ""),
        Err(_) => ("\n    meta nfproto ipv6 drop".to_owned(), "\n    meta nfproto ipv6 drop"),
    };
    format!(
        "{start}  chain asking {{
    type filter hook input priority filter; policy accept;
    iifname != \"{link}\" accept
    ct state related accept
    ct direction reply accept
    drop
  }}
  chain passing {{
    type filter hook forward priority filter; policy accept;
    iifname \"{link}\" goto from_guests
    oifname \"{link}\" goto to_guests{others}
  }}
  chain from_guests {{{from_guests}
    ct state invalid drop
    ip daddr {{ 169.254.0.0/16, {METADATA_V4} }} drop
    oifname != \"{interface}\" drop
  }}
  chain to_guests {{{to_guests}
    iifname != \"{interface}\" drop
  }}
  chain leaving {{
    type nat hook postrouting priority srcnat; policy accept;{masquerades}
  }}
}}
"
    )
}

/// Addresses outside the link's subnets: packets from these are translated to the host's address.
fn foreign(family: Family, neighbours: &[Addresses]) -> String {
    if neighbours.is_empty() {
        return format!("meta nfproto {}", family.setting());
    }
    let neighbours: Vec<_> = neighbours.iter().map(ToString::to_string).collect();
    format!("{} saddr != {{ {} }}", family.word(), neighbours.join(", "))
}

/// Applies the host's rules, before the edge is opened to guests. Returns the host's connectivity; `None` if the
/// interface does not exist at the moment.
pub(super) fn guard<'i>(tools: &Tools, owner: Owner, interface: &'i str) -> io::Result<Option<Uplink<'i>>> {
    let host = tools.host();
    let is_there = host.links()?.iter().any(|link| link == interface);
    let neighbours = if is_there { own_subnets(host, interface, Family::V4)? } else { Vec::new() };
    let is_router = host.setting("ipv4/ip_forward")? == Some(1);
    let v4 = Connection { neighbours, is_router };
    let v6 = if is_there { connected(host, owner, interface)? } else { Err(Ipv6Obstacle::InterfaceGone) };
    let uplink = Uplink { interface, v4, v6 };
    host.nft(&ruleset(owner, Some(&uplink)))?;
    if !is_there {
        tracing::warn!(
            interface,
            "the external interface no longer exists, so guests cannot reach outside networks"
        );
        return Ok(None);
    }
    Ok(Some(uplink))
}

/// The host's IPv6 connectivity, or why guests have none.
fn connected(
    host: Namespace<'_>,
    owner: Owner,
    interface: &str,
) -> io::Result<Result<Connection, Ipv6Obstacle>> {
    for link in [interface, &owner.host_link()] {
        if !super::edge::has(host, link, Family::V6)? {
            return Ok(Err(Ipv6Obstacle::SwitchedOff));
        }
    }
    let is_router = host.setting("ipv6/conf/all/forwarding")? == Some(1);
    if !is_router && host.setting(&v6(interface, "force_forwarding"))?.is_none() {
        return Ok(Err(Ipv6Obstacle::NoForwarding));
    }
    let neighbours = own_subnets(host, interface, Family::V6)?;
    if neighbours.is_empty() {
        return Ok(Err(Ipv6Obstacle::NoAddress));
    }
    Ok(Ok(Connection { neighbours, is_router }))
}

/// An IPv6 setting of a link.
fn v6(link: &str, setting: &str) -> String {
    format!("ipv6/conf/{link}/{setting}")
}

/// Forwards packets, and makes the host answer neighbor discovery for these addresses.
pub(super) fn open(
    tools: &Tools,
    owner: Owner,
    uplink: &Uplink<'_>,
    external: &BTreeSet<IpAddr>,
) -> io::Result<()> {
    let (host, interface, link) = (tools.host(), uplink.interface, &*owner.host_link());
    let v6_neighbours = uplink.v6.as_ref().map_or(&[][..], |connection| &connection.neighbours);
    let is_neighbour = |address: &&IpAddr| {
        uplink.v4.neighbours.iter().chain(v6_neighbours).any(|run| run.contains(**address))
    };
    let answered = external.iter().filter(is_neighbour).map(|address| (*address, interface.to_owned()));
    answer_for(tools, owner, &answered.collect())?;
    let mut wanted: BTreeMap<_, _> =
        [link, interface].map(|end| (format!("ipv4/conf/{end}/forwarding"), 1)).into();
    let switches = Switches::of(owner);
    if uplink.v6.is_ok() {
        wanted.extend(passing_v6(host, &switches, link, interface)?);
    }
    switches.set(host, &wanted)
}

/// Settings that make the host forward IPv6 between two of its links, and answer neighbor discovery.
fn passing_v6(
    host: Namespace<'_>,
    switches: &Switches,
    link: &str,
    interface: &str,
) -> io::Result<Vec<(String, i64)>> {
    let before = |setting: &str| {
        let path = v6(interface, setting);
        let current = host.setting(&path)?;
        Ok::<_, io::Error>(switches.before(&path).or(current))
    };
    let mut wanted = Vec::new();
    // A forwarding interface ignores router advertisements, which this host may depend on, unless this is set.
    if before("forwarding")? != Some(1) && before("accept_ra")? == Some(1) {
        wanted.push((v6(interface, "accept_ra"), 2));
    }
    wanted.extend(["forwarding", "proxy_ndp"].map(|setting| (v6(interface, setting), 1)));
    wanted.extend([link, interface].map(|end| (v6(end, "force_forwarding"), 1)));
    Ok(wanted)
}

/// Stops forwarding and answering, and restores the host's settings. The edge must have been closed before.
pub(super) fn close(tools: &Tools, owner: Owner) -> io::Result<()> {
    tools.host().nft(&ruleset(owner, None))?;
    answer_for(tools, owner, &BTreeSet::new())?;
    Switches::of(owner).set(tools.host(), &BTreeMap::new())
}

/// An address, and the interface on which the host answers neighbor discovery for it.
type ProxiedAddress = (IpAddr, String);

/// Makes the host answer neighbor discovery for exactly these addresses. Entries made earlier are recorded, so that
/// entries of other programs are not removed.
fn answer_for(tools: &Tools, owner: Owner, wanted: &BTreeSet<ProxiedAddress>) -> io::Result<()> {
    let file = kept_in(owner);
    let kept = read(&fs::read_to_string(&file).unwrap_or_default());
    if kept.is_empty() && wanted.is_empty() {
        return Ok(());
    }
    let host = tools.host();
    let mut there = BTreeSet::new();
    for family in Family::BOTH {
        let shown = host.show(Some(family), &["neigh", "show", "proxy"])?;
        there.extend(super::edge::elements(&shown).filter_map(answered));
    }
    fs::create_dir_all(folder_of(owner))?;
    // An entry that existed before belongs to another program, and is never removed.
    let ours: BTreeSet<ProxiedAddress> =
        wanted.difference(&there).chain(kept.intersection(&there)).cloned().collect();
    files::replace(&file, write(&ours).as_bytes())?;
    for family in Family::BOTH {
        let of_family = |(address, _): &&ProxiedAddress| Family::of(*address) == family;
        let mut lines = String::new();
        for (address, interface) in ours.difference(wanted).filter(of_family) {
            let _ = writeln!(lines, "neigh del proxy {address} dev {interface}");
        }
        for (address, interface) in wanted.difference(&there).filter(of_family) {
            let _ = writeln!(lines, "neigh add proxy {address} dev {interface}");
        }
        host.batch(family, &lines)?;
    }
    let remaining: BTreeSet<ProxiedAddress> = ours.intersection(wanted).cloned().collect();
    files::replace(&file, write(&remaining).as_bytes())
}

fn kept_in(owner: Owner) -> PathBuf {
    folder_of(owner).join("answered")
}

/// Parses a file. Invalid lines are ignored.
fn read(text: &str) -> BTreeSet<ProxiedAddress> {
    let lines = text.lines().filter_map(|line| line.split_once(' '));
    lines.filter_map(|(address, interface)| Some((address.parse().ok()?, interface.to_owned()))).collect()
}

/// The content of a file.
fn write(answered: &BTreeSet<ProxiedAddress>) -> String {
    let mut text = String::new();
    for (address, interface) in answered {
        let _ = writeln!(text, "{address} {interface}");
    }
    text
}

fn answered(entry: &Value) -> Option<ProxiedAddress> {
    Some((entry["dst"].as_str()?.parse().ok()?, entry["dev"].as_str()?.to_owned()))
}

/// The subnets of an interface, without the IPv6 link-local one.
fn own_subnets(host: Namespace<'_>, interface: &str, family: Family) -> io::Result<Vec<Addresses>> {
    let shown = host.show(Some(family), &["address", "show", "dev", interface])?;
    let all = super::edge::elements(&shown).flat_map(|link| super::edge::elements(&link["addr_info"]));
    let counts = |entry: &&Value| family == Family::V4 || entry["scope"] == "global";
    let subnet = |entry: &Value| {
        let address: IpAddr = entry["local"].as_str()?.parse().ok()?;
        Addresses::around(address, u32::try_from(entry["prefixlen"].as_u64()?).ok()?)
    };
    Ok(merged(all.filter(counts).filter_map(subnet), family))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::qemu::golden;

    #[test]
    fn answered_addresses_of_every_version_are_read() {
        let answered: BTreeSet<ProxiedAddress> = [("192.0.2.7", "eth0"), ("2001:db8::7", "eth1")]
            .map(|(address, interface)| (address.parse().unwrap(), interface.to_owned()))
            .into();
        for (version, text) in golden::texts("answered", &write(&answered)) {
            assert_eq!(read(&text), answered, "version {version}");
        }
        assert_eq!(read("nowhere eth0\n192.0.2.7\n"), BTreeSet::new());
    }
}
