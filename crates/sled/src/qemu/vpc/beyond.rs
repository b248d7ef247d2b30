//! What is beyond the host: the packets that pass between the edge and an interface of the host.
//!
//! The host's own rules stay as they are. A table beside them sees to it that nothing passes between the edge and any
//! other interface, and that guests do not reach the host itself.

use std::{
    collections::BTreeSet,
    fmt::Write as _,
    fs, io,
    net::{IpAddr, Ipv4Addr},
    path::PathBuf,
};

use serde_json::Value;

use super::{
    super::files,
    commands::{Space, Tools},
    names::Owner,
    ranges::{Addresses, Family, merged},
    service::folder_of,
};

/// What a name of an interface has at most, in the kernel.
const LONGEST_NAME: usize = 15;

/// How the host is connected, as far as it matters to guests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Uplink<'a> {
    /// The host's interface that external addresses leave by.
    pub(super) interface: &'a str,
    /// The addresses of its subnets: neighbours look for those on the link.
    pub(super) neighbours: Vec<Addresses>,
    /// Whether the host passes on packets for others as well.
    pub(super) is_router: bool,
}

/// Whether an interface can be the way out, or why not.
pub(super) fn check(tools: &Tools, owner: Owner, interface: &str) -> Result<(), String> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.@".contains(&byte);
    let is_name = !interface.is_empty() && interface.len() <= LONGEST_NAME && interface.bytes().all(plain);
    if !is_name {
        return Err(format!("{interface:?} cannot be the name of an external interface"));
    }
    if interface == "lo" || interface == owner.host_link() {
        return Err(format!("nothing beyond this host is reached by its interface {interface}"));
    }
    let links = tools.host().links().map_err(|error| error.to_string())?;
    if !links.iter().any(|link| link == interface) {
        return Err(format!(
            "this host has no interface {interface}, which external addresses are to leave by"
        ));
    }
    Ok(())
}

/// The rules of the host for what comes from guests and goes to them.
pub(super) fn ruleset(owner: Owner, uplink: Option<&Uplink<'_>>) -> String {
    let (table, link) = (format!("inet {owner}"), owner.host_link());
    let start = format!("table {table}\ndelete table {table}\ntable {table} {{\n");
    let Some(Uplink { interface, neighbours, is_router }) = uplink else {
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
    let neighbours: Vec<_> = neighbours.iter().map(ToString::to_string).collect();
    let foreign = if neighbours.is_empty() {
        "meta nfproto ipv4".to_owned()
    } else {
        format!("ip saddr != {{ {} }}", neighbours.join(", "))
    };
    // The interface passes packets on for guests; a host that was no router is none for others now. Links of others
    // have guards of their own.
    let others = if *is_router {
        String::new()
    } else {
        let elsewhere = format!("oifname != \"{interface}\" oifname != \"croft-*\"");
        format!("\n    meta nfproto ipv4 iifname \"{interface}\" {elsewhere} drop")
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
  chain from_guests {{
    meta nfproto ipv6 drop
    ct state invalid drop
    ip daddr 169.254.0.0/16 drop
    oifname != \"{interface}\" drop
  }}
  chain to_guests {{
    meta nfproto ipv6 drop
    iifname != \"{interface}\" drop
  }}
  chain leaving {{
    type nat hook postrouting priority srcnat; policy accept;
    iifname \"{link}\" oifname \"{interface}\" {foreign} masquerade
  }}
}}
"
    )
}

/// Guards the host, before the edge lets guests out. Answers which addresses the host answers for, or none if the
/// interface is gone for now.
pub(super) fn guard(tools: &Tools, owner: Owner, interface: &str) -> io::Result<Option<Vec<Addresses>>> {
    let host = tools.host();
    let is_there = host.links()?.iter().any(|link| link == interface);
    let own = if is_there { own_subnets(host, interface)? } else { Vec::new() };
    let neighbours = merged(own, Family::V4);
    let is_router = fs::read_to_string("/proc/sys/net/ipv4/ip_forward")?.trim() == "1";
    host.nft(&ruleset(owner, Some(&Uplink { interface, neighbours: neighbours.clone(), is_router })))?;
    if !is_there {
        tracing::warn!(
            interface,
            "the external interface is gone, and guests reach nothing beyond this host"
        );
        return Ok(None);
    }
    Ok(Some(neighbours))
}

