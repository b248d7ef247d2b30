//! Slow hosts: other requests are not delayed, and users learn why theirs take long.

use croft_api::{Error, disk::DiskState, instance::InstanceState};
use croft_store::{
    ListBy, Sort,
    records::{
        ActivityKind, DiskRemoval, Instance, InstanceActivity, MachineLink, MachineRemoval, Sled,
        SnapshotVolume, Vpc,
    },
};
use serde_json::json;
use uuid::Uuid;

use crate::kit::{Cloud, GIB};

fn link_of(cloud: &Cloud, id: Uuid) -> MachineLink {
    let record = cloud.db.read_blocking(move |tx| Ok::<_, Error>(tx.get::<Instance>(id)?));
    record.unwrap().unwrap().machine().unwrap().clone()
}

/// The sled and the machine of an instance.
fn machine_of(cloud: &Cloud, id: Uuid) -> (Uuid, Uuid) {
    let link = link_of(cloud, id);
    (link.sled_id, link.id)
}

/// The activity of an instance except operations, oldest first.
fn entries(cloud: &Cloud, id: Uuid) -> Vec<InstanceActivity> {
    let read = cloud
        .db
        .read_blocking(move |tx| Ok::<_, Error>(tx.page(ListBy::Parent(id), Sort::TimeAsc, None, 100)?));
    read.unwrap()
}

fn kinds(cloud: &Cloud, id: Uuid) -> Vec<ActivityKind> {
    entries(cloud, id).iter().map(|entry| entry.kind).collect()
}

/// A cloud with queues before its hosts.
fn cloud() -> Cloud {
    let mut cloud = Cloud::new();
    cloud.queue();
    cloud.project("web");
    cloud.until("the network is there", |cloud| !cloud.hypervisor.networks().is_empty());
    cloud
}

/// Creates an instance and waits until it runs. Returns it and its machine.
fn running(cloud: &mut Cloud, name: &str) -> (Uuid, Uuid) {
    let id = cloud.try_instance("web", name, &json!({"start": true})).unwrap().id;
    let machine = machine_of(cloud, id).1;
    cloud.until("the machine is there", |cloud| cloud.hypervisor.machines().contains(&machine));
    cloud.pass_seconds(5);
    cloud.until("it runs", |cloud| cloud.state(id) == InstanceState::Running);
    (id, machine)
}

#[test]
fn a_slow_machine_does_not_delay_others() {
    let mut cloud = cloud();
    let slow = cloud.try_instance("web", "slow", &json!({"start": true})).unwrap().id;
    let (_, held) = machine_of(&cloud, slow);
    cloud.hypervisor.hold(held);
    cloud.settle();
    cloud.hypervisor.wait_until_held(held, 1);
    assert_eq!(kinds(&cloud, slow), [], "the wait is too short to be recorded");

    let (other, machine) = running(&mut cloud, "other");
    let disk = cloud.try_disk("web", "data", GIB).unwrap().id;
    cloud.until("the disk is begun", |cloud| cloud.hypervisor.disks().contains(&disk));
    cloud.pass_seconds(2);
    cloud.until("the disk is there", |cloud| cloud.disk_view(disk).state == DiskState::Detached);
    cloud.delete_disk(disk).unwrap();
    cloud.until("the disk is gone", |cloud| !cloud.hypervisor.disks().contains(&disk));
    cloud.stop_instance(other).unwrap();
    cloud.pass_seconds(5);
    cloud.until("the machine is gone", |cloud| !cloud.hypervisor.machines().contains(&machine));
    cloud.until("it is stopped", |cloud| cloud.state(other) == InstanceState::Stopped);

    let activity = entries(&cloud, slow);
    assert_eq!(activity.len(), 1, "a continuing wait is one entry: {activity:?}");
    assert!(
        activity[0].kind == ActivityKind::Waiting && activity[0].cause.starts_with("The host is slow"),
        "{activity:?}"
    );
    assert!(activity[0].action.is_some() && activity[0].advice.is_some() && activity[0].constraint.is_some());
    assert_eq!(cloud.state(slow), InstanceState::Starting);

    cloud.hypervisor.release(held);
    cloud.until("the machine is there", |cloud| cloud.hypervisor.machines().contains(&held));
    cloud.pass_seconds(5);
    cloud.until("it runs", |cloud| cloud.state(slow) == InstanceState::Running);
    assert_eq!(kinds(&cloud, slow), [ActivityKind::Waiting, ActivityKind::MachineStarted]);
    cloud.check_invariants();
}

