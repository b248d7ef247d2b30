//! Traffic between guests and hosts beyond the external interface. A namespace with a resolver and a service stands in
//! for the external network.

use std::{
    fs,
    io::{Read as _, Write as _},
    net::{Ipv4Addr, SocketAddr, SocketAddrV4, TcpListener, TcpStream},
    os::fd::AsFd as _,
    path::{Path, PathBuf},
    process::{Child, Command},
    thread,
    time::Duration,
};

use croft_api::firewall::{VpcFirewallRuleAction, VpcFirewallRuleDirection, VpcFirewallRuleProtocol};
use croft_network::Rule;
use croft_sled::{
    Hypervisor as _,
    qemu::{GuestNetwork, Qemu, QemuOptions},
};
use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};

use crate::{
    host::{self, log_in, wait_for_end},
    vpcs::{Leftovers, SHARED, allow, begin_two, interface, network, shared, until, until_not, wait_for},
};

const HOST: Ipv4Addr = Ipv4Addr::new(198, 51, 100, 1);
const EXTERNAL_HOST: Ipv4Addr = Ipv4Addr::new(198, 51, 100, 2);
/// In the interface's own subnet, so external hosts find it by ARP.
const FLOATING: &str = "198.51.100.10";
const NAME: &str = "service.example";

/// A namespace in place of the external network, connected to the host's interface `wan0`.
struct ExternalNetwork {
    name: String,
    resolver: Option<Child>,
}

impl ExternalNetwork {
    fn new() -> Self {
        let external = Self { name: format!("croft-test-world-{}", std::process::id()), resolver: None };
        let name = &external.name;
        let enter = format!("-n {name}");
        for line in [
            &format!("netns add {name}"),
            &format!("link add wan0 type veth peer name eth0 netns {name}"),
            &format!("addr add {HOST}/24 dev wan0"),
            "link set wan0 up",
            &format!("{enter} link set lo up"),
            &format!("{enter} addr add {EXTERNAL_HOST}/24 dev eth0"),
            &format!("{enter} link set eth0 up"),
        ] {
            let done = Command::new("ip").args(line.split(' ')).status().expect("ip");
            assert!(done.success(), "ip {line}");
        }
        external
    }

    fn path(&self) -> PathBuf {
        Path::new("/run/netns").join(&self.name)
    }

    /// Starts a resolver that knows one name.
    fn start_resolver(&mut self) {
        let resolver = Command::new("nsenter")
            .arg(format!("--net={}", self.path().display()))
            .args([
                "--",
                "dnsmasq",
                "--keep-in-foreground",
                "--no-resolv",
                "--no-hosts",
                "--conf-file=/dev/null",
            ])
            .args(["--bind-interfaces", &format!("--listen-address={EXTERNAL_HOST}"), "--pid-file="])
            .arg(format!("--address=/{NAME}/{EXTERNAL_HOST}"))
            .spawn();
        self.resolver = Some(resolver.expect("dnsmasq"));
    }

    /// Runs a function in the namespace.
    fn inside<T: Send>(&self, work: impl FnOnce() -> T + Send) -> T {
        let file = fs::File::open(self.path()).unwrap();
        thread::scope(|scope| {
            let there = scope.spawn(move || {
                move_into_link_name_space(file.as_fd(), Some(LinkNameSpaceType::Network)).unwrap();
                work()
            });
            there.join().unwrap()
        })
    }

    /// Returns the output of port 22 of the first guest.
    fn greeting(&self) -> Option<String> {
        self.inside(|| {
            let address = SocketAddr::new(FLOATING.parse().unwrap(), 22);
            let mut stream = TcpStream::connect_timeout(&address, Duration::from_secs(1)).ok()?;
            stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
            let mut text = String::new();
            stream.read_to_string(&mut text).ok()?;
            Some(text)
        })
    }
}

impl Drop for ExternalNetwork {
    fn drop(&mut self) {
        if let Some(mut resolver) = self.resolver.take() {
            let _ = resolver.kill();
            let _ = resolver.wait();
        }
        let _ = Command::new("ip").args(["netns", "del", &self.name]).status();
    }
}

