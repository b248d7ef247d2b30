//! Random VPCs: small enough that names, addresses and networks often coincide.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use croft_api::scalar::{IpNet, MacAddr, Name};
use croft_control::network::Records;
use croft_network::{Origin, Packet, Protocol};
use croft_store::{
    Meta,
    records::{
        FirewallRule, FirewallRuleContent, FloatingIp, Instance, InstanceAddress, InstanceAddressKind,
        InstanceStage, InterfaceParent, InternetGateway, InternetGatewayIpAddress, InternetGatewayIpPool,
        NetworkInterface, PortBlock, RouteDestination, RouteTarget, RouterRoute, RouterRouteKind, Vpc,
        VpcFirewall, VpcRouter, VpcRouterKind, VpcSubnet, WantedState,
    },
};
use jiff::Timestamp;
use proptest::{collection::vec, prelude::*, sample::select};
use serde_json::{Value, json};
use uuid::Uuid;

pub const SUBNETS: [(&str, &str, &str); 4] = [
    ("a", "10.0.0.0/28", "fd00::/64"),
    ("b", "10.0.0.16/28", "fd00:0:0:1::/64"),
    ("c", "10.0.1.0/24", "fd00:0:0:2::/64"),
    ("d", "10.1.0.0/16", "fd00:0:0:3::/64"),
];
const INSTANCES: [&str; 4] = ["web", "db", "app", "box"];
const GATEWAYS: [&str; 2] = ["default", "spare"];
/// Networks for rules, routes and transit addresses.
const NETWORKS: [&str; 16] = [
    "0.0.0.0/0",
    "10.0.0.0/8",
    "10.0.0.0/27",
    "10.0.0.8/29",
    "10.0.1.0/24",
    "10.0.1.7/25",
    "192.0.2.0/24",
    "192.0.2.0/30",
    "192.0.2.1/32",
    "203.0.113.0/24",
    "::/0",
    "fd00::/48",
    "fd00::/64",
    "fd00:0:0:1::/65",
    "2001:db8::/32",
    "2001:db8::7/128",
];

fn id(kind: u128, number: usize) -> Uuid {
    Uuid::from_u128(kind << 64 | number as u128)
}

fn meta(kind: u128, number: usize) -> Meta {
    Meta::new(id(kind, number), Timestamp::UNIX_EPOCH)
}

fn name(text: &str) -> Name {
    text.parse().unwrap()
}

fn byte(number: usize) -> u8 {
    u8::try_from(number).unwrap()
}

fn pool(number: u8) -> Uuid {
    id(90, number.into())
}

const PROJECT: Uuid = Uuid::from_u128(1);
const VPC: Uuid = Uuid::from_u128(2);
const SYSTEM_ROUTER: Uuid = Uuid::from_u128(3);

/// An interface of an instance: the subnet, whether it has an IPv6 address, and its transit networks.
type InterfacePlan = (usize, bool, Vec<&'static str>);
/// An instance: its interfaces, and the pools of its SNAT IP, its ephemeral IP and its floating IPs.
type InstancePlan = (Vec<InterfacePlan>, Option<u8>, Option<u8>, Vec<u8>);

fn network() -> impl Strategy<Value = &'static str> + Clone {
    select(&NETWORKS)
}

fn instance_plan() -> impl Strategy<Value = InstancePlan> {
    let interface = (0..SUBNETS.len(), prop::bool::weighted(0.25), vec(network(), 0..2));
    let maybe_pool = || proptest::option::of(0..3_u8);
    (vec(interface, 0..3), maybe_pool(), maybe_pool(), vec(0..3_u8, 0..3))
}

/// A random address: of a subnet, external, or unused.
pub fn address() -> impl Strategy<Value = IpAddr> + Clone {
    let subnet = select(&SUBNETS);
    let v4 = (subnet.clone(), 4..10_u8).prop_map(|((_, block, _), host)| {
        let IpAddr::V4(first) = block.parse::<IpNet>().unwrap().first() else { unreachable!() };
        IpAddr::V4(Ipv4Addr::from(u32::from(first) + u32::from(host)))
    });
    let v6 = (subnet, 4..10_u8).prop_map(|((_, _, block), host)| {
        let IpAddr::V6(first) = block.parse::<IpNet>().unwrap().first() else { unreachable!() };
        IpAddr::V6(Ipv6Addr::from(u128::from(first) + u128::from(host)))
    });
    let external = (0..6_u8, 0..4_u8).prop_map(|(kind, number)| external(kind, number));
    let nobody = select(&["192.0.2.1", "192.0.2.9", "198.51.100.1", "2001:db8::7", "fd00:0:0:9::1"]);
    prop_oneof![5 => v4, 2 => v6, 3 => external, 2 => nobody.prop_map(|ip| ip.parse().unwrap())]
}

