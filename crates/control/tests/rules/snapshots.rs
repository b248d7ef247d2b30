use croft_api::{
    page::{NameOrIdSortMode, PageQuery},
    project::ProjectSelector,
    scalar::NameOrId,
};
use croft_control::{disk, snapshot};
use croft_sled::{HypervisorError, simulated::Call};
use croft_store::records::{DiskStage, FLEET, ImportStage, SnapshotVolume, Usage};
use serde_json::json;
use uuid::Uuid;

use crate::kit::{Cloud, GIB, by_name, file, refusal, refused, timing};

/// A project with a disk in state `detached`.
fn cloud_with_disk() -> (Cloud, Uuid) {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let disk = cloud.disk("web", "data").id;
    cloud.pass_seconds(2);
    (cloud, disk)
}

fn names(cloud: &Cloud, project: &str) -> Vec<String> {
    let selector = ProjectSelector { project: by_name(project) };
    let query = PageQuery { selector, sort: NameOrIdSortMode::NameAscending, after: None, limit: 100 };
    let page = cloud.see(&cloud.admin, move |cx, caller| snapshot::list(cx, caller, &query)).unwrap();
    page.items.iter().map(|snapshot| snapshot.name.to_string()).collect()
}

#[test]
fn snapshot_of_detached_disk_is_recorded_first() {
    let (mut cloud, disk) = cloud_with_disk();
    let snapshot = cloud.snapshot("web", "before", "data");
    assert_eq!((snapshot.disk_id, snapshot.size.bytes()), (disk, GIB));
    assert_eq!(cloud.snapshot_state(snapshot.id), "creating");
    assert_eq!(cloud.disk_state(disk), "maintenance");
    assert_eq!(refusal(cloud.delete_disk(disk)), "disk cannot be deleted in state \"maintenance\"");
    let early = refused(cloud.delete_snapshot(snapshot.id));
    assert_eq!(early, (400, "snapshot cannot be deleted in state Creating".to_owned()));
    cloud.pass_seconds(2);
    assert_eq!(cloud.snapshot_state(snapshot.id), "ready");
    assert_eq!(cloud.disk_state(disk), "detached");
    assert_eq!(cloud.hypervisor.snapshots(), [snapshot.id]);
    assert_eq!(names(&cloud, "web"), ["before"]);
    cloud.delete_disk(disk).unwrap();
    cloud.settle();
    assert_eq!(cloud.snapshot_view(snapshot.id).unwrap().disk_id, disk);
    cloud.check_invariants();
}

#[test]
fn storage_is_charged_until_the_snapshot_is_deleted_and_held_until_its_host_has_freed_it() {
    let (mut cloud, _) = cloud_with_disk();
    let project = cloud.snapshot("web", "before", "data").project_id;
    assert_eq!(cloud.used(project).storage, 2 * GIB);
    cloud.pass_seconds(2);
    let id = cloud.volumes()[0];
    let down = HypervisorError::Unreachable("down".to_owned());
    cloud.hypervisor.fail_next(Call::DeleteSnapshot, down);
    cloud.delete_snapshot(id).unwrap();
    assert_eq!(cloud.used(project).storage, GIB);
    let silo = cloud.admin.silo;
    assert_eq!(cloud.used(silo).storage, 2 * GIB, "the quota is released together with the storage");
    let gone = refused(cloud.snapshot_view(id));
    assert_eq!(gone, (404, format!("not found: snapshot with id \"{id}\"")));
    cloud.settle();
    assert_eq!((cloud.volumes(), cloud.hypervisor.snapshots()), (vec![id], vec![id]));
    cloud.check_invariants();
    cloud.pass_seconds(10);
    assert_eq!((cloud.volumes(), cloud.hypervisor.snapshots()), (vec![], vec![]));
    assert_eq!(cloud.used(silo).storage, GIB);
    cloud.check_invariants();
}

fn disk_named(cloud: &Cloud, name: &'static str) -> Uuid {
    let (disk, project) = (by_name(name), by_name("web"));
    cloud.see(&cloud.admin, move |cx, caller| disk::view(cx, caller, &disk, Some(&project))).unwrap().id
}

