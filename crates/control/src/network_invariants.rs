//! Consistency checks of network records, for tests.

mod routing;
mod switches;

use std::{
    collections::{BTreeMap, BTreeSet},
    net::IpAddr,
};

use croft_api::Result;
use croft_store::{
    ListBy, Record, Tx,
    records::{
        BgpAnnounceSet, BgpConfig, FloatingIp, FreeRun, Instance, InstanceAddress, InstanceAddressKind,
        InterfaceParent, InternetGateway, InternetGatewayIpAddress, InternetGatewayIpPool, IpPool,
        IpPoolRange, IpPoolSiloLink, IpPoolUsage, NetworkInterface, Number, PortBlock, Probe, Project,
        RouterRoute, SharedAddress, Vpc, VpcFirewall, VpcRouter, VpcSubnet,
    },
};
use uuid::Uuid;

use crate::paging;

/// Returns the violations: numbers that are both free and in use, or neither; wrong counters; dangling references.
/// Scans the whole database.
pub fn recount(tx: &mut Tx<'_>) -> Result<Vec<String>> {
    let mut books = NetworkRecords { wrong: Vec::new(), free: runs(tx)? };
    books.pools(tx)?;
    books.families(tx)?;
    books.vpcs(tx)?;
    books.routing(tx)?;
    books.references(tx)?;
    books.switches(tx)?;
    let left = books.free.into_keys().map(|owner| format!("numbers of {owner}, which is not there"));
    books.wrong.extend(left);
    Ok(books.wrong)
}

type Runs = Vec<(Number, Number)>;

struct NetworkRecords {
    wrong: Vec<String>,
    free: BTreeMap<Uuid, Runs>,
}

fn every<R: Record>(tx: &mut Tx<'_>) -> Result<Vec<R>> {
    paging::all(tx, &ListBy::All)
}

fn runs(tx: &mut Tx<'_>) -> Result<BTreeMap<Uuid, Runs>> {
    let mut runs: BTreeMap<Uuid, Runs> = BTreeMap::new();
    for FreeRun { owner_id, kind, first, last, .. } in every(tx)? {
        let (first, last) = (Number { kind, value: first }, Number { kind, value: last });
        runs.entry(owner_id).or_default().push((first, last));
    }
    Ok(runs)
}

/// The numbers of ranges that are not in use, as maximal runs.
fn rest(mut ranges: Runs, used: &BTreeSet<Number>) -> Runs {
    let after = |number: Number| number.value.checked_add(1).map(|value| Number { value, ..number });
    ranges.sort_unstable();
    let mut rest: Runs = Vec::new();
    for (first, last) in ranges {
        let mut start = Some(first);
        for number in used.range(first..=last) {
            if let Some(from) = start.filter(|from| from < number) {
                rest.push((from, Number { value: number.value - 1, ..*number }));
            }
            start = after(*number);
        }
        rest.extend(start.filter(|from| *from <= last).map(|from| (from, last)));
    }
    let mut joined: Runs = Vec::new();
    for (first, last) in rest {
        match joined.last_mut() {
            Some(before) if after(before.1) == Some(first) => before.1 = last,
            _ => joined.push((first, last)),
        }
    }
    joined
}

impl NetworkRecords {
    fn check(&mut self, holds: bool, text: impl FnOnce() -> String) {
        if !holds {
            self.wrong.push(text());
        }
    }

    /// The free runs of an owner must be exactly the numbers of its ranges that are not in use.
    fn compare(&mut self, owner: Uuid, ranges: Runs, used: &BTreeSet<Number>) {
        let mut free = self.free.remove(&owner).unwrap_or_default();
        free.sort_unstable();
        let expected = rest(ranges, used);
        self.check(free == expected, || format!("free of {owner}: {free:?} instead of {expected:?}"));
    }

