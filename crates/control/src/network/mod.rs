//! The effective network of a VPC, computed from its records. Names are resolved here
//! (`docs/rules/networking.md#how-rules-apply`, `docs/rules/networking.md#destinations-and-targets` and
//! `docs/rules/networking.md#internet-gateways`).
//!
//! Names that do not resolve are left out: a rule none of whose targets is an interface, or none of whose hosts
//! resolves, and a route with an unresolved destination or target. They remain stored, and take effect once the name
//! resolves. An empty list of filters does not restrict, like null; an empty list of targets matches nothing.

mod firewall;
mod names;
mod routes;

use std::{collections::BTreeMap, net::IpAddr, sync::Arc};

use croft_api::Result;
use croft_network::{ExternalAddresses, Interface, Network, Route, Routes, SourceNat, Subnet};
use croft_store::{
    ListBy, Tx,
    records::{
        FloatingIp, Instance, InstanceAddress, InstanceAddressKind, InterfaceParent, InternetGateway,
        InternetGatewayIpAddress, InternetGatewayIpPool, NetworkInterface, RouterRoute, Vpc, VpcFirewall,
        VpcRouter, VpcSubnet,
    },
};
use uuid::Uuid;

use self::names::Names;
use crate::paging;

/// The records of one VPC that affect its packets.
#[derive(Clone, Debug)]
pub struct Records {
    /// The VPC.
    pub vpc: Vpc,
    /// Its subnets.
    pub subnets: Vec<VpcSubnet>,
    /// The interfaces in it.
    pub interfaces: Vec<NetworkInterface>,
    /// The instances of the interfaces.
    pub instances: Vec<Instance>,
    /// The addresses of the instances.
    pub addresses: Vec<InstanceAddress>,
    /// The floating IPs attached to the instances.
    pub floating_ips: Vec<FloatingIp>,
    /// Its firewall rules.
    pub firewall: Option<VpcFirewall>,
    /// Its routers.
    pub routers: Vec<VpcRouter>,
    /// The routes of the routers.
    pub routes: Vec<RouterRoute>,
    /// Its gateways.
    pub gateways: Vec<InternetGateway>,
    /// The pools attached to the gateways.
    pub gateway_pools: Vec<InternetGatewayIpPool>,
    /// The addresses attached to the gateways.
    pub gateway_addresses: Vec<InternetGatewayIpAddress>,
}

/// The effective network of a VPC. Reads only records of this VPC, through indexes.
pub fn of(tx: &mut Tx<'_>, vpc: Vpc) -> Result<Network> {
    Ok(Records::read(tx, vpc)?.resolve())
}

impl Records {
    /// Reads the records of a VPC.
    pub fn read(tx: &mut Tx<'_>, vpc: Vpc) -> Result<Self> {
        let inside = ListBy::Parent(vpc.meta.id);
        let interfaces: Vec<NetworkInterface> =
            paging::all(tx, &ListBy::lookup(NetworkInterface::VPC, vpc.meta.id))?;
        let mut records = Self {
            subnets: paging::all(tx, &inside)?,
            firewall: tx.get(vpc.meta.id)?,
            routers: paging::all(tx, &inside)?,
            gateways: paging::all(tx, &inside)?,
            instances: Vec::new(),
            addresses: Vec::new(),
            floating_ips: Vec::new(),
            routes: Vec::new(),
            gateway_pools: Vec::new(),
            gateway_addresses: Vec::new(),
            interfaces,
            vpc,
        };
        records.read_instances(tx)?;
        for router in &records.routers {
            records.routes.extend(paging::all(tx, &ListBy::Parent(router.meta.id))?);
        }
        for gateway in &records.gateways {
            let on = ListBy::Parent(gateway.meta.id);
            records.gateway_pools.extend(paging::all(tx, &on)?);
            records.gateway_addresses.extend(paging::all(tx, &on)?);
        }
        Ok(records)
    }

    fn read_instances(&mut self, tx: &mut Tx<'_>) -> Result<()> {
        let mut ids: Vec<Uuid> = self.interfaces.iter().filter_map(NetworkInterface::instance_id).collect();
        ids.sort_unstable();
        ids.dedup();
        for id in ids {
            self.instances.extend(tx.get(id)?);
            self.addresses.extend(paging::all(tx, &ListBy::Parent(id))?);
            self.floating_ips.extend(paging::all(tx, &ListBy::lookup(FloatingIp::INSTANCE, id))?);
        }
        Ok(())
    }

