use std::sync::Arc;

use croft_api::{page::PageQuery, scalar::NameOrId};
use croft_control::{Environment, NetworkSettings, SecretKey, Settings, operation, subnet, vpc};
use croft_store::{
    ListBy, Sort,
    records::{
        InternetGateway, InternetGatewayIpPool, RouteTarget, RouterRoute, RouterRouteKind, Vpc as VpcRecord,
        VpcFirewall, VpcFirewallRuleFilter, VpcFirewallRuleTarget, VpcRouter,
    },
};
use serde_json::json;
use uuid::Uuid;

use super::{
    addresses_of, bad, delete_subnet, delete_vpc, new_subnet, new_vpc, page, try_pool, try_subnet, try_vpc,
    update_subnet, vpcs_of, within,
};
use crate::kit::{Cloud, by_name, refused, status};

fn web() -> Cloud {
    let mut cloud = Cloud::new();
    cloud.project("web");
    cloud
}

/// Names, kinds and targets of the system router's routes.
fn routes(cloud: &mut Cloud, router: Uuid) -> Vec<(String, RouterRouteKind, RouteTarget)> {
    let found: Vec<RouterRoute> =
        cloud.rule(move |cx| Ok(cx.tx.page(ListBy::Parent(router), Sort::NameAsc, None, 10)?)).unwrap();
    found.into_iter().map(|route| (route.name.to_string(), route.kind, route.target)).collect()
}

#[test]
fn subnet_size_limits_are_configurable() {
    let mut cloud = web();
    let network = NetworkSettings {
        shortest_subnet_prefix: 16,
        longest_subnet_prefix: 29,
        ..NetworkSettings::default()
    };
    let settings = Settings { network, ..Settings::default() };
    cloud.environment = Arc::new(Environment::new(settings, SecretKey::new([7; 32]), status));
    let width = "VPC Subnet IPv4 address ranges must have prefix length between 16 and 29, inclusive";
    for (name, block, accepted) in [
        ("large", "10.0.0.0/15", false),
        ("small", "10.0.0.0/30", false),
        ("widest", "10.0.0.0/16", true),
        ("least", "10.1.0.0/29", true),
    ] {
        let params = json!({"name": name, "description": "", "ipv4_block": block});
        let created = try_subnet(&mut cloud, "default", params);
        if accepted {
            created.unwrap();
        } else {
            assert_eq!(refused(created), bad(width));
        }
    }
    cloud.check_invariants();
}

#[test]
fn new_project_has_a_default_vpc() {
    let mut cloud = web();
    let [vpc] = <[_; 1]>::try_from(vpcs_of(&cloud, "web")).unwrap();
    assert_eq!((vpc.name.as_str(), vpc.dns_name.as_str()), ("default", "default"));
    assert_eq!(vpc.ipv6_prefix.width(), 48);
    assert_eq!(vpc.ipv6_prefix.addr().octets()[0], 0xfd);
    let query = PageQuery {
        selector: croft_api::vpc::VpcSelector { vpc: NameOrId::Id(vpc.id), project: None },
        ..page_of_subnets()
    };
    let subnets = cloud.see(&cloud.admin, move |cx, caller| subnet::list(cx, caller, &query)).unwrap().items;
    let [subnet] = <[_; 1]>::try_from(subnets).unwrap();
    assert_eq!((subnet.name.as_str(), subnet.ipv4_block.to_string().as_str()), ("default", "172.30.0.0/22"));
    assert_eq!((subnet.ipv6_block.addr(), subnet.ipv6_block.width()), (vpc.ipv6_prefix.addr(), 64));
    assert_eq!(subnet.custom_router_id, None);

    let gateway = || RouteTarget::InternetGateway { value: "default".parse().unwrap() };
    let expected = [
        (
            "default".to_owned(),
            RouterRouteKind::VpcSubnet,
            RouteTarget::Subnet { value: subnet.name.clone() },
        ),
        ("default-v4".to_owned(), RouterRouteKind::Default, gateway()),
        ("default-v6".to_owned(), RouterRouteKind::Default, gateway()),
    ];
    assert_eq!(routes(&mut cloud, vpc.system_router_id), expected);
    let router: VpcRouter = cloud.rule(move |cx| Ok(cx.tx.get(vpc.system_router_id)?.unwrap())).unwrap();
    assert_eq!(router.name.as_str(), "system");

    let gateways: Vec<InternetGateway> =
        cloud.rule(move |cx| Ok(cx.tx.page(ListBy::Parent(vpc.id), Sort::NameAsc, None, 10)?)).unwrap();
    let [gateway] = <[_; 1]>::try_from(gateways).unwrap();
    let pools: Vec<InternetGatewayIpPool> = cloud
        .rule(move |cx| Ok(cx.tx.page(ListBy::Parent(gateway.meta.id), Sort::NameAsc, None, 10)?))
        .unwrap();
    assert_eq!(pools.iter().map(|pool| pool.name.as_str()).collect::<Vec<_>>(), ["default"]);
    cloud.check_invariants();
}

