use std::{
    collections::{BTreeMap, BTreeSet},
    net::IpAddr,
};

use croft_api::{
    firewall::{VpcFirewallRuleHostFilter, VpcFirewallRuleTarget},
    router::{RouteDestination, RouteTarget as StoredTarget},
    scalar::{IpNet, Name},
};
use croft_network::{Interface, RouteTarget};
use croft_store::records::{InternetGateway, VpcSubnet};
use uuid::Uuid;

use super::Records;

/// What the names mean that rules and routes of a VPC use.
pub(super) struct Names<'r> {
    vpc: &'r Name,
    /// The interfaces in the VPC, by address.
    by_address: Vec<(IpAddr, Uuid)>,
    /// The interfaces in each subnet.
    by_subnet: BTreeMap<Uuid, Vec<Uuid>>,
    /// The subnets of the VPC.
    subnets: BTreeMap<&'r Name, &'r VpcSubnet>,
    /// The interfaces in the VPC of instances, of each the primary one first.
    instances: BTreeMap<&'r Name, Vec<&'r Interface>>,
    gateways: BTreeMap<&'r Name, &'r InternetGateway>,
    /// The external addresses that leave by each gateway.
    leaving: BTreeMap<Uuid, Vec<IpAddr>>,
}

fn blocks(subnet: &VpcSubnet) -> [IpNet; 2] {
    [IpNet::V4(subnet.ipv4_block), IpNet::V6(subnet.ipv6_block)]
}

impl<'r> Names<'r> {
    pub(super) fn new(records: &'r Records, interfaces: &'r [Interface]) -> Self {
        let mut instances: BTreeMap<&Name, Vec<&Interface>> = BTreeMap::new();
        for interface in interfaces.iter().filter(|interface| !interface.is_probe) {
            instances.entry(&interface.parent_name).or_default().push(interface);
        }
        for own in instances.values_mut() {
            own.sort_by_key(|interface| (!interface.primary, interface.id));
        }
        let mut by_address: Vec<(IpAddr, Uuid)> =
            interfaces.iter().map(|interface| (interface.ip, interface.id)).collect();
        by_address.sort_unstable();
        let mut by_subnet: BTreeMap<Uuid, Vec<Uuid>> = BTreeMap::new();
        for interface in interfaces {
            by_subnet.entry(interface.subnet_id).or_default().push(interface.id);
        }
        Self {
            vpc: &records.vpc.name,
            by_address,
            by_subnet,
            subnets: records.subnets.iter().map(|subnet| (&subnet.name, subnet)).collect(),
            instances,
            gateways: records.gateways.iter().map(|gateway| (&gateway.name, gateway)).collect(),
            leaving: records.leaving(),
        }
    }

    /// The interfaces with an address of a network.
    fn within(&self, network: IpNet) -> Vec<Uuid> {
        // The addresses of a network stand side by side.
        let start = self.by_address.partition_point(|(ip, _)| *ip < network.first());
        let inside = self.by_address[start..].iter().take_while(|(ip, _)| network.contains(*ip));
        inside.map(|(_, id)| *id).collect()
    }

    /// The interfaces that some targets mean, ascending.
    pub(super) fn targets(&self, targets: &[VpcFirewallRuleTarget]) -> Vec<Uuid> {
        let mut all = BTreeSet::new();
        for target in targets {
            all.extend(self.target(target));
            if all.len() == self.by_address.len() {
                break;
            }
        }
        all.into_iter().collect()
    }

    fn target(&self, target: &VpcFirewallRuleTarget) -> Vec<Uuid> {
        match target {
            VpcFirewallRuleTarget::Vpc { value } if value == self.vpc => {
                self.by_address.iter().map(|(_, id)| *id).collect()
            }
            VpcFirewallRuleTarget::Vpc { .. } => Vec::new(),
            VpcFirewallRuleTarget::Subnet { value } => {
                let subnet = self.subnets.get(value).and_then(|subnet| self.by_subnet.get(&subnet.meta.id));
                subnet.cloned().unwrap_or_default()
            }
            VpcFirewallRuleTarget::Instance { value } => {
                self.instances.get(value).into_iter().flatten().map(|interface| interface.id).collect()
            }
            VpcFirewallRuleTarget::Ip { value } => self.within((*value).into()),
            VpcFirewallRuleTarget::IpNet { value } => self.within(*value),
        }
    }

    /// The networks that a host filter means: of the VPC and its subnets the blocks, of an instance the addresses of its
    /// interfaces.
    pub(super) fn hosts(&self, host: &VpcFirewallRuleHostFilter) -> Vec<IpNet> {
        match host {
            VpcFirewallRuleHostFilter::Vpc { value } if value == self.vpc => {
                self.subnets.values().flat_map(|subnet| blocks(subnet)).collect()
            }
            VpcFirewallRuleHostFilter::Vpc { .. } => Vec::new(),
            VpcFirewallRuleHostFilter::Subnet { value } => {
                self.subnets.get(value).into_iter().flat_map(|subnet| blocks(subnet)).collect()
            }
            VpcFirewallRuleHostFilter::Instance { value } => {
                let own = self.instances.get(value).into_iter().flatten();
                own.map(|interface| interface.ip.into()).collect()
            }
            VpcFirewallRuleHostFilter::Ip { value } => vec![(*value).into()],
            VpcFirewallRuleHostFilter::IpNet { value } => vec![*value],
        }
    }

    /// The networks that a route is for. Nobody has a way to make one to another VPC.
    pub(super) fn destinations(&self, destination: &RouteDestination) -> Vec<IpNet> {
        match destination {
            RouteDestination::Ip { value } => vec![(*value).into()],
            RouteDestination::IpNet { value } => vec![*value],
            RouteDestination::Subnet { value } => {
                self.subnets.get(value).into_iter().flat_map(|subnet| blocks(subnet)).collect()
            }
            RouteDestination::Vpc { .. } => Vec::new(),
        }
    }

    /// Where a route leads, if anywhere.
    pub(super) fn route_target(&self, target: &StoredTarget) -> Option<RouteTarget> {
        match target {
            StoredTarget::Ip { value } => Some(RouteTarget::Address(*value)),
            StoredTarget::Subnet { value } => {
                self.subnets.get(value).map(|subnet| RouteTarget::Subnet(subnet.meta.id))
            }
            StoredTarget::Instance { value } => {
                let primary = self.instances.get(value)?.first()?;
                Some(RouteTarget::Address(primary.ip))
            }
            StoredTarget::InternetGateway { value } => {
                let gateway = self.gateways.get(value)?;
                Some(RouteTarget::Gateway {
                    id: gateway.meta.id,
                    name: gateway.name.clone(),
                    addresses: self.leaving.get(&gateway.meta.id).cloned().unwrap_or_default(),
                })
            }
            StoredTarget::Drop => Some(RouteTarget::Drop),
            StoredTarget::Vpc { .. } => None,
        }
    }
}
