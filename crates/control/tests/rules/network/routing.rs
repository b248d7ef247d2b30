//! Random changes to one VPC, checked against a model. After every step the records of networks are consistent.

use std::collections::{BTreeMap, BTreeSet};

use croft_api::{
    Result,
    internet_gateway::{CascadeSelector, GatewaySelector, OptionalGatewaySelector},
    router::{OptionalRouterSelector, RouterSelector},
    vpc::VpcSelector,
};
use croft_control::{Caller, Cx, Operation, internet_gateway, operation, router, subnet};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{page, within};
use crate::kit::{Cloud, by_name, status};

/// Includes names of routes of the system router and of subnets.
const NAMES: [&str; 4] = ["default", "default-v4", "east", "west"];

type Name = &'static str;

#[derive(Clone, Debug)]
enum Step {
    CreateSubnet(Name, Option<Name>),
    UpdateSubnet(Name, Name, Option<Name>),
    DeleteSubnet(Name),
    CreateRouter(Name),
    RenameRouter(Name, Name),
    DeleteRouter(Name),
    CreateRoute(Name, Name, Name),
    DeleteRoute(Name, Name),
    CreateGateway(Name),
    DeleteGateway(Name, bool),
    AttachPool(Name, Name),
    DetachPool(Name, Name, bool),
    AttachAddress(Name),
    DetachAddress(Name),
}

fn step() -> impl Strategy<Value = Step> {
    let name = || prop::sample::select(&NAMES);
    let maybe = || prop::option::of(name());
    prop_oneof![
        (name(), maybe()).prop_map(|(name, router)| Step::CreateSubnet(name, router)),
        (name(), name(), maybe()).prop_map(|(name, new, router)| Step::UpdateSubnet(name, new, router)),
        name().prop_map(Step::DeleteSubnet),
        name().prop_map(Step::CreateRouter),
        (name(), name()).prop_map(|(name, new)| Step::RenameRouter(name, new)),
        name().prop_map(Step::DeleteRouter),
        (name(), name(), name()).prop_map(|(router, name, to)| Step::CreateRoute(router, name, to)),
        (name(), name()).prop_map(|(router, name)| Step::DeleteRoute(router, name)),
        name().prop_map(Step::CreateGateway),
        (name(), any::<bool>()).prop_map(|(name, cascade)| Step::DeleteGateway(name, cascade)),
        (name(), name()).prop_map(|(gateway, name)| Step::AttachPool(gateway, name)),
        (name(), name(), any::<bool>()).prop_map(|(gateway, name, all)| Step::DetachPool(gateway, name, all)),
        name().prop_map(Step::AttachAddress),
        name().prop_map(Step::DetachAddress),
    ]
}

/// What is attached to a gateway.
#[derive(Default)]
struct Attached {
    pools: BTreeSet<Name>,
    address: bool,
}

#[derive(Default)]
struct Model {
    /// Subnets, with their custom routers.
    subnets: BTreeMap<Name, Option<Name>>,
    /// Custom routers, with their routes and the gateways that those lead to.
    routers: BTreeMap<Name, BTreeMap<Name, Name>>,
    gateways: BTreeMap<Name, Attached>,
}