fn page_of_subnets() -> PageQuery<croft_api::vpc::VpcSelector, croft_api::page::NameOrIdSortMode> {
    page(croft_api::vpc::VpcSelector { vpc: by_name("default"), project: Some(by_name("web")) })
}

#[test]
fn default_firewall_rules_keep_the_name_of_the_vpc() {
    let mut cloud = web();
    let vpc = new_vpc(&mut cloud, "inner");
    let firewall: VpcFirewall = cloud.rule(move |cx| Ok(cx.tx.get(vpc.id)?.unwrap())).unwrap();
    let targets = vec![VpcFirewallRuleTarget::Vpc { value: "inner".parse().unwrap() }];
    let seen: Vec<_> = firewall
        .rules
        .iter()
        .map(|entry| {
            assert_eq!((entry.rule.priority, &entry.rule.targets), (65534, &targets));
            (entry.rule.name.as_str(), serde_json::to_value(&entry.rule.filters).unwrap())
        })
        .collect();
    let expected = [
        ("allow-icmp", json!({"hosts": null, "protocols": [{"type": "icmp", "value": null}], "ports": null})),
        (
            "allow-internal-inbound",
            json!({"hosts": [{"type": "vpc", "value": "inner"}], "protocols": null, "ports": null}),
        ),
        ("allow-ssh", json!({"hosts": null, "protocols": [{"type": "tcp"}], "ports": ["22"]})),
    ];
    assert_eq!(seen, expected);
    let back: VpcFirewallRuleFilter = serde_json::from_value(expected[0].1.clone()).unwrap();
    assert_eq!(back, firewall.rules[0].rule.filters);
}

