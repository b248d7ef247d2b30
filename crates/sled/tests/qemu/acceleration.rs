//! What becomes of machines where KVM works, does not, or only seems to. What is found out about KVM is given, and a
//! program stands for a QEMU whose KVM breaks each guest; with translation it is the real one.

use std::{fs, os::unix::fs::PermissionsExt as _, path::PathBuf};

use croft_sled::{
    Hypervisor as _, HypervisorInfo, IncidentKind, MachineIncident, MachineSpec, MachineState,
    qemu::{AccelerationChoice, Programs, Qemu, QemuOptions},
};
use tempfile::TempDir;

use crate::{
    host::{self, Folder, wait_for_end, wait_for_state},
    machines::process_of,
};

/// A folder with a QEMU in it that runs no guest with KVM.
fn broken_kvm() -> Option<TempDir> {
    let usual =
        ["/usr/bin", "/usr/local/bin", "/bin"].map(|folder| PathBuf::from(folder).join("qemu-system-x86_64"));
    let Some(real) = usual.into_iter().find(|path| path.is_file()) else {
        host::skip("qemu-system-x86_64 is not installed");
        return None;
    };
    let script = format!(
        r#"#!/usr/bin/perl
use IO::Socket::UNIX;
exec '{}', @ARGV unless grep {{ /accel=kvm/ }} @ARGV;
my ($serial, $control) = map {{ IO::Socket::UNIX->new(Local => $_, Listen => 1) or die $! }} qw(serial control);
print STDERR "KVM internal error. Suberror: 1\n";
my $talk = $control->accept;
$talk->autoflush(1);
print $talk qq({{"QMP": {{}}}}\n);
while (<$talk>) {{
    my ($id) = /"id":(\d+)/;
    print $talk qq({{"id": $id, "return": {{"status": "internal-error"}}}}\n);
}}
"#,
        real.display()
    );
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("qemu-system-x86_64");
    fs::write(&program, script).unwrap();
    // The users of machines come there, too.
    for path in [folder.path(), &program] {
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
    Some(folder)
}

fn options(folder: &Folder, acceleration: AccelerationChoice, verdict: Result<(), &str>) -> QemuOptions {
    let kvm_verdict = Some(verdict.map_err(str::to_owned));
    QemuOptions { acceleration, kvm_verdict, ..QemuOptions::in_folder(folder.path().join("qemu")) }
}

fn begin(qemu: &Qemu, number: u128) -> MachineSpec {
    let disk = host::disk(number, None);
    qemu.ensure_disk(&disk).unwrap();
    let spec = host::machine(number + 10, "db1", disk.id, "");
    qemu.ensure_machine(&spec).unwrap();
    spec
}

fn info(acceleration: &'static str, reason: &str) -> HypervisorInfo {
    HypervisorInfo { kind: "qemu", acceleration, reason: reason.to_owned() }
}

#[test]
fn a_machine_that_kvm_breaks_is_started_again_with_translation_as_all_that_follow() {
    let Some(programs) = broken_kvm() else { return };
    let folder = host::folder();
    let folders = vec![programs.path().to_owned()];
    let options = QemuOptions {
        programs: Programs { folders, ..Programs::default() },
        ..options(&folder, AccelerationChoice::Auto, Ok(()))
    };
    let qemu = match Qemu::open(options) {
        Ok(qemu) => qemu,
        Err(error) => return host::skip(&error.to_string()),
    };
    assert_eq!(qemu.info(), info("kvm", ""));

    let first = begin(&qemu, 1);
    wait_for_state(&qemu, &first, MachineState::Running);
    let [incident]: [MachineIncident; 1] = qemu.take_incidents().try_into().unwrap();
    let cause = "QEMU stopped the machine with an internal error: KVM internal error. Suberror: 1";
    assert_eq!((incident.kind, incident.machine_id), (IncidentKind::RestartedWithTranslation, first.id));
    assert_eq!((incident.instance_id, incident.cause.as_str()), (first.instance_id, cause));
    assert_eq!(qemu.info(), info("tcg", &format!("KVM broke a machine: {cause}")));
    let line = |spec| fs::read_to_string(format!("/proc/{}/cmdline", process_of(spec))).unwrap();
    assert!(line(&first).contains("accel=tcg"));

    let second = begin(&qemu, 2);
    wait_for_state(&qemu, &second, MachineState::Running);
    assert_eq!(qemu.take_incidents(), []);
    assert!(line(&second).contains("accel=tcg"));
    let kept = folder.path().join(format!("qemu/machines/{}/machine.json", second.id));
    assert!(fs::read_to_string(kept).unwrap().contains("\"machine_type\":\"pc-q35-"));
    for spec in [&first, &second] {
        wait_for_end(&qemu, spec);
    }
}

#[test]
fn a_machine_that_kvm_breaks_stays_so_where_kvm_is_asked_for() {
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
    let spec = begin(&qemu, 1);
    wait_for_state(&qemu, &spec, MachineState::Failed);
    let [incident]: [MachineIncident; 1] = qemu.take_incidents().try_into().unwrap();
    assert_eq!(incident.kind, IncidentKind::Broke);
    assert!(incident.cause.contains("KVM internal error"), "{incident:?}");
    assert_eq!(qemu.info(), info("kvm", ""));
    wait_for_end(&qemu, &spec);
}

#[test]
fn what_is_found_out_about_kvm_decides_unless_it_is_decided() {
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
    assert_eq!(open(AccelerationChoice::Tcg, Ok(())).unwrap().info(), info("tcg", "as asked"));
}
