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
    /// Tells its packets from those of other VPCs.
    pub vni: Vni,
    /// The domain in which its instances find each other.
    pub dns_name: Name,
    /// Its subnets, by id.
    pub subnets: Vec<Subnet>,
    /// The interfaces in it, by id.
    pub interfaces: Vec<Interface>,
    /// The rules that are enabled, in the order in which they decide: by priority, at the same priority those that
    /// deny first, and among those by name.
    pub rules: Vec<Rule>,
}

/// A subnet and the routes of the packets that its interfaces send.
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
    /// The routes of the VPC's system router, which all its subnets share.
    pub system_routes: Routes,
    /// The routes of its custom router, which all subnets with that router share; none without one.
    pub custom_routes: Routes,
}

/// A network interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interface {
    /// The interface.
    pub id: Uuid,
    /// Its name, unique on what it is part of.
    pub name: Name,
    /// The instance or probe that it is part of.
    pub parent_id: Uuid,
    /// The name of that.
    pub parent_name: Name,
    /// Whether that is a probe.
    pub is_probe: bool,
    /// What the guest calls itself, which is its name in the VPC's domain.
    pub hostname: String,
    /// The subnet.
    pub subnet_id: Uuid,
    /// Its address in the subnet.
    pub ip: IpAddr,
    /// Its hardware address.
    pub mac: MacAddr,
    /// Whether the external addresses of its instance lead to it.
    pub primary: bool,
    /// Further networks that it may send from and is sent to.
    pub transit_ips: Vec<IpNet>,
    /// The external addresses of its instance, if it is the primary interface; otherwise none.
    pub external: ExternalAddresses,
}

/// The external addresses of an instance.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExternalAddresses {
    /// What it sends from if it has no address of its own.
    pub source_nat: Option<SourceNat>,
    /// The address that lasts as long as the instance.
    pub ephemeral: Option<IpAddr>,
    /// Its floating IPs, by address.
    pub floating: Vec<IpAddr>,
}

/// An address of which an instance has some of the ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceNat {
    /// The address.
    pub ip: IpAddr,
    /// The first port.
    pub first_port: u16,
    /// The last port.
    pub last_port: u16,
}

/// A firewall rule whose names are resolved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rule {
    /// The rule.
    pub id: Uuid,
    /// Its name.
    pub name: Name,
    /// 0 to 65535; the lowest decides.
    pub priority: u16,
    /// Which way the packets go, as seen from the targets.
    pub direction: VpcFirewallRuleDirection,
    /// What becomes of the packets.
    pub action: VpcFirewallRuleAction,
    /// The interfaces it is for, ascending: never none, since such a rule is left out.
    pub targets: Vec<Uuid>,
    /// Whom the targets talk to; none means anyone. Never an empty list: a rule whose names are of nobody is left out.
    pub hosts: Option<Vec<IpNet>>,
    /// The protocols; none means any. Never an empty list, which narrows nothing.
    pub protocols: Option<Vec<VpcFirewallRuleProtocol>>,
    /// The destination's ports; none means any. Never an empty list, which narrows nothing.
    pub ports: Option<Vec<L4PortRange>>,
}

/// A route whose names are resolved. Routes with names of nothing are left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// The route.
    pub id: Uuid,
    /// Its name.
    pub name: Name,
    /// The router that has it.
    pub router_id: Uuid,
    /// Its name.
    pub router_name: Name,
    /// Whether it came with the VPC.
    pub router_kind: VpcRouterKind,
    /// The packets it is for.
    pub destination: IpNet,
    /// Where it sends them.
    pub target: RouteTarget,
}

