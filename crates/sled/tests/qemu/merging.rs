//! Merging of the layers of deleted snapshots with real QEMU.

use std::{
    fs::{self, File},
    os::unix::fs::FileExt as _,
    path::{Path, PathBuf},
    process::Command,
};

use croft_sled::{DiskReport, Hypervisor as _, HypervisorError, MachineState, SnapshotSpec, qemu::Qemu};
use jiff::Timestamp;
use uuid::Uuid;

use crate::host::{self, wait, wait_for_end, wait_for_snapshot, wait_for_state};

const MIB: u64 = 1 << 20;

/// Writes 64 KiB of one byte value to a disk without a machine.
fn write_pattern(folder: &Path, disk: Uuid, place: u64) {
    let layer = top_layer(folder, disk);
    let command = format!("write -P {place} {place}M 64k");
    let written = Command::new("qemu-io").args(["-f", "qcow2", "-c", &command]).arg(layer).output().unwrap();
    assert!(written.status.success(), "{}", String::from_utf8_lossy(&written.stderr));
}

fn top_layer(folder: &Path, disk: Uuid) -> PathBuf {
    folder.join("qemu/layers").join(&layers(folder, "disks", disk)[0].0)
}

/// The layers of a volume and their formats, from its record.
fn layers(folder: &Path, kind: &str, id: Uuid) -> Vec<(String, String)> {
    let record = fs::read_to_string(folder.join(format!("qemu/{kind}/{id}.json"))).expect("a record");
    let value = |text: &str| text.split('"').next().unwrap_or_default().to_owned();
    let ids = record.split("\"id\":\"").skip(1).map(value);
    ids.zip(record.split("\"format\":\"").skip(1).map(value)).collect()
}

/// Returns the positions of a disk at which [`write_pattern`] has written.
fn content(folder: &Path, disk: Uuid) -> Vec<u64> {
    let (id, format) = &layers(folder, "disks", disk)[0];
    let (layer, flat) = (folder.join("qemu/layers").join(id), folder.join("flat"));
    let mut convert = Command::new("qemu-img");
    convert.args(["convert", "-f", format, "-O", "raw"]).args([&layer, &flat]);
    assert!(convert.status().unwrap().success());
    let flat = File::open(flat).unwrap();
    let holds = |place: &u64| {
        let mut bytes = vec![0; 64 << 10];
        flat.read_exact_at(&mut bytes, place * MIB).unwrap();
        assert!(bytes.iter().all(|byte| *byte == bytes[0]), "a write was applied partially");
        u64::from(bytes[0]) == *place
    };
    (1..=5).filter(holds).collect()
}

/// Deletes a snapshot whose layer a disk depends on.
fn delete(qemu: &Qemu, snapshot: Uuid) {
    let refused = qemu.delete_snapshot(snapshot);
    assert!(matches!(refused, Err(HypervisorError::Refused(_))), "the merge has only begun: {refused:?}");
    wait(qemu, "the merge", || qemu.delete_snapshot(snapshot).is_ok());
}

/// A disk with snapshots 2, 3 and 4, with writes before each and after the last one.
fn prepared(folder: &Path, qemu: &Qemu) -> (Uuid, [SnapshotSpec; 3]) {
    let disk = host::disk(1, None);
    qemu.ensure_disk(&disk).unwrap();
    qemu.write_disk(disk.id, MIB, &vec![1; 64 << 10]).unwrap();
    let taken = [2, 3, 4].map(|number| {
        let taken = host::snapshot(number, disk.id, None);
        assert_eq!(qemu.ensure_snapshot(&taken), Ok(DiskReport::Ready));
        write_pattern(folder, disk.id, u64::try_from(number).unwrap());
        taken
    });
    (disk.id, taken)
}

