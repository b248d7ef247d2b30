//! What the kernel makes of VPCs, with namespaces in the place of guests.

use std::{
    env, fs,
    process::Command,
    thread,
    time::{Duration, Instant},
};

use croft_network::{ExternalAddresses, Interface, Network};
use uuid::Uuid;

use super::{
    super::{
        MachineInterface, Vpcs,
        commands::Space,
        names::{Owner, tap},
        plug_one, service,
    },
    fixture,
};
use crate::qemu::{files::Accounts, process::Process};

const LIMIT: Duration = Duration::from_secs(20);

/// Runs a test again in a network of its own, so that nothing that it makes is on this machine's. Answers whether the
/// test is in there already; otherwise it is done. Without root there is nothing to try.
fn in_own_network(test: &str) -> bool {
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

fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let end = Instant::now() + LIMIT;
    loop {
        match look() {
            Some(found) => return found,
            None => assert!(Instant::now() < end, "waited in vain for {what}"),
        }
        thread::yield_now();
    }
}

/// VPCs on a host that goes with them.
struct Host {
    owner: Owner,
    vpcs: Vpcs,
}

impl Host {
    fn open() -> Self {
        let sled = Uuid::from_u128(0xf7a0_0000 + u128::from(std::process::id()));
        let vpcs = Vpcs::open(sled, Accounts::available()).unwrap();
        let _ = vpcs.tools.host().batch(super::Family::V4, "link set lo up\n");
        Self { owner: Owner::of(sled), vpcs }
    }

    fn space<'a>(&'a self, name: &'a str) -> Space<'a> {
        self.vpcs.tools.space(name)
    }

    /// A namespace that stands for something else than a VPC.
    fn place(&self, name: &str) -> String {
        let name = format!("{}-{name}", self.owner);
        self.vpcs.tools.add_namespace(&name).unwrap();
        name
    }

    /// Puts a namespace where a guest would be.
    fn guest(&self, network: &Network, interface: &Interface) -> String {
        let place = self.place(interface.parent_name.as_str());
        let subnet = network.subnets.iter().find(|subnet| subnet.id == interface.subnet_id).unwrap();
        let plug = MachineInterface {
            id: interface.id,
            slot: 0,
            vpc_id: network.id,
            mac: interface.mac,
            ip: interface.ip,
            subnet: croft_api::scalar::IpNet::V4(subnet.ipv4),
        };
        let vpc = self.vpcs.plug(std::slice::from_ref(&plug), 0).unwrap().unwrap();
        // The same link, with another end than QEMU's.
        let mut lines = String::new();
        plug_one(&mut lines, &plug, 0, &[tap(interface.id)]);
        let link = tap(interface.id);
        let veth = format!("link add {link} type veth peer name eth0 netns {place}");
        let lines = lines.replace(&format!("tuntap add dev {link} mode tap user 0"), &veth);
        self.space(&vpc).batch(super::Family::V4, &lines).unwrap();
        let mac = interface.mac.to_string().to_lowercase();
        let (gateway, width) = (service::gateway(plug.subnet), plug.subnet.width());
        let lines = format!(
            "link set lo up\nlink set eth0 address {mac} up\naddr add {}/{width} dev eth0\n\
             route add default via {gateway}\n",
            interface.ip
        );
        self.space(&place).batch(super::Family::V4, &lines).unwrap();
        self.vpcs.ensure(network).unwrap();
        place
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

/// A VPC of two guests with these external addresses, which may be asked on port 22.
fn network(external: [ExternalAddresses; 2]) -> Network {
    let mut network = fixture::network();
    network.interfaces.truncate(2);
    network.rules.retain(|rule| rule.name.as_str() == "allow-ssh");
    for (interface, external) in network.interfaces.iter_mut().zip(external) {
        interface.external = external;
    }
    let ids: Vec<_> = network.interfaces.iter().map(|interface| interface.id).collect();
    network.rules.iter_mut().for_each(|rule| rule.targets.retain(|target| ids.contains(target)));
    network
}

#[test]
fn a_name_service_that_ends_is_started_again() {
    if !in_own_network("qemu::vpc::tests::live::a_name_service_that_ends_is_started_again") {
        return;
    }
    let host = Host::open();
    let network = network(Default::default());
    host.vpcs.ensure(&network).unwrap();
    let _guest = host.guest(&network, &network.interfaces[0]);
    let first = wait_for("the name service", || host.name_service(&network));
    host.vpcs.watch().unwrap();
    assert!(!first.has_ended().unwrap(), "one that runs is left alone");
    first.kill();
    assert!(first.ends_within(10_000).unwrap());
    host.vpcs.watch().unwrap();
    let second = wait_for("the name service", || host.name_service(&network));
    assert_ne!(first.id(), second.id());
    drop(host);
    assert!(second.ends_within(10_000).unwrap(), "nothing is left behind");
}