#[test]
fn vpc_lifecycle() {
    let mut cloud = web();
    let vpc = new_vpc(&mut cloud, "inner");
    assert_eq!(refused(try_vpc(&mut cloud, json!({"name": "inner", "description": "", "dns_name": "x"}))), {
        bad("already exists: vpc \"inner\"")
    });
    for prefix in ["fd00::/47", "fd00::/49", "fc00::/48", "2001:db8::/48"] {
        let params = json!({"name": "v6", "description": "", "dns_name": "x", "ipv6_prefix": prefix});
        let text =
            "VPC IPv6 address prefixes must be in the Unique Local Address range `fd00::/48` (RFD 4193)";
        assert_eq!(refused(try_vpc(&mut cloud, params)), bad(text), "{prefix}");
    }
    let params = json!({"name": "v6", "description": "", "dns_name": "x", "ipv6_prefix": "fd12::/48"});
    assert_eq!(try_vpc(&mut cloud, params).unwrap().ipv6_prefix.to_string(), "fd12::/48");

    cloud.pass_seconds(1);
    let admin = cloud.admin.clone();
    let mut update = |params: serde_json::Value| {
        let params = serde_json::from_value(params).unwrap();
        cloud.act(&admin, &operation::VPC_UPDATE, move |cx, caller| {
            vpc::update(cx, caller, &NameOrId::Id(vpc.id), None, &params)
        })
    };
    let changed = update(json!({"name": "outer", "dns_name": "out"})).unwrap();
    assert_eq!((changed.name.as_str(), changed.dns_name.as_str()), ("outer", "out"));
    assert_eq!((changed.ipv6_prefix, changed.system_router_id), (vpc.ipv6_prefix, vpc.system_router_id));
    assert!(changed.time_modified > vpc.time_modified);
    assert_eq!(refused(update(json!({"name": "default"}))), bad("already exists: vpc \"default\""));

    let held = bad("VPC cannot be deleted while VPC Subnets exist");
    assert_eq!(refused(delete_vpc(&mut cloud, "outer")), held);
    delete_subnet(&mut cloud, "outer", "default").unwrap();
    delete_vpc(&mut cloud, "outer").unwrap();
    let missing = (404, "not found: vpc with name \"outer\"".to_owned());
    assert_eq!(refused(delete_vpc(&mut cloud, "outer")), missing);
    cloud.check_invariants();
    let left: usize = cloud
        .rule(move |cx| Ok(cx.tx.page::<VpcRouter>(ListBy::Parent(vpc.id), Sort::NameAsc, None, 10)?.len()))
        .unwrap();
    assert_eq!(left, 0, "routers are deleted with their VPC");
}

#[test]
fn vnis_are_unique_and_not_reserved() {
    let mut cloud = web();
    for number in 0..20 {
        new_vpc(&mut cloud, &format!("vpc-{number}"));
    }
    let vpcs: Vec<VpcRecord> = cloud.rule(|cx| Ok(cx.tx.page(ListBy::All, Sort::IdAsc, None, 100)?)).unwrap();
    let mut vnis: Vec<u32> = vpcs.iter().map(|vpc| vpc.vni.into()).collect();
    vnis.sort_unstable();
    vnis.dedup();
    assert_eq!(vnis.len(), 21);
    assert!(vnis.iter().all(|vni| (1024..1 << 24).contains(vni)));
}

#[test]
fn project_with_floating_ips_or_vpcs_cannot_be_deleted() {
    let mut cloud = web();
    cloud.floating_ip("web", "fixed");
    let held = bad("project to be deleted contains a floating ip: fixed");
    assert_eq!(refused(cloud.delete_project("web")), held);
    let admin = cloud.admin.clone();
    cloud
        .act(&admin, &operation::FLOATING_IP_DELETE, |cx, caller| {
            croft_control::floating_ip::delete(cx, caller, &by_name("fixed"), Some(&by_name("web")))
        })
        .unwrap();
    assert_eq!(refused(cloud.delete_project("web")), bad("project to be deleted contains a vpc: default"));
    cloud.remove_project("web");
    cloud.check_invariants();
}

