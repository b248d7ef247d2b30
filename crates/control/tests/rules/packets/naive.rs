//! A naive implementation of packet decisions for comparison: it reads the records directly and prepares nothing.

use std::{collections::BTreeSet, net::IpAddr};

use croft_api::scalar::{IpNet, Name};
use croft_control::network::Records;
use croft_network::{Origin, Packet, Protocol};
use croft_store::records::{
    FirewallRuleContent, InstanceAddressKind, InterfaceParent, NetworkInterface, RouteDestination,
    RouteTarget, RouterRoute, VpcFirewallRuleAction, VpcFirewallRuleDirection, VpcFirewallRuleHostFilter,
    VpcFirewallRuleProtocol, VpcFirewallRuleStatus, VpcFirewallRuleTarget, VpcSubnet,
};
use uuid::Uuid;

/// The outcome for a packet, with what decided it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NaiveOutcome {
    /// This interface receives it, because of this rule.
    Reaches(Uuid, Name),
    /// It leaves with this address.
    Leaves(IpAddr),
    /// Its source address is not allowed for the sender.
    BadSource,
    /// A rule denies it.
    Rule(Name),
    /// No rule allows it.
    NoRule,
    /// A route drops it.
    Drop(Uuid),
    /// The receiver does not accept the destination address.
    NotTaken,
    /// There is no route.
    Lost,
}

/// Bits of an address, of which the first `width` make a network.
fn bits(ip: IpAddr) -> u128 {
    match ip {
        IpAddr::V4(ip) => u128::from(u32::from(ip)) << 96,
        IpAddr::V6(ip) => ip.into(),
    }
}

pub fn within(ip: IpAddr, network: IpNet) -> bool {
    let width: u32 = network.to_string().split('/').nth(1).unwrap().parse().unwrap();
    ip.is_ipv4() == network.addr().is_ipv4()
        && (width == 0 || (bits(ip) ^ bits(network.addr())) >> (128 - width) == 0)
}

fn blocks(subnet: &VpcSubnet) -> [IpNet; 2] {
    [IpNet::V4(subnet.ipv4_block), IpNet::V6(subnet.ipv6_block)]
}

pub struct Naive<'r>(pub &'r Records);

impl<'r> Naive<'r> {
    pub fn outcome(&self, packet: &Packet) -> NaiveOutcome {
        let (source, destination) = (packet.source(), packet.destination());
        let id = match packet.origin() {
            Origin::Interface(id) => id,
            Origin::Outside => {
                let is_forged = |subnet| blocks(subnet).into_iter().any(|block| within(source, block));
                if self.0.subnets.iter().any(is_forged) {
                    return NaiveOutcome::BadSource;
                }
                return self.receive_from_outside(source, destination, packet.protocol());
            }
        };
        let Some(sender) = self.0.interfaces.iter().find(|interface| interface.meta.id == id) else {
            return NaiveOutcome::BadSource;
        };
        if sender.ip != source && !sender.transit_ips.iter().any(|network| within(source, *network)) {
            return NaiveOutcome::BadSource;
        }
        let outbound = VpcFirewallRuleDirection::Outbound;
        if let Some((VpcFirewallRuleAction::Deny, name)) =
            self.firewall(outbound, sender, destination, packet.protocol())
        {
            return NaiveOutcome::Rule(name);
        }
        let Some(route) = self.route(sender, destination) else { return NaiveOutcome::Lost };
        let next = match &route.target {
            RouteTarget::Drop => return NaiveOutcome::Drop(route.meta.id),
            RouteTarget::Ip { value } => *value,
            RouteTarget::Subnet { .. } => destination,
            RouteTarget::Instance { value } => self.primary_of(value).unwrap().ip,
            RouteTarget::InternetGateway { value } => return self.leave(sender, value, packet),
            RouteTarget::Vpc { .. } => panic!("no operation creates such a route"),
        };
        let Some(receiver) = self.0.interfaces.iter().find(|interface| interface.ip == next) else {
            return NaiveOutcome::Lost;
        };
        if receiver.meta.id == sender.meta.id {
            return NaiveOutcome::Lost;
        }
        let takes = |network: &IpNet| within(destination, *network);
        if receiver.ip != destination && !receiver.transit_ips.iter().any(takes) {
            return NaiveOutcome::NotTaken;
        }
        self.receive(receiver, source, packet.protocol())
    }

