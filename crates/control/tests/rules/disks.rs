use croft_store::records::{DiskStage, ImportStage};
use serde_json::{Value, json};
use uuid::Uuid;

use crate::kit::{Cloud, GIB, by_name, refusal, refused};

fn create(size: u64, source: Value) -> (u16, String) {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let params = json!({"name": "data", "size": size, "disk_source": source});
    let refusal = refused(cloud.try_disk_with("web", params));
    cloud.remove_project("web");
    cloud.check_invariants();
    refusal
}

fn blank(block_size: u32) -> Value {
    json!({"type": "blank", "block_size": block_size})
}

fn bad_size(label: &str, text: &str) -> (u16, String) {
    (400, format!("unsupported value for \"{label}\": {text}"))
}

#[test]
fn sizes_are_checked_in_order() {
    assert_eq!(
        create(GIB + 1, blank(4096)),
        bad_size("size and block_size", "total size must be a multiple of block size 4096")
    );
    assert_eq!(create(GIB / 2, blank(512)), bad_size("size", "total size must be at least 1 GiB"));
    assert_eq!(create(GIB + 4096, blank(512)), bad_size("size", "total size must be a multiple of 1 GiB"));
    assert_eq!(create(1024 * GIB, blank(512)), bad_size("size", "total size must be less than 1023 GiB"));
}

#[test]
fn sources_that_do_not_exist_are_not_found() {
    let id = Uuid::from_u128(5);
    let snapshot = create(1, json!({"type": "snapshot", "snapshot_id": id}));
    assert_eq!(snapshot, (404, format!("not found: snapshot with id \"{id}\"")));
    let image = create(1, json!({"type": "image", "image_id": id}));
    assert_eq!(image, (404, format!("not found: image with id \"{id}\"")));
}

#[test]
fn largest_disk_can_be_created() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    cloud.try_disk("web", "large", 1023 * GIB).unwrap();
    assert_eq!(
        refused(cloud.try_disk("web", "large", GIB)),
        (400, "already exists: disk \"large\"".to_owned())
    );
}

#[test]
fn disk_is_recorded_before_it_is_built() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let disk = cloud.disk("web", "data");
    assert_eq!((disk.state.label(), disk.device_path.as_str()), ("creating", "/mnt/data"));
    assert_eq!(
        refused(cloud.delete_disk(disk.id)),
        (400, "disk cannot be deleted in state \"creating\"".to_owned())
    );
    cloud.settle();
    assert_eq!(cloud.disk_state(disk.id), "creating");
    cloud.pass_seconds(1);
    assert_eq!(cloud.disk_state(disk.id), "detached");
    assert_eq!(cloud.disk_view(disk.id).time_modified, disk.time_modified);
    cloud.delete_disk(disk.id).unwrap();
    assert_eq!(
        refused(cloud.delete_disk(disk.id)),
        (404, format!("not found: disk with id \"{}\"", disk.id))
    );
    assert_eq!(cloud.hypervisor.disks(), [disk.id]);
    cloud.settle();
    assert!(cloud.hypervisor.disks().is_empty());
    cloud.disk("web", "data");
    cloud.check_invariants();
}

