use std::{collections::BTreeMap, net::IpAddr};

use croft_api::{Error, Result, scalar::IpNet};

/// Refuses networks that an interface cannot be sent to, or that are listed twice. The whole address space is allowed
/// and disables the source check. The number of networks is not limited.
pub(super) fn check(nets: &[IpNet]) -> Result<()> {
    let mut earlier = DisjointNetworks::default();
    for (position, net) in nets.iter().enumerate() {
        let (what, kind) =
            if net.is_host() { ("transit IP", "address") } else { ("transit IP block", "network") };
        let refuse = |text: String| Err(Error::invalid_request(format!("{what} {net} {text}")));
        if net.addr() != net.first() {
            return refuse("has a non-zero host identifier".to_owned());
        }
        if net.first().is_multicast() {
            return refuse(format!("is a multicast {kind}"));
        }
        if net.first().is_loopback() {
            return refuse(format!("is a loopback {kind}"));
        }
        if let Some(position) = earlier.overlapping(*net) {
            return refuse(format!("overlaps with {}", nets[position]));
        }
        earlier.0.insert(net.first(), (*net, position));
    }
    Ok(())
}

/// A set of disjoint networks by first address, with their positions in a list.
#[derive(Default)]
struct DisjointNetworks(BTreeMap<IpAddr, (IpNet, usize)>);

impl DisjointNetworks {
    /// The position of a network that overlaps this one. Two networks overlap only if one contains the other. The
    /// container either starts at the same address or is the last to start before it.
    fn overlapping(&self, net: IpNet) -> Option<usize> {
        let around = self.0.range(..=net.first()).next_back();
        let inside = self.0.range(net.first()..).take_while(|(_, (other, _))| other.overlaps(net));
        let overlapping = around.into_iter().chain(inside).filter(|(_, (other, _))| other.overlaps(net));
        overlapping.map(|(_, (_, position))| *position).min()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(nets: &[&str]) -> String {
        let nets: Vec<IpNet> = nets.iter().map(|net| net.parse().expect("a network")).collect();
        check(&nets).err().map_or_else(String::new, |error| error.to_string())
    }

    #[test]
    fn the_first_network_that_overlaps_is_named() {
        assert_eq!(refusal(&["10.0.0.0/24", "10.0.1.0/24", "fd00::/64", "10.0.2.0/23"]), "");
        let nested = refusal(&["10.0.3.0/24", "10.0.1.0/24", "10.0.0.0/16"]);
        assert!(nested.contains("transit IP block 10.0.0.0/16 overlaps with 10.0.3.0/24"), "{nested}");
        let inside = refusal(&["0.0.0.0/0", "fd00::/64", "10.0.0.1/32"]);
        assert!(inside.contains("transit IP 10.0.0.1/32 overlaps with 0.0.0.0/0"), "{inside}");
        let same = refusal(&["10.0.0.0/24", "10.0.1.0/24", "10.0.0.0/24"]);
        assert!(same.contains("overlaps with 10.0.0.0/24"), "{same}");
    }
}
