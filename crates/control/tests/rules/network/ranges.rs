use std::{net::IpAddr, sync::Arc};

use croft_api::{
    Result,
    ip_pool::{IpPoolRange, IpRange, Ipv4Utilization, Ipv6Utilization},
    page::{NameSortMode, NoSelector, PageQuery},
};
use croft_control::{Environment, NetworkSettings, SecretKey, Settings, floating_ip, ip_pool, operation};
use croft_store::records::{self, FreeRun, Number};
use serde_json::json;

use super::{add_range, bad, linked_pool, range, remove_range, try_pool, try_vpc, utilization};
use crate::kit::{Cloud, by_name, refused, status};

/// First addresses of the ranges of a pool, page by page.
fn firsts(cloud: &Cloud, pool: &str, limit: u32) -> Vec<String> {
    let mut query: PageQuery<NoSelector, NameSortMode> =
        PageQuery { selector: NoSelector {}, sort: NameSortMode::NameAscending, after: None, limit };
    let mut firsts = Vec::new();
    loop {
        let (page_query, pool) = (query.clone(), by_name(pool));
        let page = cloud
            .see(&cloud.admin, move |cx, caller| ip_pool::range_list(cx, caller, &pool, &page_query))
            .unwrap();
        firsts.extend(page.items.iter().map(|item| item.range.ends().0.to_string()));
        let Some(token) = page.next_page else { return firsts };
        let pairs = [("page_token".to_owned(), token), ("limit".to_owned(), limit.to_string())];
        query = PageQuery::parse(&pairs).unwrap();
    }
}

#[test]
fn ranges_of_all_pools_never_overlap() {
    let mut cloud = Cloud::new();
    for name in ["one", "two"] {
        try_pool(&mut cloud, name).unwrap();
    }
    add_range(&mut cloud, "one", "192.0.2.10", "192.0.2.20").unwrap();
    let overlapping = [
        ("192.0.2.10", "192.0.2.20"),
        ("192.0.2.1", "192.0.2.10"),
        ("192.0.2.20", "192.0.2.30"),
        ("192.0.2.12", "192.0.2.13"),
        ("192.0.2.0", "192.0.3.0"),
    ];
    for pool in ["one", "two"] {
        for (first, last) in overlapping {
            let text = format!("The provided IP range {first}-{last} overlaps with an existing range");
            assert_eq!(refused(add_range(&mut cloud, pool, first, last)), bad(&text));
        }
    }
    add_range(&mut cloud, "one", "192.0.2.21", "192.0.2.21").unwrap();
    add_range(&mut cloud, "two", "192.0.2.0", "192.0.2.9").unwrap();
    add_range(&mut cloud, "two", "9.0.0.0", "9.255.255.255").unwrap();
    assert_eq!(firsts(&cloud, "one", 1), ["192.0.2.10", "192.0.2.21"]);
    assert_eq!(firsts(&cloud, "two", 1), ["9.0.0.0", "192.0.2.0"], "sorted by number");
    cloud.check_invariants();
}

#[test]
fn reversed_ranges_are_refused() {
    for (first, last) in [("10.0.0.2", "10.0.0.1"), ("fd00::2", "fd00::1"), ("10.0.0.1", "fd00::1")] {
        serde_json::from_value::<IpRange>(json!({"first": first, "last": last})).unwrap_err();
    }
    assert_eq!(range("10.0.0.1", "10.0.0.1").ends().0, range("10.0.0.1", "10.0.0.2").ends().0);
}

#[test]
fn ipv6_ranges_are_refused_if_disabled() {
    let mut cloud = Cloud::new();
    let network = NetworkSettings { ipv6_pools: false, ..NetworkSettings::default() };
    let settings = Settings { network, ..Settings::default() };
    cloud.environment = Arc::new(Environment::new(settings, SecretKey::new([7; 32]), status));
    let text = bad("IPv6 ranges are not allowed yet");
    assert_eq!(refused(add_range(&mut cloud, "default", "fd00::1", "fd00::2")), text);
    assert_eq!(refused(add_to_service_pool(&mut cloud)), text);
}