    fn receive(&self, receiver: &NetworkInterface, source: IpAddr, protocol: Protocol) -> NaiveOutcome {
        match self.firewall(VpcFirewallRuleDirection::Inbound, receiver, source, protocol) {
            Some((VpcFirewallRuleAction::Allow, name)) => NaiveOutcome::Reaches(receiver.meta.id, name),
            Some((VpcFirewallRuleAction::Deny, name)) => NaiveOutcome::Rule(name),
            None => NaiveOutcome::NoRule,
        }
    }

    fn receive_from_outside(&self, source: IpAddr, destination: IpAddr, protocol: Protocol) -> NaiveOutcome {
        let floating = self.0.floating_ips.iter().filter(|floating| floating.ip == destination);
        let own =
            self.0.addresses.iter().filter(|address| {
                address.ip == destination && address.kind == InstanceAddressKind::Ephemeral
            });
        let holders = floating.filter_map(|floating| floating.instance_id);
        let mut holders = holders.chain(own.map(|address| address.instance_id));
        let Some(receiver) = holders.find_map(|instance| self.primary(instance)) else {
            return NaiveOutcome::Lost;
        };
        if receiver.ip.is_ipv4() != destination.is_ipv4() {
            return NaiveOutcome::Lost;
        }
        self.receive(receiver, source, protocol)
    }

    fn leave(&self, sender: &NetworkInterface, gateway: &Name, packet: &Packet) -> NaiveOutcome {
        let destination = packet.destination();
        let Some(instance) = sender.instance_id().filter(|_| sender.primary) else {
            return NaiveOutcome::Lost;
        };
        let gateway = self.0.gateways.iter().find(|one| one.name == *gateway).unwrap().meta.id;
        let fits = |ip: IpAddr, pool: Uuid| {
            let by_pool = self
                .0
                .gateway_pools
                .iter()
                .any(|attached| attached.internet_gateway_id == gateway && attached.ip_pool_id == pool);
            let by_address = self
                .0
                .gateway_addresses
                .iter()
                .any(|attached| attached.internet_gateway_id == gateway && attached.address == ip);
            ip.is_ipv4() == destination.is_ipv4() && (by_pool || by_address)
        };
        let floating: BTreeSet<IpAddr> = self
            .0
            .floating_ips
            .iter()
            .filter(|floating| {
                floating.instance_id == Some(instance) && fits(floating.ip, floating.ip_pool_id)
            })
            .map(|floating| floating.ip)
            .collect();
        let of_kind = |ephemeral: bool| {
            self.0.addresses.iter().find(|address| {
                address.instance_id == instance
                    && (address.kind == InstanceAddressKind::Ephemeral) == ephemeral
                    && fits(address.ip, address.ip_pool_id)
            })
        };
        let lowest = floating.first().copied();
        let with = lowest.or_else(|| Some(of_kind(true).or_else(|| of_kind(false))?.ip));
        let Some(with) = with else { return NaiveOutcome::Lost };
        // Only addresses that lead to an interface of the VPC are addresses of the VPC.
        let addressed = |instance: Uuid, ip: IpAddr| ip == destination && self.primary(instance).is_some();
        let is_own = self.0.addresses.iter().any(|address| addressed(address.instance_id, address.ip))
            || self.0.floating_ips.iter().any(|floating| {
                floating.instance_id.is_some_and(|instance| addressed(instance, floating.ip))
            });
        if is_own {
            self.receive_from_outside(with, destination, packet.protocol())
        } else {
            NaiveOutcome::Leaves(with)
        }
    }