/// Each state, whether a disk in it can be deleted and attached, and its name in messages.
#[test]
fn every_operation_in_every_state() {
    let other = Uuid::from_u128(77);
    let states = [
        (DiskStage::Detached, "detached", true, true),
        (DiskStage::Attached { instance_id: other, slot: 0 }, "attached", false, false),
        (DiskStage::Importing(ImportStage::Ready), "import_ready", false, false),
        (DiskStage::Importing(ImportStage::BulkWrites), "importing_from_bulk_writes", false, false),
        (DiskStage::Importing(ImportStage::Finalizing), "finalizing", false, false),
        (DiskStage::Detached, "maintenance", false, false),
        (DiskStage::Faulted, "faulted", true, false),
    ];
    for (stage, label, can_delete, can_attach) in states {
        let mut cloud = Cloud::new();
        cloud.project("web");
        let instance = cloud.instance("web", "db");
        let (one, two) = (cloud.disk("web", "one"), cloud.disk("web", "two"));
        cloud.pass_seconds(2);
        for disk in [&one, &two] {
            let stage = stage.clone();
            cloud.modify_disk_record(disk.id, move |disk| {
                disk.stage = stage.clone();
                disk.snapshotting = (label == "maintenance").then_some(other);
            });
            assert_eq!(cloud.disk_state(disk.id), label);
        }
        match cloud.delete_disk(one.id) {
            Ok(()) => assert!(can_delete, "{label}"),
            Err(error) => {
                assert!(!can_delete, "{label}");
                assert_eq!(error.message(), format!("disk cannot be deleted in state \"{label}\""));
            }
        }
        let detached = cloud.detach(instance.id, two.id.into());
        match label {
            "detached" => assert_eq!(detached.unwrap().state.label(), "detached"),
            "attached" => {
                assert_eq!(
                    refusal(detached),
                    "cannot detach disk \"two\": disk is attached to another instance"
                );
            }
            _ => assert_eq!(refusal(detached), format!("cannot detach disk \"two\": invalid state {label}")),
        }
        match cloud.attach(instance.id, two.id.into()) {
            Ok(disk) => {
                assert!(can_attach, "{label}");
                assert_eq!(disk.state.instance(), Some(instance.id));
            }
            Err(error) if label == "attached" => {
                let expected = "cannot attach disk \"two\": disk is attached to another instance";
                assert_eq!(error.message(), expected);
            }
            Err(error) => {
                assert!(!can_attach, "{label}");
                assert_eq!(error.message(), format!("cannot attach disk \"two\": invalid state {label}"));
            }
        }
    }
}

#[test]
fn disk_attach_and_detach_are_idempotent() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let (one, two) = (cloud.instance("web", "one"), cloud.instance("web", "two"));
    let disk = cloud.disk("web", "data");
    for _ in 0..2 {
        let attached = cloud.attach(one.id, by_name("data")).unwrap();
        assert_eq!(attached.state.instance(), Some(one.id), "a disk that is being built can be attached");
    }
    assert_eq!(
        refused(cloud.attach(two.id, by_name("data"))),
        (400, "cannot attach disk \"data\": disk is attached to another instance".to_owned())
    );
    assert_eq!(
        refusal(cloud.detach(two.id, disk.id.into())),
        "cannot detach disk \"data\": disk is attached to another instance"
    );
    cloud.pass_seconds(2);
    for _ in 0..2 {
        assert_eq!(cloud.detach(one.id, by_name("data")).unwrap().state.label(), "detached");
    }
    cloud.attach(two.id, disk.id.into()).unwrap();
    assert_eq!(cloud.disks_of(two.id), ["data"]);
    assert_eq!(refusal(cloud.delete_disk(disk.id)), "disk cannot be deleted in state \"attached\"");
}

#[test]
fn instance_has_eight_disks_in_the_lowest_free_slots() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let instance = cloud.instance("web", "db");
    let ids: Vec<Uuid> = (0..9).map(|number| cloud.disk("web", &format!("disk-{number}")).id).collect();
    cloud.pass_seconds(2);
    for id in &ids[..8] {
        cloud.attach(instance.id, (*id).into()).unwrap();
    }
    assert_eq!(
        refused(cloud.attach(instance.id, ids[8].into())),
        (400, "cannot attach more than 8 disks to instance".to_owned())
    );
    cloud.attach(instance.id, ids[3].into()).unwrap();
    cloud.detach(instance.id, ids[5].into()).unwrap();
    cloud.detach(instance.id, ids[2].into()).unwrap();
    cloud.attach(instance.id, ids[8].into()).unwrap();
    cloud.attach(instance.id, ids[2].into()).unwrap();
    let slot = |id: Uuid| {
        let disk = cloud
            .db
            .read_blocking(move |tx| Ok::<_, croft_api::Error>(tx.get::<croft_store::records::Disk>(id)?));
        disk.unwrap().unwrap().attachment().unwrap().1
    };
    assert_eq!((slot(ids[8]), slot(ids[2])), (2, 5));
}
