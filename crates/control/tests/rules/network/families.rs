//! Pools with addresses of both families, and the instances that can use them.

use croft_api::{Result, external_ip::ExternalIp, instance::Instance, scalar::NameOrId};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    add_interface, add_range, addresses_of, attach_ephemeral, attach_floating, bad, change_interface,
    delete_interface, detach_ephemeral, interfaces_of, link, linked_pool, remove_range, try_pool, try_vpc,
    utilization,
};
use crate::kit::{Cloud, refused};

const DEFAULT_RANGE: (&str, &str) = ("10.128.0.10", "10.128.255.250");

/// A cloud with a project and a VPC with known IPv6 addresses.
fn cloud() -> Cloud {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let six = json!({"name": "six", "description": "", "dns_name": "six", "ipv6_prefix": "fd12::/48"});
    try_vpc(&mut cloud, six).unwrap();
    cloud
}

/// An interface in that VPC.
fn inside(name: &str, subnet: &str, ip: Option<&str>) -> Value {
    json!({"name": name, "description": "", "vpc_name": "six", "subnet_name": subnet, "ip": ip})
}

fn instance(cloud: &mut Cloud, name: &str, interfaces: &[Value]) -> Result<Instance> {
    let interfaces = match interfaces {
        [] => json!({"type": "none"}),
        some => json!({"type": "create", "params": some}),
    };
    cloud.try_instance("web", name, &json!({"network_interfaces": interfaces}))
}

/// Creates an instance with an IPv6 interface whose address ends with this number.
fn of_ipv6(cloud: &mut Cloud, name: &str, last: u8) -> Uuid {
    let interface = inside("net0", "default", Some(&format!("fd12::{last:x}")));
    instance(cloud, name, &[interface]).unwrap().id
}

/// The source address of an instance, with the first port.
fn source(cloud: &Cloud, instance: Uuid) -> (String, u16) {
    match addresses_of(cloud, instance).remove(0) {
        ExternalIp::Snat { ip, first_port, .. } => (ip.to_string(), first_port),
        other => panic!("{other:?}"),
    }
}

fn ephemeral(cloud: &mut Cloud, instance: Uuid, pool: &str) -> Result<String> {
    attach_ephemeral(cloud, instance, json!({"pool": pool})).map(|address| match address {
        ExternalIp::Ephemeral { ip, .. } => ip.to_string(),
        other => panic!("{other:?}"),
    })
}

fn used(cloud: &Cloud, pool: &str) -> (u32, String) {
    let utilization = utilization(cloud, pool);
    (utilization.ipv4.allocated, utilization.ipv6.allocated.to_string())
}

fn lacking(family: &str) -> (u16, String) {
    let text = "Insufficient capacity: No external IP addresses available: the pool has no";
    (507, format!("{text} {family} addresses, and the primary interface is {family}"))
}

fn exhausted() -> (u16, String) {
    (507, "Insufficient capacity: No external IP addresses available".to_owned())
}

#[test]
fn instances_draw_ephemeral_addresses_of_their_own_family() {
    let mut cloud = cloud();
    linked_pool(&mut cloud, "both", "2001:db8::a", "2001:db8::b");
    add_range(&mut cloud, "both", "192.0.2.1", "192.0.2.1").unwrap();
    let four = ["a", "b"].map(|name| cloud.instance("web", name).id);
    let six = [5_u8, 6, 7].map(|last| of_ipv6(&mut cloud, &format!("six-{last}"), last));
    let none = instance(&mut cloud, "none", &[]).unwrap().id;
    assert_eq!(ephemeral(&mut cloud, six[0], "both").unwrap(), "2001:db8::a");
    assert_eq!(
        ephemeral(&mut cloud, none, "both").unwrap(),
        "192.0.2.1",
        "IPv4 is preferred without a primary interface"
    );
    assert_eq!(
        refused(ephemeral(&mut cloud, four[0], "both")),
        exhausted(),
        "although IPv6 addresses are left"
    );
    detach_ephemeral(&mut cloud, none).unwrap();
    assert_eq!(ephemeral(&mut cloud, four[0], "both").unwrap(), "192.0.2.1");
    assert_eq!(ephemeral(&mut cloud, none, "both").unwrap(), "2001:db8::b");
    assert_eq!(refused(ephemeral(&mut cloud, six[1], "both")), exhausted());
    assert_eq!(used(&cloud, "both"), (1, "2".to_owned()));
    cloud.check_invariants();
    detach_ephemeral(&mut cloud, six[0]).unwrap();
    assert_eq!(ephemeral(&mut cloud, six[2], "both").unwrap(), "2001:db8::a");
    cloud.check_invariants();
}

#[test]
fn missing_address_family_of_a_pool_is_reported() {
    let mut cloud = cloud();
    linked_pool(&mut cloud, "wide", "2001:db8::a", "2001:db8::ffff");
    let four = cloud.instance("web", "four").id;
    let six = of_ipv6(&mut cloud, "six", 5);
    assert_eq!(refused(ephemeral(&mut cloud, four, "wide")), lacking("IPv4"));
    assert_eq!(refused(cloud.try_instance("web", "new", &super::ephemeral("wide"))), lacking("IPv4"));
    assert_eq!(refused(ephemeral(&mut cloud, six, "default")), lacking("IPv6"));
    assert_eq!(used(&cloud, "wide"), (0, "0".to_owned()));
    cloud.check_invariants();
}