#[test]
fn images_keep_the_quota_of_the_snapshots_that_they_were_made_from() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    cloud.set_storage_quota(3);
    let silo = cloud.admin.silo;
    let mut images = Vec::new();
    let full = loop {
        let disk = match cloud.try_disk("web", "data", GIB) {
            Ok(disk) => disk.id,
            Err(error) => break refused::<()>(Err(error)),
        };
        cloud.pass_seconds(2);
        let snapshot = match cloud.try_snapshot("web", "before", disk.into()) {
            Ok(snapshot) => snapshot.id,
            Err(error) => break refused::<()>(Err(error)),
        };
        cloud.pass_seconds(2);
        // Images of the silo count like those of a project.
        let project = (images.len() % 2 == 0).then_some("web");
        images.push(cloud.try_image(project, &format!("image-{}", images.len()), snapshot).unwrap().id);
        cloud.delete_snapshot(snapshot).unwrap();
        cloud.delete_disk(disk).unwrap();
        cloud.settle();
        assert_eq!(cloud.used(silo).storage, images.len() as u64 * GIB);
        assert_eq!(cloud.used(FLEET).storage, images.len() as u64 * GIB);
    };
    assert_eq!((images.len(), full.0), (2, 507), "the quota cannot be exceeded by deleting the snapshots");
    assert!(full.1.contains("remove unneeded disks, snapshots and images"), "{}", full.1);
    cloud.delete_disk(disk_named(&cloud, "data")).unwrap();
    for image in images {
        cloud.delete_image(image).unwrap();
    }
    cloud.settle();
    assert_eq!(cloud.used(silo).storage, 0);
    cloud.check_invariants();
}

#[test]
fn migration_counts_existing_volumes() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let disk = cloud.disk("web", "data").id;
    cloud.pass_seconds(2);
    let kept = cloud.snapshot("web", "kept", "data").id;
    cloud.pass_seconds(2);
    let gone = cloud.snapshot("web", "gone", "data").id;
    cloud.pass_seconds(2);
    cloud.try_image(None, "image", gone).unwrap();
    cloud.delete_snapshot(gone).unwrap();
    let silo = cloud.admin.silo;
    assert_eq!(cloud.used(silo).storage, 3 * GIB);
    // As in earlier versions: volumes have no silo, and only snapshots are counted.
    cloud
        .rule(move |cx| {
            for id in [kept, gone] {
                let mut volume: SnapshotVolume = cx.tx.get(id)?.unwrap();
                volume.silo_id = None;
                cx.tx.update(&mut volume)?;
            }
            for id in [silo, FLEET] {
                let mut usage: Usage = cx.tx.get(id)?.unwrap();
                usage.used.storage -= GIB;
                cx.tx.update(&mut usage)?;
            }
            Ok(())
        })
        .unwrap();
    let step =
        croft_store::schema::CROFT.migrations.iter().find(|step| step.name.contains("quotas")).unwrap();
    cloud.rule(move |cx| Ok(step.change_data(cx.tx)?)).unwrap();
    assert_eq!((cloud.used(silo).storage, cloud.used(FLEET).storage), (3 * GIB, 3 * GIB));
    cloud.check_invariants();
    cloud.delete_disk(disk).unwrap();
}

#[test]
fn refused_snapshots_have_no_effect() {
    let (mut cloud, disk) = cloud_with_disk();
    cloud.project("other");
    cloud.disk("other", "far");
    cloud.pass_seconds(2);
    let far = cloud.try_snapshot("other", "far", disk.into());
    let text = "can't create a snapshot of a disk in a different project";
    assert_eq!(refused(far), (400, text.to_owned()));
    let missing = cloud.try_snapshot("web", "before", by_name("far"));
    assert_eq!(refused(missing), (404, "not found: disk with name \"far\"".to_owned()));
    cloud.snapshot("web", "before", "data");
    let second = cloud.try_snapshot("web", "after", by_name("data"));
    assert_eq!(refused(second), (409, "volume repair lock".to_owned()));
    cloud.pass_seconds(2);
    let taken = cloud.try_snapshot("web", "before", by_name("data"));
    assert_eq!(refused(taken), (400, "already exists: snapshot \"before\"".to_owned()));
    cloud.set_storage_quota(3);
    let (status, text) = refused(cloud.try_snapshot("web", "after", by_name("data")));
    assert_eq!(status, 507);
    assert!(text.starts_with("Insufficient capacity: Storage Limit Exceeded"), "{text}");
    assert_eq!(cloud.disk_state(disk), "detached");
    assert_eq!(names(&cloud, "web"), ["before"]);
    cloud.check_invariants();
}

