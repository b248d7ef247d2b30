use std::{collections::BTreeSet, net::IpAddr, sync::Arc};

use croft_api::{
    firewall::{VpcFirewallRuleAction, VpcFirewallRuleDirection, VpcFirewallRuleProtocol},
    router::VpcRouterKind,
    scalar::{IpNet, Ipv4Net, Ipv6Net, L4PortRange, MacAddr, Name, Vni},
};
use uuid::Uuid;

use crate::{ExternalKind, Routes};

/// A VPC with everything that decides about its packets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    /// The VPC.
    pub id: Uuid,
    /// Distinguishes its packets from those of other VPCs.
    pub vni: Vni,
    /// The domain of its instances' names.
    pub dns_name: Name,
    /// Its subnets, sorted by ID.
    pub subnets: Vec<Subnet>,
    /// Its interfaces, sorted by ID.
    pub interfaces: Vec<Interface>,
    /// The enabled rules, in the order in which they apply: by priority, then rules that deny before those that allow,
    /// then by name.
    pub rules: Vec<Rule>,
}

/// A subnet and the routes for packets from its interfaces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subnet {
    /// The subnet.
    pub id: Uuid,
    /// Its name.
    pub name: Name,
    /// Its IPv4 block.
    pub ipv4: Ipv4Net,
    /// Its IPv6 block.
    pub ipv6: Ipv6Net,
    /// The routes of the VPC's system router, shared by all subnets.
    pub system_routes: Routes,
    /// The routes of its custom router, shared by all subnets with that router. Empty without one.
    pub custom_routes: Routes,
}

/// A network interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interface {
    /// The interface.
    pub id: Uuid,
    /// Its name, unique in its parent.
    pub name: Name,
    /// The instance or probe that it belongs to.
    pub parent_id: Uuid,
    /// The name of the parent.
    pub parent_name: Name,
    /// Whether the parent is a probe.
    pub is_probe: bool,
    /// The hostname of the guest, which is its name in the VPC's domain.
    pub hostname: String,
    /// The subnet.
    pub subnet_id: Uuid,
    /// Its address in the subnet.
    pub ip: IpAddr,
    /// Its hardware address.
    pub mac: MacAddr,
    /// Whether the external addresses of its instance lead to it.
    pub primary: bool,
    /// Further networks that it may send from and receive packets for.
    pub transit_ips: Vec<IpNet>,
    /// The external addresses of its instance, if it is the primary interface. Otherwise empty.
    pub external: ExternalAddresses,
}

/// The external addresses of an instance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExternalAddresses {
    /// The shared address that it sends from if it has no other.
    pub source_nat: Option<SourceNat>,
    /// The ephemeral IP.
    pub ephemeral: Option<IpAddr>,
    /// Its floating IPs, sorted.
    pub floating: Vec<IpAddr>,
}

/// An address of which an instance may use a range of ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceNat {
    /// The address.
    pub ip: IpAddr,
    /// The first port.
    pub first_port: u16,
    /// The last port.
    pub last_port: u16,
}

/// A firewall rule with resolved names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The rule.
    pub id: Uuid,
    /// Its name.
    pub name: Name,
    /// From 0 to 65535. Lower numbers apply first.
    pub priority: u16,
    /// The direction of packets, from the point of view of the targets.
    pub direction: VpcFirewallRuleDirection,
    /// The decision.
    pub action: VpcFirewallRuleAction,
    /// The interfaces that the rule applies to, sorted. Never empty: rules without targets are omitted.
    pub targets: Vec<Uuid>,
    /// The peers of the targets; `None` means any. Never empty: rules whose host filters match nothing are omitted.
    pub hosts: Option<Vec<IpNet>>,
    /// The protocols; `None` means any. Never empty: an empty filter is the same as none.
    pub protocols: Option<Vec<VpcFirewallRuleProtocol>>,
    /// The destination ports; `None` means any. Never empty: an empty filter is the same as none.
    pub ports: Option<Vec<L4PortRange>>,
}

/// A route with resolved names. Routes whose names do not exist are omitted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// The route.
    pub id: Uuid,
    /// Its name.
    pub name: Name,
    /// Its router.
    pub router_id: Uuid,
    /// The name of its router.
    pub router_name: Name,
    /// Whether the router is the system router or a custom one.
    pub router_kind: VpcRouterKind,
    /// The destinations that it applies to.
    pub destination: IpNet,
    /// The target of matching packets.
    pub target: RouteTarget,
}

/// The target of a route.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RouteTarget {
    /// The interface of the VPC with the destination address.
    Subnet(Uuid),
    /// An address in the VPC, regardless of the destination: that of an instance's primary interface, or a given one.
    Address(IpAddr),
    /// Outside the VPC.
    Gateway {
        /// The internet gateway.
        id: Uuid,
        /// Its name.
        name: Name,
        /// The external addresses that use the gateway: those of the attached pools, and those attached directly.
        /// Shared by all routes to the gateway.
        addresses: Arc<[IpAddr]>,
    },
    /// The packet is dropped.
    Drop,
}