#[test]
fn reason_for_ending_a_machine_is_kept_until_it_ended() {
    let mut cloud = cloud();
    let (broken, machine) = running(&mut cloud, "broken");
    cloud.hypervisor.hold(machine);
    cloud.hypervisor.break_machine(machine);
    cloud.settle();
    cloud.hypervisor.wait_until_held(machine, 1);
    assert_eq!(cloud.state(broken), InstanceState::Running, "its host has not released it");
    cloud.hypervisor.release(machine);
    cloud.until("it is started again", |cloud| kinds(cloud, broken).contains(&ActivityKind::Restarted));
    let activity = entries(&cloud, broken);
    let failed = activity.iter().find(|entry| entry.kind == ActivityKind::Failed).unwrap();
    assert_eq!(failed.cause, "The machine failed while it was running.");
}

#[test]
fn slowly_ended_guest_is_stopped_and_not_failed() {
    let mut cloud = cloud();
    let (id, machine) = running(&mut cloud, "stubborn");
    cloud.hypervisor.hang_machine(machine);
    cloud.stop_instance(id).unwrap();
    cloud.until("it was asked to go down", |cloud| link_of(cloud, id).pending.is_none());
    cloud.hypervisor.hold(machine);
    let timeout = cloud.environment.settings.stop_timeout;
    cloud.pass(timeout + jiff::SignedDuration::from_mins(1));
    cloud.hypervisor.wait_until_held(machine, 1);
    assert_eq!(cloud.state(id), InstanceState::Stopping);
    cloud.hypervisor.release(machine);
    cloud.until("it is stopped", |cloud| cloud.state(id) == InstanceState::Stopped);
    assert!(kinds(&cloud, id).contains(&ActivityKind::StopForced), "{:?}", entries(&cloud, id));
    assert!(!kinds(&cloud, id).contains(&ActivityKind::Failed));
    cloud.check_invariants();
}

#[test]
fn reboot_waits_for_a_starting_machine() {
    let mut cloud = cloud();
    let id = cloud.try_instance("web", "db", &json!({"start": true})).unwrap().id;
    let (_, machine) = machine_of(&cloud, id);
    cloud.hypervisor.hold(machine);
    cloud.settle();
    cloud.hypervisor.wait_until_held(machine, 1);
    cloud.reboot_instance(id).unwrap();
    cloud.settle();
    assert_eq!(cloud.state(id), InstanceState::Rebooting);
    cloud.hypervisor.release(machine);
    cloud.until("it was restarted", |cloud| {
        let link = link_of(cloud, id);
        link.registered && link.pending.is_none()
    });
    cloud.pass_seconds(10);
    cloud.until("it runs", |cloud| cloud.state(id) == InstanceState::Running);
    assert_eq!(cloud.hypervisor.machines(), [machine]);
}

#[test]
fn storage_is_released_after_the_host_freed_it() {
    let mut cloud = cloud();
    let disk = cloud.try_disk("web", "data", GIB).unwrap().id;
    cloud.until("the disk is begun", |cloud| cloud.hypervisor.disks().contains(&disk));
    cloud.pass_seconds(2);
    cloud.until("the disk is there", |cloud| cloud.disk_view(disk).state == DiskState::Detached);
    let snapshot = cloud.try_snapshot("web", "shot", disk.into()).unwrap().id;
    cloud.hypervisor.hold(snapshot);
    cloud.settle();
    cloud.hypervisor.wait_until_held(snapshot, 1);
    cloud.pass_seconds(60);
    assert_eq!(cloud.snapshot_state(snapshot), "creating");
    cloud.hypervisor.release(snapshot);
    cloud.until("the snapshot is begun", |cloud| cloud.hypervisor.snapshots().contains(&snapshot));
    cloud.pass_seconds(2);
    cloud.until("the snapshot is there", |cloud| cloud.snapshot_state(snapshot) == "ready");

    cloud.hypervisor.hold(snapshot);
    cloud.delete_snapshot(snapshot).unwrap();
    cloud.settle();
    cloud.hypervisor.wait_until_held(snapshot, 1);
    cloud.pass_seconds(60);
    let volume = |cloud: &Cloud| {
        let read = cloud.db.read_blocking(move |tx| Ok::<_, Error>(tx.get::<SnapshotVolume>(snapshot)?));
        read.unwrap()
    };
    assert_eq!(volume(&cloud).unwrap().refusals, 0, "a slow call is not a refusal");
    cloud.hypervisor.release(snapshot);
    cloud.until("the snapshot is gone", |cloud| volume(cloud).is_none());

    cloud.hypervisor.hold(disk);
    cloud.delete_disk(disk).unwrap();
    cloud.settle();
    cloud.hypervisor.wait_until_held(disk, 1);
    cloud.pass_seconds(60);
    let removals = |cloud: &Cloud| {
        let read = cloud.db.read_blocking(|tx| Ok::<_, Error>(tx.count::<DiskRemoval>(ListBy::All)?));
        read.unwrap()
    };
    assert_eq!(removals(&cloud), 1);
    cloud.check_invariants();
    cloud.hypervisor.release(disk);
    cloud.until("the storage is free", |cloud| removals(cloud) == 0);
    assert!(cloud.hypervisor.disks().is_empty());
    cloud.check_invariants();
}

