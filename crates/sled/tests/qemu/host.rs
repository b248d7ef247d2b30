//! A host with its own state for a test, and functions that wait for its events.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
    time::{Duration, Instant},
};

use croft_sled::{
    DiskReport, DiskSpec, ExpectedMachine, Hypervisor, HypervisorError, MachineDisk, MachineInterface,
    MachineReport, MachineSpec, MachineState, SerialLine, SnapshotSpec,
    qemu::{AccelerationChoice, Qemu, QemuOptions},
};
use tempfile::TempDir;
use uuid::Uuid;

/// The time after which a test that still waits has failed.
pub const LIMIT: Duration = Duration::from_mins(2);
/// If set, missing prerequisites fail the tests instead of skipping them.
const REQUIRED: &str = "CROFT_REQUIRE_QEMU";
/// The acceleration of guests: `auto`, `kvm` or `tcg`. The default is `tcg`.
const ACCELERATION: &str = "CROFT_TEST_ACCELERATION";
pub const DISK_SIZE: u64 = 1 << 30;

/// Prints why a test is skipped. Fails if [`REQUIRED`] is set.
pub fn skip(reason: &str) {
    assert!(env::var_os(REQUIRED).is_none(), "{REQUIRED} is set and {reason}");
    eprintln!("skipped: {reason}");
}

/// Returns the path of the guest image. Without it the test is skipped.
pub fn guest_image() -> Option<PathBuf> {
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(
        || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target"),
        |set| Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(set),
    );
    let image = target.join("guest-image/croft-guest.raw");
    if image.is_file() {
        return Some(image);
    }
    skip("there is no guest image: run `cargo xtask guest-image`");
    None
}

/// A folder whose machines are killed when it is dropped, because they outlive a failed test.
pub struct Folder(TempDir);

impl Folder {
    pub fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        for entry in fs::read_dir("/proc").into_iter().flatten().filter_map(Result::ok) {
            let runs_in = fs::read_link(entry.path().join("cwd")).unwrap_or_default();
            if runs_in.starts_with(self.path().join("qemu/machines")) {
                let _ = Command::new("kill").arg("-9").arg(entry.file_name()).status();
            }
        }
    }
}

pub fn folder() -> Folder {
    Folder(tempfile::tempdir().expect("a folder can be made"))
}

/// A folder with an opened QEMU, or `None` if QEMU cannot be used here.
pub fn host() -> Option<(Folder, Qemu)> {
    let folder = folder();
    match open(folder.path()) {
        Ok(qemu) => Some((folder, qemu)),
        Err(reason) => {
            skip(&reason);
            None
        }
    }
}

pub fn open(folder: &Path) -> Result<Qemu, String> {
    Qemu::open(options(folder)).map_err(|error| error.to_string())
}

/// Options for QEMU. Guests use TCG unless [`ACCELERATION`] is set, so that a test behaves the same on every host.
pub fn options(folder: &Path) -> QemuOptions {
    let acceleration = match env::var_os(ACCELERATION) {
        None => AccelerationChoice::Tcg,
        Some(name) if name == "tcg" => AccelerationChoice::Tcg,
        Some(name) if name == "kvm" => AccelerationChoice::Kvm,
        Some(name) if name == "auto" => AccelerationChoice::Auto,
        Some(name) => panic!("{ACCELERATION} is {}, and may be auto, kvm or tcg", name.display()),
    };
    QemuOptions { acceleration, ..QemuOptions::in_folder(folder.join("qemu")) }
}

/// Runs a test again in a new network namespace, so that it does not change this machine's network. Returns whether the
/// caller is already in there; otherwise the test has finished.
pub fn in_own_network(test: &str) -> bool {
    const INSIDE: &str = "CROFT_TEST_OWN_NETWORK";
    if env::var_os(INSIDE).is_some() {
        let status = Command::new("ip").args(["link", "set", "lo", "up"]).status().expect("ip");
        assert!(status.success());
        return true;
    }
    let program = env::current_exe().expect("this program");
    let mut again = Command::new("unshare");
    again.arg("--net").arg(program).args(["--exact", test, "--nocapture"]).env(INSIDE, "1");
    assert!(again.status().expect("unshare").success(), "the test failed in a network of its own");
    false
}

pub fn disk(number: u128, snapshot: Option<Uuid>) -> DiskSpec {
    DiskSpec { id: Uuid::from_u128(number), size: DISK_SIZE, block_size: 512, pools: Vec::new(), snapshot }
}

pub fn snapshot(number: u128, disk: Uuid, machine: Option<Uuid>) -> SnapshotSpec {
    SnapshotSpec { id: Uuid::from_u128(number), disk_id: disk, size: DISK_SIZE, machine_id: machine }
}

