//! VPCs, interfaces, pools and external addresses.

mod addresses;
mod allocation;
mod allow_list;
mod families;
mod interfaces;
mod ranges;
mod routing;
mod service;
mod telling;
mod vpcs;

use croft_api::{
    Result,
    external_ip::ExternalIp,
    floating_ip::FloatingIp,
    ip_pool::{IpPoolRange, IpPoolUtilization, IpRange},
    network_interface::{InstanceNetworkInterface, InstanceSelector, OptionalInstanceSelector},
    page::{NameOrIdSortMode, PageQuery},
    scalar::NameOrId,
    subnet::VpcSubnet,
    vpc::{OptionalVpcSelector, Vpc, VpcSelector},
};
use croft_control::{external_ip, floating_ip, ip_pool, network_interface, operation, subnet, vpc};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::kit::{Cloud, by_name, list_of};

fn page<Selector>(selector: Selector) -> PageQuery<Selector, NameOrIdSortMode> {
    PageQuery { selector, sort: NameOrIdSortMode::NameAscending, after: None, limit: 100 }
}

fn bad(text: &str) -> (u16, String) {
    (400, text.to_owned())
}

/// A VPC of the project `web`, as the selector for subnets.
fn within(vpc: &str) -> OptionalVpcSelector {
    OptionalVpcSelector { vpc: Some(by_name(vpc)), project: Some(by_name("web")) }
}

/// Parameters of an instance with an ephemeral IP of this pool.
fn ephemeral(pool: &str) -> Value {
    json!({"external_ips": [{"type": "ephemeral", "pool": pool}]})
}

fn attach_floating(cloud: &mut Cloud, name: &str, parent: NameOrId) -> Result<FloatingIp> {
    let params = serde_json::from_value(json!({"kind": "instance", "parent": parent})).unwrap();
    let (admin, name) = (cloud.admin.clone(), by_name(name));
    cloud.act(&admin, &operation::FLOATING_IP_ATTACH, move |cx, caller| {
        floating_ip::attach(cx, caller, &name, Some(&by_name("web")), &params)
    })
}

fn try_vpc(cloud: &mut Cloud, params: Value) -> Result<Vpc> {
    let params = serde_json::from_value(params).unwrap();
    let admin = cloud.admin.clone();
    cloud.act(&admin, &operation::VPC_CREATE, move |cx, caller| {
        vpc::create(cx, caller, &by_name("web"), &params)
    })
}

pub fn new_vpc(cloud: &mut Cloud, name: &str) -> Vpc {
    try_vpc(cloud, json!({"name": name, "description": "", "dns_name": name})).unwrap()
}

fn vpcs_of(cloud: &Cloud, project: &'static str) -> Vec<Vpc> {
    cloud.see(&cloud.admin, move |cx, caller| vpc::list(cx, caller, &list_of(project))).unwrap().items
}

fn delete_vpc(cloud: &mut Cloud, name: &str) -> Result<()> {
    let (admin, name) = (cloud.admin.clone(), by_name(name));
    cloud.act(&admin, &operation::VPC_DELETE, move |cx, caller| {
        vpc::delete(cx, caller, &name, Some(&by_name("web")))
    })
}

fn try_subnet(cloud: &mut Cloud, vpc: &str, params: Value) -> Result<VpcSubnet> {
    let params = serde_json::from_value(params).unwrap();
    let admin = cloud.admin.clone();
    let within = VpcSelector { vpc: by_name(vpc), project: Some(by_name("web")) };
    cloud.act(&admin, &operation::VPC_SUBNET_CREATE, move |cx, caller| {
        subnet::create(cx, caller, &within, &params)
    })
}

fn new_subnet(cloud: &mut Cloud, name: &str, block: &str) -> VpcSubnet {
    try_subnet(cloud, "default", json!({"name": name, "description": "", "ipv4_block": block})).unwrap()
}

fn update_subnet(cloud: &mut Cloud, vpc: &str, name: &str, params: Value) -> Result<VpcSubnet> {
    let params = serde_json::from_value(params).unwrap();
    let (admin, within, name) = (cloud.admin.clone(), within(vpc), by_name(name));
    cloud.act(&admin, &operation::VPC_SUBNET_UPDATE, move |cx, caller| {
        subnet::update(cx, caller, &name, &within, &params)
    })
}

fn delete_subnet(cloud: &mut Cloud, vpc: &str, name: &str) -> Result<()> {
    let (admin, within, name) = (cloud.admin.clone(), within(vpc), by_name(name));
    cloud.act(&admin, &operation::VPC_SUBNET_DELETE, move |cx, caller| {
        subnet::delete(cx, caller, &name, &within)
    })
}

fn interfaces_of(cloud: &Cloud, instance: Uuid) -> Vec<InstanceNetworkInterface> {
    let on = InstanceSelector { instance: NameOrId::Id(instance), project: None };
    cloud
        .see(&cloud.admin, move |cx, caller| network_interface::list(cx, caller, &page(on.clone())))
        .unwrap()
        .items
}

/// An interface in the default VPC.
fn interface(name: &str, subnet: &str) -> Value {
    json!({"name": name, "description": "", "vpc_name": "default", "subnet_name": subnet})
}

