//! IPv6 in the kernel: everything that IPv4 can do inside a VPC and toward the outside.

use std::{
    io::{Read as _, Write as _},
    net::{IpAddr, Ipv6Addr, SocketAddr, SocketAddrV6, TcpStream, UdpSocket},
    thread,
    time::Duration,
};

use croft_api::{
    firewall::VpcFirewallRuleDirection,
    scalar::{IpNet, Vni},
};
use croft_network::{ExternalAddresses, Network, Route, RouteTarget, SourceNat};
use uuid::Uuid;

use super::{
    super::{Vpcs, names, ranges::Family, service, uplink::Ipv6Obstacle},
    fixture,
    icmp::answers_to,
    live::{Host, PORT, asker, asker_and_port, in_own_network, inside, join, listen, network, wait_for},
    names::question_for,
};
use crate::qemu::{files::Accounts, options::Programs};

const GUEST: &str = "2001:db8:1::10";
const SHARED: &str = "2001:db8:9::20";
const HOST: &str = "2001:db8:1::1";
const NEIGHBOUR: &str = "2001:db8:1::2";
const ELSEWHERE: &str = "2001:db8:2::2";

fn ip(text: &str) -> IpAddr {
    text.parse().unwrap()
}

/// A VPC of two guests with IPv6 only, which accept connections to port 22.
fn vpc(external: [ExternalAddresses; 2]) -> Network {
    let mut network = network(external);
    network.interfaces[0].ip = ip("fd12:3456:789a::5");
    network.interfaces[1].ip = ip("fd12:3456:789a::6");
    network
}

/// Whether a ping to an address is answered within the time limit.
fn pings(place: &str, address: &str) -> bool {
    inside(place, || answers_to(None, address, 20))
}

/// Whether a ping to an address is not answered within the time that an answer may take.
fn is_unanswered(place: &str, address: &str) -> bool {
    inside(place, || !answers_to(None, address, 3))
}

/// The same as `pings`, from this source address.
fn pings_from(place: &str, source: &str, address: &str) -> bool {
    inside(place, || answers_to(Some(source), address, 3))
}

#[test]
fn guests_reach_each_other_by_firewall_rules_within_one_vpc() {
    if !in_own_network("qemu::vpc::tests::carried::guests_reach_each_other_by_firewall_rules_within_one_vpc")
    {
        return;
    }
    let host = Host::open(None);
    let mut network = vpc(Default::default());
    host.vpcs.ensure(&network).unwrap();
    let [first, second] = [0, 1].map(|number| host.guest(&network, &network.interfaces[number]));
    let listener = inside(&first, listen);

    assert_eq!(asker(&listener, Some(&second), network.interfaces[0].ip), Some(network.interfaces[1].ip));
    assert!(is_unanswered(&second, "fd12:3456:789a::5"), "no rule allows it");
    assert!(pings(&second, "fd12:3456:789a::1"), "the gateway responds");
    let everyone: Vec<_> = network.interfaces.iter().collect();
    let internal = croft_network::Rule {
        hosts: Some(vec!["fd12:3456:789a::/48".parse().unwrap()]),
        ..fixture::rule("internal", VpcFirewallRuleDirection::Inbound, &everyone)
    };
    network.rules.push(internal);
    host.vpcs.ensure(&network).unwrap();
    assert!(pings(&second, "fd12:3456:789a::5"));

    // Packets with a forged source address or hardware address are dropped.
    let eth0 = |lines: &str| host.space(&second).batch(Family::V6, lines).unwrap();
    eth0("addr add fd12:3456:789a::7/128 dev eth0 nodad\n");
    assert!(!pings_from(&second, "fd12:3456:789a::7", "fd12:3456:789a::5"));
    assert!(!pings_from(&second, "fd12:3456:789a::7", "fd12:3456:789a::1"), "nor by the gateway");
    // A guest that claims its neighbor's address does not get its packets.
    eth0("addr add fd12:3456:789a::5/128 dev eth0 nodad\n");
    assert!(!pings_from(&second, "fd12:3456:789a::5", "fd12:3456:789a::1"));
    eth0("addr del fd12:3456:789a::5/128 dev eth0\naddr del fd12:3456:789a::7/128 dev eth0\n");
    assert_eq!(asker(&listener, Some(&second), network.interfaces[0].ip), Some(network.interfaces[1].ip));

    // Another VPC with the same prefix is a separate network.
    let mut other = vpc(Default::default());
    other.id = Uuid::from_u128(2);
    other.vni = Vni::try_from(1025).unwrap();
    other.interfaces.remove(0);
    other.interfaces[0].id = Uuid::from_u128(0x1f6);
    other.interfaces[0].parent_name = "db6".parse().unwrap();
    other.rules = vec![fixture::rule("all", VpcFirewallRuleDirection::Inbound, &[&other.interfaces[0]])];
    host.vpcs.ensure(&other).unwrap();
    let stranger = host.guest(&other, &other.interfaces[0]);
    assert!(is_unanswered(&stranger, "fd12:3456:789a::5"));
    assert!(pings(&stranger, "fd12:3456:789a::1"), "its own gateway responds");

    network.rules.clear();
    host.vpcs.ensure(&network).unwrap();
    assert!(is_unanswered(&second, "fd12:3456:789a::5"));
    assert_eq!(asker(&listener, Some(&second), network.interfaces[0].ip), None);
}

