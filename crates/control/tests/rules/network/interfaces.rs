use croft_api::{
    network_interface::InstanceNetworkInterface,
    page::{NameOrIdSortMode, PageQuery},
    vpc::OptionalVpcSelector,
};
use croft_control::subnet;
use croft_store::records::InstanceStage;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    add_interface, bad, change_interface, delete_interface, delete_subnet, interface, interfaces_of,
    new_subnet, new_vpc, within,
};
use crate::kit::{Cloud, by_name, refused};

fn web() -> Cloud {
    let mut cloud = Cloud::new();
    cloud.project("web");
    cloud
}

fn create(interfaces: &[Value]) -> Value {
    json!({"network_interfaces": {"type": "create", "params": interfaces}})
}

#[test]
fn instance_gets_one_interface_by_default() {
    let mut cloud = web();
    let instance = cloud.instance("web", "db");
    let [net0] = <[_; 1]>::try_from(interfaces_of(&cloud, instance.id)).unwrap();
    assert_eq!(net0.name.as_str(), "net0");
    assert_eq!(net0.description.as_str(), "default primary interface for db");
    assert_eq!((net0.ip.to_string().as_str(), net0.primary), ("172.30.0.5", true));
    assert_eq!((net0.mac.to_string().as_str(), net0.instance_id), ("A8:40:25:F0:00:00", instance.id));
    let second = cloud.instance("web", "web");
    let second = interfaces_of(&cloud, second.id).remove(0);
    assert_eq!((second.ip.to_string().as_str(), second.mac.to_string().as_str()), {
        ("172.30.0.6", "A8:40:25:F0:00:01")
    });
    let none = json!({"network_interfaces": {"type": "none"}});
    let none = cloud.try_instance("web", "none", &none).unwrap();
    assert_eq!(interfaces_of(&cloud, none.id), []);
    cloud.check_invariants();

    cloud.delete_instance(instance.id).unwrap();
    cloud.check_invariants();
    let again = cloud.instance("web", "db");
    assert_eq!(
        interfaces_of(&cloud, again.id)[0].ip.to_string(),
        "172.30.0.5",
        "the released address is reused"
    );
}

#[test]
fn instance_networking_is_created_atomically() {
    let mut cloud = web();
    new_subnet(&mut cloud, "one", "10.0.0.0/24");
    let mut wanted = interface("b", "one");
    wanted["ip"] = json!("10.0.0.10");
    let instance =
        cloud.try_instance("web", "db", &create(&[interface("a", "default"), wanted.clone()])).unwrap();
    let seen: Vec<_> = interfaces_of(&cloud, instance.id)
        .into_iter()
        .map(|interface| (interface.name.to_string(), interface.ip.to_string(), interface.primary))
        .collect();
    assert_eq!(seen, [("a".into(), "172.30.0.5".into(), true), ("b".into(), "10.0.0.10".into(), false)]);
    let next = cloud.try_instance("web", "next", &create(&[interface("a", "one")])).unwrap();
    assert_eq!(interfaces_of(&cloud, next.id)[0].ip.to_string(), "10.0.0.5", "the lowest free address");

    let missing = (404, "not found: vpc-subnet with name \"none\"".to_owned());
    let refusal =
        cloud.try_instance("web", "bad", &create(&[interface("a", "default"), interface("b", "none")]));
    assert_eq!(refused(refusal), missing);
    let refusal = cloud.try_instance("web", "bad", &create(&[interface("a", "default"), wanted]));
    assert_eq!(refused(refusal), bad("The IP address '10.0.0.10' is not available"));
    let refusal =
        cloud.try_instance("web", "bad", &create(&[interface("a", "default"), interface("b", "default")]));
    assert_eq!(refused(refusal), bad("Each interface must be in a distinct VPC Subnet"));
    let refusal =
        cloud.try_instance("web", "bad", &create(&[interface("a", "default"), interface("a", "one")]));
    assert_eq!(refused(refusal), bad("already exists: instance-network-interface \"a\""));
    cloud.check_invariants();
}

