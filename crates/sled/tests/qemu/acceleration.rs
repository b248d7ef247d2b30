//! Acceleration of machines where KVM works, does not work, or fails later. The result of the KVM trial is a parameter.
//! A script stands in for a QEMU whose KVM fails in every guest; with TCG it runs the real QEMU.

use std::{fs, os::unix::fs::PermissionsExt as _, path::PathBuf};

use croft_sled::{
    Hypervisor as _, HypervisorInfo, IncidentKind, MachineIncident, MachineSpec, MachineState,
    qemu::{AccelerationChoice, Programs, Qemu, QemuOptions},
};
use jiff::Timestamp;
use tempfile::TempDir;

use crate::{
    host::{self, Folder, expected, wait, wait_for_end, wait_for_state},
    machines::process_of,
};

/// KVM appears to work if this file is not in the folder.
const BREAKS: &str = "breaks";

/// A folder with a QEMU whose KVM runs no guest.
fn broken_kvm() -> Option<TempDir> {
    let usual =
        ["/usr/bin", "/usr/local/bin", "/bin"].map(|folder| PathBuf::from(folder).join("qemu-system-x86_64"));
    let Some(real) = usual.into_iter().find(|path| path.is_file()) else {
        host::skip("qemu-system-x86_64 is not installed");
        return None;
    };
    let folder = tempfile::tempdir().unwrap();
    let script = format!(
        r#"#!/usr/bin/perl
use IO::Socket::UNIX;
exec '{real}', @ARGV unless grep {{ /accel=kvm/ }} @ARGV;
my ($serial, $control) = map {{ IO::Socket::UNIX->new(Local => $_, Listen => 5) or die $! }} qw(serial control);
print STDERR "KVM internal error. Suberror: 1\n";
while (my $talk = $control->accept) {{
    $talk->autoflush(1);
    print $talk qq({{"QMP": {{}}}}\n);
    while (<$talk>) {{
        my ($id) = /"id":(\d+)/;
        my $status = -e "{breaks}" ? "internal-error" : "running";
        print $talk qq({{"id": $id, "return": {{"status": "$status"}}}}\n);
    }}
}}
"#,
        real = real.display(),
        breaks = folder.path().join(BREAKS).display(),
    );
    fs::write(folder.path().join(BREAKS), "").unwrap();
    let program = folder.path().join("qemu-system-x86_64");
    fs::write(&program, script).unwrap();
    // The users of machines need access to it.
    for path in [folder.path(), &program] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    Some(folder)
}

fn options(folder: &Folder, acceleration: AccelerationChoice, verdict: Result<(), &str>) -> QemuOptions {
    let kvm_verdict = Some(verdict.map_err(str::to_owned));
    QemuOptions { acceleration, kvm_verdict, ..QemuOptions::in_folder(folder.path().join("qemu")) }
}

fn begin(qemu: &Qemu, number: u64) -> MachineSpec {
    let disk = host::disk(number.into(), None);
    qemu.ensure_disk(&disk).unwrap();
    let spec = host::machine(number + 10, "db1", disk.id, "");
    qemu.ensure_machine(&spec).unwrap();
    spec
}

fn info(acceleration: &'static str, reason: &str) -> HypervisorInfo {
    HypervisorInfo { kind: "qemu", acceleration, reason: reason.to_owned() }
}

#[test]
fn machine_broken_by_kvm_is_restarted_with_tcg_like_later_machines() {
    let Some(programs) = broken_kvm() else { return };
    let folder = host::folder();
    let qemu = match open(&folder, &programs) {
        Ok(qemu) => qemu,
        Err(reason) => return host::skip(&reason),
    };
    assert_eq!(qemu.info(), info("kvm", ""));

    let first = begin(&qemu, 41);
    wait_for_state(&qemu, &first, MachineState::Running);
    let [incident]: [MachineIncident; 1] = qemu.take_incidents().try_into().unwrap();
    let cause = "QEMU stopped the machine with an internal error: KVM internal error. Suberror: 1";
    assert_eq!((incident.kind, incident.machine_id), (IncidentKind::RestartedWithTranslation, first.id));
    assert_eq!((incident.instance_id, incident.cause.as_str()), (first.instance_id, cause));
    assert_eq!(qemu.info(), info("tcg", &format!("a machine failed with KVM: {cause}")));
    assert!(command_line(&first).contains("accel=tcg"));

    let second = begin(&qemu, 42);
    wait_for_state(&qemu, &second, MachineState::Running);
    assert_eq!(qemu.take_incidents(), []);
    assert!(command_line(&second).contains("accel=tcg"));
    let kept = folder.path().join(format!("qemu/machines/{}/machine.json", second.id));
    assert!(fs::read_to_string(kept).unwrap().contains("\"machine_type\":\"pc-q35-"));
    for spec in [&first, &second] {
        wait_for_end(&qemu, spec);
    }
}