#[test]
fn routes_of_a_custom_router_are_followed() {
    if !in_own_network("qemu::vpc::tests::carried::routes_of_a_custom_router_are_followed") {
        return;
    }
    let host = Host::open(None);
    let mut network = vpc(Default::default());
    network.interfaces[0].transit_ips = vec!["fd99::/64".parse().unwrap()];
    let everyone: Vec<_> = network.interfaces.iter().collect();
    network.rules = vec![fixture::rule("all", VpcFirewallRuleDirection::Inbound, &everyone)];
    let to_first = RouteTarget::Address(network.interfaces[0].ip);
    let routes = |with: bool| -> Vec<Route> {
        let drop = fixture::custom(0x302, fixture::route("drop", "fd99::8/128", RouteTarget::Drop));
        let appliance = fixture::custom(0x302, fixture::route("appliance", "fd99::/64", to_first.clone()));
        if with { vec![drop, appliance] } else { Vec::new() }
    };
    network.subnets[0].custom_routes = routes(true).into_iter().collect();
    host.vpcs.ensure(&network).unwrap();
    let [first, second] = [0, 1].map(|number| host.guest(&network, &network.interfaces[number]));
    let own = "addr add fd99::7/128 dev lo\naddr add fd99::8/128 dev lo\n";
    host.space(&first).batch(Family::V6, own).unwrap();
    assert!(pings(&second, "fd99::7"), "routed to the appliance");
    assert!(is_unanswered(&second, "fd99::8"), "dropped by a more specific route");
    network.subnets[0].custom_routes = routes(false).into_iter().collect();
    host.vpcs.ensure(&network).unwrap();
    assert!(is_unanswered(&second, "fd99::7"), "no route is left");
}

/// The options of a DHCPv6 message: code and data.
fn options(mut bytes: &[u8]) -> Vec<(u16, Vec<u8>)> {
    let mut all = Vec::new();
    while let [k0, k1, l0, l1, rest @ ..] = bytes {
        let (content, after) = rest.split_at(usize::from(u16::from_be_bytes([*l0, *l1])));
        all.push((u16::from_be_bytes([*k0, *k1]), content.to_vec()));
        bytes = after;
    }
    all
}

fn option(kind: u16, content: &[u8]) -> Vec<u8> {
    let length = u16::try_from(content.len()).unwrap();
    [&kind.to_be_bytes()[..], &length.to_be_bytes(), content].concat()
}

/// The addresses and DNS servers that a guest is offered; `None` if there is no answer yet.
fn offered(place: &str, mac: [u8; 6]) -> Option<(Vec<Ipv6Addr>, Vec<Ipv6Addr>)> {
    const SOLICIT: u8 = 1;
    const ADVERTISE: u8 = 2;
    const XID: [u8; 3] = [7, 7, 7];
    let address = |bytes: &[u8]| Ipv6Addr::from(<[u8; 16]>::try_from(&bytes[..16]).unwrap());
    inside(place, || {
        let link: u32 = std::fs::read_to_string("/proc/thread-self/net/if_inet6")
            .ok()?
            .lines()
            .find(|line| line.starts_with("fe80") && line.ends_with("eth0"))
            .and_then(|line| u32::from_str_radix(line.split(' ').nth(1)?, 16).ok())?;
        let socket = UdpSocket::bind("[::]:546").ok()?;
        socket.set_read_timeout(Some(Duration::from_secs(2))).unwrap();
        let client = option(1, &[&[0, 3, 0, 1][..], &mac].concat());
        let lease = option(3, &[&[0, 0, 0, 1][..], &[0; 8]].concat());
        let wanted = option(6, &23_u16.to_be_bytes());
        let message = [&[SOLICIT][..], &XID, &client, &option(8, &[0, 0]), &lease, &wanted].concat();
        let servers = "ff02::1:2".parse().unwrap();
        socket.send_to(&message, SocketAddr::V6(SocketAddrV6::new(servers, 547, 0, link))).ok()?;
        let mut received = [0; 1500];
        let (length, _) = socket.recv_from(&mut received).ok()?;
        assert_eq!(received[..4], [ADVERTISE, 7, 7, 7]);
        let all = options(&received[4..length]);
        let leases = all.iter().filter(|(kind, _)| *kind == 3).flat_map(|(_, lease)| options(&lease[12..]));
        let addresses = leases.filter(|(kind, _)| *kind == 5).map(|(_, content)| address(&content)).collect();
        let named = all.iter().filter(|(kind, _)| *kind == 23).flat_map(|(_, servers)| servers.chunks(16));
        Some((addresses, named.map(address).collect()))
    })
}

