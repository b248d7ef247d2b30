//! A program that hangs while it changes one VPC does not block other VPCs.

use std::{
    fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    process::{Command, Stdio},
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

/// The programs that are run for VPCs.
const PROGRAMS: [&str; 3] = ["nft", "ip", "dnsmasq"];

/// A folder with a program that hangs for one VPC, named in a file, and behaves normally for others.
struct Hanging {
    name: &'static str,
    folder: TempDir,
}

impl Hanging {
    fn make(name: &'static str) -> Option<Self> {
        let usual = ["/usr/sbin", "/sbin", "/usr/bin", "/bin"].map(|folder| Path::new(folder).join(name));
        let Some(real) = usual.into_iter().find(|path| path.is_file()) else {
            host::skip(&format!("{name} is not installed"));
            return None;
        };
        let hanging = Self { name, folder: tempfile::tempdir().unwrap() };
        // It runs in the VPC's namespace, or has the namespace among its arguments.
        let script = format!(
            "#!/bin/sh\n\
             network=\n\
             [ -e {hangs} ] && {{ read -r network; read -r namespace; }} <{hangs}\n\
             if [ -n \"$network\" ]; then\n\
             case \"$(/usr/bin/readlink /proc/self/ns/net) $* \" in\n\
             \"$network \"* | *\" $namespace \"*) echo $$ >{started}; exec sleep 100000 ;;\n\
             esac\n\
             fi\n\
             exec {real} \"$@\"\n",
            hangs = hanging.hangs().display(),
            started = hanging.started().display(),
            real = real.display(),
        );
        let program = hanging.folder.path().join(name);
        fs::write(&program, script).unwrap();
        fs::write(hanging.started(), "").unwrap();
        // dnsmasq runs as another user.
        let modes = [(hanging.folder.path().to_owned(), 0o755), (program, 0o755), (hanging.started(), 0o666)];
        for (path, mode) in modes {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
        }
        Some(hanging)
    }

    /// The name of the program in error messages. dnsmasq is started by another program.
    fn name_in_errors(&self) -> &'static str {
        if self.name == "dnsmasq" { "setpriv" } else { self.name }
    }

    /// The file with the network and the namespace for which the program hangs.
    fn hangs(&self) -> PathBuf {
        self.folder.path().join("hangs")
    }

    /// The file with the ID of the hanging process.
    fn started(&self) -> PathBuf {
        self.folder.path().join("started")
    }

    /// Makes the program hang for a VPC. Kills a running dnsmasq, so that it must be started again.
    fn hang_for(&self, leftovers: &Leftovers, vni: u32) {
        let namespace = leftovers.namespace(vni);
        let net = format!("--net=/run/netns/{namespace}");
        let named = Command::new("nsenter").args([&net, "readlink", "/proc/self/ns/net"]).output().unwrap();
        fs::write(self.started(), "").unwrap();
        let network = String::from_utf8(named.stdout).unwrap();
        fs::write(self.hangs(), format!("{}\n{namespace}\n", network.trim())).unwrap();
        if self.name == "dnsmasq" {
            let id = fs::read_to_string(leftovers.service(vni).join("run/pid")).unwrap();
            assert!(Command::new("kill").args(["-9", id.trim()]).status().unwrap().success());
        }
    }

    /// Waits until the program hangs.
    fn wait(&self) {
        wait_for(&format!("{} to hang", self.name), || self.process());
    }

    /// The ID of the hanging process, if there is one.
    fn process(&self) -> Option<String> {
        let text = fs::read_to_string(self.started()).unwrap();
        text.strip_suffix('\n').map(str::to_owned)
    }

    /// Kills the hanging process, whenever it is started again, until the condition holds.
    fn kill_until(&self, is_over: impl Fn() -> bool) {
        wait_for("what hung to be given up", || {
            if let Some(process) = self.process() {
                // It may have exited already.
                let _ = Command::new("kill").args(["-9", &process]).stderr(Stdio::null()).status();
            }
            is_over().then_some(())
        });
    }

    fn open(&self, folder: &Path, limit: Duration) -> Result<Qemu, String> {
        let folders = vec![self.folder.path().to_owned()];
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

/// Checks what works for other VPCs while the machine `hung` is being started. Returns a new machine.
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
fn hanging_program_of_one_vpc_does_not_delay_others() {
    if !host::in_own_network("hung::hanging_program_of_one_vpc_does_not_delay_others") {
        return;
    }
    for name in PROGRAMS {
        let Some(hanging) = Hanging::make(name) else { return };
        check_hanging(&hanging);
    }
}

fn check_hanging(hanging: &Hanging) {
    let folder: Folder = host::folder();
    // Longer than the test, which kills the hanging process itself.
    let qemu = match hanging.open(folder.path(), Duration::from_hours(1)) {
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
    hanging.hang_for(&leftovers, 1024);
    let fourth = thread::scope(|scope| {
        let hung = scope.spawn(|| qemu.ensure_machine(&second));
        hanging.wait();
        let fourth = serves_others(&qemu, &second, &other, [&first, &third]);
        assert!(!hung.is_finished(), "the other calls must not wait for the hanging one");
        hanging.kill_until(|| hung.is_finished());
        let error = hung.join().unwrap().unwrap_err().to_string();
        assert!(error.contains(hanging.name_in_errors()), "{error}");
        fourth
    });
    fs::remove_file(hanging.hangs()).unwrap();
    start(&qemu, &second);

    // With a short limit, the server kills the hanging process itself.
    let all = [&first, &second, &third, &fourth];
    let reports = all.map(|spec| expected(spec, qemu.observe_machine(spec.sled_id, spec.id).unwrap()));
    drop(qemu);
    let qemu = hanging.open(folder.path(), Duration::from_secs(5)).unwrap();
    qemu.adopt(&reports, Timestamp::UNIX_EPOCH).unwrap();
    hanging.hang_for(&leftovers, 1024);
    let error = qemu.ensure_network(&one).unwrap_err().to_string();
    assert!(error.contains(hanging.name_in_errors()), "{error}");
    assert!(error.contains("it did not exit within 5 s and was killed"), "{error}");
    qemu.ensure_network(&other).unwrap();
    fs::remove_file(hanging.hangs()).unwrap();
    for spec in all {
        wait_for_end(&qemu, spec);
    }
    qemu.retain_networks(&[]).unwrap();
}