/// The external addresses: SNAT IPs by pool (kinds 0 and 1), an ephemeral IP, two floating ones, and a floating IPv6
/// one.
fn external(kind: u8, number: u8) -> IpAddr {
    match kind {
        0 | 1 => Ipv4Addr::new(203, 0, 113, number).into(),
        5 => Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 1, number.into()).into(),
        kind => Ipv4Addr::new(203, 0, 113, kind * 16 + number).into(),
    }
}

fn end() -> impl Strategy<Value = Value> + Clone {
    prop_oneof![
        2 => select(&["inner", "old"]).prop_map(|name| json!({"type": "vpc", "value": name})),
        2 => select(&["a", "b", "c", "d", "gone"]).prop_map(|name| json!({"type": "subnet", "value": name})),
        3 => select(&["web", "db", "app", "box", "gone"]).prop_map(|name| json!({"type": "instance", "value": name})),
        1 => address().prop_map(|ip| json!({"type": "ip", "value": ip})),
        1 => network().prop_map(|net| json!({"type": "ip_net", "value": net})),
    ]
}

/// A filter of a rule: none, an empty one, or one with entries.
fn filter(entries: impl Strategy<Value = Value>) -> impl Strategy<Value = Option<Vec<Value>>> {
    prop_oneof![3 => Just(None), 4 => vec(entries, 0..3).prop_map(Some)]
}

fn rule() -> impl Strategy<Value = Value> {
    let protocol = prop_oneof![
        2 => Just(json!({"type": "tcp"})),
        1 => Just(json!({"type": "udp"})),
        1 => Just(json!({"type": "icmp", "value": null})),
        1 => select(vec![Value::Null, json!("0"), json!("1-3")])
            .prop_map(|code| json!({"type": "icmp", "value": {"icmp_type": 8, "code": code}})),
    ];
    let port = select(&["22", "80", "1-100", "60-65535"]).prop_map(Value::from);
    let head = (
        prop::bool::weighted(0.9),
        prop::bool::weighted(0.6),
        prop::bool::weighted(0.6),
        select(&[0_u16, 10, 10, 20, 65534, 65535]),
    );
    (head, vec(end(), 0..4), filter(end()), filter(protocol), filter(port)).prop_map(
        |((enabled, inbound, allow, priority), targets, hosts, protocols, ports)| {
            json!({
                "name": "x", "description": "", "targets": targets, "priority": priority,
                "status": if enabled { "enabled" } else { "disabled" },
                "direction": if inbound { "inbound" } else { "outbound" },
                "action": if allow { "allow" } else { "deny" },
                "filters": {"hosts": hosts, "protocols": protocols, "ports": ports},
            })
        },
    )
}