#[test]
fn snapshot_requires_free_space() {
    let options = croft_sled::simulated::SimulatedOptions {
        timing: timing(),
        ..croft_sled::simulated::SimulatedOptions::with_disks_of(257 * GIB)
    };
    let mut cloud = Cloud::with(options, crate::kit::memory());
    cloud.project("web");
    // Each copy uses 5 of the 7 GiB of a pool. There are nine pools for three copies.
    for name in ["one", "two", "three"] {
        cloud.try_disk("web", name, 4 * GIB).unwrap();
    }
    cloud.pass_seconds(2);
    let full = cloud.try_snapshot("web", "before", by_name("one"));
    assert_eq!(refused(full), (507, "Insufficient capacity: Not enough storage".to_owned()));
    cloud.check_invariants();
}

#[test]
fn selectors() {
    let (mut cloud, _) = cloud_with_disk();
    let id = cloud.snapshot("web", "before", "data").id;
    let view = |snapshot: NameOrId, project: Option<NameOrId>| {
        cloud.see(&cloud.admin, move |cx, caller| snapshot::view(cx, caller, &snapshot, project.as_ref()))
    };
    assert_eq!(view(by_name("before"), Some(by_name("web"))).unwrap().id, id);
    assert_eq!(view(id.into(), None).unwrap().id, id);
    assert_eq!(
        refusal(view(id.into(), Some(by_name("web")))),
        "when providing snapshot as an ID, project should not be specified"
    );
    assert_eq!(
        refusal(view(by_name("before"), None)),
        "snapshot should either be an ID or project should be specified"
    );
    assert_eq!(
        refusal(view(by_name("after"), Some(by_name("web")))),
        "not found: snapshot with name \"after\""
    );
}

#[test]
fn a_project_with_a_snapshot_is_not_deleted() {
    let (mut cloud, disk) = cloud_with_disk();
    let snapshot = cloud.snapshot("web", "before", "data").id;
    cloud.pass_seconds(2);
    cloud.delete_disk(disk).unwrap();
    let text = "project to be deleted contains a snapshot: before";
    assert_eq!(refused(cloud.delete_project("web")), (400, text.to_owned()));
    cloud.delete_snapshot(snapshot).unwrap();
    cloud.remove_project("web");
    cloud.settle();
    assert!(cloud.hypervisor.snapshots().is_empty());
    cloud.check_invariants();
}

#[test]
fn snapshots_of_busy_disks_are_retried() {
    let (mut cloud, _) = cloud_with_disk();
    let stages = [
        (DiskStage::Importing(ImportStage::Ready), true, "import_ready"),
        (DiskStage::Importing(ImportStage::BulkWrites), true, "importing_from_bulk_writes"),
        (DiskStage::Importing(ImportStage::Finalizing), true, "finalizing"),
        (DiskStage::Faulted, true, "faulted"),
        (DiskStage::Detached, false, "creating"),
    ];
    for (number, (stage, built, state)) in stages.into_iter().enumerate() {
        let name = format!("disk-{number}");
        let disk = cloud.disk("web", &name).id;
        cloud.pass_seconds(2);
        cloud.modify_disk_record(disk, move |disk| (disk.stage, disk.built) = (stage.clone(), built));
        let refusal = refused(cloud.try_snapshot("web", "before", disk.into()));
        let text = format!("Service Unavailable: no snapshot can be taken of disk \"{name}\" now: {state}");
        assert_eq!(refusal, (503, text), "{}", cloud.disk_state(disk));
    }
}

#[test]
fn attached_disks_keep_their_instance() {
    let (mut cloud, disk) = cloud_with_disk();
    let instance = cloud.instance("web", "db").id;
    cloud.attach(instance, disk.into()).unwrap();
    let stopped = cloud.snapshot("web", "stopped", "data").id;
    assert_eq!(cloud.disk_state(disk), "attached");

    // A machine that would write to the disk waits for the snapshot.
    cloud.start_instance(instance).unwrap();
    let starting = cloud.try_snapshot("web", "starting", by_name("data"));
    assert_eq!(refused(starting).0, 503);
    cloud.settle();
    assert!(cloud.hypervisor.machines().is_empty());
    cloud.pass_seconds(1);
    assert_eq!(cloud.snapshot_state(stopped), "ready");
    assert_eq!(cloud.hypervisor.machines().len(), 1, "started as soon as the snapshot is complete");
    cloud.pass_seconds(10);

    let running = cloud.snapshot("web", "running", "data").id;
    cloud.settle();
    cloud.stop_instance(instance).unwrap();
    let stopping = cloud.try_snapshot("web", "stopping", by_name("data"));
    assert_eq!(refused(stopping).0, 503);
    cloud.pass_seconds(60);
    assert_eq!(cloud.snapshot_state(running), "ready");
    assert_eq!(cloud.disk_state(disk), "attached");
    cloud.check_invariants();
}

