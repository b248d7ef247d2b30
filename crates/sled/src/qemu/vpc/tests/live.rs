//! VPCs in the kernel, with namespaces in place of guests.

use std::{
    env, fs,
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream},
    os::fd::AsFd as _,
    process::Command,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use croft_api::scalar::{IpNet, Vni};
use croft_network::{ExternalAddresses, Interface, Network, RouteTarget, SourceNat};
use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};
use uuid::Uuid;

use super::{
    super::{
        MachineInterface, Vpcs,
        commands::{Namespace, namespace_path},
        names::{self, Owner, tap},
        plug_one,
        ranges::Family,
        service,
    },
    fixture,
};
use crate::qemu::{files::Accounts, options::Programs, process::Process};

const LIMIT: Duration = Duration::from_secs(20);

/// Runs a test again in a new network namespace, so that it does not change this machine's network. Returns whether the
/// test is already in there; otherwise it has finished. Without root the test is skipped.
pub(super) fn in_own_network(test: &str) -> bool {
    const INSIDE: &str = "CROFT_TEST_OWN_NETWORK";
    if env::var_os(INSIDE).is_some() {
        return true;
    }
    if Accounts::available().is_none() {
        assert!(env::var_os("CROFT_REQUIRE_QEMU").is_none(), "VPCs need root");
        eprintln!("skipped: VPCs need root");
        return false;
    }
    let mut again = Command::new("unshare");
    again
        .arg("--net")
        .arg(env::current_exe().unwrap())
        .args(["--exact", test, "--nocapture"])
        .env(INSIDE, "1");
    assert!(again.status().expect("unshare").success(), "the test failed in a network of its own");
    false
}

pub(super) fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + LIMIT;
    loop {
        match look() {
            Some(found) => return found,
            None => assert!(Instant::now() < end, "timed out waiting for {what}"),
        }
        thread::yield_now();
    }
}

/// The VPCs of a host, which are removed when dropped.
pub(super) struct Host {
    pub(super) sled: Uuid,
    owner: Owner,
    pub(super) vpcs: Vpcs,
}

impl Host {
    pub(super) fn open(external: Option<&str>) -> Self {
        let sled = Uuid::from_u128(0xf7a0_0000 + u128::from(std::process::id()));
        let vpcs = Vpcs::open(sled, Accounts::available(), external, &[], &Programs::default()).unwrap();
        vpcs.tools.host().batch(Family::V4, "link set lo up\n").unwrap();
        Self { sled, owner: Owner::of(sled), vpcs }
    }

    pub(super) fn space<'a>(&'a self, name: &'a str) -> Namespace<'a> {
        self.vpcs.tools.space(name)
    }

    /// A namespace for something other than a VPC.
    pub(super) fn place(&self, name: &str) -> String {
        let name = format!("{}-{name}", self.owner);
        self.vpcs.tools.add_namespace(&name).unwrap();
        // Addresses are assigned statically and immediately, without duplicate address detection.
        let settings =
            ["ipv6/conf/all/accept_dad=0", "ipv6/conf/default/accept_dad=0", "ipv6/conf/default/accept_ra=0"];
        self.space(&name).settings(&settings).unwrap();
        name
    }

    /// Creates a namespace in place of a guest.
    pub(super) fn guest(&self, network: &Network, interface: &Interface) -> String {
        let place = self.place(interface.parent_name.as_str());
        let subnet = network.subnets.iter().find(|subnet| subnet.id == interface.subnet_id).unwrap();
        let plug = MachineInterface {
            id: interface.id,
            slot: 0,
            vpc_id: network.id,
            mac: interface.mac,
            ip: interface.ip,
            subnet: match interface.ip {
                IpAddr::V4(_) => IpNet::V4(subnet.ipv4),
                IpAddr::V6(_) => IpNet::V6(subnet.ipv6),
            },
        };
        let vpc = self.vpcs.plug(std::slice::from_ref(&plug), 0).unwrap().unwrap();
        // The same link as for QEMU, with a different end.
        let mut lines = String::new();
        plug_one(&mut lines, &plug, 0, &[tap(interface.id)]);
        let link = tap(interface.id);
        let veth = format!("link add {link} type veth peer name eth0 netns {place}");
        let lines = lines.replace(&format!("tuntap add dev {link} mode tap user 0"), &veth);
        let family = Family::of(interface.ip);
        self.space(&vpc).batch(family, &lines).unwrap();
        let mac = interface.mac.to_string().to_lowercase();
        let lines = format!("link set lo up\nlink set eth0 address {mac} up\n");
        self.space(&place).batch(Family::V4, &lines).unwrap();
        let (ip, gateway, width) = (interface.ip, service::gateway(plug.subnet), plug.subnet.width());
        let lines = match family {
            Family::V4 => format!("addr add {ip}/{width} dev eth0\nroute add default via {gateway}\n"),
            // The configuration that a guest derives from DHCP and router advertisements.
            Family::V6 => {
                format!("addr add {ip}/128 dev eth0 nodad\nroute add default via {gateway} dev eth0 onlink\n")
            }
        };
        self.space(&place).batch(family, &lines).unwrap();
        self.vpcs.ensure(network).unwrap();
        place
    }