fn add_to_service_pool(cloud: &mut Cloud) -> Result<IpPoolRange> {
    let (admin, added) = (cloud.admin.clone(), range("fd00::1", "fd00::2"));
    cloud.act(&admin, &operation::IP_POOL_SERVICE_RANGE_ADD, move |cx, caller| {
        ip_pool::service_range_add(cx, caller, added)
    })
}

fn with_project() -> Cloud {
    let mut cloud = Cloud::new();
    cloud.project("web");
    cloud
}

const ALL: (&str, &str) = ("::", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff");

fn ipv6(cloud: &Cloud, pool: &str) -> (String, String) {
    let Ipv6Utilization { allocated, capacity } = utilization(cloud, pool).ipv6;
    (allocated.to_string(), capacity.to_string())
}

fn counted(allocated: u32, capacity: &str) -> (String, String) {
    (allocated.to_string(), capacity.to_owned())
}

/// The number of all IPv6 addresses.
const CAPACITY: &str = "340282366920938463463374607431768211456";

#[test]
fn pool_can_contain_all_ipv6_addresses() {
    let mut cloud = with_project();
    linked_pool(&mut cloud, "all", ALL.0, ALL.1);
    assert_eq!(ipv6(&cloud, "all"), counted(0, CAPACITY));
    let text = "The provided IP range ::7-::7 overlaps with an existing range";
    assert_eq!(refused(add_range(&mut cloud, "default", "::7", "::7")), bad(text));
    let floating = |cloud: &mut Cloud, name: &str, ip: Option<&str>| {
        let params = json!({"name": name, "description": "", "pool": "all", "ip": ip});
        cloud.try_floating_ip("web", params)
    };
    for (name, wanted, given) in [
        ("first", None, "::"),
        ("last", Some(ALL.1), ALL.1),
        ("next", None, "::1"),
        ("far", Some("8000::"), "8000::"),
    ] {
        assert_eq!(floating(&mut cloud, name, wanted).unwrap().ip.to_string(), given);
        cloud.check_invariants();
    }
    let taken = bad("Requested external IP address not available");
    assert_eq!(refused(floating(&mut cloud, "again", Some(ALL.1))), taken);
    let six = json!({"name": "six", "description": "", "dns_name": "six", "ipv6_prefix": "fd12::/48"});
    try_vpc(&mut cloud, six).unwrap();
    let of_ipv6 = json!({
        "external_ips": [{"type": "ephemeral", "pool": "all"}],
        "network_interfaces": {"type": "create", "params": [
            {"name": "net0", "description": "", "vpc_name": "six", "subnet_name": "default", "ip": "fd12::5"},
        ]},
    });
    let instance = cloud.try_instance("web", "db", &of_ipv6).unwrap();
    assert_eq!(ipv6(&cloud, "all"), counted(5, CAPACITY));
    let held = "IP pool ranges cannot be deleted while external IP addresses are allocated from them";
    assert_eq!(refused(remove_range(&mut cloud, "all", ALL.0, ALL.1)), bad(held));
    cloud.delete_instance(instance.id).unwrap();
    let admin = cloud.admin.clone();
    for name in ["first", "last", "next", "far"] {
        cloud
            .act(&admin, &operation::FLOATING_IP_DELETE, move |cx, caller| {
                floating_ip::delete(cx, caller, &by_name(name), Some(&by_name("web")))
            })
            .unwrap();
        cloud.check_invariants();
    }
    assert_eq!(ipv6(&cloud, "all"), counted(0, CAPACITY));
    remove_range(&mut cloud, "all", ALL.0, ALL.1).unwrap();
    assert_eq!(ipv6(&cloud, "all"), counted(0, "0"));
    cloud.check_invariants();
}

#[test]
fn the_service_pool_can_have_ipv6_ranges_too() {
    let mut cloud = Cloud::new();
    add_to_service_pool(&mut cloud).unwrap();
    cloud.check_invariants();
}

#[test]
fn only_unused_ranges_can_be_removed() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    linked_pool(&mut cloud, "public", "192.0.2.10", "192.0.2.11");
    add_range(&mut cloud, "public", "192.0.2.12", "192.0.2.20").unwrap();
    let absent = bad("The provided range 192.0.2.10-192.0.2.20 does not exist");
    assert_eq!(refused(remove_range(&mut cloud, "public", "192.0.2.10", "192.0.2.20")), absent);
    let absent = bad("The provided range 192.0.2.10-192.0.2.11 does not exist");
    assert_eq!(refused(remove_range(&mut cloud, "default", "192.0.2.10", "192.0.2.11")), absent);
    let instance = cloud
        .try_instance("web", "db", &json!({"external_ips": [{"type": "ephemeral", "pool": "public"}]}))
        .unwrap();
    let held = "IP pool ranges cannot be deleted while external IP addresses are allocated from them";
    assert_eq!(refused(remove_range(&mut cloud, "public", "192.0.2.10", "192.0.2.11")), bad(held));
    remove_range(&mut cloud, "public", "192.0.2.12", "192.0.2.20").unwrap();
    cloud.check_invariants();
    let default = ("10.128.0.10", "10.128.255.250");
    assert_eq!(refused(remove_range(&mut cloud, "default", default.0, default.1)), bad(held));
    cloud.delete_instance(instance.id).unwrap();
    remove_range(&mut cloud, "public", "192.0.2.10", "192.0.2.11").unwrap();
    remove_range(&mut cloud, "default", default.0, default.1).unwrap();
    let admin = cloud.admin.clone();
    cloud
        .act(&admin, &operation::IP_POOL_DELETE, |cx, caller| ip_pool::delete(cx, caller, &by_name("public")))
        .unwrap();
    cloud.check_invariants();
}

