//! Names of objects on the host. They contain the owner, so that leftovers can be found by name.

use std::{
    fmt,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
};

use croft_api::scalar::{MacAddr, Vni};
use uuid::Uuid;

use super::ranges::Family;

/// Distinguishes the objects of one server's data directory from those of others. Part of every name on the host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Owner(u32);

impl Owner {
    /// The owner id, which is stored in the data directory.
    pub(super) fn of(sled: Uuid) -> Self {
        let bytes = sled.as_bytes();
        Self(u32::from_be_bytes([bytes[12], bytes[13], bytes[14], bytes[15]]))
    }

    /// The namespace of a VPC.
    pub(super) fn vpc(self, vni: Vni) -> String {
        format!("{self}-{vni}")
    }

    /// The namespace between the VPCs and the host.
    pub(super) fn edge(self) -> String {
        format!("{self}-edge")
    }

    /// A temporary namespace for trials.
    pub(super) fn trial(self) -> String {
        format!("{self}-trial")
    }

    /// The host's link to the edge.
    pub(super) fn host_link(self) -> String {
        self.to_string()
    }

    /// The suffix of a namespace's name, if it belongs to this owner.
    pub(super) fn suffix(self, namespace: &str) -> Option<&str> {
        namespace.strip_prefix(&self.to_string())?.strip_prefix('-')
    }
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "croft-{:08x}", self.0)
    }
}

/// The link of an interface in its VPC's namespace. Names of links have at most 15 characters, so the end of the id is
/// used, which is random.
pub(in super::super) fn tap(interface: Uuid) -> String {
    let id = interface.simple().to_string();
    format!("{TAP}{}", &id[id.len() - 11..])
}

/// The prefix of the names of all interfaces' links.
pub(super) const TAP: &str = "tap-";
/// The pattern for all interfaces' links in rules.
pub(super) const TAPS: &str = "tap-*";
/// The link in a VPC's namespace to the edge.
pub(super) const UPLINK: &str = "uplink";
/// The link in the edge to the host.
pub(super) const HOST: &str = "host";

/// The link in the edge to a VPC.
pub(super) fn edge_link(vni: Vni) -> String {
    format!("vpc-{vni}")
}

/// The hardware address of every guest's gateway. It is constant, so that guests need not learn another one after a
/// restart.
pub(super) const GATEWAY_MAC: MacAddr = MacAddr([0xa8, 0x40, 0x25, 0xff, 0x77, 0x77]);
/// The two ends of each link between namespaces: the one nearer to the host, and the other.
pub(super) const UPPER_MAC: MacAddr = MacAddr([0x02, 0xc0, 0xf7, 0, 0, 1]);
pub(super) const LOWER_MAC: MacAddr = MacAddr([0x02, 0xc0, 0xf7, 0, 0, 2]);
/// The host's address towards the edge, by family, which guests see as the source of the host's own programs. An IPv6
/// link-local address would not be forwarded.
pub(super) const HOST_ADDRESS: [IpAddr; 2] = [
    IpAddr::V4(Ipv4Addr::new(169, 254, 64, 1)),
    IpAddr::V6(Ipv6Addr::new(0xfd43, 0x726f, 0x6674, 0xffff, 0, 0, 0, 1)),
];
/// The edge's address towards VPCs, by family.
pub(super) const UPPER_ADDRESS: [IpAddr; 2] = [
    IpAddr::V4(Ipv4Addr::new(169, 254, 64, 3)),
    IpAddr::V6(Ipv6Addr::new(0xfd43, 0x726f, 0x6674, 0xffff, 0, 0, 0, 3)),
];
/// The host as a next hop of the edge, by family.
pub(super) const HOST_HOP: [IpAddr; 2] =
    [HOST_ADDRESS[0], IpAddr::V6(Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0x4000, 1))];
/// The farther end of each link as a next hop, by family.
pub(super) const LOWER_HOP: [IpAddr; 2] =
    [IpAddr::V4(Ipv4Addr::new(169, 254, 64, 2)), IpAddr::V6(Ipv6Addr::new(0xfe80, 0, 0, 0, 0, 0, 0x4000, 2))];

/// The next hop that represents a VPC's internet gateway in its routes, by its number. All of them are the edge.
pub(super) fn gateway_address(family: Family, number: usize) -> IpAddr {
    const FIRST_V4: u32 = u32::from_be_bytes([169, 254, 65, 1]);
    const FIRST_V6: u128 = (0xfe80 << 112) | 0x4100_0001;
    let number = u32::try_from(number).unwrap_or(u32::MAX).min(GATEWAYS - 1);
    match family {
        Family::V4 => Ipv4Addr::from(FIRST_V4 + number).into(),
        Family::V6 => Ipv6Addr::from(FIRST_V6 + u128::from(number)).into(),
    }
}

/// Maximum number of internet gateways of a VPC with their own next hop. Further ones share the last.
const GATEWAYS: u32 = 32_000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interface_names_fit_and_identify_their_owner() {
        let id = Uuid::from_u128(0xf7a0_5bd2_9c1e_4f00_8123_4567_89ab_cdef);
        let owner = Owner::of(id);
        assert_eq!(tap(id), "tap-56789abcdef");
        assert_eq!(owner.host_link(), "croft-89abcdef");
        let greatest = Vni::try_from(Vni::MAX).unwrap();
        assert!(edge_link(greatest).len() <= 15 && owner.host_link().len() <= 15 && tap(id).len() <= 15);
        assert_eq!(owner.vpc(greatest), "croft-89abcdef-16777215");
        assert_eq!(owner.suffix("croft-89abcdef-edge"), Some("edge"));
        assert_eq!(owner.suffix("croft-89abcdee-edge"), None);
        assert_eq!(gateway_address(Family::V4, 0).to_string(), "169.254.65.1");
        assert_eq!(gateway_address(Family::V6, 1).to_string(), "fe80::4100:2");
        assert_eq!(LOWER_HOP[Family::V6 as usize].to_string(), "fe80::4000:2");
    }
}