/// Opens QEMU with the programs in a folder and a successful KVM trial.
fn open(folder: &Folder, programs: &TempDir) -> Result<Qemu, String> {
    let folders = vec![programs.path().to_owned()];
    let options = QemuOptions {
        programs: Programs { folders, ..Programs::default() },
        ..options(folder, AccelerationChoice::Auto, Ok(()))
    };
    Qemu::open(options).map_err(|error| error.to_string())
}

#[test]
fn machine_broken_by_kvm_without_server_is_restarted_by_the_next_server() {
    let Some(programs) = broken_kvm() else { return };
    let breaks = programs.path().join(BREAKS);
    fs::remove_file(&breaks).unwrap();
    let folder = host::folder();
    let qemu = match open(&folder, &programs) {
        Ok(qemu) => qemu,
        Err(reason) => return host::skip(&reason),
    };
    let (early, late) = (begin(&qemu, 61), begin(&qemu, 62));
    let reports = [&early, &late].map(|spec| {
        wait_for_state(&qemu, spec, MachineState::Running);
        expected(spec, qemu.observe_machine(spec.sled_id, spec.id).unwrap())
    });
    let before = process_of(&early);
    drop(qemu);

    // One of them has run for longer than a boot takes.
    let file = folder.path().join(format!("qemu/machines/{}/machine.json", late.id));
    let mut kept: serde_json::Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    kept["begun"]["time"] = "2020-01-02T03:04:05Z".into();
    fs::write(&file, kept.to_string()).unwrap();
    fs::write(&breaks, "").unwrap();
    let qemu = open(&folder, &programs).unwrap();
    assert_eq!(qemu.info(), info("kvm", ""));
    qemu.adopt(&reports, Timestamp::now()).unwrap();
    wait_for_state(&qemu, &late, MachineState::Failed);
    let mut incidents = Vec::new();
    wait(&qemu, "the incidents", || {
        incidents.extend(qemu.take_incidents());
        incidents.len() == 2
    });
    wait_for_state(&qemu, &early, MachineState::Running);
    incidents.sort_by_key(|incident| incident.machine_id);
    let kinds: Vec<_> = incidents.iter().map(|incident| (incident.machine_id, incident.kind)).collect();
    assert_eq!(
        kinds,
        [(early.id, IncidentKind::RestartedWithTranslation), (late.id, IncidentKind::Broke)],
        "{incidents:?}"
    );
    assert_ne!(process_of(&early), before);
    assert!(command_line(&early).contains("accel=tcg"));
    let serial = &reports[0].spec.disks[0].id.simple().to_string()[..20];
    assert!(command_line(&early).contains(&format!("serial={serial}")), "it has the same disk");

    // A later server knows that the machine is accelerated by TCG.
    let report = expected(&early, qemu.observe_machine(early.sled_id, early.id).unwrap());
    let process = process_of(&early);
    drop(qemu);
    let qemu = open(&folder, &programs).unwrap();
    qemu.adopt(&[report], Timestamp::now()).unwrap();
    wait_for_state(&qemu, &early, MachineState::Running);
    assert_eq!(process_of(&early), process);
    wait_for_end(&qemu, &early);
}

fn command_line(spec: &MachineSpec) -> String {
    fs::read_to_string(format!("/proc/{}/cmdline", process_of(spec))).unwrap()
}

#[test]
fn machine_broken_by_kvm_fails_if_kvm_is_required() {
    let Some(programs) = broken_kvm() else { return };
    let folder = host::folder();
    let folders = vec![programs.path().to_owned()];
    let options = QemuOptions {
        programs: Programs { folders, ..Programs::default() },
        ..options(&folder, AccelerationChoice::Kvm, Ok(()))
    };
    let qemu = match Qemu::open(options) {
        Ok(qemu) => qemu,
        Err(error) => return host::skip(&error.to_string()),
    };
    let spec = begin(&qemu, 51);
    wait_for_state(&qemu, &spec, MachineState::Failed);
    let [incident]: [MachineIncident; 1] = qemu.take_incidents().try_into().unwrap();
    assert_eq!(incident.kind, IncidentKind::Broke);
    assert!(incident.cause.contains("KVM internal error"), "{incident:?}");
    assert_eq!(qemu.info(), info("kvm", ""));
    wait_for_end(&qemu, &spec);
}

#[test]
fn kvm_trial_determines_the_default_acceleration() {
    let folder = host::folder();
    let open = |acceleration, verdict| Qemu::open(options(&folder, acceleration, verdict));
    match open(AccelerationChoice::Auto, Err("it lies")) {
        Ok(qemu) => {
            assert_eq!(qemu.info(), info("tcg", "it lies"));
            assert!(qemu.explanation().starts_with("without acceleration, which is slow (it lies); "));
        }
        Err(error) => return host::skip(&error.to_string()),
    }
    let refused = open(AccelerationChoice::Kvm, Err("it lies")).unwrap_err().to_string();
    assert_eq!(refused, "KVM does not work on this host: it lies");
    assert_eq!(open(AccelerationChoice::Tcg, Ok(())).unwrap().info(), info("tcg", "as configured"));
}
