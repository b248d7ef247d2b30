//! What happens to guests is counted by what QEMU tells of it.

use croft_sled::{Counted, Hypervisor as _, Incidents, MachineSpec, qemu::Qemu};
use jiff::Timestamp;

use crate::host::{self, expected, open, wait_for_end};

/// A boot sector that says that it panicked, once for itself to look after and once for the host, and then waits.
fn panics() -> Vec<u8> {
    let mut sector = vec![
        0xba, 0x05, 0x05, // mov dx, the port of the device that hears of panics
        0xb0, 0x02, 0xee, // mov al, 2; out dx, al: the guest looks after it
        0xb0, 0x01, 0xee, // mov al, 1; out dx, al: the host may
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
    assert_eq!(incidents(&qemu, &spec).since, None, "it was counted from the start");
    let report = qemu.reboot_machine(spec.id).unwrap();
    wait_for_counts(&qemu, &spec, (1, 2, 2));

    // What another server counted, this one does not know.
    drop(qemu);
    let qemu = open(folder.path()).unwrap();
    let adopted = Timestamp::from_second(1_700_000_000).unwrap();
    qemu.adopt(&[expected(&spec, report)], adopted).unwrap();
    assert_eq!(incidents(&qemu, &spec), Incidents { since: Some(adopted), ..Incidents::default() });
    wait_for_end(&qemu, &spec);
    qemu.delete_disk(disk.id).unwrap();
}
