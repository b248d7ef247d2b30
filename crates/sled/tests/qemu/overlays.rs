//! The layers of disks, checked with `qemu-img`.

use std::{
    fs::{self, File},
    os::unix::fs::{FileExt as _, MetadataExt as _},
    path::Path,
    process::Command,
};

use croft_sled::{DiskReport, Hypervisor as _, HypervisorError};
use uuid::Uuid;

use crate::host::{self, DISK_SIZE};

fn top_layer(folder: &Path, disk: Uuid) -> std::path::PathBuf {
    let record = fs::read_to_string(folder.join(format!("qemu/disks/{disk}.json"))).expect("a record");
    let id = record.split("\"id\":\"").nth(1).expect("a layer").split('"').next().expect("its id");
    folder.join("qemu/layers").join(id)
}

fn qemu_img(arguments: &[&str], path: &Path) -> String {
    let output = Command::new("qemu-img").args(arguments).arg(path).output().expect("qemu-img");
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text).into_owned();
    assert!(output.status.success(), "{text}");
    text
}

#[test]
fn disk_keeps_its_snapshot_content_after_deletions() {
    let Some((folder, qemu)) = host::host() else { return };
    let first = host::disk(1, None);
    qemu.ensure_disk(&first).unwrap();
    qemu.write_disk(first.id, 70_000, b"from the first disk").unwrap();
    let taken = host::snapshot(2, first.id, None);
    assert_eq!(qemu.ensure_snapshot(&taken), Ok(DiskReport::Ready));
    let larger = croft_sled::DiskSpec { size: 3 * DISK_SIZE, ..host::disk(3, Some(taken.id)) };
    assert_eq!(qemu.ensure_disk(&larger), Ok(DiskReport::Ready));
    assert_eq!(qemu.ensure_snapshot(&host::snapshot(4, larger.id, None)), Ok(DiskReport::Ready));
    let refused = qemu.delete_snapshot(taken.id);
    assert!(matches!(refused, Err(HypervisorError::Refused(_))), "two disks depend on it: {refused:?}");
    qemu.delete_disk(first.id).unwrap();

    let top = top_layer(folder.path(), larger.id);
    assert!(qemu_img(&["check", "-f", "qcow2"], &top).contains("No errors were found"));
    let info = qemu_img(&["info", "--backing-chain"], &top);
    assert_eq!(info.matches("\nfile format: qcow2").count(), 2, "{info}");
    assert_eq!(info.matches("\nfile format: raw").count(), 1, "{info}");
    assert!(info.contains("virtual size: 3 GiB"), "{info}");
    let content = folder.path().join("content");
    let convert = Command::new("qemu-img")
        .args(["convert", "-f", "qcow2", "-O", "raw"])
        .args([&top, &content])
        .status()
        .expect("qemu-img");
    assert!(convert.success());
    let content = File::open(content).unwrap();
    assert_eq!(content.metadata().unwrap().len(), 3 * DISK_SIZE);
    assert!(content.metadata().unwrap().blocks() * 512 < 1 << 20, "only written data is allocated");
    let mut found = [0; 25];
    content.read_exact_at(&mut found, 69_997).unwrap();
    assert_eq!(&found, b"\0\0\0from the first disk\0\0\0");
}

#[test]
fn largest_disk_can_be_created_from_a_snapshot() {
    let Some((folder, qemu)) = host::host() else { return };
    let first = host::disk(1, None);
    qemu.ensure_disk(&first).unwrap();
    let taken = host::snapshot(2, first.id, None);
    qemu.ensure_snapshot(&taken).unwrap();
    let largest = croft_sled::DiskSpec { size: 1023 << 30, ..host::disk(3, Some(taken.id)) };
    qemu.ensure_disk(&largest).unwrap();
    let top = top_layer(folder.path(), largest.id);
    assert!(qemu_img(&["check", "-f", "qcow2"], &top).contains("No errors were found"));
    assert!(fs::metadata(top).unwrap().len() < 1 << 20);
}