/// The global addresses that a guest configures by itself, and its routers.
fn has(host: &Host, place: &str) -> (Vec<String>, Vec<String>) {
    let space = host.space(place);
    let shown = space.show(Some(Family::V6), &["address", "show", "dev", "eth0", "scope", "global"]).unwrap();
    let all = shown.as_array().unwrap().iter().filter_map(|link| link["addr_info"].as_array().cloned());
    let addresses = all.flatten().filter_map(|entry| Some(entry["local"].as_str()?.to_owned()));
    let shown = space.show(Some(Family::V6), &["route", "show", "default"]).unwrap();
    let routers = shown.as_array().unwrap().iter().filter_map(|route| route["gateway"].as_str());
    (addresses.collect(), routers.map(str::to_owned).collect())
}

/// The IPv6 address of a name, according to the guest's DNS server.
fn resolved(place: &str, gateway: IpAddr, name: &str) -> Ipv6Addr {
    const AAAA: u8 = 28;
    inside(place, || {
        let socket = UdpSocket::bind("[::]:0").unwrap();
        socket.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        socket.connect((gateway, 53)).unwrap();
        socket.send(&question_for(name, AAAA)).unwrap();
        let mut received = [0; 512];
        let length = socket.recv(&mut received).unwrap();
        assert_eq!(received[6..8], [0, 1], "one answer, whose address is at the end");
        <[u8; 16]>::try_from(&received[length - 16..length]).unwrap().into()
    })
}

#[test]
fn guests_get_address_router_and_names_and_cannot_spoof_addresses() {
    if !in_own_network(
        "qemu::vpc::tests::carried::guests_get_address_router_and_names_and_cannot_spoof_addresses",
    ) {
        return;
    }
    let host = Host::open(None);
    let network = vpc(Default::default());
    host.vpcs.ensure(&network).unwrap();
    for interface in &network.interfaces {
        let place = host.guest(&network, interface);
        // Settings of a guest that has just started.
        host.space(&place).settings(&["ipv6/conf/eth0/accept_ra=1", "ipv6/conf/eth0/autoconf=1"]).unwrap();
        let fresh = "addr flush dev eth0 scope global\nlink set eth0 down\nlink set eth0 up\n";
        host.space(&place).batch(Family::V6, fresh).unwrap();
        let routers =
            wait_for("a router", || Some(has(&host, &place).1).filter(|routers| !routers.is_empty()));
        assert!(routers.iter().all(|router| router.starts_with("fe80::")), "{routers:?}");
        let (addresses, named) = wait_for("an address", || offered(&place, interface.mac.0));
        assert_eq!(addresses.into_iter().map(IpAddr::V6).collect::<Vec<_>>(), [interface.ip]);
        let gateway = service::gateway(IpNet::V6(network.subnets[0].ipv6));
        assert_eq!(named.into_iter().map(IpAddr::V6).collect::<Vec<_>>(), [gateway]);
        assert_eq!(has(&host, &place).0, Vec::<String>::new(), "no address except the assigned one");

        let lease = format!("addr add {}/128 dev eth0\n", interface.ip);
        host.space(&place).batch(Family::V6, &lease).unwrap();
        for other in &network.interfaces {
            let name = format!("{}.{}", other.hostname, network.dns_name);
            assert_eq!(IpAddr::V6(resolved(&place, gateway, &name)), other.ip);
        }
    }
}

/// Older kernels cannot forward IPv6 between two links only.
fn forwards_per_link() -> bool {
    std::path::Path::new("/proc/sys/net/ipv6/conf/all/force_forwarding").exists()
}