#[test]
fn a_slow_vpc_does_not_delay_others() {
    let mut cloud = Cloud::new();
    cloud.queue();
    cloud.project("web");
    // Oldest first.
    let vpcs = |cloud: &mut Cloud| -> Vec<Uuid> {
        let all = cloud.rule(|cx| Ok(cx.tx.page::<Vpc>(ListBy::All, Sort::IdAsc, None, 100)?));
        let mut all = all.unwrap();
        all.sort_by_key(|vpc| vpc.meta.time_created);
        all.into_iter().map(|vpc| vpc.meta.id).collect()
    };
    let held = *vpcs(&mut cloud).last().unwrap();
    cloud.hypervisor.hold(held);
    let id = cloud.try_instance("web", "db", &json!({"start": true})).unwrap().id;
    cloud.settle();
    cloud.hypervisor.wait_until_held(held, 1);
    cloud.pass_seconds(1);
    cloud.project("depot");
    let other = *vpcs(&mut cloud).last().unwrap();
    cloud.until("the other one is there", |cloud| cloud.hypervisor.networks().contains(&other));
    assert!(!cloud.hypervisor.networks().contains(&held));
    assert!(cloud.hypervisor.machines().is_empty(), "a machine waits for its VPC");
    cloud.hypervisor.release(held);
    cloud.until("the machine is there", |cloud| !cloud.hypervisor.machines().is_empty());
    cloud.pass_seconds(5);
    cloud.until("it runs", |cloud| cloud.state(id) == InstanceState::Running);
    assert_eq!(kinds(&cloud, id), [ActivityKind::MachineStarted], "the wait for the VPC is not recorded");
    let networks = cloud.hypervisor.networks().len();
    cloud.hypervisor.hold(other);
    let admin = cloud.admin.clone();
    cloud.remove_network(&admin, "depot");
    cloud.settle();
    cloud.hypervisor.wait_until_held(other, 1);
    assert_eq!(cloud.hypervisor.networks().len(), networks);
    cloud.hypervisor.release(other);
    cloud.until("it is gone", |cloud| !cloud.hypervisor.networks().contains(&other));
}

#[test]
fn late_answer_of_a_lost_sled_is_processed() {
    let mut cloud = cloud();
    let (id, machine) = running(&mut cloud, "db");
    let (sled, _) = machine_of(&cloud, id);
    cloud.hypervisor.hold(machine);
    cloud
        .rule(move |cx| {
            let mut sled = cx.tx.get::<Sled>(sled)?.unwrap();
            sled.expunged = true;
            Ok(cx.tx.update(&mut sled)?)
        })
        .unwrap();
    cloud.pass_seconds(60);
    cloud.hypervisor.wait_until_held(machine, 1);
    let activity = entries(&cloud, id);
    let lost = activity.iter().find(|entry| entry.kind == ActivityKind::HostLost).unwrap();
    assert!(lost.action.as_deref().unwrap().contains("has not answered yet"), "{lost:?}");
    let left = |cloud: &Cloud| {
        let read = cloud.db.read_blocking(|tx| {
            Ok::<_, Error>(tx.page::<MachineRemoval>(ListBy::All, Sort::IdAsc, None, 10)?)
        });
        read.unwrap()
    };
    assert_eq!(left(&cloud).iter().map(|removal| removal.attempts).collect::<Vec<_>>(), [1]);
    cloud.hypervisor.release(machine);
    cloud.until("the machine is ended", |cloud| left(cloud).is_empty());
    assert!(!cloud.hypervisor.machines().contains(&machine));
}
