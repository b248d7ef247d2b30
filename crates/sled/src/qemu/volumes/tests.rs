use super::{merge::Way, *};
use crate::qemu::golden;

const SIZE: u64 = 64 << 20;

fn open(root: &Path) -> Volumes {
    Volumes::open(root, None).unwrap()
}

fn disk(number: u128, snapshot: Option<u128>) -> DiskSpec {
    let snapshot = snapshot.map(Uuid::from_u128);
    DiskSpec { id: Uuid::from_u128(number), size: SIZE, block_size: 512, pools: Vec::new(), snapshot }
}

fn snapshot(number: u128, disk: u128) -> SnapshotSpec {
    SnapshotSpec { id: Uuid::from_u128(number), disk_id: Uuid::from_u128(disk), size: SIZE, machine_id: None }
}

fn layers(root: &Path) -> usize {
    fs::read_dir(root.join("layers")).unwrap().count()
}

#[test]
fn bytes_are_written_at_their_offset_only() {
    let folder = tempfile::tempdir().unwrap();
    let volumes = open(folder.path());
    let spec = disk(1, None);
    volumes.ensure_disk(&spec).unwrap();
    volumes.ensure_disk(&spec).unwrap();
    volumes.write(spec.id, SIZE - 4, b"last").unwrap();
    volumes.sync(spec.id).unwrap();
    assert!(matches!(volumes.write(spec.id, SIZE - 3, b"last"), Err(HypervisorError::Refused(_))));
    assert!(matches!(volumes.write(spec.id, u64::MAX, b"last"), Err(HypervisorError::Refused(_))));
    let (layer, _) = volumes.attached(spec.id).unwrap();
    let content = fs::read(volumes.layer_path(layer)).unwrap();
    assert_eq!((content.len() as u64, content.ends_with(b"last")), (SIZE, true));
    assert!(volumes.allocated() < 1 << 20, "a disk uses only the storage that was written to");
}

#[test]
fn layers_are_deleted_with_their_last_reference() {
    let folder = tempfile::tempdir().unwrap();
    let volumes = open(folder.path());
    volumes.ensure_disk(&disk(1, None)).unwrap();
    volumes.take_snapshot(&snapshot(10, 1)).unwrap();
    volumes.take_snapshot(&snapshot(10, 1)).unwrap();
    volumes.ensure_disk(&disk(2, Some(10))).unwrap();
    assert_eq!(layers(folder.path()), 3);
    assert!(matches!(volumes.write(Uuid::from_u128(1), 0, b"x"), Err(HypervisorError::Refused(_))));
    volumes.delete_disk(Uuid::from_u128(1)).unwrap();
    drop(volumes);
    // Opening removes layers that the thread has not removed yet.
    let volumes = open(folder.path());
    assert_eq!(layers(folder.path()), 2, "the second disk still depends on the layer of the first");
    volumes.delete_disk(Uuid::from_u128(2)).unwrap();
    volumes.delete_disk(Uuid::from_u128(2)).unwrap();
    volumes.delete_snapshot(Uuid::from_u128(10)).unwrap();
    volumes.delete_snapshot(Uuid::from_u128(10)).unwrap();
    drop(volumes);
    open(folder.path());
    assert_eq!(layers(folder.path()), 0);
}

#[test]
fn interrupted_snapshot_does_not_change_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    let volumes = open(folder.path());
    volumes.ensure_disk(&disk(1, None)).unwrap();
    volumes.grow(Uuid::from_u128(1), None).unwrap();
    volumes.new_layer(SIZE, None).unwrap();
    fs::write(folder.path().join("disks/half.part"), b"{").unwrap();
    drop(volumes);
    let volumes = open(folder.path());
    assert_eq!(layers(folder.path()), 2, "a layer without a record is removed");
    assert!(!volumes.has_snapshot(Uuid::from_u128(10)));
    volumes.take_snapshot(&snapshot(10, 1)).unwrap();
    assert!(volumes.has_snapshot(Uuid::from_u128(10)));
    assert!(matches!(volumes.ensure_disk(&disk(2, Some(11))), Err(HypervisorError::Refused(_))));
}

#[test]
fn number_of_layers_of_a_disk_is_bounded() {
    let folder = tempfile::tempdir().unwrap();
    let volumes = open(folder.path());
    volumes.ensure_disk(&disk(1, None)).unwrap();
    for number in 1..DEEPEST as u128 {
        volumes.take_snapshot(&snapshot(100 + number, 1)).unwrap();
    }
    let refused = volumes.take_snapshot(&snapshot(1000, 1));
    assert!(matches!(refused, Err(HypervisorError::Refused(_))), "{refused:?}");
    assert_eq!(layers(folder.path()), DEEPEST);
}

#[test]
fn failed_snapshot_does_not_end_the_import() {
    let folder = tempfile::tempdir().unwrap();
    let volumes = open(folder.path());
    volumes.ensure_disk(&disk(1, None)).unwrap();
    // A directory in place of the record makes writing it fail.
    fs::create_dir(volumes.record_path(Kind::Snapshot, Uuid::from_u128(10))).unwrap();
    assert!(volumes.take_snapshot(&snapshot(10, 1)).is_err());
    assert_eq!(layers(folder.path()), 1);
    volumes.write(Uuid::from_u128(1), 0, b"goes on").unwrap();
}

/// A disk with snapshots 10 and 11. Returns the layers of the disk.
fn disk_with_two_snapshots(volumes: &Volumes) -> Vec<Layer> {
    volumes.ensure_disk(&disk(1, None)).unwrap();
    volumes.take_snapshot(&snapshot(10, 1)).unwrap();
    volumes.take_snapshot(&snapshot(11, 1)).unwrap();
    layers_of(volumes, Kind::Disk, 1)
}