    fn primary(&self, instance: Uuid) -> Option<&'r NetworkInterface> {
        self.0
            .interfaces
            .iter()
            .find(|interface| interface.primary && interface.instance_id() == Some(instance))
    }

    fn primary_of(&self, name: &Name) -> Option<&'r NetworkInterface> {
        let instance = self.0.instances.iter().find(|instance| instance.name == *name)?;
        self.primary(instance.meta.id)
    }

    fn subnet(&self, name: &Name) -> Option<&'r VpcSubnet> {
        self.0.subnets.iter().find(|subnet| subnet.name == *name)
    }

    // Routes

    /// How specific a matching route is; `None` if it does not match.
    fn fitness(&self, route: &RouterRoute, destination: IpAddr) -> Option<u32> {
        let networks: Vec<IpNet> = match &route.destination {
            RouteDestination::Ip { value } => {
                vec![format!("{value}/{}", if value.is_ipv4() { 32 } else { 128 }).parse().unwrap()]
            }
            RouteDestination::IpNet { value } => vec![*value],
            RouteDestination::Subnet { value } => blocks(self.subnet(value)?).to_vec(),
            RouteDestination::Vpc { .. } => return None,
        };
        let fitting = networks.into_iter().filter(|network| within(destination, *network));
        let width =
            fitting.map(|network| network.to_string().split('/').nth(1).unwrap().parse().unwrap()).max()?;
        let leads = match &route.target {
            RouteTarget::Ip { value } => value.is_ipv4() == destination.is_ipv4(),
            RouteTarget::Instance { value } => {
                self.primary_of(value).is_some_and(|primary| primary.ip.is_ipv4() == destination.is_ipv4())
            }
            RouteTarget::Subnet { value } => self.subnet(value).is_some(),
            RouteTarget::InternetGateway { value } => {
                self.0.gateways.iter().any(|gateway| gateway.name == *value)
            }
            RouteTarget::Drop => true,
            RouteTarget::Vpc { .. } => false,
        };
        leads.then_some(width)
    }

    fn route(&self, sender: &NetworkInterface, destination: IpAddr) -> Option<&'r RouterRoute> {
        let subnet = self.0.subnets.iter().find(|subnet| subnet.meta.id == sender.subnet_id)?;
        let mut best: Option<(u32, bool, &RouterRoute)> = None;
        for route in &self.0.routes {
            let custom = subnet.custom_router_id == Some(route.vpc_router_id);
            if !custom && route.vpc_router_id != self.0.vpc.system_router_id {
                continue;
            }
            let Some(width) = self.fitness(route, destination) else { continue };
            let better = best.is_none_or(|(best_width, best_custom, best_route)| {
                (width, custom) > (best_width, best_custom)
                    || (width, custom) == (best_width, best_custom) && route.name < best_route.name
            });
            if better {
                best = Some((width, custom, route));
            }
        }
        best.map(|(_, _, route)| route)
    }

    // Rules

    fn firewall(
        &self,
        direction: VpcFirewallRuleDirection,
        interface: &NetworkInterface,
        peer: IpAddr,
        protocol: Protocol,
    ) -> Option<(VpcFirewallRuleAction, Name)> {
        let rules = self.0.firewall.iter().flat_map(|firewall| &firewall.rules).map(|entry| &entry.rule);
        let fitting: Vec<_> = rules
            .filter(|rule| rule.status == VpcFirewallRuleStatus::Enabled && rule.direction == direction)
            .filter(|rule| rule.targets.iter().any(|target| self.is_target(target, interface)))
            .filter(|rule| self.passes_filters(rule, peer, protocol))
            .collect();
        let first = fitting.iter().map(|rule| rule.priority).min()?;
        let mut first: Vec<_> = fitting.into_iter().filter(|rule| rule.priority == first).collect();
        let denies = first.iter().any(|rule| rule.action == VpcFirewallRuleAction::Deny);
        let action = if denies { VpcFirewallRuleAction::Deny } else { VpcFirewallRuleAction::Allow };
        first.retain(|rule| rule.action == action);
        Some((action, first.into_iter().map(|rule| rule.name.clone()).min().unwrap()))
    }

    fn is_target(&self, target: &VpcFirewallRuleTarget, interface: &NetworkInterface) -> bool {
        match target {
            VpcFirewallRuleTarget::Vpc { value } => *value == self.0.vpc.name,
            VpcFirewallRuleTarget::Subnet { value } => {
                self.subnet(value).is_some_and(|subnet| subnet.meta.id == interface.subnet_id)
            }
            VpcFirewallRuleTarget::Instance { value } => self.belongs_to(interface, value),
            VpcFirewallRuleTarget::Ip { value } => *value == interface.ip,
            VpcFirewallRuleTarget::IpNet { value } => within(interface.ip, *value),
        }
    }

    fn belongs_to(&self, interface: &NetworkInterface, instance: &Name) -> bool {
        let InterfaceParent::Instance(id) = interface.parent else { return false };
        self.0.instances.iter().any(|one| one.meta.id == id && one.name == *instance)
    }

    fn is_host(&self, host: &VpcFirewallRuleHostFilter, peer: IpAddr) -> bool {
        let in_subnet = |subnet| blocks(subnet).into_iter().any(|block| within(peer, block));
        match host {
            VpcFirewallRuleHostFilter::Vpc { value } => {
                *value == self.0.vpc.name && self.0.subnets.iter().any(in_subnet)
            }
            VpcFirewallRuleHostFilter::Subnet { value } => self.subnet(value).is_some_and(in_subnet),
            VpcFirewallRuleHostFilter::Instance { value } => self
                .0
                .interfaces
                .iter()
                .any(|interface| interface.ip == peer && self.belongs_to(interface, value)),
            VpcFirewallRuleHostFilter::Ip { value } => *value == peer,
            VpcFirewallRuleHostFilter::IpNet { value } => within(peer, *value),
        }
    }

    fn passes_filters(&self, rule: &FirewallRuleContent, peer: IpAddr, protocol: Protocol) -> bool {
        let filters = &rule.filters;
        let hosts = filters.hosts.clone().unwrap_or_default();
        let protocols = filters.protocols.clone().unwrap_or_default();
        let ports = filters.ports.clone().unwrap_or_default();
        let port = match protocol {
            Protocol::Tcp { port } | Protocol::Udp { port } => Some(port),
            Protocol::Icmp { .. } | Protocol::Other => None,
        };
        (hosts.is_empty() || hosts.iter().any(|host| self.is_host(host, peer)))
            && (protocols.is_empty() || protocols.iter().any(|one| is_protocol(*one, protocol, peer)))
            && (ports.is_empty()
                || ports.iter().any(|range| {
                    let (first, last) = (range.first, range.last);
                    port.is_some_and(|port| first.number() <= port && port <= last.number())
                }))
    }
}

fn is_protocol(wanted: VpcFirewallRuleProtocol, protocol: Protocol, peer: IpAddr) -> bool {
    match wanted {
        VpcFirewallRuleProtocol::Tcp => matches!(protocol, Protocol::Tcp { .. }),
        VpcFirewallRuleProtocol::Udp => matches!(protocol, Protocol::Udp { .. }),
        VpcFirewallRuleProtocol::Icmp { value } => {
            let Protocol::Icmp { icmp_type, code } = protocol else { return false };
            let Some(value) = value else { return peer.is_ipv4() };
            let codes = value.code.map_or(0..=255, |codes| codes.first..=codes.last);
            peer.is_ipv4() && value.icmp_type == icmp_type && codes.contains(&code)
        }
    }
}
