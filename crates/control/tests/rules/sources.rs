//! The sources of disks and images.

use croft_store::records::{Disk, Resources, Role, RoleIdentity, RoleScope};
use serde_json::json;
use uuid::Uuid;

use crate::kit::{Cloud, GIB, by_name, refusal, refused};

/// A project with a snapshot of a disk of 2 GiB.
fn cloud_with_snapshot() -> (Cloud, Uuid) {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let source = json!({"type": "blank", "block_size": 4096});
    cloud.try_disk_with("web", json!({"name": "data", "size": 2 * GIB, "disk_source": source})).unwrap();
    cloud.pass_seconds(2);
    let snapshot = cloud.snapshot("web", "before", "data").id;
    cloud.pass_seconds(2);
    (cloud, snapshot)
}

fn of_snapshot(name: &str, size: u64, id: Uuid) -> serde_json::Value {
    json!({"name": name, "size": size, "disk_source": {"type": "snapshot", "snapshot_id": id}})
}

fn of_image(name: &str, size: u64, id: Uuid) -> serde_json::Value {
    json!({"name": name, "size": size, "disk_source": {"type": "image", "image_id": id}})
}

fn begins_with(cloud: &Cloud, disk: Uuid) -> Option<Uuid> {
    let disk = cloud.db.read_blocking(move |tx| Ok::<_, croft_api::Error>(tx.get::<Disk>(disk)?));
    disk.unwrap().unwrap().begins_with
}

#[test]
fn a_disk_takes_block_size_and_origin_from_its_snapshot() {
    let (mut cloud, snapshot) = cloud_with_snapshot();
    let disk = cloud.try_disk_with("web", of_snapshot("copy", 3 * GIB, snapshot)).unwrap();
    assert_eq!((disk.snapshot_id, disk.image_id), (Some(snapshot), None));
    assert_eq!((disk.block_size.bytes(), disk.state.label()), (4096, "creating"));
    assert_eq!(begins_with(&cloud, disk.id), Some(snapshot));
    cloud.pass_seconds(2);
    assert_eq!(cloud.disk_state(disk.id), "detached");
    assert_eq!(begins_with(&cloud, disk.id), None);
    cloud.delete_snapshot(snapshot).unwrap();
    cloud.settle();
    assert!(cloud.hypervisor.snapshots().is_empty());
    assert_eq!(cloud.disk_view(disk.id).snapshot_id, Some(snapshot), "the source is recorded");
    cloud.check_invariants();
}

#[test]
fn a_disk_takes_block_size_and_origin_from_its_image() {
    let (mut cloud, snapshot) = cloud_with_snapshot();
    let image = cloud.try_image(Some("web"), "debian", snapshot).unwrap();
    assert_eq!((image.size.bytes(), image.block_size.bytes()), (2 * GIB, 4096));
    assert_eq!((image.os.as_str(), image.version.as_str()), ("debian", "13"));
    assert!(image.digest.is_none());
    let disk = cloud.try_disk_with("web", of_image("copy", 2 * GIB, image.id)).unwrap();
    assert_eq!((disk.snapshot_id, disk.image_id), (None, Some(image.id)));
    assert_eq!(begins_with(&cloud, disk.id), Some(snapshot));
    cloud.pass_seconds(2);
    cloud.delete_image(image.id).unwrap();
    assert_eq!(cloud.disk_view(disk.id).image_id, Some(image.id));
    assert_eq!(cloud.disk_state(disk.id), "detached");
}

#[test]
fn disk_sources_are_checked() {
    let (mut cloud, snapshot) = cloud_with_snapshot();
    let image = cloud.try_image(Some("web"), "debian", snapshot).unwrap().id;
    cloud.project("other");
    let far = cloud.try_disk_with("other", of_snapshot("copy", 1, snapshot));
    assert_eq!(refused(far), (400, "snapshot does not belong to this project".to_owned()));
    let far = cloud.try_disk_with("other", of_image("copy", 1, image));
    assert_eq!(refused(far), (400, "image does not belong to this project".to_owned()));
    let (small, needed) = (GIB, 2 * GIB);
    let text =
        |kind: &str| format!("disk size {small} must be greater than or equal to {kind} size {needed}");
    let refused_snapshot = cloud.try_disk_with("web", of_snapshot("copy", small, snapshot));
    assert_eq!(refused(refused_snapshot), (400, text("snapshot")));
    let refused_image = cloud.try_disk_with("web", of_image("copy", small, image));
    assert_eq!(refused(refused_image), (400, text("image")));
    let uneven = cloud.try_disk_with("web", of_snapshot("copy", 2 * GIB + 4096, snapshot));
    assert_eq!(refusal(uneven), "unsupported value for \"size\": total size must be a multiple of 1 GiB");
    cloud.check_invariants();
}

#[test]
fn sources_that_the_caller_may_not_see_are_not_found() {
    let (mut cloud, snapshot) = cloud_with_snapshot();
    let image = cloud.try_image(None, "debian", snapshot).unwrap().id;
    let elsewhere = cloud.silo("elsewhere", Resources { cpus: 9, memory: 9 * GIB, storage: 9 * GIB });
    let stranger = cloud.user(elsewhere, "stranger");
    cloud.grant(RoleIdentity::User(stranger.id), RoleScope::Silo(elsewhere), Role::Admin);
    cloud.try_project(&stranger, "theirs").unwrap();
    let mut create = |mut params: serde_json::Value| {
        params["description"] = json!("");
        let params = serde_json::from_value(params).unwrap();
        refused(cloud.act(&stranger, &croft_control::operation::DISK_CREATE, move |cx, caller| {
            croft_control::disk::create(cx, caller, &by_name("theirs"), &params)
        }))
    };
    let missing = create(of_snapshot("copy", 2 * GIB, snapshot));
    assert_eq!(missing, (404, format!("not found: snapshot with id \"{snapshot}\"")));
    let missing = create(of_image("copy", 2 * GIB, image));
    assert_eq!(missing, (404, format!("not found: image with id \"{image}\"")));
}

