use croft_sled::{HypervisorError, simulated::Call};
use uuid::Uuid;

use crate::kit::{Cloud, GIB, by_name, refusal, refused};

/// A project with a disk that is to be imported.
fn cloud_with_import() -> (Cloud, Uuid) {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let disk = cloud.try_import("web", "data").unwrap();
    assert_eq!(disk.state.label(), "creating");
    cloud.pass_seconds(2);
    assert_eq!(cloud.disk_state(disk.id), "import_ready");
    (cloud, disk.id)
}

const BLOCK: [u8; 4096] = [7; 4096];

#[test]
fn import_lifecycle() {
    let (mut cloud, disk) = cloud_with_import();
    for _ in 0..2 {
        cloud.start_import(disk).unwrap();
        assert_eq!(cloud.disk_state(disk), "importing_from_bulk_writes");
        cloud.write_blocks(disk, GIB - 4096, &BLOCK).unwrap();
        cloud.write_blocks(disk, 0, &[1; 3 * 4096]).unwrap();
        cloud.write_blocks(disk, 4096, &BLOCK).unwrap();
        cloud.write_blocks(disk, 0, &[]).unwrap();
        cloud.stop_import(disk).unwrap();
        assert_eq!(cloud.disk_state(disk), "import_ready");
    }
    cloud.finalize_import(disk, None).unwrap();
    assert_eq!(cloud.disk_state(disk), "detached");
    let view = cloud.disk_view(disk);
    assert_eq!((view.snapshot_id, view.image_id), (None, None));
    cloud.delete_disk(disk).unwrap();
    cloud.check_invariants();
}

/// Checks that each call is refused for a disk in this state, except the allowed ones.
fn check_refusals(cloud: &mut Cloud, disk: Uuid, state: &str, allowed: &[&str]) {
    let calls: [(&str, croft_api::Result<()>, String); 4] = [
        (
            "start",
            if allowed.contains(&"start") { Ok(()) } else { cloud.start_import(disk) },
            format!("cannot set disk in state {state} to \"importing_from_bulk_writes\""),
        ),
        (
            "write",
            if allowed.contains(&"write") { Ok(()) } else { cloud.write_base64(disk, 1, "?") },
            format!("cannot import blocks with a bulk write for disk in state {state}"),
        ),
        (
            "stop",
            if allowed.contains(&"stop") { Ok(()) } else { cloud.stop_import(disk) },
            format!("cannot set disk in state {state} to \"import_ready\""),
        ),
        (
            "finalize",
            if allowed.contains(&"finalize") { Ok(()) } else { cloud.finalize_import(disk, None) },
            format!("cannot finalize disk in state DiskState({state})"),
        ),
    ];
    for (call, result, text) in calls {
        if !allowed.contains(&call) {
            assert_eq!(refused(result), (400, text), "{call}");
        }
    }
}

#[test]
fn import_calls_require_their_states() {
    let (mut cloud, disk) = cloud_with_import();
    let fresh = cloud.try_import("web", "fresh").unwrap().id;
    check_refusals(&mut cloud, fresh, "Creating", &[]);
    check_refusals(&mut cloud, disk, "ImportReady", &["start", "finalize"]);
    cloud.start_import(disk).unwrap();
    check_refusals(&mut cloud, disk, "ImportingFromBulkWrites", &["write", "stop"]);
    cloud.stop_import(disk).unwrap();
    cloud.finalize_import(disk, Some("before")).unwrap();
    check_refusals(&mut cloud, disk, "Finalizing", &[]);
    cloud.pass_seconds(2);
    check_refusals(&mut cloud, disk, "Detached", &[]);
    cloud.snapshot("web", "after", "data");
    check_refusals(&mut cloud, disk, "Maintenance", &[]);
    cloud.pass_seconds(2);
    let instance = cloud.instance("web", "db").id;
    cloud.attach(instance, disk.into()).unwrap();
    check_refusals(&mut cloud, disk, &format!("Attached({instance})"), &[]);
    cloud.modify_disk_record(disk, |disk| disk.stage = croft_store::records::DiskStage::Faulted);
    check_refusals(&mut cloud, disk, "Faulted", &[]);
}

#[test]
fn a_disk_that_is_being_imported_cannot_be_used() {
    let (mut cloud, disk) = cloud_with_import();
    let instance = cloud.instance("web", "db").id;
    for label in ["import_ready", "importing_from_bulk_writes"] {
        if label != "import_ready" {
            cloud.start_import(disk).unwrap();
        }
        assert_eq!(refusal(cloud.delete_disk(disk)), format!("disk cannot be deleted in state \"{label}\""));
        assert_eq!(
            refusal(cloud.attach(instance, disk.into())),
            format!("cannot attach disk \"data\": invalid state {label}")
        );
        assert_eq!(refused(cloud.try_snapshot("web", "before", by_name("data"))).0, 503);
    }
}