fn add_interface(cloud: &mut Cloud, instance: Uuid, params: Value) -> Result<InstanceNetworkInterface> {
    let params = serde_json::from_value(params).unwrap();
    let on = InstanceSelector { instance: NameOrId::Id(instance), project: None };
    let admin = cloud.admin.clone();
    cloud.act(&admin, &operation::INSTANCE_NETWORK_INTERFACE_CREATE, move |cx, caller| {
        network_interface::create(cx, caller, &on, &params)
    })
}

fn change_interface(cloud: &mut Cloud, id: Uuid, params: Value) -> Result<InstanceNetworkInterface> {
    let params = serde_json::from_value(params).unwrap();
    let admin = cloud.admin.clone();
    cloud.act(&admin, &operation::INSTANCE_NETWORK_INTERFACE_UPDATE, move |cx, caller| {
        let nothing = OptionalInstanceSelector::default();
        network_interface::update(cx, caller, &NameOrId::Id(id), &nothing, &params)
    })
}

fn delete_interface(cloud: &mut Cloud, id: Uuid) -> Result<()> {
    let admin = cloud.admin.clone();
    cloud.act(&admin, &operation::INSTANCE_NETWORK_INTERFACE_DELETE, move |cx, caller| {
        network_interface::delete(cx, caller, &NameOrId::Id(id), &OptionalInstanceSelector::default())
    })
}

fn try_pool(cloud: &mut Cloud, name: &str) -> Result<croft_api::ip_pool::IpPool> {
    let params = serde_json::from_value(json!({"name": name, "description": ""})).unwrap();
    let admin = cloud.admin.clone();
    cloud.act(&admin, &operation::IP_POOL_CREATE, move |cx, caller| ip_pool::create(cx, caller, &params))
}

fn range(first: &str, last: &str) -> IpRange {
    serde_json::from_value(json!({"first": first, "last": last})).unwrap()
}

fn add_range(cloud: &mut Cloud, pool: &str, first: &str, last: &str) -> Result<IpPoolRange> {
    let (admin, pool, range) = (cloud.admin.clone(), by_name(pool), range(first, last));
    cloud.act(&admin, &operation::IP_POOL_RANGE_ADD, move |cx, caller| {
        ip_pool::range_add(cx, caller, &pool, range)
    })
}

fn remove_range(cloud: &mut Cloud, pool: &str, first: &str, last: &str) -> Result<()> {
    let (admin, pool, range) = (cloud.admin.clone(), by_name(pool), range(first, last));
    cloud.act(&admin, &operation::IP_POOL_RANGE_REMOVE, move |cx, caller| {
        ip_pool::range_remove(cx, caller, &pool, range)
    })
}

fn link(cloud: &mut Cloud, pool: &str, silo: &str, is_default: bool) {
    let params = serde_json::from_value(json!({"silo": silo, "is_default": is_default})).unwrap();
    let (admin, pool) = (cloud.admin.clone(), by_name(pool));
    cloud
        .act(&admin, &operation::IP_POOL_SILO_LINK, move |cx, caller| {
            ip_pool::silo_link(cx, caller, &pool, &params)
        })
        .unwrap();
}

fn unlink(cloud: &mut Cloud, pool: &str, silo: &str) -> Result<()> {
    let (admin, pool, silo) = (cloud.admin.clone(), by_name(pool), by_name(silo));
    cloud.act(&admin, &operation::IP_POOL_SILO_UNLINK, move |cx, caller| {
        ip_pool::silo_unlink(cx, caller, &pool, &silo)
    })
}

/// Creates a pool with these addresses and links it to the first silo.
fn linked_pool(cloud: &mut Cloud, name: &str, first: &str, last: &str) {
    try_pool(cloud, name).unwrap();
    add_range(cloud, name, first, last).unwrap();
    link(cloud, name, "croft", false);
}

fn utilization(cloud: &Cloud, pool: &str) -> IpPoolUtilization {
    let pool = by_name(pool);
    cloud.see(&cloud.admin, move |cx, caller| ip_pool::utilization_view(cx, caller, &pool)).unwrap()
}

fn allocated(cloud: &Cloud, pool: &str) -> u32 {
    utilization(cloud, pool).ipv4.allocated
}

fn addresses_of(cloud: &Cloud, instance: Uuid) -> Vec<ExternalIp> {
    cloud
        .see(&cloud.admin, move |cx, caller| external_ip::list(cx, caller, &NameOrId::Id(instance), None))
        .unwrap()
        .items
}

fn attach_ephemeral(cloud: &mut Cloud, instance: Uuid, params: Value) -> Result<ExternalIp> {
    let params = serde_json::from_value(params).unwrap();
    let admin = cloud.admin.clone();
    cloud.act(&admin, &operation::INSTANCE_EPHEMERAL_IP_ATTACH, move |cx, caller| {
        external_ip::ephemeral_attach(cx, caller, &NameOrId::Id(instance), None, &params)
    })
}

fn detach_ephemeral(cloud: &mut Cloud, instance: Uuid) -> Result<()> {
    let admin = cloud.admin.clone();
    cloud.act(&admin, &operation::INSTANCE_EPHEMERAL_IP_DETACH, move |cx, caller| {
        external_ip::ephemeral_detach(cx, caller, &NameOrId::Id(instance), None)
    })
}