/// Where a route sends packets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RouteTarget {
    /// To the interface of the VPC that has the destination address.
    Subnet(Uuid),
    /// To an address in the VPC, whatever the destination is: that of an instance's primary interface, or one that was
    /// given.
    Address(IpAddr),
    /// Out of the VPC.
    Gateway {
        /// The internet gateway.
        id: Uuid,
        /// Its name.
        name: Name,
        /// The external addresses that leave by it: those of the pools attached to it, and the one attached itself.
        /// All routes to the gateway share them.
        addresses: Arc<[IpAddr]>,
    },
    /// Nowhere.
    Drop,
}

impl Network {
    /// Puts everything in the order in which it counts. Routes are in theirs already.
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

    /// The interface with an id.
    pub fn interface(&self, id: Uuid) -> Option<&Interface> {
        self.interfaces.iter().find(|interface| interface.id == id)
    }

    /// The interface with an address of its own.
    pub fn interface_at(&self, ip: IpAddr) -> Option<&Interface> {
        self.interfaces.iter().find(|interface| interface.ip == ip)
    }

    /// The routes of each router that some subnet uses, once.
    pub fn routes(&self) -> impl Iterator<Item = &Route> {
        let mut seen = BTreeSet::new();
        let all = self.subnets.iter().flat_map(|subnet| [&subnet.system_routes, &subnet.custom_routes]);
        all.filter(move |routes| seen.insert(routes.identity())).flat_map(|routes| routes.iter())
    }

    /// The subnet with an id.
    pub fn subnet(&self, id: Uuid) -> Option<&Subnet> {
        self.subnets.iter().find(|subnet| subnet.id == id)
    }

    /// The interface whose instance has an external address, and what it is to that. A shared address is that of the first
    /// of its holders.
    pub fn holder_of(&self, external: IpAddr) -> Option<(&Interface, ExternalKind)> {
        self.interfaces.iter().find_map(|holder| Some((holder, holder.external.kind_of(external)?)))
    }
}

impl Subnet {
    /// Whether one of its blocks has the address.
    pub fn contains(&self, ip: IpAddr) -> bool {
        IpNet::V4(self.ipv4).contains(ip) || IpNet::V6(self.ipv6).contains(ip)
    }

    /// Its routes, in the order in which they decide: the narrowest destination first, among equals those of the
    /// custom router before those of the system router, and among those of one router by name.
    pub fn routes(&self) -> impl Iterator<Item = &Route> {
        self.custom_routes.merged_with(&self.system_routes)
    }

    /// The route of what its interfaces send to an address.
    pub fn route_to(&self, destination: IpAddr) -> Option<&Route> {
        self.routes().find(|route| route.destination.contains(destination))
    }
}

impl Interface {
    /// The network that makes it carry packets of others from and to an address.
    pub fn transit_network_of(&self, ip: IpAddr) -> Option<IpNet> {
        self.transit_ips.iter().copied().find(|network| network.contains(ip))
    }
}

impl ExternalAddresses {
    /// What an address is to the instance, if it has it.
    pub fn kind_of(&self, ip: IpAddr) -> Option<ExternalKind> {
        if self.floating.contains(&ip) {
            return Some(ExternalKind::Floating);
        }
        if self.ephemeral == Some(ip) {
            return Some(ExternalKind::Ephemeral);
        }
        self.source_nat.filter(|shared| shared.ip == ip).map(ExternalKind::SourceNat)
    }

    /// The address that the instance is reached at from outside by a sender of this address: a floating one, else the ephemeral one.
    pub fn reached_from(&self, sender: IpAddr) -> Option<IpAddr> {
        let mut own = self.floating.iter().chain(&self.ephemeral).copied();
        own.find(|ip| ip.is_ipv4() == sender.is_ipv4())
    }

    /// What a packet to this destination leaves with by a gateway for these addresses: the lowest floating address, else
    /// the ephemeral one, else the ports of a shared one.
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
    /// Rules are asked in the order of this. At the same priority those that deny go first; names only make the order certain.
    fn precedence(&self) -> impl Ord + '_ {
        (self.priority, self.action == VpcFirewallRuleAction::Allow, &self.name, self.id)
    }
}
