//! A program that hangs while it changes one VPC holds up nobody else.

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::Command,
    thread,
    time::Duration,
};

use croft_network::Network;
use croft_sled::{
    Counted, Hypervisor as _, HypervisorError, MachineSpec, MachineState,
    qemu::{GuestNetwork, Programs, Qemu, QemuOptions},
};
use jiff::Timestamp;
use tempfile::TempDir;

use crate::{
    host::{self, Folder, expected, wait_for_end, wait_for_state},
    vpcs::{Leftovers, interface, machine, network, wait_for},
};

/// A folder with an `nft` that hangs in the network that a file names, and is the real one elsewhere.
struct Nft(TempDir);

impl Nft {
    fn make() -> Option<Self> {
        let usual = ["/usr/sbin/nft", "/sbin/nft", "/usr/bin/nft"].map(PathBuf::from);
        let Some(real) = usual.into_iter().find(|path| path.is_file()) else {
            host::skip("nft is not installed");
            return None;
        };
        let nft = Self(tempfile::tempdir().unwrap());
        let script = format!(
            "#!/bin/sh\n\
             if [ \"$(readlink /proc/self/ns/net)\" = \"$(cat {hangs} 2>/dev/null)\" ]; then\n\
             echo $$ >{started}.part && mv {started}.part {started}\n\
             exec sleep 100000\n\
             fi\n\
             exec {real} \"$@\"\n",
            hangs = nft.hangs().display(),
            started = nft.started().display(),
            real = real.display(),
        );
        let program = nft.0.path().join("nft");
        fs::write(&program, script).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        Some(nft)
    }

    /// The file with the network in which it hangs.
    fn hangs(&self) -> PathBuf {
        self.0.path().join("hangs")
    }

    /// The file with the number of the process that hangs.
    fn started(&self) -> PathBuf {
        self.0.path().join("started")
    }

    /// Has it hang in a namespace.
    fn hang_in(&self, namespace: &str) {
        let net = format!("--net=/run/netns/{namespace}");
        let named = Command::new("nsenter").args([&net, "readlink", "/proc/self/ns/net"]).output().unwrap();
        fs::write(self.hangs(), named.stdout).unwrap();
    }

    /// Waits until it hangs, and answers its process.
    fn hung(&self) -> String {
        wait_for("nft to hang", || fs::read_to_string(self.started()).ok()).trim().to_owned()
    }

    fn open(&self, folder: &Path, limit: Duration) -> Result<Qemu, String> {
        let folders = vec![self.0.path().to_owned()];
        let options = QemuOptions {
            networks: vec![GuestNetwork::Vpc],
            programs: Programs { folders, limit },
            ..host::options(folder)
        };
        Qemu::open(options).map_err(|error| error.to_string())
    }
}

fn spec(qemu: &Qemu, network: &Network, number: usize, disk: u128) -> MachineSpec {
    let disk = host::disk(disk, None);
    qemu.ensure_disk(&disk).unwrap();
    machine(network, &network.interfaces[number], disk.id)
}

fn start(qemu: &Qemu, spec: &MachineSpec) {
    qemu.ensure_machine(spec).unwrap();
    wait_for_state(qemu, spec, MachineState::Running);
}

/// What others are served while the machine `hung` is being started.
fn serves_others(
    qemu: &Qemu,
    hung: &MachineSpec,
    other: &Network,
    running: [&MachineSpec; 2],
) -> MachineSpec {
    for spec in running {
        assert!(qemu.serial(spec.id).is_some());
        qemu.observe_machine(spec.sled_id, spec.id).unwrap();
        qemu.counters(spec.id, Counted::Processors, Timestamp::UNIX_EPOCH).unwrap();
    }
    qemu.ensure_network(other).unwrap();
    let next = spec(qemu, other, 1, 4);
    start(qemu, &next);
    for answer in
        [qemu.observe_machine(hung.sled_id, hung.id).map(drop), qemu.destroy_machine(hung.sled_id, hung.id)]
    {
        assert!(matches!(answer, Err(HypervisorError::Unreachable(_))), "{answer:?}");
    }
    assert!(matches!(qemu.delete_disk(hung.disks[0].id), Err(HypervisorError::Refused(_))));
    next
}

#[test]
fn a_program_that_hangs_for_one_vpc_holds_up_nobody_else() {
    if !host::in_own_network("hung::a_program_that_hangs_for_one_vpc_holds_up_nobody_else") {
        return;
    }
    let Some(nft) = Nft::make() else { return };
    let folder: Folder = host::folder();
    // Longer than the test: what hangs is ended by the test itself.
    let qemu = match nft.open(folder.path(), Duration::from_hours(1)) {
        Ok(qemu) => qemu,
        Err(reason) => return host::skip(&reason),
    };
    let leftovers = Leftovers::of(folder.path());
    let one = network(1024, vec![interface(1, 5), interface(2, 6)], &[]);
    let mut other = network(1025, vec![interface(3, 5), interface(4, 6)], &[]);
    other.dns_name = "depot".parse().unwrap();
    for network in [&one, &other] {
        qemu.ensure_network(network).unwrap();
    }
    let (first, third) = (spec(&qemu, &one, 0, 1), spec(&qemu, &other, 0, 3));
    for spec in [&first, &third] {
        start(&qemu, spec);
    }

    let second = spec(&qemu, &one, 1, 2);
    let hanging = leftovers.namespace(1024);
    nft.hang_in(&hanging);
    let fourth = thread::scope(|scope| {
        let hung = scope.spawn(|| qemu.ensure_machine(&second));
        let process = nft.hung();
        let fourth = serves_others(&qemu, &second, &other, [&first, &third]);
        assert!(!hung.is_finished(), "all of that was done meanwhile");
        assert!(Command::new("kill").args(["-9", &process]).status().unwrap().success());
        let error = hung.join().unwrap().unwrap_err().to_string();
        assert!(error.contains("nft -f -"), "{error}");
        fourth
    });
    fs::remove_file(nft.hangs()).unwrap();
    start(&qemu, &second);

    // Nobody has to end what hangs.
    let all = [&first, &second, &third, &fourth];
    let reports = all.map(|spec| expected(spec, qemu.observe_machine(spec.sled_id, spec.id).unwrap()));
    drop(qemu);
    let qemu = nft.open(folder.path(), Duration::from_secs(5)).unwrap();
    qemu.adopt(&reports, Timestamp::UNIX_EPOCH).unwrap();
    nft.hang_in(&hanging);
    let error = qemu.ensure_network(&one).unwrap_err().to_string();
    assert!(error.contains("nft -f -: it did not end within 5 s, and was killed"), "{error}");
    qemu.ensure_network(&other).unwrap();
    fs::remove_file(nft.hangs()).unwrap();
    for spec in all {
        wait_for_end(&qemu, spec);
    }
    qemu.retain_networks(&[]).unwrap();
}
