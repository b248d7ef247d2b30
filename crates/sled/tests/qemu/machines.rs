use std::{fs, process::Command, time::Duration};

use croft_sled::{
    Counted, ExpectedMachine, Hypervisor as _, HypervisorError, IncidentKind, MachineSpec, MachineState,
    SerialLine,
};
use jiff::Timestamp;

use crate::host::{
    self, expected, import, log_in, open, run, wait_for_end, wait_for_snapshot, wait_for_state, wait_for_text,
};

/// Returns the ID of the process that runs a machine.
pub fn process_of(spec: &MachineSpec) -> String {
    let runs = |id: &str| {
        let line = fs::read(format!("/proc/{id}/cmdline")).unwrap_or_default();
        String::from_utf8_lossy(&line).contains(&format!("croft-machine-{}", spec.id))
    };
    let entries =
        fs::read_dir("/proc").unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    entries.filter(|name| name.parse::<u32>().is_ok()).find(|id| runs(id)).expect("the machine's process")
}

fn check_identity(line: &SerialLine, hostname: &str) {
    assert!(run(line, "hostname").contains(&format!("\n{hostname}\r")));
    assert!(run(line, "cat .ssh/authorized_keys").contains(&format!("AAAAIexample {hostname}-key\r")));
    assert!(
        run(line, "until ifconfig eth0 | grep -q inet.addr:172.30.0.7; do usleep 100000; done").len() > 1
    );
}

#[test]
fn machine_boots_is_snapshotted_and_survives_its_server() {
    let Some((folder, qemu)) = host::host() else { return };
    let Some(image) = host::guest_image() else { return };
    let disk = host::disk(1, None);
    import(&qemu, &disk, &image);
    let first = host::machine(11, "db1", disk.id, "#!/bin/sh\necho from user data >greeting\n");
    assert_eq!(qemu.ensure_machine(&first).unwrap().state, MachineState::Starting);
    assert!(matches!(qemu.write_disk(disk.id, 0, b"x"), Err(HypervisorError::Refused(_))));
    wait_for_state(&qemu, &first, MachineState::Running);
    let line = qemu.serial(first.id).unwrap();
    log_in(&line, "db1");
    check_identity(&line, "db1");
    assert!(run(&line, "cat greeting").contains("from user data"));
    run(&line, "echo precious >file && sync");

    let taken = host::snapshot(2, disk.id, Some(first.id));
    wait_for_snapshot(&qemu, &taken);
    run(&line, "echo changed since >file && sync");
    let copy = host::disk(3, Some(taken.id));
    qemu.ensure_disk(&copy).unwrap();
    let second = host::machine(12, "db2", copy.id, "");
    qemu.ensure_machine(&second).unwrap();
    let second_line = qemu.serial(second.id).unwrap();
    log_in(&second_line, "db2");
    check_identity(&second_line, "db2");
    assert!(run(&second_line, "cat file").contains("\nprecious\r"));
    assert!(
        run(&line, "cat file").contains("\nchanged since\r"),
        "the disk of the first machine is not affected"
    );

    let counters = qemu.counters(first.id, Counted::Everything, Timestamp::UNIX_EPOCH).unwrap();
    assert!(counters.cpu_time() > Duration::ZERO);
    assert_eq!((counters.disks.len(), counters.disks[0].id), (1, disk.id));
    assert!(counters.disks[0].bytes_read > 1 << 20 && counters.disks[0].flushes > 0, "{counters:?}");

    let reports = [&first, &second].map(|spec| qemu.observe_machine(spec.sled_id, spec.id).unwrap());
    let process = process_of(&first);
    drop(qemu);
    assert_eq!(process_of(&first), process, "machines keep running without the server");
    let qemu = open(folder.path()).unwrap();
    qemu.adopt(&[expected(&first, reports[0]), expected(&second, reports[1])], Timestamp::UNIX_EPOCH)
        .unwrap();
    qemu.ensure_machine(&first).unwrap();
    let line = qemu.serial(first.id).unwrap();
    assert!(
        wait_for_text(&line, 0, "echo precious").contains("db1 login: "),
        "the history of its console is kept"
    );
    assert!(run(&line, "echo it is $(hostname)").contains("it is db1"));
    assert_eq!(process_of(&first), process, "it was adopted, not started again");

    stop_and_crash(&qemu, &first, &second);
}