/// The first guest has a floating address, and the second one sends from ports of a shared one.
fn vpc_with_external() -> Network {
    let source_nat = SourceNat { ip: ip(SHARED), first_port: 16_384, last_port: 32_767 };
    vpc([
        ExternalAddresses { floating: vec![ip(GUEST)], ..ExternalAddresses::default() },
        ExternalAddresses { source_nat: Some(source_nat), ..ExternalAddresses::default() },
    ])
}

/// Sends enough data for many packets.
const LENGTH: usize = 100_000;

#[test]
fn guests_receive_packet_too_big_messages() {
    if !in_own_network("qemu::vpc::tests::carried::guests_receive_packet_too_big_messages") {
        return;
    }
    let mut host = Host::open(None);
    if !forwards_per_link() {
        host.vpcs.tools.host().settings(&["ipv6/conf/all/forwarding=1"]).unwrap();
    }
    let outside = join(&host, "wan0", ip(HOST), ip(NEIGHBOUR));
    host.vpcs.tools.host().batch(Family::V4, "link set wan0 mtu 1300\n").unwrap();
    let network = vpc_with_external();
    host.vpcs.external = Some("wan0".to_owned());
    host.vpcs.ensure(&network).unwrap();
    let listener = inside(&outside, listen);
    for interface in &network.interfaces {
        let guest = host.guest(&network, interface);
        let mut stream = inside(&guest, || TcpStream::connect((ip(NEIGHBOUR), PORT)).unwrap());
        let (mut heard, _) = listener.accept().unwrap();
        heard.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        let sender = thread::spawn(move || stream.write_all(&vec![7; LENGTH]).unwrap());
        let mut received = Vec::new();
        heard.read_to_end(&mut received).unwrap();
        sender.join().unwrap();
        assert_eq!(received.len(), LENGTH);
        let learned = host.space(&guest).show(Some(Family::V6), &["route", "get", NEIGHBOUR]).unwrap();
        assert!(learned.to_string().contains("\"mtu\":1300"), "{learned}");
    }
}

#[test]
fn guests_reach_what_is_beyond_an_external_interface_and_nothing_else() {
    if !in_own_network(
        "qemu::vpc::tests::carried::guests_reach_what_is_beyond_an_external_interface_and_nothing_else",
    ) {
        return;
    }
    let mut host = Host::open(None);
    if !forwards_per_link() {
        host.vpcs.tools.host().settings(&["ipv6/conf/all/forwarding=1"]).unwrap();
    }
    let outside = join(&host, "wan0", ip(HOST), ip(NEIGHBOUR));
    let elsewhere = join(&host, "lan0", ip("2001:db8:2::1"), ip(ELSEWHERE));
    let network = vpc_with_external();
    host.vpcs.ensure(&network).unwrap();
    let guests = [0, 1].map(|number| host.guest(&network, &network.interfaces[number]));
    let [own, shared] = guests.each_ref().map(String::as_str);
    let asked = [own, &outside, &elsewhere].map(|place| inside(place, listen));
    let [guest, neighbour, other] = &asked;
    let service = listen();

    let check_closed = || {
        assert_eq!(asker(neighbour, Some(own), ip(NEIGHBOUR)), None, "no external network");
        assert_eq!(asker(guest, Some(&outside), ip(GUEST)), None);
    };
    check_closed();
    assert!(asker(guest, None, ip(GUEST)).is_some(), "the host itself reaches it");
    let seen =
        asker_and_port(guest, Some(shared), ip(GUEST)).expect("guests reach each other through the edge");
    assert!(seen.ip() == ip(SHARED) && (16_384..32_768).contains(&seen.port()), "{seen}");

    host.vpcs.external = Some("wan0".to_owned());
    host.vpcs.ensure(&network).unwrap();
    assert_eq!(*host.vpcs.obstacle.lock(), None);
    let found = asker(neighbour, Some(own), ip(NEIGHBOUR));
    assert_eq!(found, Some(ip(GUEST)), "an address of the neighbor's network is kept");
    assert_eq!(
        asker(neighbour, Some(shared), ip(NEIGHBOUR)),
        Some(ip(HOST)),
        "other addresses are replaced by the host's"
    );
    assert_eq!(asker(guest, Some(&outside), ip(GUEST)), Some(ip(NEIGHBOUR)));
    assert!(asker(guest, None, ip(GUEST)).is_some());
    assert!(
        pings(own, NEIGHBOUR) && pings(shared, NEIGHBOUR),
        "ICMP echo uses identifiers in place of ports"
    );
    assert!(is_unanswered(&outside, GUEST), "no rule allows it");

    // The host and its other networks cannot be reached, and settings of other programs are not changed.
    let own_address = names::HOST_ADDRESS[Family::V6 as usize];
    for (place, address) in guests.iter().flat_map(|place| [(place, ip(HOST)), (place, own_address)]) {
        assert_eq!(asker(&service, Some(place), address), None, "{address} belongs to the host");
    }
    assert_eq!(asker(&service, Some(&outside), ip(HOST)), Some(ip(NEIGHBOUR)));
    assert_eq!(asker(other, Some(own), ip(ELSEWHERE)), None);
    assert_eq!(asker(guest, Some(&elsewhere), ip(GUEST)), None);
    if forwards_per_link() {
        assert_eq!(asker(other, Some(&outside), ip(ELSEWHERE)), None, "the host does not route for others");
    }

    host.close(&network, Family::V6, check_closed);
    assert!(asker(guest, None, ip(GUEST)).is_some());
}