/// Lets packets through, and has the host answer for these addresses where neighbours look for them.
pub(super) fn open(
    tools: &Tools,
    owner: Owner,
    interface: &str,
    neighbours: &[Addresses],
    external: &BTreeSet<Ipv4Addr>,
) -> io::Result<()> {
    let is_neighbour = |address: &&Ipv4Addr| {
        let address = IpAddr::V4(**address);
        neighbours.iter().any(|run| (run.first..=run.last).contains(&address))
    };
    let answered = external.iter().filter(is_neighbour).map(|address| (*address, interface.to_owned()));
    answer_for(tools, owner, &answered.collect())?;
    let link = owner.host_link();
    tools.host().settings(&[
        &format!("ipv4/conf/{link}/forwarding=1"),
        &format!("ipv4/conf/{interface}/forwarding=1"),
    ])
}

/// Has nothing pass, and the host answer for nobody. The edge must have been closed before.
pub(super) fn close(tools: &Tools, owner: Owner) -> io::Result<()> {
    tools.host().nft(&ruleset(owner, None))?;
    answer_for(tools, owner, &BTreeSet::new())
}

/// An address, and the interface where the host says that it has it.
type Answered = (Ipv4Addr, String);

/// Has the host answer for these addresses, and no more for those that it answered for before. Which ones those are is
/// written down: other entries are none of our business.
fn answer_for(tools: &Tools, owner: Owner, wanted: &BTreeSet<Answered>) -> io::Result<()> {
    let file = kept_in(owner);
    let kept: BTreeSet<Answered> = fs::read_to_string(&file)
        .unwrap_or_default()
        .lines()
        .filter_map(|line| line.split_once(' '))
        .filter_map(|(address, interface)| Some((address.parse().ok()?, interface.to_owned())))
        .collect();
    if kept.is_empty() && wanted.is_empty() {
        return Ok(());
    }
    let host = tools.host();
    let there = host.show(Some(Family::V4), &["neigh", "show", "proxy"])?;
    let there: BTreeSet<Answered> = super::edge::elements(&there).filter_map(answered).collect();
    fs::create_dir_all(folder_of(owner))?;
    // An entry that is there for another reason is left alone, also later.
    let ours: BTreeSet<Answered> =
        wanted.difference(&there).chain(kept.intersection(&there)).cloned().collect();
    keep(&file, &ours)?;
    let mut lines = String::new();
    for (address, interface) in ours.difference(wanted) {
        let _ = writeln!(lines, "neigh del proxy {address} dev {interface}");
    }
    for (address, interface) in wanted.difference(&there) {
        let _ = writeln!(lines, "neigh add proxy {address} dev {interface}");
    }
    host.batch(Family::V4, &lines)?;
    keep(&file, &ours.intersection(wanted).cloned().collect())
}

fn kept_in(owner: Owner) -> PathBuf {
    folder_of(owner).join("answered")
}

fn keep(file: &std::path::Path, answered: &BTreeSet<Answered>) -> io::Result<()> {
    let mut text = String::new();
    for (address, interface) in answered {
        let _ = writeln!(text, "{address} {interface}");
    }
    files::replace(file, text.as_bytes())
}

fn answered(entry: &Value) -> Option<Answered> {
    Some((entry["dst"].as_str()?.parse().ok()?, entry["dev"].as_str()?.to_owned()))
}

/// The subnets that an interface has addresses in.
fn own_subnets(host: Space<'_>, interface: &str) -> io::Result<Vec<Addresses>> {
    let shown = host.show(Some(Family::V4), &["address", "show", "dev", interface])?;
    let all = super::edge::elements(&shown).flat_map(|link| super::edge::elements(&link["addr_info"]));
    let subnet = |entry: &Value| {
        let address: Ipv4Addr = entry["local"].as_str()?.parse().ok()?;
        let width = entry["prefixlen"].as_u64()?;
        let mask = u32::MAX.checked_shl(32 - u32::try_from(width).ok()?).unwrap_or_default();
        let first = Ipv4Addr::from(u32::from(address) & mask);
        let last = Ipv4Addr::from(u32::from(address) | !mask);
        Some(Addresses { first: first.into(), last: last.into() })
    };
    Ok(all.filter_map(subnet).collect())
}
