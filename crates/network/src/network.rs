use std::net::IpAddr;

use croft_api::{
    firewall::{VpcFirewallRuleAction, VpcFirewallRuleDirection, VpcFirewallRuleProtocol},
    scalar::{IpNet, Ipv4Net, Ipv6Net, L4PortRange, MacAddr, Name, Vni},
};
use uuid::Uuid;

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
    /// Its routes, in the order in which they decide: the narrowest destination first, among equals those of the
    /// custom router before those of the system router, and among those of one router by name.
    pub routes: Vec<Route>,
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
        addresses: Vec<IpAddr>,
    },
    /// Nowhere.
    Drop,
}