fn layers_of(volumes: &Volumes, kind: Kind, number: u128) -> Vec<Layer> {
    volumes.index.lock().records[&(kind, Uuid::from_u128(number))].layers.clone()
}

fn way(volumes: &Volumes, snapshot: u128) -> Way {
    volumes.way_to_free(Uuid::from_u128(snapshot)).unwrap()
}

/// Makes a layer refer to another one, as QEMU does after merging the one between them.
fn refer(volumes: &Volumes, from: Layer, to: Layer) {
    let path = volumes.layer_path(from);
    fs::remove_file(&path).unwrap();
    qcow2::create_overlay(&path, SIZE, &to.id.to_string(), to.format.name()).unwrap();
}

#[test]
fn the_layer_of_a_deleted_snapshot_is_merged_with_the_next_one() {
    let folder = tempfile::tempdir().unwrap();
    let volumes = open(folder.path());
    let [top, middle, base] = disk_with_two_snapshots(&volumes)[..] else { panic!("three layers") };
    let Way::Merge(merge) = way(&volumes, 10) else { panic!("a merge") };
    assert_eq!((merge.lower, merge.upper, merge.above), (base, middle, Some(top)));
    assert!(volumes.merged(&merge).is_err(), "the middle layer is still in use");
    assert!(volumes.ensure_disk(&disk(2, Some(10))).is_err(), "the snapshot is gone for good");
    refer(&volumes, top, base);
    volumes.merged(&merge).unwrap();
    assert_eq!(layers_of(&volumes, Kind::Disk, 1), [top, base]);
    assert_eq!(layers_of(&volumes, Kind::Snapshot, 11), [base]);
    assert!(matches!(way(&volumes, 10), Way::Free));
    assert_eq!(layers(folder.path()), 2);
    let Way::Merge(merge) = way(&volumes, 11) else { panic!("a merge") };
    assert_eq!((merge.lower, merge.upper, merge.above), (base, top, None));
    volumes.merged(&merge).unwrap();
    volumes.take_back(&merge, None).unwrap();
    assert_eq!(layers_of(&volumes, Kind::Disk, 1), [base]);
    volumes.write(Uuid::from_u128(1), 0, b"the disk is as it was before all snapshots").unwrap();
}

#[test]
fn interrupted_merge_is_resumed() {
    let folder = tempfile::tempdir().unwrap();
    let volumes = open(folder.path());
    let [top, middle, base] = disk_with_two_snapshots(&volumes)[..] else { panic!("three layers") };
    assert!(matches!(way(&volumes, 10), Way::Merge(_)));
    drop(volumes);
    let volumes = open(folder.path());
    assert_eq!(volumes.merging(), [Uuid::from_u128(10)]);
    assert!(matches!(way(&volumes, 10), Way::Merge(_)), "nothing has been merged yet");
    refer(&volumes, top, base);
    // The record of the disk was written, but not that of the other snapshot.
    let mut record = volumes.index.lock().records[&(Kind::Disk, Uuid::from_u128(1))].clone();
    record.layers.retain(|layer| *layer != middle);
    volumes.store(&mut volumes.index.lock(), Kind::Disk, Uuid::from_u128(1), record).unwrap();
    drop(volumes);
    let volumes = open(folder.path());
    assert!(matches!(way(&volumes, 10), Way::Free));
    assert_eq!(layers_of(&volumes, Kind::Snapshot, 11), [base]);
    assert!(volumes.merging().is_empty());
    assert_eq!(layers(folder.path()), 2);
}

#[test]
fn shared_layers_are_not_merged() {
    let folder = tempfile::tempdir().unwrap();
    let volumes = open(folder.path());
    disk_with_two_snapshots(&volumes);
    volumes.ensure_disk(&disk(2, Some(10))).unwrap();
    assert!(matches!(way(&volumes, 10), Way::Shared));
    assert!(volumes.merging().is_empty());
    assert!(matches!(way(&volumes, 12), Way::Free), "there is no such snapshot");
}

fn kept(layers: &[(u128, Format)], merging: Option<Layer>) -> Record {
    let layers =
        layers.iter().map(|(id, format)| Layer { id: Uuid::from_u128(*id), format: *format }).collect();
    Record { size: SIZE, block_size: 4096, layers, merging }
}

#[test]
fn disks_and_snapshots_of_every_version_are_read() {
    let disk = kept(&[(2, Format::Qcow2), (1, Format::Raw)], None);
    golden::check("disk.json", &[(0, disk.clone()), (1, disk)], &[]);
    let upper = Layer { id: Uuid::from_u128(2), format: Format::Qcow2 };
    let snapshot = kept(&[(1, Format::Raw)], Some(upper));
    let whole = Record { merging: None, ..snapshot.clone() };
    golden::check("snapshot.json", &[(0, snapshot.clone()), (1, snapshot)], &[("merging", whole)]);
}

#[test]
fn unreadable_record_prevents_changes() {
    for (content, why) in [(golden::newer("disk.json"), "a newer version"), (b"{".to_vec(), "damaged")] {
        let folder = tempfile::tempdir().unwrap();
        open(folder.path()).ensure_disk(&disk(1, None)).unwrap();
        let path = folder.path().join("disks").join(format!("{}.json", Uuid::from_u128(1)));
        fs::write(&path, &content).unwrap();
        let error = Volumes::open(folder.path(), None).unwrap_err().to_string();
        assert!(error.contains(&path.display().to_string()) && error.contains(why), "{error}");
        assert_eq!((fs::read(&path).unwrap(), layers(folder.path())), (content, 1));
    }
}