#[test]
fn disk_detached_during_snapshot_stays_unavailable() {
    let (mut cloud, disk) = cloud_with_disk();
    let (one, two) = (cloud.instance("web", "one").id, cloud.instance("web", "two").id);
    cloud.attach(one, disk.into()).unwrap();
    cloud.snapshot("web", "before", "data");
    assert_eq!(cloud.detach(one, disk.into()).unwrap().state.label(), "maintenance");
    assert_eq!(
        refusal(cloud.attach(two, disk.into())),
        "cannot attach disk \"data\": invalid state maintenance"
    );
    cloud.pass_seconds(2);
    cloud.attach(two, disk.into()).unwrap();
}

#[test]
fn failed_snapshots_are_faulted_and_release_the_disk() {
    let (mut cloud, disk) = cloud_with_disk();
    cloud.hypervisor.fail_next(Call::EnsureSnapshot, HypervisorError::Failed("no space".to_owned()));
    let id = cloud.snapshot("web", "before", "data").id;
    let waiting = cloud.try_disk_of_snapshot("web", "copy", id).unwrap().id;
    cloud.pass_seconds(60);
    assert_eq!(cloud.snapshot_state(id), "faulted");
    assert_eq!(cloud.disk_state(disk), "detached");
    assert_eq!(cloud.disk_state(waiting), "faulted", "a disk cannot be created from a failed snapshot");
    let text = "snapshot cannot be used in state Faulted";
    assert_eq!(refused(cloud.try_disk_of_snapshot("web", "late", id)), (400, text.to_owned()));
    assert_eq!(refused(cloud.try_image(Some("web"), "late", id)), (400, text.to_owned()));
    cloud.delete_snapshot(id).unwrap();
    cloud.delete_disk(waiting).unwrap();
    cloud.pass_seconds(60);
    assert!(cloud.volumes().is_empty());
    cloud.check_invariants();
}

#[test]
fn unresponsive_hosts_are_retried_after_a_crash() {
    let folder = tempfile::tempdir().unwrap();
    let options = croft_sled::simulated::SimulatedOptions { timing: timing(), ..Default::default() };
    let mut cloud = Cloud::with(options, file(folder.path()));
    cloud.project("web");
    let disk = cloud.disk("web", "data").id;
    cloud.pass_seconds(2);
    let down = || HypervisorError::Unreachable("down".to_owned());
    cloud.hypervisor.fail_next(Call::EnsureSnapshot, down());
    let id = cloud.snapshot("web", "before", "data").id;
    cloud.settle();
    assert_eq!(cloud.snapshot_state(id), "creating");
    cloud.restart_server();
    cloud.hypervisor.lose_next_answer(Call::EnsureSnapshot);
    cloud.pass_seconds(60);
    assert_eq!((cloud.snapshot_state(id).as_str(), cloud.disk_state(disk)), ("ready", "detached"));
    cloud.restart_server();
    cloud.hypervisor.lose_next_answer(Call::DeleteSnapshot);
    cloud.delete_snapshot(id).unwrap();
    cloud.settle();
    cloud.restart_server();
    cloud.pass_seconds(60);
    assert!(cloud.volumes().is_empty());
    cloud.check_invariants();
}

#[test]
fn descriptions_are_limited() {
    let (mut cloud, _) = cloud_with_disk();
    let params = json!({"name": "before", "description": "x".repeat(513), "disk": "data"});
    let params = serde_json::from_value(params).unwrap();
    let admin = cloud.admin.clone();
    let long = cloud.act(&admin, &croft_control::operation::SNAPSHOT_CREATE, move |cx, caller| {
        snapshot::create(cx, caller, &by_name("web"), &params)
    });
    let text = "unsupported value for \"description\": must be no longer than 512 characters";
    assert_eq!(refused(long), (400, text.to_owned()));
}
