//! IPv6 in guests, as their kernel sees it: it learns the route from the gateway, but no prefix from which to derive an
//! address.

use std::net::IpAddr;

use croft_network::Rule;
use croft_sled::Hypervisor as _;

use crate::{
    host::{log_in, run, wait_for_end},
    vpcs::{PING, allow, begin, begin_two, interface, network, until},
};

const ADDRESSES: [&str; 2] = ["fd00:1:2::5", "fd00:1:2::6"];
const GATEWAY: &str = "fd00:1:2::1";

#[test]
fn guests_of_a_vpc_reach_each_other_by_ipv6() {
    let Some((_folder, qemu, _leftovers, image)) =
        begin("newer_addresses::guests_of_a_vpc_reach_each_other_by_ipv6")
    else {
        return;
    };

    let interfaces = ADDRESSES.into_iter().zip(1..).map(|(address, number)| {
        let ip: IpAddr = address.parse().unwrap();
        croft_network::Interface { ip, ..interface(number, number) }
    });
    let mut network = network(1024, interfaces.collect(), &[]);
    let internal = allow(&network, PING, &[]);
    let hosts = Some(vec!["fd00:1:2::/48".parse().unwrap()]);
    network.rules = vec![Rule { hosts, protocols: None, ..internal }];
    let to_subnet = network.subnets[0].system_routes[0].clone();
    let to_subnet = croft_network::Route { destination: "fd00:1:2::/64".parse().unwrap(), ..to_subnet };
    network.subnets[0].system_routes = [to_subnet].into_iter().collect();
    qemu.ensure_network(&network).unwrap();
    let (specs, lines) = begin_two(&qemu, &network, &image);
    for (line, (spec, address)) in lines.iter().zip(specs.iter().zip(ADDRESSES)) {
        log_in(line, &spec.hostname);
        until(line, "ip -6 route | grep -q '^default via fe80::'");
        run(line, "! ip -6 addr show dev eth0 scope global | grep inet6");
        // The guest image has no DHCPv6 client, so configure the address that the lease would contain.
        run(line, &format!("ip -6 addr add {address}/128 dev eth0"));
        run(line, &format!("echo nameserver {GATEWAY} >/etc/resolv.conf"));
        until(line, &format!("ping6 -c 1 -w 5 {GATEWAY} >/dev/null"));
    }
    let [first, second] = &lines;
    assert!(until(first, &format!("ping6 -c 1 -w 5 {}", ADDRESSES[1])).contains("1 packets received"));
    assert!(until(second, "ping6 -c 1 -w 5 db1.shop").contains(ADDRESSES[0]));
    run(second, "ip -6 addr add fd00:1:2::9/128 dev eth0");
    run(second, &format!("! ping6 -c 1 -w 2 -I fd00:1:2::9 {}", ADDRESSES[0]));
    run(second, "ip -6 addr del fd00:1:2::9/128 dev eth0");
    network.rules.clear();
    qemu.ensure_network(&network).unwrap();
    run(second, &format!("! ping6 -c 1 -w 2 {}", ADDRESSES[0]));

    for spec in &specs {
        wait_for_end(&qemu, spec);
    }
    qemu.retain_networks(&[]).unwrap();
}