#[test]
fn obstacles_to_ipv6_forwarding_are_reported() {
    if !in_own_network("qemu::vpc::tests::carried::obstacles_to_ipv6_forwarding_are_reported") {
        return;
    }
    let mut host = Host::open(None);
    let outside = join(&host, "wan0", "198.51.100.1".parse().unwrap(), "198.51.100.2".parse().unwrap());
    let floating = vec![ip(GUEST)];
    let network =
        vpc([ExternalAddresses { floating, ..ExternalAddresses::default() }, ExternalAddresses::default()]);
    host.vpcs.external = Some("wan0".to_owned());
    host.vpcs.ensure(&network).unwrap();
    let _guest = host.guest(&network, &network.interfaces[0]);
    let forwards = if forwards_per_link() { Ipv6Obstacle::NoAddress } else { Ipv6Obstacle::NoForwarding };
    assert_eq!(*host.vpcs.obstacle.lock(), Some(forwards));
    let own = host.vpcs.tools.host();
    own.settings(&["ipv6/conf/wan0/disable_ipv6=1"]).unwrap();
    host.vpcs.watch().unwrap();
    assert_eq!(*host.vpcs.obstacle.lock(), Some(Ipv6Obstacle::SwitchedOff));
    own.settings(&["ipv6/conf/wan0/disable_ipv6=0"]).unwrap();
    own.batch(Family::V6, &format!("addr add {HOST}/64 dev wan0 nodad\n")).unwrap();
    host.vpcs.watch().unwrap();
    assert_eq!(
        *host.vpcs.obstacle.lock(),
        if forwards_per_link() { None } else { Some(Ipv6Obstacle::NoForwarding) }
    );
    host.vpcs.tools.delete_namespace(&outside).unwrap();
    wait_for("the interface to go", || {
        host.vpcs.tools.host().links().unwrap().iter().all(|link| link != "wan0").then_some(())
    });
    host.vpcs.watch().unwrap();
    assert_eq!(*host.vpcs.obstacle.lock(), Some(Ipv6Obstacle::InterfaceGone));
}

#[test]
fn host_keeps_accepting_router_advertisements() {
    if !in_own_network("qemu::vpc::tests::carried::host_keeps_accepting_router_advertisements")
        || !forwards_per_link()
    {
        return;
    }
    let mut host = Host::open(None);
    let _outside = join(&host, "wan0", ip(HOST), ip(NEIGHBOUR));
    host.vpcs.tools.host().settings(&["ipv6/conf/wan0/accept_ra=1"]).unwrap();
    host.vpcs.external = Some("wan0".to_owned());
    let network = vpc(Default::default());
    host.vpcs.ensure(&network).unwrap();
    let _guest = host.guest(&network, &network.interfaces[0]);
    let setting = |path: &str| host.vpcs.tools.host().setting(path).unwrap();
    assert_eq!(setting("ipv6/conf/wan0/accept_ra"), Some(2));
    assert_eq!(setting("ipv6/conf/all/forwarding"), Some(0), "the other links are not changed");
    host.vpcs.watch().unwrap();
    assert_eq!(setting("ipv6/conf/wan0/accept_ra"), Some(2));

    // Settings that are no longer needed are restored.
    let next = Vpcs::open(host.sled, Accounts::available(), None, &[], &Programs::default()).unwrap();
    for (name, value) in [("accept_ra", 1), ("forwarding", 0), ("force_forwarding", 0), ("proxy_ndp", 0)] {
        assert_eq!(setting(&format!("ipv6/conf/wan0/{name}")), Some(value), "{name}");
    }
    assert_eq!(setting("ipv4/conf/wan0/forwarding"), Some(0));
    host.vpcs = next;
}