    fn pools(&mut self, tx: &mut Tx<'_>) -> Result<()> {
        let mut whole: BTreeMap<Uuid, BTreeSet<Number>> = BTreeMap::new();
        let mut blocks: BTreeMap<(Uuid, IpAddr), BTreeSet<PortBlock>> = BTreeMap::new();
        let mut add = |wrong: &mut Vec<String>, pool: Uuid, ip: IpAddr| {
            if !whole.entry(pool).or_default().insert(ip.into()) {
                wrong.push(format!("{ip} is in use twice"));
            }
        };
        for floating in every::<FloatingIp>(tx)? {
            add(&mut self.wrong, floating.ip_pool_id, floating.ip);
        }
        for probe in every::<Probe>(tx)? {
            add(&mut self.wrong, probe.ip_pool_id, probe.ip);
        }
        for address in every::<InstanceAddress>(tx)? {
            match address.kind {
                InstanceAddressKind::Ephemeral => add(&mut self.wrong, address.ip_pool_id, address.ip),
                InstanceAddressKind::SourceNat(block) => {
                    let new = blocks.entry((address.ip_pool_id, address.ip)).or_default().insert(block);
                    self.check(new, || format!("{block:?} of {} is in use twice", address.ip));
                }
            }
        }
        for (pool, ip) in blocks.keys() {
            add(&mut self.wrong, *pool, *ip);
        }
        for shared in every::<SharedAddress>(tx)? {
            let used = blocks.remove(&(shared.ip_pool_id, shared.ip)).unwrap_or_default();
            let noted: Vec<PortBlock> = used.into_iter().collect();
            self.check(noted == shared.blocks && !noted.is_empty(), || format!("blocks of {}", shared.ip));
        }
        self.check(blocks.is_empty(), || format!("blocks of no shared address: {blocks:?}"));
        let ranges: Vec<IpPoolRange> = every(tx)?;
        for pool in every::<IpPool>(tx)? {
            let id = pool.meta.id;
            let used = whole.remove(&id).unwrap_or_default();
            let own = ranges.iter().filter(|range| range.ip_pool_id == id);
            self.compare(id, own.map(|range| (range.first.into(), range.last.into())).collect(), &used);
            let count = |v4: bool| used.iter().filter(|number| is_v4(**number) == v4).count() as u64;
            let usage: Option<IpPoolUsage> = tx.get(id)?;
            let counted = usage.map(|usage| (usage.ipv4, usage.ipv6));
            self.check(counted == Some((count(true), count(false))), || format!("counters of pool {id}"));
        }
        self.check(whole.is_empty(), || format!("addresses of no pool: {whole:?}"));
        Ok(())
    }

    /// An instance with an IPv4 interface must not have an IPv6 SNAT address.
    fn families(&mut self, tx: &mut Tx<'_>) -> Result<()> {
        let primary: BTreeMap<Uuid, IpAddr> = every::<NetworkInterface>(tx)?
            .into_iter()
            .filter(|interface| interface.primary)
            .map(|interface| (interface.parent.id(), interface.ip))
            .collect();
        for address in every::<InstanceAddress>(tx)? {
            let shared = matches!(address.kind, InstanceAddressKind::SourceNat(_));
            let of_ipv4 = primary.get(&address.instance_id).is_some_and(IpAddr::is_ipv4);
            self.check(!(shared && of_ipv4 && address.ip.is_ipv6()), || {
                format!("instance {} sends from {}", address.instance_id, address.ip)
            });
        }
        Ok(())
    }

    fn vpcs(&mut self, tx: &mut Tx<'_>) -> Result<()> {
        let interfaces: Vec<NetworkInterface> = every(tx)?;
        for vpc in every::<Vpc>(tx)? {
            let id = vpc.meta.id;
            let used = interfaces.iter().filter(|interface| interface.vpc_id == id);
            let used = used.map(|interface| interface.mac.into()).collect();
            let (first, last) = crate::vpc::MACS;
            self.compare(id, vec![(first.into(), last.into())], &used);
            let router: Option<VpcRouter> = tx.get(vpc.system_router_id)?;
            self.check(router.is_some_and(|router| router.vpc_id == id), || format!("router of VPC {id}"));
            let firewall: Option<VpcFirewall> = tx.get(id)?;
            let in_order = firewall.is_some_and(|firewall| {
                firewall.rules.is_sorted_by(|one, other| one.rule.name < other.rule.name)
            });
            self.check(in_order, || format!("firewall of VPC {id}"));
        }
        for subnet in every::<VpcSubnet>(tx)? {
            let id = subnet.meta.id;
            let used = interfaces.iter().filter(|interface| interface.subnet_id == id);
            let used = used.filter(|interface| interface.ip.is_ipv4()).map(|interface| interface.ip.into());
            self.compare(id, vec![crate::subnet::usable(subnet.ipv4_block)], &used.collect());
        }
        Ok(())
    }