#[test]
fn blocks_are_checked_in_order() {
    let (mut cloud, disk) = cloud_with_import();
    cloud.start_import(disk).unwrap();
    let mut check = |offset: u64, text: &str, expected: &str| {
        let (status, message) = refused(cloud.write_base64(disk, offset, text));
        assert_eq!(status, 400);
        assert!(message.starts_with(expected), "{message}");
    };
    for text in ["?", "QQ", "QQ=", "QUI", "Q U J D", "QUJD\n", "_-8="] {
        check(1, text, "error base64 decoding data: ");
    }
    check(1, "QUJD", "Offset not block aligned");
    check(4096 * GIB, "QUJD", "Data length not block size multiple");
    let block = "A".repeat(4096 / 3 * 4) + "AA==";
    check(GIB, &block, "offset + data length off end of region!");
    check(u64::MAX - 4095, &block, "offset + data length off end of region!");
    let one_more = "A".repeat(8192 / 3 * 4) + "AAA=";
    check(GIB - 4096, &one_more, "offset + data length off end of region!");
    cloud.write_base64(disk, GIB - 4096, &block).unwrap();
}

#[test]
fn an_import_may_end_with_a_snapshot() {
    let (mut cloud, disk) = cloud_with_import();
    cloud.finalize_import(disk, Some("imported")).unwrap();
    assert_eq!(cloud.disk_state(disk), "finalizing");
    let id = cloud.volumes()[0];
    let snapshot = cloud.snapshot_view(id).unwrap();
    assert_eq!(snapshot.description.as_str(), format!("snapshot of finalized disk {disk}"));
    assert_eq!((snapshot.name.as_str(), snapshot.disk_id), ("imported", disk));
    cloud.restart_server();
    cloud.pass_seconds(60);
    assert_eq!((cloud.disk_state(disk), cloud.snapshot_state(id).as_str()), ("detached", "ready"));
    cloud.check_invariants();
}

#[test]
fn an_import_whose_snapshot_is_refused_is_not_finished() {
    let (mut cloud, disk) = cloud_with_import();
    cloud.disk("web", "other");
    cloud.pass_seconds(2);
    cloud.snapshot("web", "taken", "other");
    let taken = refused(cloud.finalize_import(disk, Some("taken")));
    assert_eq!(taken, (400, "already exists: snapshot \"taken\"".to_owned()));
    assert_eq!(cloud.disk_state(disk), "import_ready");
    cloud.set_storage_quota(3);
    let (status, text) = refused(cloud.finalize_import(disk, Some("free")));
    assert_eq!(status, 507);
    assert!(text.starts_with("Insufficient capacity: Storage Limit Exceeded"), "{text}");
    assert_eq!(cloud.disk_state(disk), "import_ready");
    cloud.finalize_import(disk, None).unwrap();
    cloud.check_invariants();
}

#[test]
fn import_with_a_failed_snapshot_can_be_finalized_later() {
    let (mut cloud, disk) = cloud_with_import();
    cloud.hypervisor.fail_next(Call::EnsureSnapshot, HypervisorError::Failed("no space".to_owned()));
    cloud.finalize_import(disk, Some("first")).unwrap();
    cloud.settle();
    assert_eq!(cloud.disk_state(disk), "import_ready");
    assert_eq!(cloud.snapshot_state(cloud.volumes()[0]), "faulted");
    cloud.finalize_import(disk, Some("second")).unwrap();
    cloud.pass_seconds(2);
    assert_eq!(cloud.disk_state(disk), "detached");
    cloud.check_invariants();
}

#[test]
fn a_host_failure_does_not_change_the_import() {
    let (mut cloud, disk) = cloud_with_import();
    cloud.start_import(disk).unwrap();
    let failures = [
        (HypervisorError::Unreachable("down".to_owned()), 503),
        (HypervisorError::Failed("broken".to_owned()), 500),
        (HypervisorError::Refused("no".to_owned()), 500),
    ];
    for (failure, status) in failures {
        cloud.hypervisor.fail_next(Call::WriteDisk, failure.clone());
        assert_eq!(refused(cloud.write_blocks(disk, 0, &BLOCK)).0, status);
        cloud.hypervisor.fail_next(Call::SyncDisk, failure.clone());
        assert_eq!(refused(cloud.stop_import(disk)).0, status);
        assert_eq!(cloud.disk_state(disk), "importing_from_bulk_writes");
        cloud.write_blocks(disk, 0, &BLOCK).unwrap();
        cloud.stop_import(disk).unwrap();
        cloud.hypervisor.fail_next(Call::SyncDisk, failure);
        assert_eq!(refused(cloud.finalize_import(disk, None)).0, status);
        assert_eq!(cloud.disk_state(disk), "import_ready");
        cloud.start_import(disk).unwrap();
    }
}

#[test]
fn a_disk_that_cannot_be_built_is_faulted_and_can_be_deleted() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    cloud.hypervisor.fail_next(Call::EnsureDisk, HypervisorError::Failed("no space".to_owned()));
    let disk = cloud.try_import("web", "data").unwrap().id;
    cloud.settle();
    assert_eq!(cloud.disk_state(disk), "faulted");
    cloud.delete_disk(disk).unwrap();
    cloud.settle();
    cloud.check_invariants();
}