#[test]
fn a_disk_without_machine_is_merged_and_keeps_its_content() {
    let Some((folder, qemu)) = host::host() else { return };
    let (disk, [first, second, third]) = prepared(folder.path(), &qemu);
    assert_eq!((layers(folder.path(), "disks", disk).len(), content(folder.path(), disk).len()), (4, 4));

    delete(&qemu, second.id);
    assert_eq!(layers(folder.path(), "disks", disk).len(), 3);
    let copy = host::disk(9, Some(third.id));
    qemu.ensure_disk(&copy).unwrap();
    assert_eq!(content(folder.path(), copy.id), [1, 2, 3], "the third snapshot has its content");
    assert!(qemu.delete_snapshot(third.id).is_err(), "two disks depend on it");
    qemu.delete_disk(copy.id).unwrap();
    let copy = host::disk(10, Some(first.id));
    qemu.ensure_disk(&copy).unwrap();
    assert_eq!(content(folder.path(), copy.id), [1], "the first snapshot has its content");
    qemu.delete_disk(copy.id).unwrap();

    delete(&qemu, first.id);
    delete(&qemu, third.id);
    assert_eq!(layers(folder.path(), "disks", disk).len(), 1);
    assert_eq!(content(folder.path(), disk), [1, 2, 3, 4]);
    assert_eq!(fs::read_dir(folder.path().join("qemu/merges")).unwrap().count(), 0);
    qemu.write_disk(disk, 5 * MIB, &vec![5; 64 << 10]).unwrap();
    assert_eq!(content(folder.path(), disk), [1, 2, 3, 4, 5]);
}

#[test]
fn a_machine_merges_the_layers_that_it_stands_on() {
    let Some((folder, qemu)) = host::host() else { return };
    let (disk, [first, second, third]) = prepared(folder.path(), &qemu);
    let spec = host::machine(11, "db1", disk, "");
    qemu.ensure_machine(&spec).unwrap();
    wait_for_state(&qemu, &spec, MachineState::Running);
    let running = host::snapshot(5, disk, Some(spec.id));
    wait_for_snapshot(&qemu, &running);
    assert_eq!(layers(folder.path(), "disks", disk).len(), 5);

    delete(&qemu, first.id);
    delete(&qemu, third.id);
    assert_eq!(layers(folder.path(), "disks", disk).len(), 3);
    // This layer cannot be merged before the next snapshot, because the layer above is being written to.
    assert!(qemu.delete_snapshot(running.id).is_err());
    assert_eq!(layers(folder.path(), "disks", disk).len(), 3);
    for number in 6..10 {
        wait_for_snapshot(&qemu, &host::snapshot(number, disk, Some(spec.id)));
        let before = if number == 6 { running.id } else { Uuid::from_u128(number - 1) };
        delete(&qemu, before);
        assert_eq!(layers(folder.path(), "disks", disk).len(), 3);
    }
    delete(&qemu, second.id);
    assert_eq!(layers(folder.path(), "disks", disk).len(), 2);
    assert_eq!(qemu.observe_machine(spec.sled_id, spec.id).unwrap().state, MachineState::Running);
    wait_for_end(&qemu, &spec);
    assert_eq!(content(folder.path(), disk), [1, 2, 3, 4]);

    let restarted = host::machine(12, "db1", disk, "");
    qemu.ensure_machine(&restarted).unwrap();
    wait_for_state(&qemu, &restarted, MachineState::Running);
    wait_for_end(&qemu, &restarted);
}

#[test]
fn other_disk_operations_precede_merging() {
    let Some((folder, qemu)) = host::host() else { return };
    let (disk, [first, second, third]) = prepared(folder.path(), &qemu);
    assert!(qemu.delete_snapshot(first.id).is_err());
    let spec = host::machine(11, "db1", disk, "");
    qemu.ensure_machine(&spec).unwrap();
    wait_for_state(&qemu, &spec, MachineState::Running);
    // The merge is repeated if the start of the machine interrupted it.
    wait(&qemu, "the merge", || qemu.delete_snapshot(first.id).is_ok());
    assert!(qemu.delete_snapshot(second.id).is_err());
    wait_for_snapshot(&qemu, &host::snapshot(5, disk, Some(spec.id)));
    assert!(qemu.delete_snapshot(third.id).is_err());
    let report = qemu.observe_machine(spec.sled_id, spec.id).unwrap();
    drop(qemu);
    let qemu = host::open(folder.path()).unwrap();
    qemu.adopt(&[host::expected(&spec, report)], Timestamp::UNIX_EPOCH).unwrap();
    wait_for_end(&qemu, &spec);
    wait(&qemu, "the merge", || qemu.delete_snapshot(second.id).is_ok());
    wait(&qemu, "the merge", || qemu.delete_snapshot(third.id).is_ok());
    assert_eq!(content(folder.path(), disk), [1, 2, 3, 4]);
    assert!(qemu.delete_snapshot(Uuid::from_u128(5)).is_err());
    qemu.delete_disk(disk).unwrap();
}