/// A route: the router (0 is the system router), the start of its name, destination and target.
type RoutePlan = (usize, &'static str, RouteDestination, RouteTarget);

fn route() -> impl Strategy<Value = RoutePlan> {
    let destination = prop_oneof![
        1 => address().prop_map(|value| RouteDestination::Ip { value }),
        3 => network().prop_map(|net| RouteDestination::IpNet { value: net.parse().unwrap() }),
        1 => select(&["a", "b", "c", "gone"]).prop_map(|subnet| RouteDestination::Subnet { value: name(subnet) }),
    ];
    let target = prop_oneof![
        1 => address().prop_map(|value| RouteTarget::Ip { value }),
        4 => select(&["web", "db", "app", "gone"])
            .prop_map(|instance| RouteTarget::Instance { value: name(instance) }),
        2 => select(&["default", "spare", "gone"])
            .prop_map(|gateway| RouteTarget::InternetGateway { value: name(gateway) }),
        2 => Just(RouteTarget::Drop),
    ];
    (0..3_usize, select(&["k", "m", "z"]), destination, target)
}

fn subnets(routers: [usize; 4], there: [bool; 4]) -> Vec<VpcSubnet> {
    let all = SUBNETS.into_iter().enumerate().filter(|(number, _)| there[*number]);
    all.map(|(number, (called, ipv4, ipv6))| VpcSubnet {
        meta: meta(10, number),
        silo_id: Uuid::nil(),
        project_id: PROJECT,
        vpc_id: VPC,
        name: name(called),
        description: "".into(),
        ipv4_block: ipv4.parse().unwrap(),
        ipv6_block: ipv6.parse().unwrap(),
        custom_router_id: (routers[number] > 0).then(|| id(20, routers[number])),
    })
    .collect()
}

fn instance(number: usize) -> Instance {
    Instance {
        meta: meta(30, number),
        silo_id: Uuid::nil(),
        project_id: PROJECT,
        name: name(INSTANCES[number]),
        description: "".into(),
        hostname: INSTANCES[number].parse().unwrap(),
        ncpus: serde_json::from_value(json!(1)).unwrap(),
        memory: serde_json::from_value(json!(1_u64 << 30)).unwrap(),
        user_data: serde_json::from_value(json!("")).unwrap(),
        ssh_key_ids: Vec::new(),
        boot_disk_id: None,
        auto_restart_policy: None,
        time_last_auto_restarted: None,
        stage: InstanceStage::Stopped,
        wanted: WantedState::Stopped,
        time_run_state_updated: Timestamp::UNIX_EPOCH,
        time_due: None,
    }
}

/// Adds an instance with its interfaces and addresses to a VPC. The last one is a probe.
fn add_instance(
    records: &mut Records,
    number: usize,
    (interfaces, shared, ephemeral, floating): InstancePlan,
) {
    let is_probe = number == INSTANCES.len() - 1;
    let parent_id = id(30, number);
    let mut subnets_used = Vec::new();
    for (slot, (subnet, ipv6, transit)) in interfaces.into_iter().enumerate() {
        let Some(subnet) = records.subnets.iter().find(|one| one.meta.id == id(10, subnet)) else { continue };
        if subnets_used.contains(&subnet.meta.id) {
            continue;
        }
        let host = 5 + byte(number);
        let ip = if ipv6 {
            IpAddr::V6((u128::from(subnet.ipv6_block.first()) + u128::from(host)).into())
        } else {
            IpAddr::V4((u32::from(subnet.ipv4_block.first()) + u32::from(host)).into())
        };
        records.interfaces.push(NetworkInterface {
            meta: meta(40, number * 8 + slot),
            silo_id: Uuid::nil(),
            project_id: PROJECT,
            parent: if is_probe {
                InterfaceParent::Probe(parent_id)
            } else {
                InterfaceParent::Instance(parent_id)
            },
            vpc_id: VPC,
            subnet_id: subnet.meta.id,
            name: name(INSTANCES[number]),
            description: "".into(),
            ip,
            mac: MacAddr([2, 0, 0, 0, byte(number), byte(slot)]),
            slot: byte(slot),
            primary: subnets_used.is_empty(),
            transit_ips: transit.into_iter().map(|net| net.parse().unwrap()).collect(),
        });
        subnets_used.push(subnet.meta.id);
    }
    if is_probe || subnets_used.is_empty() {
        return;
    }
    records.instances.push(instance(number));
    let small = byte(number);
    let shared =
        shared.map(|pool| (pool, external(0, pool), InstanceAddressKind::SourceNat(PortBlock(small))));
    let ephemeral = ephemeral.map(|pool| (pool, external(2, small), InstanceAddressKind::Ephemeral));
    for (count, (from, ip, kind)) in shared.into_iter().chain(ephemeral).enumerate() {
        records.addresses.push(InstanceAddress {
            meta: meta(50, number * 8 + count),
            silo_id: Uuid::nil(),
            project_id: PROJECT,
            instance_id: parent_id,
            ip_pool_id: pool(from),
            ip,
            kind,
        });
    }
    for (count, from) in floating.into_iter().enumerate() {
        records.floating_ips.push(FloatingIp {
            meta: meta(60, number * 8 + count),
            silo_id: Uuid::nil(),
            project_id: PROJECT,
            name: name(&format!("f{number}{count}")),
            description: "".into(),
            ip_pool_id: pool(from),
            ip: external(4 + byte(count), small),
            instance_id: Some(parent_id),
        });
    }
}

fn add_route(
    records: &mut Records,
    router: Uuid,
    called: &str,
    destination: RouteDestination,
    target: RouteTarget,
) {
    records.routes.push(RouterRoute {
        meta: meta(70, records.routes.len()),
        silo_id: Uuid::nil(),
        project_id: PROJECT,
        vpc_id: VPC,
        vpc_router_id: router,
        subnet_id: None,
        name: name(called),
        description: "".into(),
        kind: RouterRouteKind::Custom,
        target,
        destination,
    });
}

fn add_routes(records: &mut Records, plans: Vec<RoutePlan>) {
    for (called, network) in [("default-v4", "0.0.0.0/0"), ("default-v6", "::/0")] {
        let destination = RouteDestination::IpNet { value: network.parse().unwrap() };
        let target = RouteTarget::InternetGateway { value: name("default") };
        add_route(records, SYSTEM_ROUTER, called, destination, target);
    }
    for subnet in records.subnets.clone() {
        let destination = RouteDestination::Subnet { value: subnet.name.clone() };
        let target = RouteTarget::Subnet { value: subnet.name.clone() };
        add_route(records, SYSTEM_ROUTER, subnet.name.as_str(), destination, target);
    }
    for (number, (router, start, destination, target)) in plans.into_iter().enumerate() {
        let router = if router == 0 { SYSTEM_ROUTER } else { id(20, router) };
        add_route(records, router, &format!("{start}{number}"), destination, target);
    }
}

fn add_gateways(records: &mut Records, attached: Vec<(usize, u8)>, addresses: [Option<IpAddr>; 2]) {
    let (silo_id, project_id) = (Uuid::nil(), PROJECT);
    for (number, called) in GATEWAYS.into_iter().enumerate() {
        let (vpc_id, name, description) = (VPC, name(called), "".into());
        let gateway =
            InternetGateway { meta: meta(80, number), silo_id, project_id, vpc_id, name, description };
        records.gateways.push(gateway);
    }
    for (number, (gateway, from)) in attached.into_iter().enumerate() {
        records.gateway_pools.push(InternetGatewayIpPool {
            meta: meta(81, number),
            silo_id,
            project_id,
            internet_gateway_id: id(80, gateway),
            ip_pool_id: pool(from),
            name: name(&format!("p{number}")),
            description: "".into(),
        });
    }
    for (number, address) in addresses.into_iter().enumerate() {
        let Some(address) = address else { continue };
        records.gateway_addresses.push(InternetGatewayIpAddress {
            meta: meta(82, number),
            silo_id,
            project_id,
            internet_gateway_id: id(80, number),
            address,
            name: name("one"),
            description: "".into(),
        });
    }
}

fn empty() -> Records {
    let vpc = Vpc {
        meta: Meta::new(VPC, Timestamp::UNIX_EPOCH),
        silo_id: Uuid::nil(),
        project_id: PROJECT,
        name: name("inner"),
        description: "".into(),
        dns_name: name("inner"),
        ipv6_prefix: "fd00::/48".parse().unwrap(),
        vni: 5000.try_into().unwrap(),
        system_router_id: SYSTEM_ROUTER,
    };
    let router = |id, called: &str, kind| VpcRouter {
        meta: Meta::new(id, Timestamp::UNIX_EPOCH),
        silo_id: Uuid::nil(),
        project_id: PROJECT,
        vpc_id: VPC,
        name: name(called),
        description: "".into(),
        kind,
    };
    Records {
        subnets: Vec::new(),
        interfaces: Vec::new(),
        instances: Vec::new(),
        addresses: Vec::new(),
        floating_ips: Vec::new(),
        firewall: None,
        routers: vec![
            router(SYSTEM_ROUTER, "system", VpcRouterKind::System),
            router(id(20, 1), "r1", VpcRouterKind::Custom),
            router(id(20, 2), "r2", VpcRouterKind::Custom),
        ],
        routes: Vec::new(),
        gateways: Vec::new(),
        gateway_pools: Vec::new(),
        gateway_addresses: Vec::new(),
        vpc,
    }
}

/// Replaces the rules of a VPC by these, with unique names.
pub fn set_rules(records: &mut Records, rules: Vec<FirewallRuleContent>) {
    let rules = rules.into_iter().enumerate().map(|(number, mut rule)| {
        // The order of the names differs from that of the rules.
        rule.name = name(&format!("rule-{}", (number * 7) % 11));
        FirewallRule { id: id(5, number), rule }
    });
    records.firewall = Some(VpcFirewall {
        meta: Meta::new(VPC, Timestamp::UNIX_EPOCH),
        silo_id: Uuid::nil(),
        project_id: PROJECT,
        rules: rules.collect(),
    });
}

/// A random rule without a unique name.
pub fn some_rule() -> impl Strategy<Value = FirewallRuleContent> {
    rule().prop_map(|rule| serde_json::from_value(rule).unwrap())
}

/// A rule with the lowest priority that allows everything.
fn open_to_all() -> FirewallRuleContent {
    serde_json::from_value(json!({
        "name": "open", "description": "", "status": "enabled", "direction": "inbound", "action": "allow",
        "priority": 65534, "targets": [{"type": "vpc", "value": "inner"}], "filters": {},
    }))
    .unwrap()
}

/// A random VPC.
pub fn random_vpc() -> impl Strategy<Value = Records> {
    let instances = [(); 4].map(|()| instance_plan());
    let gateways = (vec((0..2_usize, 0..3_u8), 0..6), [(); 2].map(|()| proptest::option::of(address())));
    let open = prop::bool::weighted(0.6);
    let in_subnets = ([(); 4].map(|()| 0..3_usize), [(); 4].map(|()| prop::bool::weighted(0.85)));
    (in_subnets, instances, (vec(some_rule(), 0..9), open), vec(route(), 0..10), gateways).prop_map(
        |((routers, there), instances, (mut rules, open), routes, (attached, addresses))| {
            rules.extend(open.then(open_to_all));
            let mut records = empty();
            records.subnets = subnets(routers, there);
            for (number, plan) in instances.into_iter().enumerate() {
                add_instance(&mut records, number, plan);
            }
            set_rules(&mut records, rules);
            add_routes(&mut records, routes);
            add_gateways(&mut records, attached, addresses);
            records
        },
    )
}

/// A packet whose origin and destination are indexes into the interfaces of a VPC.
#[derive(Clone, Debug)]
pub struct PacketTemplate {
    origin: prop::sample::Index,
    outside: bool,
    source_choice: SourceChoice,
    source: IpAddr,
    aim: TargetChoice,
    anywhere: IpAddr,
    protocol: Protocol,
}

/// The source address of a packet.
#[derive(Clone, Copy, Debug)]
enum SourceChoice {
    /// The interface's own address.
    None,
    /// One of its transit networks, if it has any.
    Transit,
    /// Any address.
    Other,
}

/// The destination of a packet.
#[derive(Clone, Debug)]
enum TargetChoice {
    /// An interface of the VPC, if there is one.
    Interface(prop::sample::Index),
    /// An external address of the VPC, if there is one.
    External(prop::sample::Index),
    /// Any address.
    Anywhere,
}

impl PacketTemplate {
    /// The packet, if its addresses are of one family.
    pub fn packet(&self, records: &Records) -> Option<Packet> {
        let sender =
            (!self.outside && !records.interfaces.is_empty()).then(|| self.origin.get(&records.interfaces));
        let origin = sender.map_or(Origin::Outside, |sender| Origin::Interface(sender.meta.id));
        let source = sender.map_or(self.source, |sender| match self.source_choice {
            SourceChoice::None => sender.ip,
            SourceChoice::Transit => sender.transit_ips.first().map_or(sender.ip, |network| network.addr()),
            SourceChoice::Other => self.source,
        });
        Packet::new(origin, source, self.destination(records), self.protocol).ok()
    }

    fn destination(&self, records: &Records) -> IpAddr {
        let own = records.interfaces.iter().map(|interface| interface.ip);
        let floating = records.floating_ips.iter().map(|floating| floating.ip);
        let (aim, addresses): (_, Vec<IpAddr>) = match &self.aim {
            TargetChoice::Interface(aim) => (aim, own.collect()),
            TargetChoice::External(aim) => {
                (aim, records.addresses.iter().map(|address| address.ip).chain(floating).collect())
            }
            TargetChoice::Anywhere => return self.anywhere,
        };
        if addresses.is_empty() { self.anywhere } else { *aim.get(&addresses) }
    }
}

pub fn packet_template() -> impl Strategy<Value = PacketTemplate> {
    let port = || select(&[1_u16, 22, 80, 443]);
    let protocol = prop_oneof![
        3 => port().prop_map(|port| Protocol::Tcp { port }),
        2 => port().prop_map(|port| Protocol::Udp { port }),
        2 => (select(&[0_u8, 8]), 0..4_u8).prop_map(|(icmp_type, code)| Protocol::Icmp { icmp_type, code }),
        1 => Just(Protocol::Other),
    ];
    let aim = prop_oneof![
        3 => any::<prop::sample::Index>().prop_map(TargetChoice::Interface),
        2 => any::<prop::sample::Index>().prop_map(TargetChoice::External),
        2 => Just(TargetChoice::Anywhere),
    ];
    let stranger = select(&["192.0.2.1", "198.51.100.1", "2001:db8::7"]).prop_map(|ip| ip.parse().unwrap());
    let source = prop_oneof![stranger, address()];
    let source_choice = prop_oneof![6 => Just(SourceChoice::None), 2 => Just(SourceChoice::Transit), 1 => Just(SourceChoice::Other)];
    let heads = (any::<prop::sample::Index>(), prop::bool::weighted(0.2), source_choice);
    (heads, source, aim, address(), protocol).prop_map(
        |((origin, outside, source_choice), source, aim, anywhere, protocol)| PacketTemplate {
            origin,
            outside,
            source_choice,
            source,
            aim,
            anywhere,
            protocol,
        },
    )
}
