//! VPCs, subnets, network interfaces, external IPs.

use croft_api::{
    internet_gateway::{CascadeSelector, GatewaySelector, OptionalGatewaySelector},
    network_interface::{InstanceSelector, OptionalInstanceSelector},
    page::{NameOrIdSortMode, PageQuery},
    router::{OptionalRouterSelector, RouterSelector},
    vpc::{OptionalVpcSelector, VpcSelector},
};
use croft_control::{
    external_ip, firewall, floating_ip, internet_gateway, network_interface, operation, router, subnet,
    trace, vpc,
};
use serde_json::json;

use super::{Call, World, matrix, parse, rule};
use crate::{
    kit::{Cloud, by_name, list_of},
    listing::of_project,
};

pub fn calls(_: &World) -> Vec<Call> {
    [vpcs(), subnets(), firewalls(), routers(), routes(), gateways(), interfaces(), addresses()]
        .into_iter()
        .flatten()
        .collect()
}

/// Creates a router with a route and a gateway with an address, in the default VPC.
pub fn furnish(cloud: &mut Cloud) {
    let admin = cloud.admin.clone();
    cloud
        .act(&admin, &operation::VPC_ROUTER_CREATE, |cx, caller| {
            router::create(cx, caller, &inside(), &parse(json!({"name": "mine", "description": ""})))
        })
        .unwrap();
    cloud
        .act(&admin, &operation::VPC_ROUTER_ROUTE_CREATE, |cx, caller| {
            router::route_create(cx, caller, &on_router(), &parse(route("out")))
        })
        .unwrap();
    cloud
        .act(&admin, &operation::INTERNET_GATEWAY_IP_ADDRESS_CREATE, |cx, caller| {
            internet_gateway::ip_address_create(cx, caller, &on_gateway(), &parse(address("fixed")))
        })
        .unwrap();
}

fn page<Selector>(selector: Selector) -> PageQuery<Selector, NameOrIdSortMode> {
    PageQuery { selector, sort: NameOrIdSortMode::NameAscending, after: None, limit: 100 }
}

fn within() -> OptionalVpcSelector {
    OptionalVpcSelector { vpc: Some(by_name("default")), project: Some(by_name("web")) }
}

fn inside() -> VpcSelector {
    VpcSelector { vpc: by_name("default"), project: Some(by_name("web")) }
}

fn vpcs() -> Vec<Call> {
    let create = json!({"name": "new", "description": "", "dns_name": "new"});
    let packet = json!({
        "source": { "type": "ip", "value": "172.30.0.5" },
        "destination": { "type": "ip", "value": "172.30.0.6" },
        "protocol": "other",
    });
    vec![
        (&operation::VPC_SEARCH, rule(|cx, caller| vpc::search(cx, caller, &of_project("web")))),
        (&operation::VPC_LIST, rule(|cx, caller| vpc::list(cx, caller, &list_of("web")))),
        (&operation::VPC_CREATE, {
            rule(move |cx, caller| vpc::create(cx, caller, &by_name("web"), &parse(create.clone())))
        }),
        (&operation::VPC_VIEW, {
            rule(|cx, caller| vpc::view(cx, caller, &by_name("default"), Some(&by_name("web"))))
        }),
        (&operation::VPC_UPDATE, {
            rule(|cx, caller| {
                let params = parse(json!({"description": "new"}));
                vpc::update(cx, caller, &by_name("default"), Some(&by_name("web")), &params)
            })
        }),
        (&operation::VPC_DELETE, {
            rule(|cx, caller| vpc::delete(cx, caller, &by_name("default"), Some(&by_name("web"))))
        }),
        (&operation::VPC_TRACE, {
            rule(move |cx, caller| {
                trace::trace(cx, caller, &by_name("default"), Some(&by_name("web")), &parse(packet.clone()))
            })
        }),
        (&operation::VPC_REACHABILITY_CHANGES, {
            rule(|cx, caller| {
                let changes = parse(json!({"changes": {}}));
                trace::reachability_changes(cx, caller, &by_name("default"), Some(&by_name("web")), &changes)
            })
        }),
    ]
}

fn subnets() -> Vec<Call> {
    let create = json!({"name": "new", "description": "", "ipv4_block": "10.0.0.0/24"});
    let default = || by_name("default");
    vec![
        (&operation::VPC_SUBNET_LIST, rule(|cx, caller| subnet::list(cx, caller, &page(inside())))),
        (&operation::VPC_SUBNET_CREATE, {
            rule(move |cx, caller| subnet::create(cx, caller, &inside(), &parse(create.clone())))
        }),
        (&operation::VPC_SUBNET_VIEW, {
            rule(move |cx, caller| subnet::view(cx, caller, &default(), &within()))
        }),
        (&operation::VPC_SUBNET_UPDATE, {
            rule(move |cx, caller| subnet::update(cx, caller, &default(), &within(), &parse(json!({}))))
        }),
        (&operation::VPC_SUBNET_DELETE, {
            rule(move |cx, caller| subnet::delete(cx, caller, &default(), &within()))
        }),
        (&operation::VPC_SUBNET_LIST_NETWORK_INTERFACES, {
            rule(move |cx, caller| subnet::network_interface_list(cx, caller, &default(), &page(within())))
        }),
    ]
}

