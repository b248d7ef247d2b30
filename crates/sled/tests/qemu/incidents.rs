//! Incidents of guests are counted from QEMU's events.

use croft_sled::{Counted, Hypervisor as _, Incidents, MachineSpec, qemu::Qemu};
use jiff::Timestamp;

use crate::host::{self, expected, open, wait_for_end};

/// A boot sector that reports a panic to be handled by the guest and one to be handled by the host, and then halts.
fn panics() -> Vec<u8> {
    let mut sector = vec![
        0xba, 0x05, 0x05, // mov dx, the port of the pvpanic device
        0xb0, 0x02, 0xee, // mov al, 2; out dx, al: handled by the guest
        0xb0, 0x01, 0xee, // mov al, 1; out dx, al: to be handled by the host
        0xf4, 0xeb, 0xfd, // hlt; again
    ];
    sector.resize(510, 0);
    sector.extend([0x55, 0xaa]);
    sector
}

fn incidents(qemu: &Qemu, spec: &MachineSpec) -> Incidents {
    qemu.counters(spec.id, Counted::Processors, Timestamp::UNIX_EPOCH).unwrap().incidents
}

fn counts(qemu: &Qemu, spec: &MachineSpec) -> (u64, u64, u64) {
    let found = incidents(qemu, spec);
    (found.resets, found.panics_handled_by_guest, found.panics_handled_by_host)
}

fn wait_for_counts(qemu: &Qemu, spec: &MachineSpec, wanted: (u64, u64, u64)) {
    let end = std::time::Instant::now() + host::LIMIT;
    while counts(qemu, spec) != wanted {
        assert!(std::time::Instant::now() < end, "{:?} is not {wanted:?}", counts(qemu, spec));
        std::thread::yield_now();
    }
}

#[test]
fn resets_and_panics_are_counted() {
    let Some((folder, qemu)) = host::host() else { return };
    let disk = host::disk(1, None);
    let image = folder.path().join("sector");
    std::fs::write(&image, panics()).unwrap();
    host::import(&qemu, &disk, &image);
    let spec = host::machine(11, "db1", disk.id, "");
    qemu.ensure_machine(&spec).unwrap();
    wait_for_counts(&qemu, &spec, (0, 1, 1));
    assert_eq!(incidents(&qemu, &spec).since, None, "counted since the start of the machine");
    let report = qemu.reboot_machine(spec.id).unwrap();
    wait_for_counts(&qemu, &spec, (1, 2, 2));

    // Incidents counted by an earlier server are not known to the next one.
    drop(qemu);
    let qemu = open(folder.path()).unwrap();
    let adopted = Timestamp::from_second(1_700_000_000).unwrap();
    qemu.adopt(&[expected(&spec, report)], adopted).unwrap();
    assert_eq!(incidents(&qemu, &spec), Incidents { since: Some(adopted), ..Incidents::default() });
    wait_for_end(&qemu, &spec);
    qemu.delete_disk(disk.id).unwrap();
}
