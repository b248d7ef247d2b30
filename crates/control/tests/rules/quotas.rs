use croft_sled::simulated::{SimulatedOptions, SimulatedSled};
use croft_store::records::Resources;
use serde_json::json;

use crate::kit::{Cloud, GIB, memory, refused, timing};
use croft_api::instance::InstanceState;

const NOTHING: Resources = Resources { cpus: 0, memory: 0, storage: 0 };

fn capacity(text: &str) -> (u16, String) {
    (507, format!("Insufficient capacity: {text}"))
}

fn cpus() -> (u16, String) {
    capacity(
        "vCPU Limit Exceeded: Not enough vCPUs to complete request. Either stop unused instances to free up \
         resources or contact the rack operator to request a capacity increase.",
    )
}

fn memory_limit() -> (u16, String) {
    capacity(
        "Memory Limit Exceeded: Not enough memory to complete request. Either stop unused instances to free up \
         resources or contact the rack operator to request a capacity increase.",
    )
}

fn storage() -> (u16, String) {
    capacity(
        "Storage Limit Exceeded: Not enough storage to complete request. Either remove unneeded disks, snapshots and \
         images to free up resources (an image keeps the storage of the snapshot that it was made from, also once \
         that is deleted) or contact the rack operator to request a capacity increase.",
    )
}

#[test]
fn usage_counters_follow_disks_and_machines() {
    let mut cloud = Cloud::new();
    let project = cloud.project("web");
    let levels = [project.id, cloud.admin.silo, croft_store::records::FLEET];
    let disk = cloud.disk("web", "data");
    let instance = cloud.try_instance("web", "db", &json!({"ncpus": 2, "memory": 3 * GIB})).unwrap();
    for level in levels {
        assert_eq!(cloud.used(level), Resources { storage: GIB, ..NOTHING });
    }
    cloud.start_instance(instance.id).unwrap();
    for level in levels {
        assert_eq!(cloud.used(level), Resources { cpus: 2, memory: 3 * GIB, storage: GIB });
    }
    cloud.pass_seconds(10);
    cloud.stop_instance(instance.id).unwrap();
    assert_eq!(cloud.used(project.id).cpus, 2, "counted until the machine has ended");
    cloud.pass_seconds(10);
    cloud.delete_disk(disk.id).unwrap();
    for level in levels {
        assert_eq!(cloud.used(level), NOTHING);
    }
    cloud.check_invariants();
}

#[test]
fn creating_is_free_and_starting_is_refused_beyond_the_quota() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    cloud.set_quota(Resources { cpus: 2, memory: 4 * GIB, storage: 2 * GIB });
    let many = cloud.try_instance("web", "many", &json!({"ncpus": 3, "start": true})).unwrap();
    assert_eq!(
        many.run_state,
        InstanceState::Stopped,
        "the creation succeeds although the instance cannot start"
    );
    assert_eq!(refused(cloud.start_instance(many.id)), cpus());
    let large = cloud.try_instance("web", "large", &json!({"memory": 5 * GIB})).unwrap();
    assert_eq!(refused(cloud.start_instance(large.id)), memory_limit());
    let both = cloud.try_instance("web", "both", &json!({"ncpus": 3, "memory": 5 * GIB})).unwrap();
    assert_eq!(refused(cloud.start_instance(both.id)), cpus(), "CPUs are checked first");
    let fits = cloud.try_instance("web", "fits", &json!({"ncpus": 2, "memory": 4 * GIB})).unwrap();
    cloud.start_instance(fits.id).unwrap();
    cloud.check_invariants();
}

#[test]
fn storage_is_charged_immediately_and_a_lower_quota_only_blocks_growth() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    cloud.set_quota(Resources { cpus: 0, memory: 0, storage: 2 * GIB });
    let first = cloud.disk("web", "first");
    assert_eq!(refused(cloud.try_disk("web", "big", 2 * GIB)), storage());
    cloud.disk("web", "second");
    cloud.set_quota(NOTHING);
    assert_eq!(refused(cloud.try_disk("web", "third", GIB)), storage());
    cloud.pass_seconds(2);
    cloud.delete_disk(first.id).unwrap();
    assert_eq!(refused(cloud.try_disk("web", "third", GIB)), storage());
    cloud.check_invariants();
}

