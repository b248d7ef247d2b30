//! VPCs as guests see them: packets behave as rules, routes and addresses require.

use std::{
    fs,
    io::Read as _,
    net::{IpAddr, SocketAddr, TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::Command,
    sync::Arc,
    time::{Duration, Instant},
};

use croft_api::{
    firewall::{VpcFirewallRuleAction, VpcFirewallRuleDirection, VpcFirewallRuleProtocol},
    router::VpcRouterKind,
    scalar::{IpNet, MacAddr, Vni},
};
use croft_network::{
    ExternalAddresses, Interface, Network, Route, RouteTarget, Routes, Rule, SourceNat, Subnet,
};
use croft_sled::{
    Counted, ExpectedMachine, Hypervisor as _, HypervisorError, MachineInterface, MachineSpec, SerialLine,
    qemu::{GuestNetwork, Qemu, QemuOptions},
};
use jiff::Timestamp;
use uuid::Uuid;

use crate::host::{self, Folder, import, log_in, run, wait_for_end};

const LIMIT: Duration = Duration::from_mins(1);
pub const FLOATING: &str = "10.128.0.10";
pub const SHARED: &str = "10.128.0.20";

pub fn open(folder: &Path) -> Result<Qemu, String> {
    Qemu::open(QemuOptions { networks: vec![GuestNetwork::Vpc], ..host::options(folder) })
        .map_err(|error| error.to_string())
}

/// QEMU with VPCs in a new network namespace, and the image of its guests. `None` if this run is not the one in the
/// namespace, or a prerequisite is missing.
pub fn begin(test: &str) -> Option<(Folder, Qemu, Leftovers, PathBuf)> {
    if !host::in_own_network(test) {
        return None;
    }
    let image = host::guest_image()?;
    let folder = host::folder();
    match open(folder.path()) {
        Ok(qemu) => {
            let leftovers = Leftovers::of(folder.path());
            Some((folder, qemu, leftovers, image))
        }
        Err(reason) => {
            host::skip(&reason);
            None
        }
    }
}

/// Removes what a test leaves outside of its folder when dropped.
pub struct Leftovers(String);

impl Leftovers {
    /// For the host whose identity is in a folder.
    pub fn of(folder: &Path) -> Self {
        let identity = fs::read_to_string(folder.join("qemu/host.json")).unwrap();
        let sled = identity.split("\"sled\":\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
        Self(format!("croft-{}", &sled[sled.len() - 8..]))
    }

    /// The namespace of a VPC.
    pub fn namespace(&self, vni: u32) -> String {
        format!("{}-{vni}", self.0)
    }

    /// The folder of a VPC's dnsmasq.
    pub fn service(&self, vni: u32) -> PathBuf {
        Path::new("/run").join(&self.0).join(vni.to_string())
    }

    fn namespaces(&self) -> Vec<String> {
        let all = fs::read_dir("/run/netns").into_iter().flatten().filter_map(Result::ok);
        all.map(|entry| entry.file_name().into_string().unwrap())
            .filter(|name| name.starts_with(&self.0))
            .collect()
    }
}

impl Drop for Leftovers {
    fn drop(&mut self) {
        for name in self.namespaces() {
            let pids = Command::new("ip").args(["netns", "pids", &name]).output().expect("ip").stdout;
            for pid in String::from_utf8_lossy(&pids).split_whitespace() {
                let _ = Command::new("kill").args(["-9", pid]).status();
            }
            let _ = Command::new("ip").args(["netns", "del", &name]).status();
        }
        let _ = fs::remove_dir_all(Path::new("/run").join(&self.0));
    }
}

pub fn interface(number: u8, host: u8) -> Interface {
    Interface {
        id: Uuid::from_u128(0x2000 + u128::from(number)),
        name: "net0".parse().unwrap(),
        parent_id: Uuid::from_u128(0x3000 + u128::from(number)),
        parent_name: format!("db{number}").parse().unwrap(),
        is_probe: false,
        hostname: format!("db{number}"),
        subnet_id: Uuid::from_u128(0x11),
        ip: IpAddr::from([172, 30, 0, host]),
        mac: MacAddr([0xa8, 0x40, 0x25, 0xf0, 0, number]),
        primary: true,
        transit_ips: Vec::new(),
        external: ExternalAddresses::default(),
    }
}

pub fn shared(block: u16) -> SourceNat {
    let first_port = block * 16_384;
    SourceNat { ip: SHARED.parse().unwrap(), first_port, last_port: first_port + 16_383 }
}

/// A VPC of these interfaces, whose gateway has these external addresses.
pub fn network(vni: u32, interfaces: Vec<Interface>, external: &[&str]) -> Network {
    let subnet_id = Uuid::from_u128(0x11);
    let route = |name: &str, destination: &str, target| Route {
        id: Uuid::from_u128(0x300),
        name: name.parse().unwrap(),
        router_id: Uuid::from_u128(0x301),
        router_name: "system".parse().unwrap(),
        router_kind: VpcRouterKind::System,
        destination: destination.parse().unwrap(),
        target,
    };
    let addresses = external.iter().map(|address| address.parse().unwrap()).collect();
    let gateway =
        RouteTarget::Gateway { id: Uuid::from_u128(0x400), name: "default".parse().unwrap(), addresses };
    let routes =
        [route("a", "172.30.0.0/22", RouteTarget::Subnet(subnet_id)), route("b", "0.0.0.0/0", gateway)];
    let subnet = Subnet {
        id: subnet_id,
        name: "default".parse().unwrap(),
        ipv4: "172.30.0.0/22".parse().unwrap(),
        ipv6: "fd00:1:2::/64".parse().unwrap(),
        system_routes: routes.into_iter().collect(),
        custom_routes: Routes::default(),
    };
    let id = Uuid::from_u128(vni.into());
    let dns_name = "shop".parse().unwrap();
    let rules = Vec::new();
    Network { id, vni: Vni::try_from(vni).unwrap(), dns_name, subnets: vec![subnet], interfaces, rules }
}

pub fn allow(network: &Network, protocol: VpcFirewallRuleProtocol, ports: &[&str]) -> Rule {
    Rule {
        id: Uuid::from_u128(0x500),
        name: "allow".parse().unwrap(),
        priority: 1,
        direction: VpcFirewallRuleDirection::Inbound,
        action: VpcFirewallRuleAction::Allow,
        targets: network.interfaces.iter().map(|interface| interface.id).collect(),
        hosts: None,
        protocols: Some(vec![protocol]),
        ports: (!ports.is_empty()).then(|| ports.iter().map(|port| port.parse().unwrap()).collect()),
    }
}

pub const PING: VpcFirewallRuleProtocol = VpcFirewallRuleProtocol::Icmp { value: None };

pub fn machine(network: &Network, interface: &Interface, disk: Uuid) -> MachineSpec {
    let number = interface.mac.0[5].into();
    let link = MachineInterface {
        id: interface.id,
        slot: 0,
        vpc_id: network.id,
        mac: interface.mac,
        ip: interface.ip,
        subnet: match interface.ip {
            IpAddr::V4(_) => IpNet::V4(network.subnets[0].ipv4),
            IpAddr::V6(_) => IpNet::V6(network.subnets[0].ipv6),
        },
    };
    MachineSpec { interfaces: vec![link], ..host::machine(number, &interface.hostname, disk, "") }
}

/// Starts a guest at each of the first two interfaces of a VPC.
pub fn begin_two(qemu: &Qemu, network: &Network, image: &Path) -> ([MachineSpec; 2], [Arc<SerialLine>; 2]) {
    let specs = [0, 1].map(|number| {
        let disk = host::disk(number as u128 + 1, None);
        import(qemu, &disk, image);
        machine(network, &network.interfaces[number], disk.id)
    });
    for spec in &specs {
        qemu.ensure_machine(spec).unwrap();
    }
    let lines = specs.each_ref().map(|spec| qemu.serial(spec.id).unwrap());
    (specs, lines)
}

/// Repeats a command on a guest until it succeeds.
pub fn until(line: &SerialLine, command: &str) -> String {
    let tries = format!("i=0; until {command}; do i=$((i+1)); [ $i -lt 60 ] || break; usleep 200000; done");
    run(line, &tries);
    run(line, command)
}

/// Repeats a command on a guest until it fails.
pub fn until_not(line: &SerialLine, command: &str) {
    until(line, &format!("! {command}"));
}

/// Returns the output of port 22 of the first guest, read from the host's network.
fn greeting(port: u16) -> Option<String> {
    let address = SocketAddr::new(FLOATING.parse().unwrap(), port);
    let mut stream = TcpStream::connect_timeout(&address, Duration::from_secs(1)).ok()?;
    stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).ok()?;
    Some(text)
}

pub fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + LIMIT;
    loop {
        match look() {
            Some(found) => return found,
            None => assert!(Instant::now() < end, "timed out waiting for {what}"),
        }
    }
}