fn firewalls() -> Vec<Call> {
    vec![
        (&operation::VPC_FIREWALL_RULES_VIEW, {
            rule(|cx, caller| firewall::rules_view(cx, caller, &inside()))
        }),
        (&operation::VPC_FIREWALL_RULES_UPDATE, {
            rule(|cx, caller| firewall::rules_update(cx, caller, &inside(), &parse(json!({}))))
        }),
    ]
}

fn routers() -> Vec<Call> {
    let create = || parse(json!({"name": "new", "description": ""}));
    let mine = || by_name("mine");
    vec![
        (&operation::VPC_ROUTER_LIST, rule(|cx, caller| router::list(cx, caller, &page(inside())))),
        (&operation::VPC_ROUTER_CREATE, {
            rule(move |cx, caller| router::create(cx, caller, &inside(), &create()))
        }),
        (&operation::VPC_ROUTER_VIEW, {
            rule(move |cx, caller| router::view(cx, caller, &mine(), &within()))
        }),
        (&operation::VPC_ROUTER_UPDATE, {
            rule(move |cx, caller| router::update(cx, caller, &mine(), &within(), &parse(json!({}))))
        }),
        (&operation::VPC_ROUTER_DELETE, {
            rule(move |cx, caller| router::delete(cx, caller, &mine(), &within()))
        }),
    ]
}

fn route(name: &str) -> serde_json::Value {
    let destination = json!({"type": "ip_net", "value": "10.1.0.0/16"});
    json!({"name": name, "description": "", "target": {"type": "drop"}, "destination": destination})
}

fn on_router() -> RouterSelector {
    RouterSelector { router: by_name("mine"), vpc: Some(by_name("default")), project: Some(by_name("web")) }
}

fn routes() -> Vec<Call> {
    let of = || {
        let RouterSelector { router, vpc, project } = on_router();
        OptionalRouterSelector { router: Some(router), vpc, project }
    };
    let out = || by_name("out");
    vec![
        (&operation::VPC_ROUTER_ROUTE_LIST, {
            rule(|cx, caller| router::route_list(cx, caller, &page(on_router())))
        }),
        (&operation::VPC_ROUTER_ROUTE_CREATE, {
            rule(|cx, caller| router::route_create(cx, caller, &on_router(), &parse(route("new"))))
        }),
        (&operation::VPC_ROUTER_ROUTE_VIEW, {
            rule(move |cx, caller| router::route_view(cx, caller, &out(), &of()))
        }),
        (&operation::VPC_ROUTER_ROUTE_UPDATE, {
            rule(move |cx, caller| router::route_update(cx, caller, &out(), &of(), &parse(route("new"))))
        }),
        (&operation::VPC_ROUTER_ROUTE_DELETE, {
            rule(move |cx, caller| router::route_delete(cx, caller, &out(), &of()))
        }),
    ]
}

fn on_gateway() -> GatewaySelector {
    GatewaySelector {
        gateway: by_name("default"),
        vpc: Some(by_name("default")),
        project: Some(by_name("web")),
    }
}

fn attached() -> OptionalGatewaySelector {
    let GatewaySelector { gateway, vpc, project } = on_gateway();
    OptionalGatewaySelector { gateway: Some(gateway), vpc, project }
}

fn address(name: &str) -> serde_json::Value {
    json!({"name": name, "description": "", "address": "192.0.2.3"})
}

