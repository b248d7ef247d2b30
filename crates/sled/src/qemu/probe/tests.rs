use std::{
    env, fs,
    os::unix::fs::PermissionsExt as _,
    path::{Path, PathBuf},
    time::Duration,
};

use super::{
    super::{arguments, process::Launcher, programs},
    trial::{self, Failure, GUEST, TrialError},
    *,
};

/// Long enough for a guest to reach the point where it hangs.
const SHORT: Duration = Duration::from_secs(5);

fn program(name: &str) -> Option<PathBuf> {
    let found = find_program(name, &[]);
    assert!(found.is_some() || env::var_os("CROFT_REQUIRE_QEMU").is_none(), "{name} is not installed");
    found
}

/// Boots from this disk with TCG.
fn tried(qemu: &Path, disk: &[u8], limit: Duration) -> Result<(), Failure> {
    let folder = tempfile::tempdir().unwrap();
    let launcher = Launcher {
        program: qemu.to_owned(),
        prlimit: find_program("prlimit", &[]).unwrap(),
        setpriv: None,
        acceleration_group: None,
    };
    let common = arguments::common(Acceleration::Tcg, "q35");
    trial::run_disk(&launcher, &folder.path().join("trial"), None, &common, disk, limit)
}

/// The test guest with the instructions of a stage replaced.
fn changed(stage: u8, code: &[u8]) -> Vec<u8> {
    // The instructions with which a stage reports its start.
    let begins = [0xb0, b'0' + stage, 0xe6, 0xe9];
    let mut program = GUEST.to_vec();
    let at = program.windows(4).position(|window| window == begins).expect("the stage begins") + 4;
    program[at..at + code.len()].copy_from_slice(code);
    trial::disk(&program)
}

#[test]
fn guest_matches_its_assembled_source() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/qemu/probe/guest.s");
    let (Some(assembler), Some(linker)) = (find_program("as", &[]), find_program("ld", &[])) else {
        panic!("GNU as and ld are needed, which come with a C compiler");
    };
    let folder = tempfile::tempdir().unwrap();
    let [object, image] = ["guest.o", "guest.bin"].map(|name| folder.path().join(name));
    let mut assemble = Command::new(assembler);
    assemble.arg("--64").arg("-o").arg(&object).arg(&source);
    programs::run(&mut assemble, None, programs::LIMIT).unwrap();
    let mut link = Command::new(linker);
    link.args(["-m", "elf_x86_64", "-Ttext=0x7c00", "--oformat=binary", "-o"]).arg(&image).arg(&object);
    programs::run(&mut link, None, programs::LIMIT).unwrap();
    assert!(
        fs::read(&image).unwrap() == GUEST,
        "guest.bin is stale: this test contains the commands that create it"
    );
}

#[test]
fn guest_completes() {
    let Some(qemu) = program("qemu-system-x86_64") else { return };
    assert_eq!(tried(&qemu, &trial::disk(GUEST), trial::LIMIT), Ok(()));
}

#[test]
fn wrong_result_is_reported_with_its_position() {
    let Some(qemu) = program("qemu-system-x86_64") else { return };
    for stage in 1..=7 {
        // mov al, stage; out 0xf4, al
        let disk = changed(stage, &[0xb0, stage, 0xe6, 0xf4]);
        let expected = Failure::InGuest { stage: stage.into(), wrong: TrialError::Result };
        assert_eq!(tried(&qemu, &disk, trial::LIMIT), Err(expected));
    }
    let mut disk = trial::disk(GUEST);
    disk[(64 + 100) * 512] ^= 1;
    let text = tried(&qemu, &disk, trial::LIMIT).unwrap_err().to_string();
    assert_eq!(text, "the test guest got a wrong result changing between real mode and protected mode");
    let mut disk = trial::disk(GUEST);
    disk[GUEST.len() - 1] ^= 1;
    let text = tried(&qemu, &disk, trial::LIMIT).unwrap_err().to_string();
    assert_eq!(text, "the test guest got a wrong result reading its disk through the firmware");
}

#[test]
fn reset_timeout_and_exit_are_reported() {
    let Some(qemu) = program("qemu-system-x86_64") else { return };
    // An invalid instruction without a handler.
    let text = tried(&qemu, &changed(7, &[0x0f, 0x0b]), trial::LIMIT).unwrap_err().to_string();
    assert_eq!(text, "the test guest's processor reset itself with the timer in long mode");
    let text = tried(&qemu, &changed(3, &[0xeb, 0xfe]), SHORT).unwrap_err().to_string();
    assert_eq!(text, "the test guest did not finish within 5 s; it stopped with the timer in real mode");
    let text = tried(Path::new("/bin/false"), GUEST, trial::LIMIT).unwrap_err().to_string();
    assert_eq!(text, "QEMU exited without a message in the firmware, before the guest started");
    let text = tried(Path::new("/no/such/program"), GUEST, trial::LIMIT).unwrap_err().to_string();
    assert!(text.contains("No such file"), "{text}");
}

/// A failure of KVM on some hosts, reproduced by a script that speaks QMP.
#[test]
fn internal_error_is_reported_immediately() {
    const TALKS: &str = r#"#!/usr/bin/perl
$| = 1;
open my $progress, '>', 'progress'; print $progress '1234'; close $progress;
print STDERR "KVM internal error. Suberror: 1\nextra data[0]: 0x1\n";
print qq({"QMP": {}}\n);
while (<STDIN>) {
    my ($id) = /"id":(\d+)/;
    print qq({"id": $id, "return": {"status": "internal-error"}}\n);
    print qq({"event": "STOP", "data": {}}\n) if /"cont"/;
}
"#;
    let folder = tempfile::tempdir().unwrap();
    let talks = folder.path().join("qemu");
    fs::write(&talks, TALKS).unwrap();
    fs::set_permissions(&talks, fs::Permissions::from_mode(0o755)).unwrap();
    // Only the error can end the run.
    let text = tried(&talks, GUEST, Duration::from_hours(1)).unwrap_err().to_string();
    let expected = "QEMU stopped the test guest with an internal error in protected mode (KVM internal error. \
                    Suberror: 1)";
    assert_eq!(text, expected);
}

#[test]
fn versions_of_machines_are_compared_by_number() {
    let listed = "Supported machines are:\nq35                  Standard PC (alias of pc-q35-10.0)\n\
                  pc-q35-9.2           Standard PC\npc-q35-10.0          Standard PC\npc-q35-4.0.1         \
                  Standard PC\npc-q35-rhel9 x\npc-i440fx-11.0       Standard PC\n";
    assert_eq!(newest_listed(listed).as_deref(), Some("pc-q35-10.0"));
    assert_eq!(newest_listed("none   empty machine\n"), None);
}