#[test]
fn blocks_of_subnets_are_checked_in_order() {
    let mut cloud = web();
    let vpc = vpcs_of(&cloud, "web").remove(0);
    let subnet = |ipv4: &str| json!({"name": "default", "description": "", "ipv4_block": ipv4});
    let with_ipv6 = |ipv4: &str, ipv6: &str| json!({"name": "default", "description": "", "ipv4_block": ipv4, "ipv6_block": ipv6});
    let private = "VPC Subnet IPv4 address ranges must be from a private range";
    let width = "VPC Subnet IPv4 address ranges must have prefix length between 8 and 26, inclusive";
    let invalid = |block: &str| {
        let prefix = vpc.ipv6_prefix;
        format!("VPC Subnet IPv6 address range '{block}' is not valid for VPC with IPv6 prefix '{prefix}'")
    };
    let own = vpc.ipv6_prefix.addr();
    let cases = [
        (subnet("8.8.8.0/24"), private.to_owned()),
        (subnet("172.16.0.0/11"), private.to_owned()),
        (subnet("10.0.0.0/7"), width.to_owned()),
        (subnet("10.0.0.0/27"), width.to_owned()),
        (with_ipv6("10.0.0.0/24", "fd00::/64"), invalid("fd00::/64")),
        (with_ipv6("10.0.0.0/24", &format!("{own}/63")), invalid(&format!("{own}/63"))),
        (
            subnet("172.30.2.0/24"),
            "IP address range '172.30.2.0/24' conflicts with an existing subnet".to_owned(),
        ),
        (
            subnet("172.16.0.0/12"),
            "IP address range '172.16.0.0/12' conflicts with an existing subnet".to_owned(),
        ),
        (
            with_ipv6("10.0.0.0/24", &format!("{own}/64")),
            format!("IP address range '{own}/64' conflicts with an existing subnet"),
        ),
        (subnet("10.0.0.0/24"), "already exists: vpc-subnet \"default\"".to_owned()),
    ];
    for (params, text) in cases {
        assert_eq!(refused(try_subnet(&mut cloud, "default", params.clone())), bad(&text), "{params}");
    }
    let first = new_subnet(&mut cloud, "one", "192.168.0.0/16");
    let second = new_subnet(&mut cloud, "two", "10.0.0.77/24");
    assert_eq!(second.ipv4_block.to_string(), "10.0.0.77/24", "host bits are kept");
    let overlapping = json!({"name": "three", "description": "", "ipv4_block": "10.0.0.0/26"});
    assert_eq!(refused(try_subnet(&mut cloud, "default", overlapping)).0, 400);
    for (subnet, number) in [(first, 1_u16), (second, 2)] {
        assert!(vpc.ipv6_prefix.contains(subnet.ipv6_block.addr()));
        assert_eq!(subnet.ipv6_block.addr().segments()[3], number, "the lowest free block");
    }
    new_vpc(&mut cloud, "inner");
    let elsewhere = json!({"name": "one", "description": "", "ipv4_block": "192.168.0.0/16"});
    try_subnet(&mut cloud, "inner", elsewhere).unwrap();
    cloud.check_invariants();
}

#[test]
fn subnet_route_has_the_name_of_its_subnet() {
    let mut cloud = web();
    let router = vpcs_of(&cloud, "web").remove(0).system_router_id;
    let subnet = new_subnet(&mut cloud, "one", "10.0.0.0/24");
    let renamed = update_subnet(&mut cloud, "default", "one", json!({"name": "two"})).unwrap();
    assert_eq!((renamed.name.as_str(), renamed.id), ("two", subnet.id));
    let names = |cloud: &mut Cloud| -> Vec<String> {
        routes(cloud, router).into_iter().map(|(name, ..)| name).collect()
    };
    assert_eq!(names(&mut cloud), ["default", "default-v4", "default-v6", "two"]);
    cloud.check_invariants();
    update_subnet(&mut cloud, "default", "two", json!({"name": "default-v4"})).unwrap();
    let conflict = format!("conflict-default-v4-{}", subnet.id);
    assert_eq!(names(&mut cloud), [conflict.as_str(), "default", "default-v4", "default-v6"]);
    let taken = update_subnet(&mut cloud, "default", "default-v4", json!({"name": "default"}));
    assert_eq!(refused(taken), bad("already exists: vpc-subnet \"default\""));
    delete_subnet(&mut cloud, "default", "default-v4").unwrap();
    assert_eq!(names(&mut cloud), ["default", "default-v4", "default-v6"]);
    cloud.check_invariants();
}