#[test]
fn refused_creation_with_disks_releases_all_resources() {
    let mut cloud = Cloud::new();
    let project = cloud.project("web");
    cloud.set_quota(Resources { cpus: 9, memory: 9 * GIB, storage: 2 * GIB });
    let disk = |name: &str| {
        json!({"type": "create", "name": name, "description": "", "size": GIB,
               "disk_source": {"type": "blank", "block_size": 512}})
    };
    let disks = json!({"disks": [disk("a"), disk("b"), disk("c")]});
    assert_eq!(refused(cloud.try_instance("web", "db", &disks)), storage());
    assert_eq!(cloud.used(project.id), NOTHING);
    cloud.remove_project("web");
    cloud.check_invariants();
}

fn small() -> SimulatedOptions {
    let sleds = (1..=2).map(|number| SimulatedSled::numbered(number, 8, 8 * GIB, 2, 260 * GIB)).collect();
    SimulatedOptions { sleds, timing: timing(), ..SimulatedOptions::default() }
}

#[test]
fn host_capacity_is_enforced_and_freed_by_stopping() {
    let mut cloud = Cloud::with(small(), memory());
    cloud.project("web");
    cloud.set_quota(Resources { cpus: 1000, memory: 1000 * GIB, storage: 1000 * GIB });
    let no_room = |size: &str| {
        capacity(&format!(
            "Failed to place instance: Could not find any valid sled on which this instance can be placed. The cloud \
             has no room for {size} of memory."
        ))
    };
    let no_sled = no_room("5 vCPUs and 2 GiB");
    let size = json!({"ncpus": 5, "memory": 2 * GIB});
    let ids: Vec<_> =
        ["a", "b", "c"].into_iter().map(|name| cloud.try_instance("web", name, &size).unwrap().id).collect();
    cloud.start_instance(ids[0]).unwrap();
    cloud.start_instance(ids[1]).unwrap();
    assert_eq!(refused(cloud.start_instance(ids[2])), no_sled, "threads are not allocated twice");
    let large = cloud.try_instance("web", "large", &json!({"ncpus": 1, "memory": 7 * GIB})).unwrap();
    assert_eq!(refused(cloud.start_instance(large.id)), no_room("1 vCPU and 7 GiB"));
    cloud.pass_seconds(10);
    cloud.stop_instance(ids[0]).unwrap();
    assert_eq!(refused(cloud.start_instance(ids[2])), no_sled, "allocated until the machine has ended");
    cloud.pass_seconds(10);
    cloud.start_instance(ids[2]).unwrap();
    cloud.check_invariants();
}

#[test]
fn capacity_is_checked_before_the_quota() {
    let mut cloud = Cloud::with(small(), memory());
    cloud.project("web");
    cloud.set_quota(NOTHING);
    let instance = cloud.try_instance("web", "db", &json!({"ncpus": 9})).unwrap();
    let (status, message) = refused(cloud.start_instance(instance.id));
    assert_eq!(status, 507);
    assert!(message.contains("Failed to place instance"), "{message}");
}

#[test]
fn pool_capacity_is_enforced_and_freed_by_deletion() {
    let mut cloud = Cloud::with(small(), memory());
    cloud.project("web");
    cloud.set_quota(Resources { cpus: 0, memory: 0, storage: 1000 * GIB });
    // Each of four pools has 10 GiB for disks. Three copies of 5 GiB use 6.25 GiB each.
    let first = cloud.try_disk("web", "first", 5 * GIB).unwrap();
    let full = capacity("Not enough storage");
    assert_eq!(refused(cloud.try_disk("web", "second", 5 * GIB)), full);
    cloud.pass_seconds(2);
    cloud.delete_disk(first.id).unwrap();
    assert_eq!(
        refused(cloud.try_disk("web", "second", 5 * GIB)),
        full,
        "allocated until the host has freed the storage"
    );
    cloud.settle();
    cloud.try_disk("web", "second", 5 * GIB).unwrap();
    cloud.check_invariants();
}