impl Model {
    /// Performs a step if possible, and returns whether it was.
    fn take(&mut self, step: &Step) -> bool {
        let has_router =
            |model: &Self, name: Option<Name>| name.is_none_or(|name| model.routers.contains_key(name));
        match *step {
            Step::CreateSubnet(name, router) => {
                let can = has_router(self, router) && !self.subnets.contains_key(name);
                can && self.subnets.insert(name, router).is_none()
            }
            Step::UpdateSubnet(name, new, router) => {
                let can = self.subnets.contains_key(name)
                    && has_router(self, router)
                    && (name == new || !self.subnets.contains_key(new));
                if can {
                    self.subnets.remove(name);
                    self.subnets.insert(new, router);
                }
                can
            }
            Step::DeleteSubnet(name) => self.subnets.remove(name).is_some(),
            Step::CreateRouter(name) => {
                let can = !self.routers.contains_key(name);
                self.routers.entry(name).or_default();
                can
            }
            Step::RenameRouter(name, new) => {
                let can = self.routers.contains_key(name) && (name == new || !self.routers.contains_key(new));
                if let Some(of_router) = can.then(|| self.routers.remove(name)).flatten() {
                    self.routers.insert(new, of_router);
                    self.replace_router(name, Some(new));
                }
                can
            }
            Step::DeleteRouter(name) => {
                self.replace_router(name, None);
                self.routers.remove(name).is_some()
            }
            Step::CreateRoute(router, name, to) => self.routers.get_mut(router).is_some_and(|of_router| {
                let can = !of_router.contains_key(name);
                of_router.entry(name).or_insert(to);
                can
            }),
            Step::DeleteRoute(router, name) => {
                self.routers.get_mut(router).is_some_and(|of_router| of_router.remove(name).is_some())
            }
            _ => self.take_gateway(step),
        }
    }

    fn take_gateway(&mut self, step: &Step) -> bool {
        match *step {
            Step::CreateGateway(name) => {
                let can = !self.gateways.contains_key(name);
                self.gateways.entry(name).or_default();
                can
            }
            Step::DeleteGateway(name, cascade) => {
                let free = |attached: &Attached| attached.pools.is_empty() && !attached.address;
                let can = self.gateways.get(name).is_some_and(|attached| cascade || free(attached));
                if can {
                    self.gateways.remove(name);
                }
                if can && cascade {
                    self.routers.values_mut().for_each(|of_router| of_router.retain(|_, to| *to != name));
                }
                can
            }
            Step::AttachPool(gateway, name) => {
                self.gateways.get_mut(gateway).is_some_and(|attached| attached.pools.insert(name))
            }
            // There are no instances in the VPC, so nothing prevents detaching.
            Step::DetachPool(gateway, name, _) => {
                self.gateways.get_mut(gateway).is_some_and(|attached| attached.pools.remove(name))
            }
            Step::AttachAddress(gateway) => self
                .gateways
                .get_mut(gateway)
                .is_some_and(|attached| !std::mem::replace(&mut attached.address, true)),
            Step::DetachAddress(gateway) => {
                self.gateways.get_mut(gateway).is_some_and(|attached| std::mem::take(&mut attached.address))
            }
            _ => unreachable!("{step:?} is not a step of gateways"),
        }
    }

    fn replace_router(&mut self, old: Name, new: Option<Name>) {
        for router in self.subnets.values_mut().filter(|router| **router == Some(old)) {
            *router = new;
        }
    }
}

struct Run {
    cloud: Cloud,
    model: Model,
    blocks: u8,
}

fn inside() -> VpcSelector {
    VpcSelector { vpc: by_name("default"), project: Some(by_name("web")) }
}

fn named(name: Name) -> Value {
    json!({"name": name, "description": ""})
}

fn parse<T: serde::de::DeserializeOwned>(value: Value) -> T {
    serde_json::from_value(value).unwrap()
}

fn on_router(name: Name) -> RouterSelector {
    RouterSelector { router: by_name(name), vpc: Some(by_name("default")), project: Some(by_name("web")) }
}

fn of_router(name: Name) -> OptionalRouterSelector {
    let RouterSelector { router, vpc, project } = on_router(name);
    OptionalRouterSelector { router: Some(router), vpc, project }
}

fn on_gateway(name: Name) -> GatewaySelector {
    GatewaySelector { gateway: by_name(name), vpc: Some(by_name("default")), project: Some(by_name("web")) }
}

fn of_gateway(name: Name) -> OptionalGatewaySelector {
    let GatewaySelector { gateway, vpc, project } = on_gateway(name);
    OptionalGatewaySelector { gateway: Some(gateway), vpc, project }
}