    /// Restarts the server without an external interface. That closes the uplink before the server knows of any VPC.
    pub(super) fn close(&mut self, network: &Network, family: Family, check_closed: impl Fn()) {
        let next = Vpcs::open(self.sled, Accounts::available(), None, &[], &Programs::default()).unwrap();
        check_closed();
        next.ensure(network).unwrap();
        let answered = next.tools.host().show(Some(family), &["neigh", "show", "proxy"]).unwrap();
        assert_eq!(answered, serde_json::json!([]));
        self.vpcs = next;
    }

    fn name_service(&self, network: &Network) -> Option<Process> {
        let word = format!("--conf-file=/run/{}/{}/dnsmasq.conf", self.owner, network.vni);
        Process::find(&word, None).unwrap()
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        let _ = self.vpcs.retain(&[]);
        for name in super::super::Tools::namespaces().unwrap_or_default() {
            if self.owner.suffix(&name).is_some() {
                let _ = self.vpcs.tools.delete_namespace(&name);
            }
        }
        let _ = fs::remove_dir_all(format!("/run/{}", self.owner));
    }
}

/// Runs a function in a namespace.
pub(super) fn inside<T: Send>(namespace: &str, work: impl FnOnce() -> T + Send) -> T {
    let file = fs::File::open(namespace_path(namespace)).unwrap();
    thread::scope(|scope| {
        let in_there = scope.spawn(move || {
            move_into_link_name_space(file.as_fd(), Some(LinkNameSpaceType::Network)).unwrap();
            work()
        });
        in_there.join().unwrap()
    })
}

/// A VPC of two guests with these external addresses, which accept connections to port 22.
pub(super) fn network(external: [ExternalAddresses; 2]) -> Network {
    let mut network = fixture::network();
    network.interfaces.truncate(2);
    network.rules.retain(|rule| rule.name.as_str() == "allow-ssh");
    for (interface, external) in network.interfaces.iter_mut().zip(external) {
        interface.external = external;
    }
    // All of them use the same gateway.
    let of_interface = |interface: &Interface| {
        let external = &interface.external;
        external
            .floating
            .iter()
            .copied()
            .chain(external.source_nat.map(|shared| shared.ip))
            .collect::<Vec<_>>()
    };
    let all: Vec<_> = network.interfaces.iter().flat_map(of_interface).collect();
    let all: Arc<[IpAddr]> = all.into();
    for subnet in &mut network.subnets {
        let changed = subnet.system_routes.iter().cloned().map(|mut route| {
            if let RouteTarget::Gateway { addresses, .. } = &mut route.target {
                *addresses = Arc::clone(&all);
            }
            route
        });
        subnet.system_routes = changed.collect();
    }
    let ids: Vec<_> = network.interfaces.iter().map(|interface| interface.id).collect();
    network.rules.iter_mut().for_each(|rule| rule.targets.retain(|target| ids.contains(target)));
    network
}

#[test]
fn exited_name_service_is_restarted() {
    if !in_own_network("qemu::vpc::tests::live::exited_name_service_is_restarted") {
        return;
    }
    let host = Host::open(None);
    let network = network(Default::default());
    host.vpcs.ensure(&network).unwrap();
    let _guest = host.guest(&network, &network.interfaces[0]);
    let first = wait_for("the name service", || host.name_service(&network));
    host.vpcs.watch().unwrap();
    assert!(!first.has_ended().unwrap(), "a running dnsmasq is not restarted");
    first.kill();
    assert!(first.ends_within(10_000).unwrap());
    host.vpcs.watch().unwrap();
    let second = wait_for("the name service", || host.name_service(&network));
    assert_ne!(first.id(), second.id());
    drop(host);
    assert!(second.ends_within(10_000).unwrap(), "dnsmasq ends with its VPC");
}

