//! Addresses and networks as texts that sort as they do, and what contains what.
//!
//! A network is found by the addresses in it because it is kept under the text of its first address and its width: a
//! search for an address asks for the networks of each width that the address could be in. Consecutive addresses are
//! kept as the fewest networks that make them up.

use std::net::IpAddr;

use croft_api::scalar::IpNet;

/// Consecutive addresses of one family.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Block {
    family: Family,
    pub(super) first: u128,
    pub(super) last: u128,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Family {
    V4,
    V6,
}

impl Family {
    const fn bits(self) -> u32 {
        match self {
            Self::V4 => 32,
            Self::V6 => 128,
        }
    }
}

fn number(address: IpAddr) -> (Family, u128) {
    match address {
        IpAddr::V4(address) => (Family::V4, u32::from(address).into()),
        IpAddr::V6(address) => (Family::V6, address.into()),
    }
}

impl Block {
    pub(super) fn address(address: IpAddr) -> Self {
        let (family, number) = number(address);
        Self { family, first: number, last: number }
    }

    pub(super) fn network(network: IpNet) -> Self {
        let (family, first) = number(network.first());
        Self { family, first, last: number(network.last()).1 }
    }

    /// Addresses between two, of the same family.
    pub(super) fn between(first: IpAddr, last: IpAddr) -> Option<Self> {
        let ((family, first), (other, last)) = (number(first), number(last));
        (family == other && first <= last).then_some(Self { family, first, last })
    }

    pub(super) fn contains(self, other: Self) -> bool {
        self.family == other.family && self.first <= other.first && other.last <= self.last
    }

    /// The fewest networks that make it up, each by its first address and its width.
    pub(super) fn networks(self) -> Vec<(u128, u32)> {
        let bits = self.family.bits();
        let (mut networks, mut next) = (Vec::new(), self.first);
        loop {
            let left = self.last - next;
            // As wide as its first address allows, and as what is left allows.
            let aligned = next.trailing_zeros().min(bits);
            let fits = if left == u128::MAX { 128 } else { (left + 1).ilog2() };
            let free = aligned.min(fits);
            networks.push((next, bits - free));
            let end = next | 1_u128.checked_shl(free).map_or(u128::MAX, |size| size - 1);
            if end >= self.last {
                return networks;
            }
            next = end + 1;
        }
    }

    /// The networks of each width that it lies in, the narrowest first.
    pub(super) fn enclosing(self) -> Vec<(u128, u32)> {
        let bits = self.family.bits();
        let differing = u128::BITS - (self.first ^ self.last).leading_zeros();
        let mask = |width: u32| u128::MAX.checked_shl(bits - width).unwrap_or(0);
        (0..=bits - differing).rev().map(|width| (self.first & mask(width), width)).collect()
    }

    /// The text of its first address: the texts of one family sort as the addresses do.
    pub(super) fn first_text(self) -> String {
        self.text(self.first)
    }

    /// The text of its last address.
    pub(super) fn last_text(self) -> String {
        self.text(self.last)
    }

    /// The text of a network of this family: narrower networks sort before wider ones.
    pub(super) fn network_text(self, (first, width): (u128, u32)) -> String {
        format!("{:02x}{}", self.family.bits() - width, self.text(first))
    }

    fn text(self, address: u128) -> String {
        match self.family {
            Family::V4 => format!("4{address:08x}"),
            Family::V6 => format!("6{address:032x}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn between(first: &str, last: &str) -> Block {
        Block::between(first.parse().unwrap(), last.parse().unwrap()).unwrap()
    }

    #[test]
    fn range_is_split_into_networks() {
        let widths = |block: Block| block.networks().iter().map(|(_, width)| *width).collect::<Vec<_>>();
        assert_eq!(widths(between("10.0.0.0", "10.0.0.255")), [24]);
        assert_eq!(widths(between("10.0.0.1", "10.0.0.6")), [32, 31, 31, 32]);
        assert_eq!(widths(between("0.0.0.0", "255.255.255.255")), [0]);
        assert_eq!(widths(between("::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff")), [0]);
        assert_eq!(widths(between("fd00::5", "fd00::5")), [128]);
        assert_eq!(widths(between("0.0.0.1", "255.255.255.254")).len(), 62);
        assert!(Block::between("10.0.0.2".parse().unwrap(), "10.0.0.1".parse().unwrap()).is_none());
        assert!(Block::between("10.0.0.2".parse().unwrap(), "fd00::1".parse().unwrap()).is_none());
    }

    #[test]
    fn networks_of_a_range_cover_it_exactly() {
        let block = between("10.1.2.3", "10.1.5.9");
        let mut next = block.first;
        for (first, width) in block.networks() {
            assert_eq!(first, next);
            next = first + (1 << (32 - width));
        }
        assert_eq!(next, block.last + 1);
    }

    #[test]
    fn enclosing_networks_are_ordered_from_narrow_to_wide() {
        let address = Block::address("10.0.0.5".parse().unwrap());
        let enclosing = address.enclosing();
        assert_eq!(enclosing.len(), 33);
        assert_eq!(enclosing[0], (0x0a00_0005, 32));
        assert_eq!(enclosing[8], (0x0a00_0000, 24));
        assert_eq!(enclosing[32], (0, 0));
        let network = Block::network("10.0.0.0/24".parse().unwrap());
        assert_eq!(network.enclosing().len(), 25);
        assert_eq!(Block::address("fd00::1".parse().unwrap()).enclosing().len(), 129);
        assert_eq!(Block::network("::/0".parse().unwrap()).enclosing(), [(0, 0)]);
    }
}