#[test]
fn reserved_addresses_of_a_subnet_are_never_allocated() {
    let mut cloud = web();
    let subnet = new_subnet(&mut cloud, "one", "10.0.0.0/24");
    let ipv6 = subnet.ipv6_block.addr();
    let prefix = ipv6.segments();
    let address = |last: u16| {
        std::net::Ipv6Addr::new(prefix[0], prefix[1], prefix[2], prefix[3], 0, 0, 0, last).to_string()
    };
    let instance = cloud.try_instance("web", "db", &json!({"network_interfaces": {"type": "none"}})).unwrap();
    let mut add = |ip: &str| {
        let mut params = interface("a", "one");
        params["ip"] = json!(ip);
        add_interface(&mut cloud, instance.id, params)
    };
    let reserved = bad("The first 5 addresses of a subnet are reserved");
    assert_eq!(refused(add("10.0.1.5")), bad("10.0.1.5 is outside subnet 10.0.0.0/24"));
    assert_eq!(refused(add("fd00::5")), bad(&format!("fd00::5 is outside subnet {ipv6}/64")));
    for ip in ["10.0.0.0", "10.0.0.4", &address(4)] {
        assert_eq!(refused(add(ip)), reserved, "{ip}");
    }
    assert_eq!(refused(add("10.0.0.255")), bad("Cannot request a broadcast address"));
    let added = add(&address(5)).unwrap();
    assert_eq!(added.ip.to_string(), address(5));
    let other = cloud.try_instance("web", "other", &json!({"network_interfaces": {"type": "none"}})).unwrap();
    let mut params = interface("a", "one");
    params["ip"] = json!(address(5));
    let taken = bad(&format!("The IP address '{}' is not available", address(5)));
    assert_eq!(refused(add_interface(&mut cloud, other.id, params.clone())), taken);
    delete_interface(&mut cloud, added.id).unwrap();
    add_interface(&mut cloud, other.id, params).unwrap();
    cloud.check_invariants();
}

#[test]
fn small_subnet_is_allocated_in_order_until_exhausted() {
    let mut cloud = web();
    let subnet = new_subnet(&mut cloud, "tiny", "10.0.0.0/26");
    for number in 5..63 {
        let name = format!("instance-{number}");
        let instance = cloud.try_instance("web", &name, &create(&[interface("a", "tiny")])).unwrap();
        assert_eq!(interfaces_of(&cloud, instance.id)[0].ip.to_string(), format!("10.0.0.{number}"));
    }
    let refusal = refused(cloud.try_instance("web", "more", &create(&[interface("a", "tiny")])));
    let text = format!("No available IP addresses for interface in subnet 'tiny' with ID '{}'", subnet.id);
    assert_eq!(refusal, bad(&text));
    cloud.check_invariants();
}

#[test]
fn interfaces_change_while_the_instance_is_stopped() {
    let mut cloud = web();
    new_subnet(&mut cloud, "one", "10.0.0.0/24");
    let instance = cloud.running("web", "db");
    let net0 = interfaces_of(&cloud, instance.id).remove(0);
    let stopped = bad("Instance must be stopped to attach a new network interface");
    assert_eq!(refused(add_interface(&mut cloud, instance.id, interface("a", "one"))), stopped);
    let stopped = bad("Instance must be stopped to update its network interfaces");
    assert_eq!(refused(change_interface(&mut cloud, net0.id, json!({}))), stopped);
    let stopped = bad("Instance must be stopped or failed to detach a network interface");
    assert_eq!(refused(delete_interface(&mut cloud, net0.id)), stopped);
    let wrong = json!({"transit_ips": ["10.0.0.1/24"]});
    let text = "transit IP block 10.0.0.1/24 has a non-zero host identifier";
    assert_eq!(refused(change_interface(&mut cloud, net0.id, wrong)), bad(text), "checked before the state");
    cloud.stop_instance(instance.id).unwrap();
    cloud.pass_seconds(10);

    let second = add_interface(&mut cloud, instance.id, interface("a", "one")).unwrap();
    assert!(!second.primary);
    let held = "The primary interface may not be deleted while secondary interfaces are still attached";
    assert_eq!(refused(delete_interface(&mut cloud, net0.id)), bad(held));
    cloud.pass_seconds(1);
    let promoted = change_interface(&mut cloud, second.id, json!({"primary": true})).unwrap();
    assert!(promoted.primary && promoted.time_modified > second.time_modified);
    let same =
        |one: &InstanceNetworkInterface| (one.ip, one.mac, one.subnet_id, one.vpc_id, one.time_created);
    assert_eq!(same(&promoted), same(&second));
    let primary = |cloud: &Cloud| -> Vec<(String, bool)> {
        let all = interfaces_of(cloud, instance.id).into_iter();
        all.map(|interface| (interface.name.to_string(), interface.primary)).collect()
    };
    assert_eq!(primary(&cloud), [("a".to_owned(), true), ("net0".to_owned(), false)]);
    change_interface(&mut cloud, second.id, json!({"primary": false})).unwrap();
    assert_eq!(
        primary(&cloud),
        [("a".to_owned(), true), ("net0".to_owned(), false)],
        "a primary interface cannot be demoted"
    );
    delete_interface(&mut cloud, net0.id).unwrap();
    let third = add_interface(&mut cloud, instance.id, interface("net0", "default")).unwrap();
    assert!(!third.primary, "not primary, because there is one already");

    cloud.modify_instance_record(instance.id, |instance| instance.stage = InstanceStage::Failed);
    assert_eq!(refused(change_interface(&mut cloud, second.id, json!({}))).0, 400);
    assert_eq!(refused(add_interface(&mut cloud, instance.id, interface("b", "one"))).0, 400);
    delete_interface(&mut cloud, third.id).unwrap();
    cloud.check_invariants();
}