#[test]
fn each_name_service_has_a_user_of_its_own_and_few_rights() {
    if !in_own_network("qemu::vpc::tests::live::each_name_service_has_a_user_of_its_own_and_few_rights") {
        return;
    }
    let host = Host::open(None);
    let first = network(Default::default());
    let mut second = first.clone();
    second.id = Uuid::from_u128(0x7777);
    second.vni = Vni::try_from(u32::from(first.vni) + 1).unwrap();
    let mut users = Vec::new();
    for network in [&first, &second] {
        host.vpcs.ensure(network).unwrap();
        let interface = &network.interfaces[0];
        let plug = MachineInterface {
            id: Uuid::from_u128(network.id.as_u128() + 1),
            slot: 0,
            vpc_id: network.id,
            mac: interface.mac,
            ip: interface.ip,
            subnet: IpNet::V4(network.subnets[0].ipv4),
        };
        host.vpcs.plug(&[plug], 0).unwrap();
        let service = wait_for("the name service", || host.name_service(network));
        let status = fs::read_to_string(format!("/proc/{}/status", service.id())).unwrap();
        let field = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
            line.split_whitespace().next().unwrap().to_owned()
        };
        // Ports below 1024, its own network, and raw sockets.
        for set in ["CapPrm:", "CapEff:", "CapBnd:", "CapAmb:"] {
            assert_eq!(field(set), "0000000000003400", "{set}");
        }
        assert_eq!(field("NoNewPrivs:"), "1");
        users.push(field("Uid:"));
    }
    assert_ne!(users[0], users[1]);
    assert!(users.iter().all(|user| user != "0"));
}

const GUEST: IpAddr = IpAddr::V4(Ipv4Addr::new(198, 51, 100, 10));
const SHARED: IpAddr = IpAddr::V4(Ipv4Addr::new(10, 128, 0, 20));
pub(super) const HOST: IpAddr = IpAddr::V4(Ipv4Addr::new(198, 51, 100, 1));
pub(super) const NEIGHBOUR: IpAddr = IpAddr::V4(Ipv4Addr::new(198, 51, 100, 2));
const ELSEWHERE: IpAddr = IpAddr::V4(Ipv4Addr::new(203, 0, 113, 2));
pub(super) const PORT: u16 = 22;

/// Connects the host to a neighbor.
pub(super) fn join(host: &Host, name: &str, own: IpAddr, other: IpAddr) -> String {
    let place = host.place(name);
    let lines = format!("link add {name} type veth peer name eth0 netns {place}\nlink set {name} up\n");
    host.vpcs.tools.host().batch(Family::V4, &lines).unwrap();
    host.space(&place).batch(Family::V4, "link set lo up\nlink set eth0 up\n").unwrap();
    let (family, end) = match Family::of(own) {
        Family::V4 => (Family::V4, "/24"),
        Family::V6 => (Family::V6, "/64 nodad"),
    };
    host.vpcs.tools.host().batch(family, &format!("addr add {own}{end} dev {name}\n")).unwrap();
    let lines = format!("addr add {other}{end} dev eth0\nroute add default via {own}\n");
    host.space(&place).batch(family, &lines).unwrap();
    place
}

/// Listens on both families.
pub(super) fn listen() -> TcpListener {
    TcpListener::bind((Ipv6Addr::UNSPECIFIED, PORT)).unwrap()
}

/// The client's address as seen by the server; `None` if the connection fails.
pub(super) fn asker(asked: &TcpListener, namespace: Option<&str>, address: IpAddr) -> Option<IpAddr> {
    asker_and_port(asked, namespace, address).map(|peer| peer.ip())
}

pub(super) fn asker_and_port(
    asked: &TcpListener,
    namespace: Option<&str>,
    address: IpAddr,
) -> Option<SocketAddr> {
    let ask = || TcpStream::connect_timeout(&SocketAddr::new(address, PORT), Duration::from_secs(2));
    let stream = match namespace {
        Some(namespace) => inside(namespace, ask),
        None => ask(),
    };
    let _stream = stream.ok()?;
    let (_, peer) = asked.accept().unwrap();
    Some(SocketAddr::new(peer.ip().to_canonical(), peer.port()))
}