impl Network {
    /// Sorts everything in the order in which it applies. Routes are sorted already.
    pub fn sort(&mut self) {
        self.interfaces.sort_by_key(|interface| interface.id);
        self.subnets.sort_by_key(|subnet| subnet.id);
        self.rules.sort_by(|one, other| one.precedence().cmp(&other.precedence()));
        for rule in &mut self.rules {
            rule.targets.sort_unstable();
        }
        for interface in &mut self.interfaces {
            interface.external.floating.sort_unstable();
        }
    }

    /// The interface with this ID.
    pub fn interface(&self, id: Uuid) -> Option<&Interface> {
        self.interfaces.iter().find(|interface| interface.id == id)
    }

    /// The interface with this address.
    pub fn interface_at(&self, ip: IpAddr) -> Option<&Interface> {
        self.interfaces.iter().find(|interface| interface.ip == ip)
    }

    /// The routes of all routers that subnets use, without repetition.
    pub fn routes(&self) -> impl Iterator<Item = &Route> {
        let mut seen = BTreeSet::new();
        let all = self.subnets.iter().flat_map(|subnet| [&subnet.system_routes, &subnet.custom_routes]);
        all.filter(move |routes| seen.insert(routes.identity())).flat_map(|routes| routes.iter())
    }

    /// The subnet with this ID.
    pub fn subnet(&self, id: Uuid) -> Option<&Subnet> {
        self.subnets.iter().find(|subnet| subnet.id == id)
    }

    /// The interface whose instance has this external address, and the kind of address. For a shared address, the first
    /// of its holders.
    pub fn holder_of(&self, external: IpAddr) -> Option<(&Interface, ExternalKind)> {
        self.interfaces.iter().find_map(|holder| Some((holder, holder.external.kind_of(external)?)))
    }
}

impl Subnet {
    /// Whether the address is in one of its blocks.
    pub fn contains(&self, ip: IpAddr) -> bool {
        IpNet::V4(self.ipv4).contains(ip) || IpNet::V6(self.ipv6).contains(ip)
    }

    /// Its routes, in the order in which they apply: by the narrowest destination, then those of the custom router
    /// before those of the system router, then by name.
    pub fn routes(&self) -> impl Iterator<Item = &Route> {
        self.custom_routes.merged_with(&self.system_routes)
    }

    /// The route for packets from its interfaces to this address.
    pub fn route_to(&self, destination: IpAddr) -> Option<&Route> {
        self.routes().find(|route| route.destination.contains(destination))
    }
}

impl Interface {
    /// The transit network because of which the interface sends from or receives for this address.
    pub fn transit_network_of(&self, ip: IpAddr) -> Option<IpNet> {
        self.transit_ips.iter().copied().find(|network| network.contains(ip))
    }
}

impl ExternalAddresses {
    /// The kind of this address, if the instance has it.
    pub fn kind_of(&self, ip: IpAddr) -> Option<ExternalKind> {
        if self.floating.contains(&ip) {
            return Some(ExternalKind::Floating);
        }
        if self.ephemeral == Some(ip) {
            return Some(ExternalKind::Ephemeral);
        }
        self.source_nat.filter(|shared| shared.ip == ip).map(ExternalKind::SourceNat)
    }

    /// The address at which the instance can be reached from outside by this sender: a floating IP, else the ephemeral
    /// IP.
    pub fn reached_from(&self, sender: IpAddr) -> Option<IpAddr> {
        let mut own = self.floating.iter().chain(&self.ephemeral).copied();
        own.find(|ip| ip.is_ipv4() == sender.is_ipv4())
    }

    /// The source address of a packet to this destination through a gateway for these addresses: the lowest floating
    /// IP, else the ephemeral IP, else the SNAT IP.
    pub fn egress_address(&self, destination: IpAddr, by: &[IpAddr]) -> Option<(IpAddr, ExternalKind)> {
        let floating = self.floating.iter().map(|ip| (*ip, ExternalKind::Floating));
        let ephemeral = self.ephemeral.iter().map(|ip| (*ip, ExternalKind::Ephemeral));
        let shared = self.source_nat.iter().map(|shared| (shared.ip, ExternalKind::SourceNat(*shared)));
        floating
            .chain(ephemeral)
            .chain(shared)
            .find(|(ip, _)| ip.is_ipv4() == destination.is_ipv4() && by.contains(ip))
    }
}

impl Rule {
    /// The order of rules. With the same priority, rules that deny come first. Names only make the order deterministic.
    fn precedence(&self) -> impl Ord + '_ {
        (self.priority, self.action == VpcFirewallRuleAction::Allow, &self.name, self.id)
    }
}