fn gateways() -> Vec<Call> {
    let create = || parse(json!({"name": "new", "description": ""}));
    let default = || by_name("default");
    let all = CascadeSelector { cascade: true };
    vec![
        (&operation::INTERNET_GATEWAY_LIST, {
            rule(|cx, caller| internet_gateway::list(cx, caller, &page(inside())))
        }),
        (&operation::INTERNET_GATEWAY_CREATE, {
            rule(move |cx, caller| internet_gateway::create(cx, caller, &inside(), &create()))
        }),
        (&operation::INTERNET_GATEWAY_VIEW, {
            rule(move |cx, caller| internet_gateway::view(cx, caller, &default(), &within()))
        }),
        (&operation::INTERNET_GATEWAY_DELETE, {
            rule(move |cx, caller| internet_gateway::delete(cx, caller, &default(), &within(), all))
        }),
        (&operation::INTERNET_GATEWAY_IP_POOL_LIST, {
            rule(|cx, caller| internet_gateway::ip_pool_list(cx, caller, &page(on_gateway())))
        }),
        (&operation::INTERNET_GATEWAY_IP_POOL_CREATE, {
            rule(|cx, caller| {
                let params = parse(json!({"name": "new", "description": "", "ip_pool": "default"}));
                internet_gateway::ip_pool_create(cx, caller, &on_gateway(), &params)
            })
        }),
        (&operation::INTERNET_GATEWAY_IP_POOL_DELETE, {
            rule(move |cx, caller| internet_gateway::ip_pool_delete(cx, caller, &default(), &attached(), all))
        }),
        (&operation::INTERNET_GATEWAY_IP_ADDRESS_LIST, {
            rule(|cx, caller| internet_gateway::ip_address_list(cx, caller, &page(on_gateway())))
        }),
        (&operation::INTERNET_GATEWAY_IP_ADDRESS_CREATE, {
            rule(|cx, caller| {
                internet_gateway::ip_address_create(cx, caller, &on_gateway(), &parse(address("new")))
            })
        }),
        (&operation::INTERNET_GATEWAY_IP_ADDRESS_DELETE, {
            rule(move |cx, caller| {
                internet_gateway::ip_address_delete(cx, caller, &by_name("fixed"), &attached(), all)
            })
        }),
    ]
}

fn interfaces() -> Vec<Call> {
    let create = json!({"name": "new", "description": "", "vpc_name": "default", "subnet_name": "default"});
    let on = || InstanceSelector { instance: by_name("db"), project: Some(by_name("web")) };
    let of = || OptionalInstanceSelector { instance: Some(by_name("db")), project: Some(by_name("web")) };
    let net0 = || by_name("net0");
    vec![
        (&operation::INSTANCE_NETWORK_INTERFACE_LIST, {
            rule(move |cx, caller| network_interface::list(cx, caller, &page(on())))
        }),
        (&operation::INSTANCE_NETWORK_INTERFACE_CREATE, {
            rule(move |cx, caller| network_interface::create(cx, caller, &on(), &parse(create.clone())))
        }),
        (&operation::INSTANCE_NETWORK_INTERFACE_VIEW, {
            rule(move |cx, caller| network_interface::view(cx, caller, &net0(), &of()))
        }),
        (&operation::INSTANCE_NETWORK_INTERFACE_UPDATE, {
            rule(move |cx, caller| network_interface::update(cx, caller, &net0(), &of(), &parse(json!({}))))
        }),
        (&operation::INSTANCE_NETWORK_INTERFACE_DELETE, {
            rule(move |cx, caller| network_interface::delete(cx, caller, &net0(), &of()))
        }),
    ]
}

fn addresses() -> Vec<Call> {
    let create = json!({"name": "new", "description": ""});
    let (db, fixed, web) = (|| by_name("db"), || by_name("fixed"), || by_name("web"));
    vec![
        (&operation::INSTANCE_EXTERNAL_IP_LIST, {
            rule(move |cx, caller| external_ip::list(cx, caller, &db(), Some(&web())))
        }),
        (&operation::INSTANCE_EPHEMERAL_IP_ATTACH, {
            rule(move |cx, caller| {
                external_ip::ephemeral_attach(cx, caller, &db(), Some(&web()), &parse(json!({})))
            })
        }),
        (&operation::INSTANCE_EPHEMERAL_IP_DETACH, {
            rule(move |cx, caller| external_ip::ephemeral_detach(cx, caller, &db(), Some(&web())))
        }),
        (
            &operation::FLOATING_IP_SEARCH,
            rule(|cx, caller| floating_ip::search(cx, caller, &of_project("web"))),
        ),
        (&operation::FLOATING_IP_LIST, rule(|cx, caller| floating_ip::list(cx, caller, &list_of("web")))),
        (&operation::FLOATING_IP_CREATE, {
            rule(move |cx, caller| floating_ip::create(cx, caller, &web(), &parse(create.clone())))
        }),
        (&operation::FLOATING_IP_VIEW, {
            rule(move |cx, caller| floating_ip::view(cx, caller, &fixed(), Some(&web())))
        }),
        (&operation::FLOATING_IP_UPDATE, {
            rule(move |cx, caller| floating_ip::update(cx, caller, &fixed(), Some(&web()), &parse(json!({}))))
        }),
        (&operation::FLOATING_IP_DELETE, {
            rule(move |cx, caller| floating_ip::delete(cx, caller, &fixed(), Some(&web())))
        }),
        (&operation::FLOATING_IP_ATTACH, {
            rule(move |cx, caller| {
                let params = parse(json!({"kind": "instance", "parent": "db"}));
                floating_ip::attach(cx, caller, &fixed(), Some(&web()), &params)
            })
        }),
        (&operation::FLOATING_IP_DETACH, {
            rule(move |cx, caller| floating_ip::detach(cx, caller, &fixed(), Some(&web())))
        }),
    ]
}

#[test]
fn every_operation_with_every_role() {
    insta::assert_snapshot!(matrix(calls));
}