#[test]
fn an_instance_stays_in_one_vpc_and_has_eight_slots() {
    let mut cloud = web();
    new_vpc(&mut cloud, "inner");
    let instance = cloud.instance("web", "db");
    let elsewhere = json!({"name": "x", "description": "", "vpc_name": "inner", "subnet_name": "default"});
    let text =
        "Networking may not span multiple VPCs, but the requested resource is associated with another VPC";
    assert_eq!(refused(add_interface(&mut cloud, instance.id, elsewhere)), bad(text));
    for number in 1..=8 {
        new_subnet(&mut cloud, &format!("subnet-{number}"), &format!("10.0.{number}.0/24"));
    }
    for number in 1..8 {
        let params = interface(&format!("net{number}"), &format!("subnet-{number}"));
        add_interface(&mut cloud, instance.id, params).unwrap();
    }
    let full = bad("May not attach more than 8 network interfaces");
    assert_eq!(refused(add_interface(&mut cloud, instance.id, interface("net8", "subnet-8"))), full);
    cloud.check_invariants();
}

#[test]
fn transit_addresses_are_replaced_as_a_whole() {
    let mut cloud = web();
    let instance = cloud.instance("web", "db");
    let net0 = interfaces_of(&cloud, instance.id).remove(0).id;
    let mut set = |nets: &[&str]| change_interface(&mut cloud, net0, json!({"transit_ips": nets}));
    set(&["10.1.0.0/16", "0.0.0.0/32", "fd00::/8"]).unwrap();
    let cases = [
        (vec!["10.0.0.1/24"], "transit IP block 10.0.0.1/24 has a non-zero host identifier"),
        (vec!["224.0.0.0/8"], "transit IP block 224.0.0.0/8 is a multicast network"),
        (vec!["224.0.0.5/32"], "transit IP 224.0.0.5/32 is a multicast address"),
        (vec!["127.0.0.0/8"], "transit IP block 127.0.0.0/8 is a loopback network"),
        (vec!["127.0.0.1/32"], "transit IP 127.0.0.1/32 is a loopback address"),
        (vec!["::1/128"], "transit IP ::1/128 is a loopback address"),
        (vec!["ff00::/8"], "transit IP block ff00::/8 is a multicast network"),
        (vec!["10.0.0.0/8", "10.1.0.0/16"], "transit IP block 10.1.0.0/16 overlaps with 10.0.0.0/8"),
        (vec!["10.1.1.1/32", "10.1.1.1/32"], "transit IP 10.1.1.1/32 overlaps with 10.1.1.1/32"),
    ];
    for (nets, text) in cases {
        assert_eq!(refused(set(&nets)), bad(text));
    }
    assert_eq!(set(&["0.0.0.0/0"]).unwrap().transit_ips.len(), 1);
    drop(change_interface(&mut cloud, net0, json!({})).unwrap());
    assert_eq!(interfaces_of(&cloud, instance.id)[0].transit_ips, [], "absent fields are cleared");
}

#[test]
fn subnet_with_interfaces_cannot_be_deleted() {
    let mut cloud = web();
    let ids: Vec<Uuid> =
        (0..5).map(|number| cloud.instance("web", &format!("instance-{number}")).id).collect();
    let mut seen = Vec::new();
    let mut query: PageQuery<OptionalVpcSelector, NameOrIdSortMode> =
        PageQuery { limit: 2, ..super::page(within("default")) };
    loop {
        let page_query = query.clone();
        let page = cloud
            .see(&cloud.admin, move |cx, caller| {
                subnet::network_interface_list(cx, caller, &by_name("default"), &page_query)
            })
            .unwrap();
        seen.extend(page.items.iter().map(|interface| interface.instance_id));
        let Some(token) = page.next_page else { break };
        query = PageQuery::parse(&[("page_token".to_owned(), token), ("limit".to_owned(), "2".to_owned())])
            .unwrap();
    }
    seen.sort();
    let mut expected = ids.clone();
    expected.sort();
    assert_eq!(seen, expected, "interfaces with the same name are listed once each");
    let held = bad("VPC Subnet cannot be deleted while network interfaces in the subnet exist");
    assert_eq!(refused(delete_subnet(&mut cloud, "default", "default")), held);
    for id in ids {
        cloud.delete_instance(id).unwrap();
    }
    cloud.remove_project("web");
    cloud.check_invariants();
}

#[test]
fn machine_receives_its_interfaces() {
    let mut cloud = web();
    let instance = cloud.running("web", "db");
    let net0 = interfaces_of(&cloud, instance.id).remove(0);
    let [machine] = <[_; 1]>::try_from(cloud.hypervisor.machines()).unwrap();
    let [interface] = <[_; 1]>::try_from(cloud.hypervisor.interfaces(machine)).unwrap();
    assert_eq!((interface.id, interface.slot, interface.ip, interface.mac), (net0.id, 0, net0.ip, net0.mac));
    assert_eq!(interface.subnet.to_string(), "172.30.0.0/22");
}