/// Three guests: two in one VPC, and one in another VPC with the same addresses.
struct Fixture {
    folder: Folder,
    networks: [Network; 2],
    specs: Vec<MachineSpec>,
}

impl Fixture {
    fn start(folder: Folder, qemu: &Qemu, image: &Path) -> Self {
        let (mut first, mut second) = (interface(1, 5), interface(2, 6));
        first.external.floating = vec![FLOATING.parse().unwrap()];
        first.external.source_nat = Some(shared(0));
        second.external.source_nat = Some(shared(1));
        let mut other = interface(3, 6);
        other.external.source_nat = Some(shared(2));
        let mut one = network(1024, vec![first, second], &[FLOATING, SHARED]);
        one.rules = vec![allow(&one, PING, &[])];
        let two = network(1025, vec![other], &[FLOATING, SHARED]);
        let specs = [(&one, 0), (&one, 1), (&two, 0)]
            .into_iter()
            .zip(1..)
            .map(|((network, number), disk)| {
                let disk = host::disk(disk, None);
                import(qemu, &disk, image);
                machine(network, &network.interfaces[number], disk.id)
            })
            .collect();
        Self { folder, networks: [one, two], specs }
    }

    fn ensure_networks(&self, qemu: &Qemu) {
        self.networks.iter().for_each(|network| qemu.ensure_network(network).unwrap());
        qemu.retain_networks(&self.networks.each_ref().map(|network| network.id)).unwrap();
    }
}