/// Shuts the first machine down, and kills the second one.
fn stop_and_crash(qemu: &croft_sled::qemu::Qemu, first: &MachineSpec, second: &MachineSpec) {
    assert_eq!(qemu.stop_machine(first.id).unwrap().state, MachineState::Stopping);
    assert!(matches!(qemu.reboot_machine(first.id), Err(HypervisorError::Refused(_))));
    wait_for_state(qemu, first, MachineState::Ended);
    assert!(qemu.serial(first.id).unwrap().is_closed());
    wait_for_end(qemu, first);
    assert_eq!(qemu.observe_machine(first.sled_id, first.id), Err(HypervisorError::UnknownMachine));

    assert!(Command::new("kill").args(["-9", &process_of(second)]).status().unwrap().success());
    wait_for_state(qemu, second, MachineState::Failed);
    let [incident] = qemu.take_incidents().try_into().unwrap();
    assert_eq!((incident.kind, incident.machine_id), (IncidentKind::Broke, second.id));
    assert!(incident.cause.starts_with("QEMU exited unexpectedly"), "{incident:?}");
    assert!(incident.serial_tail.contains("root@db2:/root#"), "{incident:?}");
    wait_for_end(qemu, second);
    for disk in first.disks.iter().chain(&second.disks) {
        qemu.delete_disk(disk.id).unwrap();
    }
}

#[test]
fn machine_without_boot_disk_runs_reboots_and_stops() {
    let Some((folder, qemu)) = host::host() else { return };
    let disk = host::disk(1, None);
    qemu.ensure_disk(&disk).unwrap();
    let spec = host::machine(11, "db1", disk.id, "");
    qemu.ensure_machine(&spec).unwrap();
    let report = qemu.reboot_machine(spec.id).unwrap();
    assert_eq!(report.state, MachineState::Rebooting);
    wait_for_state(&qemu, &spec, MachineState::Running);
    assert!(qemu.observe_machine(spec.sled_id, spec.id).unwrap().generation > report.generation);
    let other = MachineSpec { id: host::machine(12, "db2", disk.id, "").id, ..spec.clone() };
    assert!(matches!(qemu.ensure_machine(&other), Err(HypervisorError::Refused(_))), "the disk is in use");
    assert!(matches!(qemu.delete_disk(disk.id), Err(HypervisorError::Refused(_))));

    // A server that crashed before it recorded the start finds the machine when it starts it again.
    let process = process_of(&spec);
    drop(qemu);
    let qemu = open(folder.path()).unwrap();
    let unregistered = ExpectedMachine { is_registered: false, ..expected(&spec, report) };
    qemu.adopt(&[unregistered], Timestamp::UNIX_EPOCH).unwrap();
    qemu.ensure_machine(&spec).unwrap();
    wait_for_state(&qemu, &spec, MachineState::Running);
    assert_eq!(process_of(&spec), process);
    wait_for_end(&qemu, &spec);
    wait_for_end(&qemu, &spec);
    qemu.delete_disk(disk.id).unwrap();
    let missing = host::machine(13, "db1", disk.id, "");
    qemu.ensure_machine(&missing).unwrap();
    wait_for_state(&qemu, &missing, MachineState::Failed);
    let [incident] = qemu.take_incidents().try_into().unwrap();
    assert_eq!((incident.kind, incident.machine_id), (IncidentKind::NotStarted, missing.id));
    assert!(incident.cause.contains(&disk.id.to_string()), "{incident:?}");
    assert_eq!(incident.serial_tail, "");
}