/// Returns an ID that tests in other processes do not use at the same time: machines are found on the host by their
/// IDs.
fn own_id(number: u64) -> Uuid {
    Uuid::from_u64_pair(std::process::id().into(), number)
}

pub fn machine(number: u64, hostname: &str, disk: Uuid, user_data: &str) -> MachineSpec {
    MachineSpec {
        id: own_id(number),
        instance_id: own_id(number + 1000),
        sled_id: Uuid::nil(),
        name: "db".to_owned(),
        hostname: hostname.to_owned(),
        cpus: 1,
        memory: 256 << 20,
        disks: vec![MachineDisk { id: disk, slot: 3, boot: true }],
        user_data: user_data.as_bytes().to_vec(),
        public_keys: vec![format!("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIexample {hostname}-key")],
        interfaces: vec![MachineInterface {
            id: own_id(number + 2000),
            slot: 0,
            vpc_id: Uuid::nil(),
            mac: "A8:40:25:F0:00:01".parse().expect("a hardware address"),
            ip: "172.30.0.7".parse().expect("an address"),
            subnet: "172.30.0.0/22".parse().expect("a subnet"),
        }],
    }
}

/// A machine as known to a server that has seen it run.
pub fn expected(spec: &MachineSpec, last_report: MachineReport) -> ExpectedMachine {
    ExpectedMachine { spec: spec.clone(), last_report, is_registered: true }
}

/// Writes an image to a disk as an import does, in chunks of 512 KiB, omitting chunks of zeros.
pub fn import(qemu: &Qemu, spec: &DiskSpec, image: &Path) {
    qemu.ensure_disk(spec).expect("a disk");
    let content = fs::read(image).expect("the image");
    for (number, chunk) in content.chunks(512 << 10).enumerate() {
        if chunk.iter().any(|byte| *byte != 0) {
            qemu.write_disk(spec.id, (number * (512 << 10)) as u64, chunk).expect("a chunk");
        }
    }
    qemu.sync_disk(spec.id).expect("the disk is durable");
}

/// Waits until `done` holds, which is checked after each event.
pub fn wait(qemu: &Qemu, what: &str, mut done: impl FnMut() -> bool) {
    let end = Instant::now() + LIMIT;
    loop {
        let wait_deadline = event_listener::Listener::wait_deadline;
        let listener = qemu.listen();
        if done() {
            return;
        }
        assert!(wait_deadline(listener, end).is_some() || done(), "timed out waiting for {what}");
    }
}

pub fn wait_for_state(qemu: &Qemu, spec: &MachineSpec, state: MachineState) {
    wait(qemu, &format!("{state:?}"), || {
        qemu.observe_machine(spec.sled_id, spec.id).expect("the machine is known").state == state
    });
}

pub fn wait_for_snapshot(qemu: &Qemu, spec: &SnapshotSpec) {
    wait(qemu, "the snapshot", || qemu.ensure_snapshot(spec).expect("a snapshot") == DiskReport::Ready);
}

pub fn wait_for_end(qemu: &Qemu, spec: &MachineSpec) {
    wait(qemu, "the end", || match qemu.destroy_machine(spec.sled_id, spec.id) {
        Ok(()) => true,
        Err(HypervisorError::Failed(_)) => false,
        Err(error) => panic!("{error}"),
    });
}

/// Waits until the output from `start` contains `text`. Returns that output.
pub fn wait_for_text(line: &SerialLine, start: u64, text: &str) -> String {
    let end = Instant::now() + LIMIT;
    loop {
        let listener = line.listen();
        let printed = String::from_utf8_lossy(&line.follow_from(start, 4 << 20).bytes).into_owned();
        if printed.contains(text) {
            return printed;
        }
        let more = event_listener::Listener::wait_deadline(listener, end);
        assert!(
            more.is_some() && !line.is_closed(),
            "timed out waiting for {text:?}; the guest printed:\n{printed}"
        );
    }
}

/// Logs in once the guest has booted.
pub fn log_in(line: &SerialLine, hostname: &str) {
    wait_for_text(line, 0, &format!("{hostname} login: "));
    let start = line.total();
    line.write(b"root\r");
    wait_for_text(line, start, &format!("root@{hostname}:/root# "));
}

/// Runs a command that must succeed. Returns the output from its echo to the next prompt.
pub fn run(line: &SerialLine, command: &str) -> String {
    let start = line.total();
    line.write(format!("{command}; echo status=$?\r").as_bytes());
    let printed = wait_for_text(line, start, "status=0");
    wait_for_text(line, start + printed.find("status=0").expect("it was waited for") as u64, "# ");
    printed
}