#[test]
fn guests_reach_what_is_beyond_an_external_interface_and_nothing_else() {
    if !in_own_network(
        "qemu::vpc::tests::live::guests_reach_what_is_beyond_an_external_interface_and_nothing_else",
    ) {
        return;
    }
    let mut host = Host::open(None);
    let outside = join(&host, "wan0", HOST, NEIGHBOUR);
    let elsewhere = join(&host, "lan0", Ipv4Addr::new(203, 0, 113, 1).into(), ELSEWHERE);
    let source_nat = SourceNat { ip: SHARED, first_port: 16_384, last_port: 32_767 };
    let network = network([
        ExternalAddresses { floating: vec![GUEST], ..ExternalAddresses::default() },
        ExternalAddresses { source_nat: Some(source_nat), ..ExternalAddresses::default() },
    ]);
    host.vpcs.ensure(&network).unwrap();
    let guests = [0, 1].map(|number| host.guest(&network, &network.interfaces[number]));
    let [own, shared] = guests.each_ref().map(String::as_str);
    let asked = [own, &outside, &elsewhere].map(|place| inside(place, listen));
    let [guest, neighbour, other] = &asked;
    let service = listen();
    let check_closed = || {
        assert_eq!(asker(neighbour, Some(own), NEIGHBOUR), None);
        assert_eq!(asker(guest, Some(&outside), GUEST), None);
    };

    // Without an external interface nothing passes, even on a host that is a router.
    host.vpcs.tools.host().settings(&["ipv4/ip_forward=1"]).unwrap();
    check_closed();
    assert!(asker(guest, None, GUEST).is_some(), "the host itself reaches it");
    host.vpcs.tools.host().settings(&["ipv4/ip_forward=0", "ipv4/conf/lan0/forwarding=1"]).unwrap();

    host.vpcs.external = Some("wan0".to_owned());
    host.vpcs.ensure(&network).unwrap();
    assert_eq!(
        asker(neighbour, Some(own), NEIGHBOUR),
        Some(GUEST),
        "an address of the neighbor's network is kept"
    );
    assert_eq!(
        asker(neighbour, Some(shared), NEIGHBOUR),
        Some(HOST),
        "other addresses are replaced by the host's"
    );
    assert_eq!(asker(guest, Some(&outside), GUEST), Some(NEIGHBOUR));
    assert!(asker(guest, None, GUEST).is_some());
    assert_eq!(asker(guest, Some(shared), GUEST), Some(SHARED), "guests reach each other through the edge");

    // Metadata services of cloud providers are for the host only.
    let metadata = IpAddr::V4(Ipv4Addr::new(168, 63, 129, 16));
    host.space(&outside).batch(Family::V4, &format!("addr add {metadata}/32 dev lo\n")).unwrap();
    let way = format!("route add {metadata} via {NEIGHBOUR}\n");
    host.vpcs.tools.host().batch(Family::V4, &way).unwrap();
    assert_eq!(asker(neighbour, Some(own), metadata), None);
    assert!(asker(neighbour, None, metadata).is_some());

    // The host and its other networks cannot be reached, and settings of other programs are not changed.
    for (place, address) in guests.iter().flat_map(|place| [(place, HOST), (place, names::HOST_ADDRESS[0])]) {
        assert_eq!(asker(&service, Some(place), address), None, "{address} belongs to the host");
    }
    assert_eq!(asker(&service, Some(&outside), HOST), Some(NEIGHBOUR));
    assert_eq!(asker(other, Some(own), ELSEWHERE), None);
    assert_eq!(asker(guest, Some(&elsewhere), GUEST), None);
    assert_eq!(asker(other, Some(&outside), ELSEWHERE), None, "the host does not route for others");

    host.close(&network, Family::V4, check_closed);
    assert_eq!(asker(neighbour, Some(own), NEIGHBOUR), None);
    assert!(asker(guest, None, GUEST).is_some());
}

#[test]
fn missing_external_interface_is_refused() {
    if !in_own_network("qemu::vpc::tests::live::missing_external_interface_is_refused") {
        return;
    }
    let refusal = |name: &str| {
        Vpcs::open(Uuid::nil(), Accounts::available(), Some(name), &[], &Programs::default()).unwrap_err()
    };
    assert!(refusal("wan7").contains("no interface wan7"), "{}", refusal("wan7"));
    assert!(refusal("w*\"").contains("is not a valid name"), "{}", refusal("w*\""));
    assert!(refusal("lo").contains("does not lead outside this host"), "{}", refusal("lo"));
}