    fn references(&mut self, tx: &mut Tx<'_>) -> Result<()> {
        for vpc in every::<Vpc>(tx)? {
            self.exists::<Project>(tx, vpc.project_id, &vpc)?;
        }
        for subnet in every::<VpcSubnet>(tx)? {
            self.exists::<Vpc>(tx, subnet.vpc_id, &subnet)?;
            if let Some(router) = subnet.custom_router_id {
                self.exists::<VpcRouter>(tx, router, &subnet)?;
            }
        }
        for router in every::<VpcRouter>(tx)? {
            self.exists::<Vpc>(tx, router.vpc_id, &router)?;
        }
        for route in every::<RouterRoute>(tx)? {
            self.exists::<VpcRouter>(tx, route.vpc_router_id, &route)?;
            if let Some(subnet) = route.subnet_id {
                self.exists::<VpcSubnet>(tx, subnet, &route)?;
            }
        }
        for firewall in every::<VpcFirewall>(tx)? {
            self.exists::<Vpc>(tx, firewall.meta.id, &firewall)?;
        }
        for gateway in every::<InternetGateway>(tx)? {
            self.exists::<Vpc>(tx, gateway.vpc_id, &gateway)?;
        }
        for pool in every::<InternetGatewayIpPool>(tx)? {
            self.exists::<InternetGateway>(tx, pool.internet_gateway_id, &pool)?;
            self.exists::<IpPool>(tx, pool.ip_pool_id, &pool)?;
        }
        for address in every::<InternetGatewayIpAddress>(tx)? {
            self.exists::<InternetGateway>(tx, address.internet_gateway_id, &address)?;
        }
        for interface in every::<NetworkInterface>(tx)? {
            if let Some(instance) = interface.instance_id() {
                self.exists::<Instance>(tx, instance, &interface)?;
            }
            if let InterfaceParent::Probe(probe) = interface.parent {
                self.exists::<Probe>(tx, probe, &interface)?;
            }
            self.exists::<VpcSubnet>(tx, interface.subnet_id, &interface)?;
        }
        for floating in every::<FloatingIp>(tx)? {
            self.exists::<Project>(tx, floating.project_id, &floating)?;
            if let Some(instance) = floating.instance_id {
                self.exists::<Instance>(tx, instance, &floating)?;
            }
        }
        for address in every::<InstanceAddress>(tx)? {
            self.exists::<Instance>(tx, address.instance_id, &address)?;
        }
        for probe in every::<Probe>(tx)? {
            self.exists::<Project>(tx, probe.project_id, &probe)?;
            let interfaces = tx.count::<NetworkInterface>(ListBy::Parent(probe.meta.id))?;
            self.check(interfaces == 1, || format!("{interfaces} interfaces of probe {}", probe.meta.id));
        }
        for config in every::<BgpConfig>(tx)? {
            self.exists::<BgpAnnounceSet>(tx, config.bgp_announce_set_id, &config)?;
        }
        for range in every::<IpPoolRange>(tx)? {
            self.exists::<IpPool>(tx, range.ip_pool_id, &range)?;
        }
        for link in every::<IpPoolSiloLink>(tx)? {
            self.exists::<IpPool>(tx, link.ip_pool_id, &link)?;
        }
        Ok(())
    }

    /// Whether the referenced record exists.
    fn exists<R: Record>(&mut self, tx: &mut Tx<'_>, id: Uuid, from: &impl Record) -> Result<()> {
        let there = tx.get::<R>(id)?.is_some();
        self.check(there, || format!("{} points at no {}", from.meta().id, R::TABLE.name));
        Ok(())
    }
}

fn is_v4(number: Number) -> bool {
    number.address().is_some_and(|address| address.is_ipv4())
}
