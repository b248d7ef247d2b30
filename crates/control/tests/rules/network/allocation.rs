//! Random allocations of addresses, checked against a model: each address is unique, the lowest free one, and released.

use std::collections::{BTreeMap, BTreeSet};

use croft_api::external_ip::ExternalIp;
use proptest::prelude::*;
use serde_json::json;
use uuid::Uuid;

use super::{addresses_of, allocated, attach_ephemeral, detach_ephemeral, linked_pool};
use crate::kit::{Cloud, by_name, status};

const INSTANCES: usize = 6;
const FLOATING: usize = 6;
/// The addresses of the pool: two ranges with a gap.
const ADDRESSES: [u8; 5] = [1, 2, 3, 7, 8];

#[derive(Clone, Debug)]
enum Step {
    Create(usize, bool),
    Delete(usize),
    Attach(usize),
    Detach(usize),
    Float(usize, Option<u8>),
    Sink(usize),
}

fn step() -> impl Strategy<Value = Step> {
    let instance = || 0..INSTANCES;
    let floating = || 0..FLOATING;
    prop_oneof![
        4 => (instance(), any::<bool>()).prop_map(|(instance, ephemeral)| Step::Create(instance, ephemeral)),
        2 => instance().prop_map(Step::Delete),
        2 => instance().prop_map(Step::Attach),
        2 => instance().prop_map(Step::Detach),
        4 => (floating(), prop::option::of(0_u8..10)).prop_map(|(number, ip)| Step::Float(number, ip)),
        3 => floating().prop_map(Step::Sink),
    ]
}

/// An instance, its source address with the first port, and its ephemeral IP.
type Known = (Uuid, (u8, u16), Option<u8>);

#[derive(Default)]
struct Model {
    instances: BTreeMap<usize, Known>,
    floating: BTreeMap<usize, u8>,
}

impl Model {
    fn whole(&self) -> BTreeSet<u8> {
        let ephemeral = self.instances.values().filter_map(|instance| instance.2);
        ephemeral.chain(self.floating.values().copied()).collect()
    }

    fn shared(&self) -> BTreeSet<(u8, u16)> {
        self.instances.values().map(|instance| instance.1).collect()
    }

    fn in_use(&self) -> BTreeSet<u8> {
        let mut used = self.whole();
        used.extend(self.shared().iter().map(|(address, _)| *address));
        used
    }

    fn lowest(&self) -> Option<u8> {
        let used = self.in_use();
        ADDRESSES.into_iter().find(|address| !used.contains(address))
    }

    fn lowest_block(&self) -> Option<(u8, u16)> {
        let (whole, shared) = (self.whole(), self.shared());
        let blocks = ADDRESSES.into_iter().filter(|address| !whole.contains(address));
        blocks
            .flat_map(|address| (0..4).map(move |block| (address, block * 16384)))
            .find(|block| !shared.contains(block))
    }
}

struct Run {
    cloud: Cloud,
    model: Model,
}

impl Run {
    fn new() -> Self {
        let mut cloud = Cloud::new();
        cloud.project("web");
        super::unlink(&mut cloud, "default", "croft").unwrap();
        linked_pool(&mut cloud, "tiny", "192.0.2.1", "192.0.2.3");
        super::add_range(&mut cloud, "tiny", "192.0.2.7", "192.0.2.8").unwrap();
        let params = serde_json::from_value(json!({"is_default": true})).unwrap();
        let admin = cloud.admin.clone();
        cloud
            .act(&admin, &croft_control::operation::IP_POOL_SILO_UPDATE, move |cx, caller| {
                croft_control::ip_pool::silo_update(cx, caller, &by_name("tiny"), &by_name("croft"), &params)
            })
            .unwrap();
        Self { cloud, model: Model::default() }
    }

