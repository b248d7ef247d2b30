//! Inbound ICMP to a host whose setting forbids it.

use std::{
    io,
    net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener, TcpStream, UdpSocket},
    time::Duration,
};

use rustix::{
    fd::OwnedFd,
    net::{
        AddressFamily, RecvFlags, SendFlags, SocketType, bind, ipproto, recv, sendto, socket,
        sockopt::{Timeout, set_socket_timeout},
    },
};

use super::{
    super::{
        super::programs::{LIMIT, run},
        inbound_icmp::{InboundIcmp, ruleset},
        ranges::Family,
    },
    live::{Host, in_own_network, inside, wait_for},
};

const HOST: [&str; 2] = ["198.51.100.1", "2001:db8::1"];
const NEIGHBOUR: [&str; 2] = ["198.51.100.2", "2001:db8::2"];

fn ip(text: &str) -> IpAddr {
    text.parse().unwrap()
}

#[test]
fn the_rules_about_icmp_as_text() {
    let some = ["192.0.2.1", "2001:db8::1", "192.0.2.2"].map(ip);
    let all =
        [&some[..], &[ip("0.0.0.0")], &[ip("::")], &[]].map(|addresses| ruleset("croft-icmp-x", addresses));
    insta::assert_snapshot!(all.join("---\n"));
}

fn checksum(bytes: &[u8]) -> u16 {
    let words = bytes.chunks(2).map(|pair| u32::from(u16::from_be_bytes([pair[0], pair[1]])));
    let sum: u32 = words.sum();
    !u16::try_from((sum & 0xffff) + (sum >> 16)).unwrap()
}

/// Whether an address answers a ping within a time limit.
fn answers(address: &str, asks: u16) -> bool {
    answers_to(None, address, asks)
}

/// The same, from this address.
pub(super) fn answers_to(source: Option<&str>, address: &str, asks: u16) -> bool {
    let to = ip(address);
    let (family, protocol, question, answer) = match to {
        IpAddr::V4(_) => (AddressFamily::INET, ipproto::ICMP, 8, 0),
        IpAddr::V6(_) => (AddressFamily::INET6, ipproto::ICMPV6, 128, 129),
    };
    let socket: OwnedFd = socket(family, SocketType::RAW, Some(protocol)).unwrap();
    set_socket_timeout(&socket, Timeout::Recv, Some(Duration::from_millis(500))).unwrap();
    if let Some(source) = source {
        bind(&socket, &SocketAddr::new(ip(source), 0)).unwrap();
    }
    let number = u16::try_from(std::process::id() & 0x7fff).unwrap();
    for asked in 0..asks {
        let mut packet = [question, 0, 0, 0, 0, 0, 0, 0];
        packet[4..6].copy_from_slice(&number.to_be_bytes());
        packet[6..8].copy_from_slice(&asked.to_be_bytes());
        let sum = checksum(&packet).to_be_bytes();
        packet[2..4].copy_from_slice(&sum);
        // Without a route, the kernel may report an error immediately.
        if sendto(&socket, &packet, SendFlags::empty(), &SocketAddr::new(to, 0)).is_err() {
            continue;
        }
        let mut received = [0; 256];
        while let Ok((_, length)) = recv(&socket, &mut received[..], RecvFlags::empty()) {
            // IPv4 packets are received with their header.
            let start = if to.is_ipv4() { usize::from(received[0] & 15) * 4 } else { 0 };
            let body = &received[start..length];
            if body.first() == Some(&answer) && body[4..6] == number.to_be_bytes() {
                return true;
            }
        }
    }
    false
}

fn connects(address: &str, port: u16) -> bool {
    TcpStream::connect_timeout(&SocketAddr::new(ip(address), port), Duration::from_secs(5)).is_ok()
}

/// Whether a closed port is reported by an ICMP error.
fn is_refused(address: &str) -> bool {
    let any = if ip(address).is_ipv4() { "0.0.0.0:0" } else { "[::]:0" };
    let socket = UdpSocket::bind(any).unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    socket.connect(SocketAddr::new(ip(address), 9)).unwrap();
    socket.send(b"?").unwrap();
    socket.recv(&mut [0; 8]).unwrap_err().kind() == io::ErrorKind::ConnectionRefused
}

#[test]
fn host_drops_pings_only_if_configured() {
    if !in_own_network("qemu::vpc::tests::icmp::host_drops_pings_only_if_configured") {
        return;
    }
    let host = Host::open(None);
    let outside = host.place("outside");
    let own = host.vpcs.tools.host();
    let lines = format!("link add wan0 type veth peer name eth0 netns {outside}\nlink set wan0 up\n");
    own.batch(Family::V4, &lines).unwrap();
    for (space, link, addresses) in [(own, "wan0", HOST), (host.space(&outside), "eth0", NEIGHBOUR)] {
        let [v4, v6] = addresses;
        let lines = format!("link set lo up\nlink set {link} up\naddr add {v4}/24 dev {link}\n");
        space.batch(Family::V4, &lines).unwrap();
        space.batch(Family::V6, &format!("addr add {v6}/64 dev {link} nodad\n")).unwrap();
    }
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("icmp-table");
    let listeners = HOST.map(|address| TcpListener::bind(SocketAddr::new(ip(address), 0)).unwrap());
    let ports = listeners.each_ref().map(|listener| listener.local_addr().unwrap().port());
    let guard = InboundIcmp::open(folder.path(), HOST.map(ip).to_vec()).unwrap();
    let from_outside = |address: &'static str, asks| inside(&outside, move || answers(address, asks));
    for address in HOST {
        wait_for("an answer", || from_outside(address, 1).then_some(()));
    }

    guard.forbid().unwrap();
    guard.forbid().unwrap();
    for (address, port) in HOST.into_iter().zip(ports) {
        assert!(!from_outside(address, 2), "{address} answers");
        assert!(inside(&outside, move || connects(address, port)), "{address} can be connected to");
        assert!(answers(address, 10), "the host can ping itself");
    }
    for address in NEIGHBOUR {
        assert!(answers(address, 10), "the host can ping {address}");
        assert!(is_refused(address), "errors of {address} arrive");
    }
    // The neighbor has to resolve the host's address again.
    host.space(&outside).batch(Family::V6, "neigh flush dev eth0\n").unwrap();
    assert!(inside(&outside, move || connects(HOST[1], ports[1])));

    // The next server removes what a crashed one has left.
    assert!(file.exists());
    let next = InboundIcmp::open(folder.path(), vec![Ipv4Addr::UNSPECIFIED.into()]).unwrap();
    assert!(!file.exists());
    assert!(HOST.iter().all(|address| from_outside(address, 10)));
    next.forbid().unwrap();
    assert!(!from_outside(HOST[0], 2));
    assert!(from_outside(HOST[1], 10), "the server does not listen on IPv6");
    InboundIcmp::clear(folder.path()).unwrap();
    assert!(from_outside(HOST[0], 10));
    next.allow().unwrap();
    let left = run(std::process::Command::new("nft").args(["list", "tables"]), None, LIMIT);
    assert!(!left.unwrap().contains("croft-icmp"));
}