#[test]
fn instances_share_ports_of_their_own_family() {
    let mut cloud = cloud();
    add_range(&mut cloud, "default", "2001:db8::a", "2001:db8::b").unwrap();
    let six = [5_u8, 6, 7, 8, 9].map(|last| of_ipv6(&mut cloud, &format!("six-{last}"), last));
    let four = ["a", "b"].map(|name| cloud.instance("web", name).id);
    assert_eq!(source(&cloud, six[3]), ("2001:db8::a".to_owned(), 49_152));
    assert_eq!(source(&cloud, six[4]), ("2001:db8::b".to_owned(), 0));
    assert_eq!(source(&cloud, four[1]), ("10.128.0.10".to_owned(), 16_384));
    assert_eq!(used(&cloud, "default"), (1, "2".to_owned()));
    cloud.check_invariants();
    for instance in six {
        cloud.delete_instance(instance).unwrap();
    }
    assert_eq!(used(&cloud, "default"), (1, "0".to_owned()));
    cloud.check_invariants();
}

#[test]
fn an_ipv4_interface_never_sends_from_ipv6() {
    let mut cloud = cloud();
    remove_range(&mut cloud, "default", DEFAULT_RANGE.0, DEFAULT_RANGE.1).unwrap();
    add_range(&mut cloud, "default", "2001:db8::a", "2001:db8::b").unwrap();
    assert_eq!(refused(cloud.try_instance("web", "four", &json!({}))), lacking("IPv4"));
    let none = instance(&mut cloud, "none", &[]).unwrap().id;
    assert_eq!(source(&cloud, none).0, "2001:db8::a");
    assert_eq!(refused(add_interface(&mut cloud, none, inside("net0", "default", None))), lacking("IPv4"));
    assert_eq!(interfaces_of(&cloud, none), []);
    cloud.check_invariants();

    add_range(&mut cloud, "default", "192.0.2.1", "192.0.2.1").unwrap();
    add_interface(&mut cloud, none, inside("net0", "default", None)).unwrap();
    assert_eq!(source(&cloud, none), ("192.0.2.1".to_owned(), 0));
    assert_eq!(used(&cloud, "default"), (1, "0".to_owned()), "its address is released");
    cloud.check_invariants();
}

#[test]
fn the_snat_address_follows_the_primary_interface() {
    let mut cloud = cloud();
    add_range(&mut cloud, "default", "2001:db8::a", "2001:db8::b").unwrap();
    let subnet = json!({"name": "more", "description": "", "ipv4_block": "10.0.0.0/24"});
    super::try_subnet(&mut cloud, "six", subnet).unwrap();
    let id = of_ipv6(&mut cloud, "db", 5);
    let second = add_interface(&mut cloud, id, inside("net1", "more", None)).unwrap();
    assert_eq!(source(&cloud, id).0, "2001:db8::a", "the primary interface is unchanged");
    change_interface(&mut cloud, second.id, json!({"primary": true})).unwrap();
    assert_eq!(source(&cloud, id).0, "10.128.0.10");
    cloud.check_invariants();
    let first = interfaces_of(&cloud, id).into_iter().find(|interface| !interface.primary).unwrap();
    change_interface(&mut cloud, first.id, json!({"primary": true})).unwrap();
    assert_eq!(source(&cloud, id).0, "2001:db8::a");
    delete_interface(&mut cloud, second.id).unwrap();
    delete_interface(&mut cloud, first.id).unwrap();
    add_interface(&mut cloud, id, inside("net2", "more", None)).unwrap();
    assert_eq!(source(&cloud, id).0, "10.128.0.10");
    assert_eq!(used(&cloud, "default"), (1, "0".to_owned()));
    cloud.check_invariants();
}

#[test]
fn default_interfaces_are_ipv4_if_pools_lack_ipv6() {
    let mut cloud = cloud();
    let id = of_ipv6(&mut cloud, "db", 5);
    assert_eq!(source(&cloud, id), ("10.128.0.10".to_owned(), 0));
    cloud.check_invariants();
}

#[test]
fn floating_ips_are_ipv4_by_default_and_attach_to_interfaces_of_their_family() {
    let mut cloud = cloud();
    try_pool(&mut cloud, "both").unwrap();
    add_range(&mut cloud, "both", "2001:db8::a", "2001:db8::b").unwrap();
    add_range(&mut cloud, "both", "192.0.2.1", "192.0.2.2").unwrap();
    link(&mut cloud, "both", "croft", false);
    let mut floating = |name: &str, ip: Option<&str>| {
        let params = json!({"name": name, "description": "", "pool": "both", "ip": ip});
        cloud.try_floating_ip("web", params).unwrap().ip.to_string()
    };
    assert_eq!(floating("four", None), "192.0.2.1");
    assert_eq!(floating("six", Some("2001:db8::b")), "2001:db8::b");
    assert_eq!(floating("seven", Some("2001:db8::a")), "2001:db8::a");
    let four = cloud.instance("web", "db").id;
    let six = of_ipv6(&mut cloud, "modern", 5);
    let refusal = |name: &str, family: &str, instance: &str| {
        let text =
            format!("floating IP \"{name}\" is an {family} address, and no network interface of instance");
        bad(&format!("{text} \"{instance}\" has one"))
    };
    assert_eq!(refused(attach_floating(&mut cloud, "six", NameOrId::Id(four))), refusal("six", "IPv6", "db"));
    let other = refused(attach_floating(&mut cloud, "four", NameOrId::Id(six)));
    assert_eq!(other, refusal("four", "IPv4", "modern"));
    let new = json!({"external_ips": [{"type": "floating", "floating_ip": "six"}]});
    assert_eq!(refused(cloud.try_instance("web", "new", &new)), refusal("six", "IPv6", "new"));
    attach_floating(&mut cloud, "six", NameOrId::Id(six)).unwrap();

    let none = instance(&mut cloud, "none", &[]).unwrap().id;
    attach_floating(&mut cloud, "seven", NameOrId::Id(none)).unwrap();
    cloud.check_invariants();
}