    fn take(&mut self, step: &Step) {
        match step {
            Step::Create(number, ephemeral) => self.create(*number, *ephemeral),
            Step::Delete(number) => {
                if let Some((id, ..)) = self.model.instances.remove(number) {
                    self.cloud.delete_instance(id).unwrap();
                }
            }
            Step::Attach(number) => self.attach(*number),
            Step::Detach(number) => {
                if let Some(instance) = self.model.instances.get_mut(number) {
                    let had = instance.2.take().is_some();
                    assert_eq!(detach_ephemeral(&mut self.cloud, instance.0).is_ok(), had);
                }
            }
            Step::Float(number, ip) => self.float(*number, *ip),
            Step::Sink(number) => self.sink(*number),
        }
        self.cloud.check_invariants();
        assert_eq!(allocated(&self.cloud, "tiny") as usize, self.model.in_use().len());
    }

    fn create(&mut self, number: usize, ephemeral: bool) {
        if self.model.instances.contains_key(&number) {
            return;
        }
        let block = self.model.lowest_block();
        let mut extra = json!({"network_interfaces": {"type": "none"}});
        if ephemeral {
            extra["external_ips"] = json!([{"type": "ephemeral"}]);
        }
        let result = self.cloud.try_instance("web", &format!("instance-{number}"), &extra);
        let Some(block) = block else { return assert_eq!(status(&result.unwrap_err()), 507) };
        self.model.instances.insert(number, (Uuid::nil(), block, None));
        let whole = self.model.lowest();
        if ephemeral && whole.is_none() {
            self.model.instances.remove(&number);
            return assert_eq!(status(&result.unwrap_err()), 507);
        }
        let id = result.unwrap().id;
        let addresses = addresses_of(&self.cloud, id);
        let ExternalIp::Snat { ip, first_port, .. } = &addresses[0] else { panic!("{addresses:?}") };
        assert_eq!((last(*ip), *first_port), block);
        let given = addresses.get(1).map(ephemeral_of);
        assert_eq!(given, whole.filter(|_| ephemeral));
        self.model.instances.insert(number, (id, block, given));
    }

    fn attach(&mut self, number: usize) {
        let Some((id, block, had)) = self.model.instances.get(&number).copied() else { return };
        let expected = had.or_else(|| self.model.lowest());
        let result = attach_ephemeral(&mut self.cloud, id, json!({}));
        match expected {
            Some(expected) => {
                assert_eq!(ephemeral_of(&result.unwrap()), expected);
                self.model.instances.insert(number, (id, block, Some(expected)));
            }
            None => assert_eq!(status(&result.unwrap_err()), 507),
        }
    }

    fn float(&mut self, number: usize, ip: Option<u8>) {
        let mut params = json!({"name": format!("floating-{number}"), "description": ""});
        if let Some(ip) = ip {
            params["ip"] = json!(format!("192.0.2.{ip}"));
        }
        let free = |ip: &u8| ADDRESSES.contains(ip) && !self.model.in_use().contains(ip);
        let expected = ip.map_or_else(|| self.model.lowest(), |ip| Some(ip).filter(free));
        let result = self.cloud.try_floating_ip("web", params);
        match expected {
            Some(expected) if !self.model.floating.contains_key(&number) => {
                assert_eq!(last(result.unwrap().ip), expected);
                self.model.floating.insert(number, expected);
            }
            _ => drop(result.unwrap_err()),
        }
    }

    fn sink(&mut self, number: usize) {
        if self.model.floating.remove(&number).is_none() {
            return;
        }
        let (admin, name) = (self.cloud.admin.clone(), by_name(&format!("floating-{number}")));
        self.cloud
            .act(&admin, &croft_control::operation::FLOATING_IP_DELETE, move |cx, caller| {
                croft_control::floating_ip::delete(cx, caller, &name, Some(&by_name("web")))
            })
            .unwrap();
    }
}

fn last(ip: std::net::IpAddr) -> u8 {
    match ip {
        std::net::IpAddr::V4(ip) => ip.octets()[3],
        std::net::IpAddr::V6(ip) => panic!("{ip}"),
    }
}

fn ephemeral_of(ip: &ExternalIp) -> u8 {
    match ip {
        ExternalIp::Ephemeral { ip, .. } => last(*ip),
        other => panic!("{other:?}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn addresses_are_allocated_once_and_never_leak(steps in prop::collection::vec(step(), 1..60)) {
        let mut run = Run::new();
        for step in &steps {
            run.take(step);
        }
    }
}