#[test]
fn machine_with_an_unreadable_file_is_not_changed() {
    let Some((folder, qemu)) = host::host() else { return };
    let (disk, other) = (host::disk(1, None), host::disk(2, None));
    for disk in [&disk, &other] {
        qemu.ensure_disk(disk).unwrap();
    }
    let spec = host::machine(11, "db1", disk.id, "");
    let neighbour = host::machine(12, "db2", other.id, "");
    for spec in [&spec, &neighbour] {
        qemu.ensure_machine(spec).unwrap();
        wait_for_state(&qemu, spec, MachineState::Running);
    }
    let reports = [&spec, &neighbour].map(|spec| qemu.observe_machine(spec.sled_id, spec.id).unwrap());
    let expected = [expected(&spec, reports[0]), expected(&neighbour, reports[1])];
    let process = process_of(&spec);
    drop(qemu);
    let file = folder.path().join(format!("qemu/machines/{}/machine.json", spec.id));
    let content = fs::read(&file).unwrap();

    // Truncated, unreadable and missing. In each case the machine keeps running.
    for damage in ["content", "access", "removal"] {
        fs::remove_file(&file).unwrap();
        match damage {
            "content" => fs::write(&file, &content[..content.len() / 2]).unwrap(),
            "access" => fs::create_dir(&file).unwrap(),
            _ => {}
        }
        let qemu = open(folder.path()).unwrap();
        qemu.adopt(&expected, Timestamp::UNIX_EPOCH).unwrap();
        let [incident] = qemu.take_incidents().try_into().unwrap();
        assert_eq!((incident.kind, incident.machine_id), (IncidentKind::Unreadable, spec.id), "{damage}");
        assert!(incident.cause.contains(&file.display().to_string()), "{incident:?}");
        let unreachable = |error: HypervisorError| matches!(error, HypervisorError::Unreachable(_));
        assert!(unreachable(qemu.observe_machine(spec.sled_id, spec.id).unwrap_err()));
        assert!(unreachable(qemu.ensure_machine(&spec).unwrap_err()));
        assert!(unreachable(qemu.destroy_machine(spec.sled_id, spec.id).unwrap_err()));
        assert!(matches!(qemu.delete_disk(disk.id), Err(HypervisorError::Refused(_))));
        let thief = host::machine(13, "db3", disk.id, "");
        assert!(matches!(qemu.ensure_machine(&thief), Err(HypervisorError::Refused(_))));
        wait_for_state(&qemu, &neighbour, MachineState::Running);
        assert_eq!(process_of(&spec), process, "{damage}");
        drop(qemu);
        if damage == "access" {
            fs::remove_dir(&file).unwrap();
        }
        fs::write(&file, &content).unwrap();
    }

    let qemu = open(folder.path()).unwrap();
    qemu.adopt(&expected, Timestamp::UNIX_EPOCH).unwrap();
    wait_for_state(&qemu, &spec, MachineState::Running);
    assert_eq!(process_of(&spec), process, "it is adopted once the file is readable");
    for spec in [&spec, &neighbour] {
        wait_for_end(&qemu, spec);
    }
}

#[test]
fn machine_cannot_access_files_of_others() {
    let Some((folder, qemu)) = host::host() else { return };
    let disk = host::disk(1, None);
    qemu.ensure_disk(&disk).unwrap();
    let spec = host::machine(11, "db1", disk.id, "");
    qemu.ensure_machine(&spec).unwrap();
    wait_for_state(&qemu, &spec, MachineState::Running);
    let status = fs::read_to_string(format!("/proc/{}/status", process_of(&spec))).unwrap();
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
        line.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(field("Seccomp:"), ["2"], "system calls are filtered");
    assert_eq!(field("CapEff:"), ["0000000000000000"]);
    let limits = fs::read_to_string(format!("/proc/{}/limits", process_of(&spec))).unwrap();
    let limit = |name: &str| {
        let line = limits.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
        line.split_whitespace().take(2).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(limit("Max core file size"), ["0", "0"], "no core file with the guest's memory is written");
    let own = fs::read_to_string("/proc/self/status").unwrap();
    if own.lines().any(|line| line.starts_with("Uid:\t0\t")) {
        assert_eq!(field("NoNewPrivs:"), ["1"]);
        assert_eq!(limit("Max processes"), ["1024", "1024"]);
        assert!(field("Uid:").iter().all(|user| user.parse::<u32>().unwrap() > 0x7c72_0000));
    }
    for entry in ["disks", "snapshots", "machines", "layers", "host.json"] {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = fs::metadata(folder.path().join("qemu").join(entry)).unwrap().permissions().mode();
        assert_eq!(mode & 0o067, 0, "{entry} is accessible to others: {mode:o}");
    }
    wait_for_end(&qemu, &spec);
}