#[test]
fn utilization_is_exact_to_the_last_address() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    linked_pool(&mut cloud, "public", "192.0.2.10", "192.0.2.11");
    let of = |cloud: &Cloud| {
        let Ipv4Utilization { allocated, capacity } = utilization(cloud, "public").ipv4;
        (allocated, capacity)
    };
    assert_eq!(of(&cloud), (0, 2));
    let params = json!({"name": "fixed", "description": "", "pool": "public"});
    cloud.try_floating_ip("web", params).unwrap();
    assert_eq!(of(&cloud), (1, 2));

    // Operations do not add IPv6 ranges, but existing ones are counted.
    let pool = try_pool(&mut cloud, "whole").unwrap().id;
    let ends = [("::", "7fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"), ("8000::1", "8000::1")];
    cloud
        .rule(move |cx| {
            for (first, last) in ends {
                let (first, last): (IpAddr, IpAddr) = (first.parse().unwrap(), last.parse().unwrap());
                let meta = cx.new_meta();
                cx.tx.insert(&records::IpPoolRange::new(meta, pool, first, last))?;
                let (first, last) = (Number::from(first), Number::from(last));
                let (meta, key) = (cx.new_meta(), first.sort_key());
                let (kind, first, last) = (first.kind, first.value, last.value);
                cx.tx.insert(&FreeRun { meta, owner_id: pool, key, kind, first, last })?;
            }
            Ok(())
        })
        .unwrap();
    let expected = Ipv6Utilization { allocated: 0.into(), capacity: ((1 << 127) + 1).into() };
    assert_eq!(utilization(&cloud, "whole").ipv6, expected);
    let text = serde_json::to_value(expected).unwrap();
    assert_eq!(text, json!({"allocated": "0", "capacity": "170141183460469231731687303715884105729"}));
    assert_eq!(serde_json::from_value::<Ipv6Utilization>(text).unwrap(), expected);
}