#[test]
fn kernel_rules_agree_with_packet_decisions() {
    let Some((folder, qemu, leftovers, image)) = begin("vpcs::kernel_rules_agree_with_packet_decisions")
    else {
        return;
    };
    let mut fixture = Fixture::start(folder, &qemu, &image);
    let unknown = qemu.ensure_machine(&fixture.specs[0]);
    assert!(matches!(unknown, Err(HypervisorError::Unreachable(_))), "its VPC was not set up: {unknown:?}");
    fixture.ensure_networks(&qemu);
    for spec in &fixture.specs {
        qemu.ensure_machine(spec).unwrap();
    }
    let lines: Vec<_> = fixture.specs.iter().map(|spec| qemu.serial(spec.id).unwrap()).collect();
    for (line, spec) in lines.iter().zip(&fixture.specs) {
        log_in(line, &spec.hostname);
        until(line, &format!("ifconfig eth0 | grep -q inet.addr:{}", spec.interfaces[0].ip));
    }
    inside(&fixture, &qemu, &lines);
    rules_change(&mut fixture, &qemu, &lines);
    outside(&lines);
    check_isolation(&lines);

    let reports: Vec<_> =
        fixture.specs.iter().map(|spec| qemu.observe_machine(spec.sled_id, spec.id).unwrap()).collect();
    drop((qemu, lines));
    assert_eq!(wait_for("networks do not need the server", || greeting(22)), "hello\n");
    let qemu = open(fixture.folder.path()).unwrap();
    let expected: Vec<_> = fixture
        .specs
        .iter()
        .zip(reports)
        .map(|(spec, last_report)| ExpectedMachine { spec: spec.clone(), last_report, is_registered: true })
        .collect();
    qemu.adopt(&expected, Timestamp::UNIX_EPOCH).unwrap();
    fixture.networks[0].rules.clear();
    fixture.ensure_networks(&qemu);
    wait_for("a rule to be gone", || greeting(22).is_none().then_some(()));
    fixture.networks[0].rules = vec![allow(&fixture.networks[0], VpcFirewallRuleProtocol::Tcp, &["22"])];
    fixture.ensure_networks(&qemu);
    assert_eq!(wait_for("a rule to be back", || greeting(22)), "hello\n");

    for spec in &fixture.specs {
        wait_for_end(&qemu, spec);
    }
    qemu.delete_network(fixture.networks[1].id).unwrap();
    assert_eq!(leftovers.namespaces().len(), 2, "the edge, and the first VPC");
    qemu.retain_networks(&[]).unwrap();
    assert_eq!(leftovers.namespaces().len(), 1);
}

/// Guests of one VPC find and reach each other, but only with their own addresses.
fn inside(fixture: &Fixture, qemu: &Qemu, lines: &[std::sync::Arc<SerialLine>]) {
    let (first, second) = (&lines[0], &lines[1]);
    assert!(until(first, "ping -c 1 -w 5 172.30.0.6").contains("1 packets received"));
    assert!(until(second, "ping -c 1 -w 5 db1.shop").contains("(172.30.0.5)"));
    assert!(until(second, "ping -c 1 -w 5 172.30.0.1").contains("1 packets received"));
    run(second, "ifconfig eth0:1 172.30.0.9 netmask 255.255.252.0");
    run(second, "! ping -c 1 -w 2 -I 172.30.0.9 172.30.0.5");
    run(second, "ifconfig eth0:1 down");
    let counters = qemu.counters(fixture.specs[0].id, Counted::Everything, Timestamp::UNIX_EPOCH).unwrap();
    let [interface] = counters.interfaces.as_slice() else { panic!("one interface: {counters:?}") };
    assert_eq!(interface.id, fixture.specs[0].interfaces[0].id);
    let traffic = interface.traffic;
    assert!(traffic.packets_received > 2 && traffic.packets_sent > 2, "{interface:?}");
    assert!(traffic.bytes_received > 200 && traffic.bytes_sent > 200, "{interface:?}");
}