    /// Computes the effective network.
    pub fn resolve(&self) -> Network {
        let interfaces = self.interfaces();
        let names = Names::new(self, &interfaces);
        let firewall = self.firewall.iter().flat_map(|firewall| &firewall.rules);
        let rules = firewall.filter_map(|entry| firewall::resolve(entry, &names)).collect();
        let routes = self.routes_by_router(&names);
        let routes_of = |router: Uuid| routes.get(&router).cloned().unwrap_or_default();
        let system_routes = routes_of(self.vpc.system_router_id);
        let subnet = |subnet: &VpcSubnet| Subnet {
            id: subnet.meta.id,
            name: subnet.name.clone(),
            ipv4: subnet.ipv4_block,
            ipv6: subnet.ipv6_block,
            system_routes: system_routes.clone(),
            custom_routes: subnet.custom_router_id.map(routes_of).unwrap_or_default(),
        };
        let mut network = Network {
            id: self.vpc.meta.id,
            vni: self.vpc.vni,
            dns_name: self.vpc.dns_name.clone(),
            subnets: self.subnets.iter().map(subnet).collect(),
            rules,
            interfaces,
        };
        network.sort();
        network
    }

    fn interfaces(&self) -> Vec<Interface> {
        let instances: BTreeMap<Uuid, &Instance> =
            self.instances.iter().map(|instance| (instance.meta.id, instance)).collect();
        let mut external = self.external();
        let interfaces = self.interfaces.iter().map(|interface| {
            let instance = interface.instance_id().and_then(|id| instances.get(&id));
            // A probe is named like its only interface.
            let parent_name = instance.map_or(&interface.name, |instance| &instance.name).clone();
            let hostname = instance.map_or(parent_name.to_string(), |instance| instance.hostname.to_string());
            let external =
                interface.instance_id().filter(|_| interface.primary).and_then(|id| external.remove(&id));
            Interface {
                id: interface.meta.id,
                name: interface.name.clone(),
                parent_id: interface.parent.id(),
                parent_name,
                is_probe: matches!(interface.parent, InterfaceParent::Probe(_)),
                hostname,
                subnet_id: interface.subnet_id,
                ip: interface.ip,
                mac: interface.mac,
                primary: interface.primary,
                transit_ips: interface.transit_ips.clone(),
                external: external.unwrap_or_default(),
            }
        });
        interfaces.collect()
    }

    /// The external addresses of each instance.
    fn external(&self) -> BTreeMap<Uuid, ExternalAddresses> {
        let mut all: BTreeMap<Uuid, ExternalAddresses> = BTreeMap::new();
        for address in &self.addresses {
            let of_instance = all.entry(address.instance_id).or_default();
            match address.kind {
                InstanceAddressKind::Ephemeral => of_instance.ephemeral = Some(address.ip),
                InstanceAddressKind::SourceNat(block) => {
                    let (first_port, last_port) = block.ports();
                    of_instance.source_nat = Some(SourceNat { ip: address.ip, first_port, last_port });
                }
            }
        }
        for floating in &self.floating_ips {
            if let Some(instance) = floating.instance_id {
                all.entry(instance).or_default().floating.push(floating.ip);
            }
        }
        all
    }

    /// The routes with a resolved target, by router.
    fn routes_by_router(&self, names: &Names<'_>) -> BTreeMap<Uuid, Routes> {
        let mut all: BTreeMap<Uuid, Vec<Route>> = BTreeMap::new();
        let routers: BTreeMap<Uuid, &VpcRouter> =
            self.routers.iter().map(|router| (router.meta.id, router)).collect();
        for route in &self.routes {
            if let Some(router) = routers.get(&route.vpc_router_id) {
                all.entry(router.meta.id).or_default().extend(routes::resolve(route, router, names));
            }
        }
        all.into_iter().map(|(router, routes)| (router, routes.into_iter().collect())).collect()
    }

    /// The external addresses of each gateway: those of instances in the VPC that are in an attached pool, and the
    /// attached address.
    fn leaving(&self) -> BTreeMap<Uuid, Arc<[IpAddr]>> {
        let own = self.addresses.iter().map(|address| (address.ip_pool_id, address.ip));
        let floating = self.floating_ips.iter().map(|floating| (floating.ip_pool_id, floating.ip));
        let mut by_pool: BTreeMap<Uuid, Vec<IpAddr>> = BTreeMap::new();
        for (pool, ip) in own.chain(floating) {
            by_pool.entry(pool).or_default().push(ip);
        }
        let mut leaving: BTreeMap<Uuid, Vec<IpAddr>> = BTreeMap::new();
        for attached in &self.gateway_pools {
            let addresses = by_pool.get(&attached.ip_pool_id).into_iter().flatten();
            leaving.entry(attached.internet_gateway_id).or_default().extend(addresses);
        }
        for attached in &self.gateway_addresses {
            leaving.entry(attached.internet_gateway_id).or_default().push(attached.address);
        }
        for addresses in leaving.values_mut() {
            addresses.sort_unstable();
            addresses.dedup();
        }
        leaving.into_iter().map(|(gateway, addresses)| (gateway, addresses.into())).collect()
    }
}
