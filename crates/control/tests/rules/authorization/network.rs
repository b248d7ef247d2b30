//! VPCs, subnets, interfaces, external addresses.

use croft_api::{
    network_interface::{InstanceSelector, OptionalInstanceSelector},
    page::{NameOrIdSortMode, PageQuery},
    vpc::{OptionalVpcSelector, VpcSelector},
};
use croft_control::{external_ip, firewall, floating_ip, network_interface, operation, subnet, vpc};
use serde_json::json;

use super::{Call, World, matrix, parse, rule};
use crate::kit::{by_name, list_of};

pub fn calls(_: &World) -> Vec<Call> {
    [vpcs(), subnets(), firewalls(), interfaces(), addresses()].into_iter().flatten().collect()
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
    vec![
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
