//! Addresses and numbers as maximal disjoint ranges, as nftables requires for the elements of a set.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use croft_api::scalar::IpNet;

/// An address family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Family {
    V4,
    V6,
}

impl Family {
    pub(super) const BOTH: [Self; 2] = [Self::V4, Self::V6];

    pub(super) const fn of(address: IpAddr) -> Self {
        match address {
            IpAddr::V4(_) => Self::V4,
            IpAddr::V6(_) => Self::V6,
        }
    }

    /// The name in nftables.
    pub(super) const fn word(self) -> &'static str {
        match self {
            Self::V4 => "ip",
            Self::V6 => "ip6",
        }
    }

    /// The name in the kernel's settings.
    pub(super) const fn setting(self) -> &'static str {
        match self {
            Self::V4 => "ipv4",
            Self::V6 => "ipv6",
        }
    }
}

/// A range of addresses of one family.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Addresses {
    pub(super) first: IpAddr,
    pub(super) last: IpAddr,
}

impl Addresses {
    pub(super) const fn one(address: IpAddr) -> Self {
        Self { first: address, last: address }
    }

    pub(super) fn of(net: IpNet) -> Self {
        match net {
            IpNet::V4(net) => Self { first: net.first().into(), last: net.last().into() },
            IpNet::V6(net) => Self { first: net.first().into(), last: net.last().into() },
        }
    }

    /// The block with this prefix length that contains an address; `None` if the prefix length is too large for the
    /// family.
    pub(super) fn around(address: IpAddr, width: u32) -> Option<Self> {
        let bits = match address {
            IpAddr::V4(_) => u32::BITS,
            IpAddr::V6(_) => u128::BITS,
        };
        let below = u128::MAX.checked_shr(u128::BITS - bits.checked_sub(width)?).unwrap_or_default();
        let (number, family) = (number(address), Family::of(address));
        Some(Self {
            first: self::address(number & !below, family),
            last: self::address(number | below, family),
        })
    }

    pub(super) const fn family(&self) -> Family {
        Family::of(self.first)
    }

    pub(super) fn contains(&self, address: IpAddr) -> bool {
        self.family() == Family::of(address) && (self.first..=self.last).contains(&address)
    }
}

/// Merges addresses of one family into as few ranges as possible.
pub(super) fn merged(all: impl IntoIterator<Item = Addresses>, family: Family) -> Vec<Addresses> {
    let of_family = all.into_iter().filter(|addresses| addresses.family() == family);
    let numbers = of_family.map(|addresses| (number(addresses.first), number(addresses.last)));
    let address = |number| address(number, family);
    runs(numbers)
        .into_iter()
        .map(|(first, last)| Addresses { first: address(first), last: address(last) })
        .collect()
}

fn number(address: IpAddr) -> u128 {
    match address {
        IpAddr::V4(address) => u32::from(address).into(),
        IpAddr::V6(address) => address.into(),
    }
}

fn address(number: u128, family: Family) -> IpAddr {
    match family {
        // The ends of a range of IPv4 addresses fit into 32 bits.
        Family::V4 => Ipv4Addr::from(u32::try_from(number).unwrap_or(u32::MAX)).into(),
        Family::V6 => Ipv6Addr::from(number).into(),
    }
}

/// Merges numbers into as few ranges as possible.
pub(super) fn runs(all: impl IntoIterator<Item = (u128, u128)>) -> Vec<(u128, u128)> {
    let mut sorted: Vec<_> = all.into_iter().collect();
    sorted.sort_unstable();
    let mut merged: Vec<(u128, u128)> = Vec::new();
    for (first, last) in sorted {
        match merged.last_mut() {
            Some(previous) if first <= previous.1.saturating_add(1) => previous.1 = previous.1.max(last),
            _ => merged.push((first, last)),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adjacent_ranges_are_merged() {
        let nets = ["10.0.0.0/24", "10.0.1.0/24", "10.0.0.7/32", "10.0.3.0/24", "fd00::/64"];
        let all = nets.map(|net| Addresses::of(net.parse().unwrap()));
        let text = |addresses: Addresses| format!("{}-{}", addresses.first, addresses.last);
        let v4: Vec<_> = merged(all, Family::V4).into_iter().map(text).collect();
        assert_eq!(v4, ["10.0.0.0-10.0.1.255", "10.0.3.0-10.0.3.255"]);
        let v6: Vec<_> = merged(all, Family::V6).into_iter().map(text).collect();
        assert_eq!(v6, ["fd00::-fd00::ffff:ffff:ffff:ffff"]);
        assert_eq!(runs([(0, u128::MAX), (5, 6)]), [(0, u128::MAX)]);
    }

    #[test]
    fn block_contains_its_address() {
        let around = |address: &str, width| {
            let block = Addresses::around(address.parse().unwrap(), width)?;
            Some(format!("{}-{}", block.first, block.last))
        };
        assert_eq!(around("192.0.2.77", 24).unwrap(), "192.0.2.0-192.0.2.255");
        assert_eq!(around("192.0.2.77", 32).unwrap(), "192.0.2.77-192.0.2.77");
        assert_eq!(around("192.0.2.77", 0).unwrap(), "0.0.0.0-255.255.255.255");
        assert_eq!(around("2001:db8::77", 64).unwrap(), "2001:db8::-2001:db8::ffff:ffff:ffff:ffff");
        assert_eq!(around("::1", 0).unwrap(), "::-ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff");
        assert_eq!(around("2001:db8::77", 129), None);
        let block = Addresses::around("2001:db8::77".parse().unwrap(), 64).unwrap();
        assert!(block.contains("2001:db8::1".parse().unwrap()));
        assert!(!block.contains("32.1.13.184".parse().unwrap()));
    }
}