#[test]
fn only_custom_routers_of_the_same_vpc_are_attached() {
    let mut cloud = web();
    let own = vpcs_of(&cloud, "web").remove(0).system_router_id;
    let other = new_vpc(&mut cloud, "inner").system_router_id;
    let mut attach = |router: String| {
        refused(update_subnet(&mut cloud, "default", "default", json!({"custom_router": router})))
    };
    assert_eq!(attach("system".to_owned()), bad("cannot attach a system router to a VPC subnet"));
    assert_eq!(attach(own.to_string()), bad("cannot attach a system router to a VPC subnet"));
    let elsewhere = "a router can only be attached to a subnet when both belong to the same VPC";
    assert_eq!(attach(other.to_string()), bad(elsewhere));
    let missing = (404, "not found: vpc-router with name \"none\"".to_owned());
    assert_eq!(attach("none".to_owned()), missing);
}

#[test]
fn selectors_identify_objects_by_name_or_id() {
    let cloud = web();
    let vpc = vpcs_of(&cloud, "web").remove(0).id;
    let view = |vpc: NameOrId, project: Option<NameOrId>| {
        cloud.see(&cloud.admin, move |cx, caller| vpc::view(cx, caller, &vpc, project.as_ref()))
    };
    let text = "when providing vpc as an ID, project should not be specified";
    assert_eq!(refused(view(NameOrId::Id(vpc), Some(by_name("web")))), bad(text));
    let text = "vpc should either be an ID or project should be specified";
    assert_eq!(refused(view(by_name("default"), None)), bad(text));
    let subnet = |subnet: NameOrId, within: croft_api::vpc::OptionalVpcSelector| {
        cloud.see(&cloud.admin, move |cx, caller| subnet::view(cx, caller, &subnet, &within))
    };
    let text = "when providing subnet as an ID, vpc and project should not be specified";
    assert_eq!(refused(subnet(NameOrId::Id(vpc), within("default"))), bad(text));
    let nothing = croft_api::vpc::OptionalVpcSelector::default;
    let text = "subnet should either be an ID or vpc should be specified";
    assert_eq!(refused(subnet(by_name("default"), nothing())), bad(text));
    let by_id = croft_api::vpc::OptionalVpcSelector { vpc: Some(NameOrId::Id(vpc)), project: None };
    subnet(by_name("default"), by_id).unwrap();
}

#[test]
fn gateways_follow_the_silos_default_pool() {
    let mut cloud = web();
    let attachments = |cloud: &mut Cloud| -> usize {
        cloud
            .rule(|cx| Ok(cx.tx.page::<InternetGatewayIpPool>(ListBy::All, Sort::IdAsc, None, 10)?.len()))
            .unwrap()
    };
    assert_eq!(attachments(&mut cloud), 1);
    super::unlink(&mut cloud, "default", "croft").unwrap();
    assert_eq!(attachments(&mut cloud), 0, "unlinking a pool detaches it from the silo's gateways");
    new_vpc(&mut cloud, "without");
    assert_eq!(attachments(&mut cloud), 0, "a missing default pool is not an error");
    try_pool(&mut cloud, "public").unwrap();
    super::link(&mut cloud, "public", "croft", true);
    assert_eq!(attachments(&mut cloud), 2, "the new pool is attached to every gateway named default");
    let admin = cloud.admin.clone();
    cloud
        .act(&admin, &operation::IP_POOL_DELETE, |cx, caller| {
            croft_control::ip_pool::delete(cx, caller, &by_name("public"))
        })
        .unwrap();
    assert_eq!(attachments(&mut cloud), 0);
    cloud.check_invariants();
    let extra = json!({"network_interfaces": {"type": "none"}});
    let missing = (404, "not found: default IP pool for current silo".to_owned());
    assert_eq!(refused(cloud.try_instance("web", "db", &extra)), missing);
    super::link(&mut cloud, "default", "croft", true);
    let instance = cloud.try_instance("web", "db", &extra).unwrap();
    assert_eq!(addresses_of(&cloud, instance.id).len(), 1);
}
