use std::{collections::BTreeMap, net::IpAddr, sync::Arc};

use croft_api::scalar::{IpNet, Name};
use croft_network::{Interface, RouteTarget};
use croft_store::records::{
    InternetGateway, RouteDestination, RouteTarget as StoredTarget, VpcFirewallRuleHostFilter,
    VpcFirewallRuleTarget, VpcSubnet,
};
use uuid::Uuid;

use super::Records;

/// Resolves the names in rules and routes of a VPC.
pub(super) struct Names<'r> {
    vpc: &'r Name,
    interfaces: &'r [Interface],
    /// The subnets of the VPC.
    subnets: BTreeMap<&'r Name, &'r VpcSubnet>,
    /// The interfaces in the VPC of instances, the primary one of each first.
    instances: BTreeMap<&'r Name, Vec<&'r Interface>>,
    gateways: BTreeMap<&'r Name, &'r InternetGateway>,
    /// The external addresses of each gateway.
    leaving: BTreeMap<Uuid, Arc<[IpAddr]>>,
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
        Self {
            vpc: &records.vpc.name,
            interfaces,
            subnets: records.subnets.iter().map(|subnet| (&subnet.name, subnet)).collect(),
            instances,
            gateways: records.gateways.iter().map(|gateway| (&gateway.name, gateway)).collect(),
            leaving: records.leaving(),
        }
    }

    fn those(&self, fit: impl Fn(&Interface) -> bool) -> Vec<Uuid> {
        self.interfaces.iter().filter(|interface| fit(interface)).map(|interface| interface.id).collect()
    }

    /// The interfaces of a firewall target.
    pub(super) fn targets(&self, target: &VpcFirewallRuleTarget) -> Vec<Uuid> {
        match target {
            VpcFirewallRuleTarget::Vpc { value } => self.those(|_| value == self.vpc),
            VpcFirewallRuleTarget::Subnet { value } => match self.subnets.get(value) {
                Some(subnet) => self.those(|interface| interface.subnet_id == subnet.meta.id),
                None => Vec::new(),
            },
            VpcFirewallRuleTarget::Instance { value } => {
                self.instances.get(value).into_iter().flatten().map(|interface| interface.id).collect()
            }
            VpcFirewallRuleTarget::Ip { value } => self.those(|interface| interface.ip == *value),
            VpcFirewallRuleTarget::IpNet { value } => self.those(|interface| value.contains(interface.ip)),
        }
    }

    /// The networks of a host filter: the blocks of the VPC or a subnet, the addresses of an instance's interfaces.
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

    /// The networks of a route's destination. Routes to other VPCs cannot be created.
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

    /// The target of a route, if it resolves.
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