#[test]
fn silo_image_is_usable_in_every_project() {
    let (mut cloud, snapshot) = cloud_with_snapshot();
    let image = cloud.try_image(None, "debian", snapshot).unwrap();
    assert_eq!(image.project_id, None);
    cloud.project("other");
    let disk = cloud.try_disk_with("other", of_image("copy", 2 * GIB, image.id)).unwrap();
    cloud.pass_seconds(2);
    assert_eq!(cloud.disk_state(disk.id), "detached");
    cloud.check_invariants();
}

#[test]
fn image_sources_are_checked() {
    let (mut cloud, snapshot) = cloud_with_snapshot();
    cloud.project("other");
    let far = cloud.try_image(Some("other"), "debian", snapshot);
    assert_eq!(refused(far), (400, "snapshot does not belong to this project".to_owned()));
    let missing = cloud.try_image(Some("web"), "debian", Uuid::nil());
    assert_eq!(refused(missing), (404, format!("not found: snapshot with id \"{}\"", Uuid::nil())));
    cloud.try_image(Some("web"), "debian", snapshot).unwrap();
    cloud.try_image(None, "debian", snapshot).unwrap();
    for project in [Some("web"), None] {
        let taken = refused(cloud.try_image(project, "debian", snapshot));
        assert_eq!(taken, (400, "already exists: project-image \"debian\"".to_owned()));
    }
    for field in ["os", "version"] {
        let mut params = json!({"name": "long", "description": "", "os": "", "version": "",
                                "source": {"type": "snapshot", "id": snapshot}});
        params[field] = json!("x".repeat(65));
        let params = serde_json::from_value(params).unwrap();
        let admin = cloud.admin.clone();
        let long = cloud.act(&admin, &croft_control::operation::IMAGE_CREATE, move |cx, caller| {
            croft_control::image::create(cx, caller, None, &params)
        });
        let text = format!("unsupported value for \"{field}\": must be no longer than 64 characters");
        assert_eq!(refused(long), (400, text));
    }
}

/// The snapshot, its images and the disks created from them can be deleted in any order. The volume is freed with the
/// last of them.
#[test]
fn volume_is_kept_while_it_is_used() {
    for order in 0..6 {
        let (mut cloud, snapshot) = cloud_with_snapshot();
        let images = [
            cloud.try_image(Some("web"), "one", snapshot).unwrap().id,
            cloud.try_image(None, "two", snapshot).unwrap().id,
        ];
        let mut left: Vec<Option<Uuid>> = vec![None, Some(images[0]), Some(images[1])];
        left.rotate_left(order % 3);
        if order >= 3 {
            left.swap(0, 1);
        }
        for (number, image) in left.iter().enumerate() {
            assert_eq!(cloud.hypervisor.snapshots(), [snapshot], "order {order}, {number} gone");
            match image {
                Some(image) => cloud.delete_image(*image).unwrap(),
                None => cloud.delete_snapshot(snapshot).unwrap(),
            }
            cloud.pass_seconds(60);
            cloud.check_invariants();
        }
        assert!(cloud.hypervisor.snapshots().is_empty() && cloud.volumes().is_empty());
    }
}

#[test]
fn a_volume_stays_until_a_disk_has_been_built_from_it() {
    let (mut cloud, snapshot) = cloud_with_snapshot();
    let disk = cloud.try_disk_with("web", of_snapshot("copy", 2 * GIB, snapshot)).unwrap().id;
    cloud.delete_snapshot(snapshot).unwrap();
    cloud.settle();
    assert_eq!((cloud.disk_state(disk), cloud.hypervisor.snapshots()), ("creating", vec![snapshot]));
    cloud.pass_seconds(2);
    assert_eq!((cloud.disk_state(disk), cloud.hypervisor.snapshots()), ("detached", vec![]));
    cloud.check_invariants();
}

#[test]
fn unfinished_snapshot_can_be_a_source() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    cloud.disk("web", "data");
    cloud.pass_seconds(2);
    let snapshot = cloud.snapshot("web", "before", "data").id;
    let image = cloud.try_image(Some("web"), "debian", snapshot).unwrap().id;
    let disks = [
        cloud.try_disk_of_snapshot("web", "one", snapshot).unwrap().id,
        cloud.try_disk_of_image("web", "two", image).unwrap().id,
    ];
    cloud.settle();
    assert_eq!(cloud.hypervisor.disks().len(), 1, "disks wait until the snapshot is complete");
    cloud.pass_seconds(2);
    assert_eq!(disks.map(|disk| cloud.disk_state(disk)), ["detached"; 2]);
}

#[test]
fn an_instance_boots_from_a_disk_made_from_an_image() {
    let (mut cloud, snapshot) = cloud_with_snapshot();
    let image = cloud.try_image(None, "debian", snapshot).unwrap().id;
    let mut boot = of_image("boot", 2 * GIB, image);
    (boot["type"], boot["description"]) = (json!("create"), json!(""));
    let instance = cloud.try_instance("web", "db", &json!({"boot_disk": boot, "start": true})).unwrap();
    cloud.pass_seconds(10);
    assert_eq!(cloud.state(instance.id), croft_api::instance::InstanceState::Running);
    let mut small = of_image("small", GIB, image);
    (small["type"], small["description"]) = (json!("create"), json!(""));
    let refusal = refusal(cloud.try_instance("web", "second", &json!({"boot_disk": small})));
    assert!(refusal.starts_with("disk size 1073741824 must be greater"), "{refusal}");
    cloud.check_invariants();
}