impl Run {
    fn new() -> Self {
        let mut cloud = Cloud::new();
        cloud.project("web");
        let mut model = Model::default();
        model.subnets.insert("default", None);
        let attached = Attached { pools: BTreeSet::from(["default"]), address: false };
        model.gateways.insert("default", attached);
        Self { cloud, model, blocks: 0 }
    }

    fn act<T: Send + 'static>(
        &mut self,
        operation: &'static Operation,
        rule: impl FnMut(&mut Cx<'_, '_>, &Caller) -> Result<T> + Send + 'static,
    ) -> Result<()> {
        let admin = self.cloud.admin.clone();
        self.cloud.act(&admin, operation, rule).map(|_| ())
    }

    fn take(&mut self, step: &Step) {
        let expected = self.model.take(step);
        let result = self.ask(step);
        if let Err(error) = &result {
            assert!(matches!(status(error), 400 | 404), "{step:?}: {error}");
        }
        assert_eq!(result.is_ok(), expected, "{step:?}: {result:?}");
        self.compare();
        self.cloud.check_invariants();
    }

    fn ask(&mut self, step: &Step) -> Result<()> {
        match *step {
            Step::CreateSubnet(name, custom_router) => {
                self.blocks += 1;
                let block = format!("10.0.{}.0/24", self.blocks);
                let mut params = named(name);
                params["ipv4_block"] = json!(block);
                params["custom_router"] = json!(custom_router);
                self.act(&operation::VPC_SUBNET_CREATE, move |cx, caller| {
                    subnet::create(cx, caller, &inside(), &parse(params.clone()))
                })
            }
            Step::UpdateSubnet(name, new, custom_router) => {
                let params = json!({"name": new, "custom_router": custom_router});
                self.act(&operation::VPC_SUBNET_UPDATE, move |cx, caller| {
                    subnet::update(cx, caller, &by_name(name), &within("default"), &parse(params.clone()))
                })
            }
            Step::DeleteSubnet(name) => self.act(&operation::VPC_SUBNET_DELETE, move |cx, caller| {
                subnet::delete(cx, caller, &by_name(name), &within("default"))
            }),
            Step::CreateRouter(name) => self.act(&operation::VPC_ROUTER_CREATE, move |cx, caller| {
                router::create(cx, caller, &inside(), &parse(named(name)))
            }),
            Step::RenameRouter(name, new) => self.act(&operation::VPC_ROUTER_UPDATE, move |cx, caller| {
                router::update(cx, caller, &by_name(name), &within("default"), &parse(json!({"name": new})))
            }),
            Step::DeleteRouter(name) => self.act(&operation::VPC_ROUTER_DELETE, move |cx, caller| {
                router::delete(cx, caller, &by_name(name), &within("default"))
            }),
            Step::CreateRoute(on, name, to) => {
                let mut params = named(name);
                params["destination"] = json!({"type": "ip_net", "value": "10.9.0.0/16"});
                params["target"] = json!({"type": "internet_gateway", "value": to});
                self.act(&operation::VPC_ROUTER_ROUTE_CREATE, move |cx, caller| {
                    router::route_create(cx, caller, &on_router(on), &parse(params.clone()))
                })
            }
            Step::DeleteRoute(on, name) => self
                .act(&operation::VPC_ROUTER_ROUTE_DELETE, move |cx, caller| {
                    router::route_delete(cx, caller, &by_name(name), &of_router(on))
                }),
            _ => self.ask_gateway(step),
        }
    }

    fn ask_gateway(&mut self, step: &Step) -> Result<()> {
        match *step {
            Step::CreateGateway(name) => self.act(&operation::INTERNET_GATEWAY_CREATE, move |cx, caller| {
                internet_gateway::create(cx, caller, &inside(), &parse(named(name)))
            }),
            Step::DeleteGateway(name, cascade) => {
                self.act(&operation::INTERNET_GATEWAY_DELETE, move |cx, caller| {
                    let cascade = CascadeSelector { cascade };
                    internet_gateway::delete(cx, caller, &by_name(name), &within("default"), cascade)
                })
            }
            Step::AttachPool(on, name) => {
                let mut params = named(name);
                params["ip_pool"] = json!("default");
                self.act(&operation::INTERNET_GATEWAY_IP_POOL_CREATE, move |cx, caller| {
                    internet_gateway::ip_pool_create(cx, caller, &on_gateway(on), &parse(params.clone()))
                })
            }
            Step::DetachPool(on, name, cascade) => {
                self.act(&operation::INTERNET_GATEWAY_IP_POOL_DELETE, move |cx, caller| {
                    let cascade = CascadeSelector { cascade };
                    internet_gateway::ip_pool_delete(cx, caller, &by_name(name), &of_gateway(on), cascade)
                })
            }
            Step::AttachAddress(on) => {
                let mut params = named("east");
                params["address"] = json!("192.0.2.1");
                self.act(&operation::INTERNET_GATEWAY_IP_ADDRESS_CREATE, move |cx, caller| {
                    internet_gateway::ip_address_create(cx, caller, &on_gateway(on), &parse(params.clone()))
                })
            }
            Step::DetachAddress(on) => {
                self.act(&operation::INTERNET_GATEWAY_IP_ADDRESS_DELETE, move |cx, caller| {
                    let cascade = CascadeSelector::default();
                    internet_gateway::ip_address_delete(
                        cx,
                        caller,
                        &by_name("east"),
                        &of_gateway(on),
                        cascade,
                    )
                })
            }
            _ => unreachable!("{step:?} is not a step of gateways"),
        }
    }

    /// Lists must match the model.
    fn compare(&self) {
        let admin = &self.cloud.admin;
        let list = self.cloud.see(admin, |cx, caller| router::list(cx, caller, &page(inside())));
        let routers: BTreeMap<_, _> =
            list.unwrap().items.into_iter().map(|router| (router.id, router.name.to_string())).collect();
        let custom: BTreeSet<&str> =
            routers.values().map(String::as_str).filter(|name| *name != "system").collect();
        assert_eq!(custom, self.model.routers.keys().copied().collect());
        let list = self.cloud.see(admin, |cx, caller| subnet::list(cx, caller, &page(inside())));
        let subnets: BTreeMap<String, Option<String>> = list
            .unwrap()
            .items
            .into_iter()
            .map(|subnet| (subnet.name.to_string(), subnet.custom_router_id.map(|id| routers[&id].clone())))
            .collect();
        let known = self.model.subnets.iter();
        assert_eq!(
            subnets,
            known.map(|(name, router)| ((*name).to_owned(), router.map(str::to_owned))).collect()
        );
        for (name, expected) in &self.model.routers {
            let query = page(on_router(name));
            let list = self.cloud.see(admin, move |cx, caller| router::route_list(cx, caller, &query));
            let names: Vec<String> = list.unwrap().items.iter().map(|route| route.name.to_string()).collect();
            assert_eq!(names, expected.keys().copied().collect::<Vec<_>>());
        }
        let list = self.cloud.see(admin, |cx, caller| internet_gateway::list(cx, caller, &page(inside())));
        let names: Vec<String> = list.unwrap().items.iter().map(|gateway| gateway.name.to_string()).collect();
        assert_eq!(names, self.model.gateways.keys().copied().collect::<Vec<_>>());
        for (name, attached) in &self.model.gateways {
            let query = page(on_gateway(name));
            let list =
                self.cloud.see(admin, move |cx, caller| internet_gateway::ip_pool_list(cx, caller, &query));
            let names: Vec<String> = list.unwrap().items.iter().map(|pool| pool.name.to_string()).collect();
            assert_eq!(names, attached.pools.iter().copied().collect::<Vec<_>>());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn random_operations_keep_vpc_invariants(steps in prop::collection::vec(step(), 1..60)) {
        let mut run = Run::new();
        for step in &steps {
            run.take(step);
        }
    }
}