/// Changes of rules apply to established connections as well.
fn rules_change(fixture: &mut Fixture, qemu: &Qemu, lines: &[std::sync::Arc<SerialLine>]) {
    let (first, second) = (&lines[0], &lines[1]);
    run(first, "(while true; do echo hello | nc -l -p 22; done >/dev/null 2>&1 &)");
    run(second, "! nc -w 2 172.30.0.5 22 </dev/null");
    run(second, "(ping -q 172.30.0.5 >ping.log 2>&1 &)");
    let ssh = allow(&fixture.networks[0], VpcFirewallRuleProtocol::Tcp, &["22"]);
    fixture.networks[0].rules = vec![ssh.clone()];
    fixture.ensure_networks(qemu);
    assert!(until(second, "nc -w 2 172.30.0.5 22 </dev/null | grep hello").contains("hello\r"));
    until_not(second, "ping -c 1 -w 1 172.30.0.5 >/dev/null");
    let deny = Rule {
        action: VpcFirewallRuleAction::Deny,
        direction: VpcFirewallRuleDirection::Outbound,
        targets: vec![fixture.networks[0].interfaces[1].id],
        ..ssh.clone()
    };
    fixture.networks[0].rules = vec![deny, ssh];
    fixture.ensure_networks(qemu);
    until_not(second, "nc -w 2 172.30.0.5 22 </dev/null");
    fixture.networks[0].rules.remove(0);
    fixture.ensure_networks(qemu);
    until(second, "nc -w 2 172.30.0.5 22 </dev/null");
}

/// External addresses accept connections and are the source of outbound ones. The host cannot be reached.
fn outside(lines: &[std::sync::Arc<SerialLine>]) {
    let (first, second) = (&lines[0], &lines[1]);
    assert_eq!(wait_for("the floating address", || greeting(22)), "hello\n");
    assert_eq!(greeting(23), None, "no rule allows port 23");
    let listener = TcpListener::bind("0.0.0.0:4000").unwrap();
    listener.set_nonblocking(true).unwrap();
    run(first, "! nc -w 2 169.254.64.1 4000 </dev/null");
    run(second, "! nc -w 2 169.254.64.1 4000 </dev/null");
    assert!(listener.accept().is_err(), "guests do not reach the host");
    // Through the edge and back in, with a source port of the second guest's block.
    assert!(until(second, &format!("nc -w 2 {FLOATING} 22 </dev/null | grep hello")).contains("hello\r"));
    let seen = connections(FLOATING);
    let ports: Vec<u16> = seen.iter().filter(|(source, _)| source == SHARED).map(|(_, port)| *port).collect();
    assert!(!ports.is_empty() && ports.iter().all(|port| (16_384..32_768).contains(port)), "{seen:?}");
}

/// Sources of the connections to an address, from the connection table of the edge.
fn connections(address: &str) -> Vec<(String, u16)> {
    let edge = fs::read_dir("/run/netns").unwrap().filter_map(Result::ok).map(|entry| entry.path());
    let edge = edge.filter(|path| path.to_string_lossy().ends_with("-edge"));
    let mut seen = Vec::new();
    for path in edge {
        let output = Command::new("nsenter")
            .arg(format!("--net={}", path.display()))
            .args(["cat", "/proc/net/nf_conntrack"])
            .output()
            .expect("nsenter");
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            let field =
                |name: &str| line.split(' ').find_map(|word| word.strip_prefix(name)).map(str::to_owned);
            if let (Some(source), Some(destination), Some(port)) =
                (field("src="), field("dst="), field("sport="))
                && destination == address
            {
                seen.push((source, port.parse().unwrap()));
            }
        }
    }
    seen
}

/// A VPC with the same addresses is a separate network.
fn check_isolation(lines: &[std::sync::Arc<SerialLine>]) {
    let other = &lines[2];
    run(other, "! ping -c 1 -w 2 172.30.0.5");
    run(other, "! nslookup db1.shop 172.30.0.1");
    assert!(
        until(other, "ping -c 1 -w 5 172.30.0.6").contains("1 packets received"),
        "the guest has that address itself"
    );
    // The other VPC's external addresses can be reached.
    assert!(until(other, &format!("nc -w 2 {FLOATING} 22 </dev/null | grep hello")).contains("hello\r"));
}