fn open(folder: &Path) -> Result<Qemu, String> {
    let options = QemuOptions {
        networks: vec![GuestNetwork::Vpc],
        external_interface: Some("wan0".to_owned()),
        resolvers: vec![SocketAddrV4::new(EXTERNAL_HOST, 53).into()],
        ..host::options(folder)
    };
    Qemu::open(options).map_err(|error| error.to_string())
}

#[test]
fn guests_and_external_hosts_communicate_by_firewall_rules() {
    if !host::in_own_network("world::guests_and_external_hosts_communicate_by_firewall_rules") {
        return;
    }
    let Some(image) = host::guest_image() else { return };
    let mut external = ExternalNetwork::new();
    let folder = host::folder();
    let qemu = match open(folder.path()) {
        Ok(qemu) => qemu,
        Err(reason) => return host::skip(&reason),
    };
    let _leftovers = Leftovers::of(folder.path());
    external.start_resolver();

    let (mut first, mut second) = (interface(1, 5), interface(2, 6));
    first.external.floating = vec![FLOATING.parse().unwrap()];
    second.external.source_nat = Some(shared(1));
    let mut network = network(1024, vec![first, second], &[FLOATING, SHARED]);
    network.rules = vec![allow(&network, VpcFirewallRuleProtocol::Tcp, &["22"])];
    qemu.ensure_network(&network).unwrap();
    let (specs, lines) = begin_two(&qemu, &network, &image);
    for (line, spec) in lines.iter().zip(&specs) {
        log_in(line, &spec.hostname);
        until(line, &format!("ifconfig eth0 | grep -q inet.addr:{}", spec.interfaces[0].ip));
    }
    let [first, second] = &lines;

    // Guests resolve external names and those of the VPC.
    assert!(until(first, &format!("ping -c 1 -w 5 {NAME}")).contains(&format!("({EXTERNAL_HOST})")));
    assert!(until(second, &format!("ping -c 1 -w 5 {NAME}")).contains("1 packets received"));
    assert!(until(second, "nslookup db1.shop").contains("172.30.0.5"));
    let service = external.inside(|| TcpListener::bind((EXTERNAL_HOST, 4000)).unwrap());
    let fetch = format!("nc -w 5 {NAME} 4000 </dev/null | grep welcome");
    let clients = thread::spawn(move || {
        let mut peers = Vec::new();
        for stream in service.incoming() {
            let mut stream = stream.unwrap();
            let peer = stream.peer_addr().unwrap().ip();
            if peer == EXTERNAL_HOST {
                return peers;
            }
            peers.push(peer);
            // The guest may have closed the connection of an earlier attempt.
            let _ = stream.write_all(b"welcome\n");
        }
        peers
    });
    until(first, &fetch);
    until(second, &fetch);

    // The external network reaches the floating IP if rules allow it.
    host::run(first, "(while true; do echo hello | nc -l -p 22; done >/dev/null 2>&1 &)");
    assert_eq!(wait_for("the floating address", || external.greeting()), "hello\n");

    let deny = Rule {
        action: VpcFirewallRuleAction::Deny,
        direction: VpcFirewallRuleDirection::Outbound,
        targets: vec![network.interfaces[1].id],
        hosts: Some(vec![format!("{EXTERNAL_HOST}/32").parse().unwrap()]),
        protocols: None,
        ..network.rules[0].clone()
    };
    let deny = Rule { ports: None, ..deny };
    network.rules.insert(0, deny);
    qemu.ensure_network(&network).unwrap();
    until_not(second, &fetch);
    host::run(second, &format!("! ping -c 1 -w 2 {EXTERNAL_HOST}"));
    until(first, &fetch);
    network.rules.clear();
    qemu.ensure_network(&network).unwrap();
    until(second, &fetch);
    wait_for("the rules to take effect", || external.greeting().is_none().then_some(()));

    drop(external.inside(|| TcpStream::connect((EXTERNAL_HOST, 4000)).unwrap()));
    let peers = clients.join().unwrap();
    assert_eq!(peers[0].to_string(), FLOATING, "the source is the guest's floating IP");
    assert!(peers.contains(&HOST.into()), "SNAT addresses are replaced by the host's: {peers:?}");
    assert!(peers.iter().all(|peer| peer.to_string() == FLOATING || *peer == HOST), "{peers:?}");

    for spec in &specs {
        wait_for_end(&qemu, spec);
    }
    qemu.retain_networks(&[]).unwrap();
}
