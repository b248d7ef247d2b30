use croft_api::{Error, instance::InstanceState};
use croft_control::{
    Settings,
    affinity::{Affinity, AntiAffinity},
    instance, operation, sled,
};
use croft_sled::{Hypervisor as _, HypervisorError, simulated::Call};
use serde_json::json;
use uuid::Uuid;

use crate::{
    affinity::{add, group},
    kit::{Cloud, GIB, file, memory, refused, timing},
};

fn cloud() -> (Cloud, Uuid) {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let id = cloud.running("web", "db").id;
    (cloud, id)
}

fn only_machine(cloud: &Cloud) -> Uuid {
    let machines = cloud.hypervisor.machines();
    assert_eq!(machines.len(), 1);
    machines[0]
}

/// Loses the machine without an event, so that only a query discovers it.
fn lose_without_event(cloud: &Cloud) {
    cloud.hypervisor.forget_machine(only_machine(cloud));
    cloud.hypervisor.take_events();
}

const LOST: &str =
    "The instance was running but is no longer reachable. It is being moved to the Failed state.";

#[test]
fn stop_of_a_lost_machine_fails_the_instance_permanently() {
    let (mut cloud, id) = cloud();
    lose_without_event(&cloud);
    assert_eq!(refused(cloud.stop_instance(id)), (503, LOST.to_owned()));
    assert_eq!(cloud.state(id), InstanceState::Failed, "failed before the response");
    cloud.pass_seconds(2 * 3600);
    assert_eq!(cloud.state(id), InstanceState::Failed, "not stopped");
    cloud.check_invariants();
    cloud.stop_instance(id).unwrap();
    assert_eq!(cloud.state(id), InstanceState::Stopped);
}

#[test]
fn reboot_of_a_lost_machine_restarts_it() {
    let (mut cloud, id) = cloud();
    lose_without_event(&cloud);
    assert_eq!(refused(cloud.reboot_instance(id)), (503, LOST.to_owned()));
    let failed = cloud.view(id);
    assert_eq!(failed.run_state, InstanceState::Failed);
    assert_eq!(failed.time_last_auto_restarted, None);
    cloud.pass_seconds(10);
    let view = cloud.view(id);
    assert_eq!(view.run_state, InstanceState::Running);
    let last = view.time_last_auto_restarted.unwrap();
    assert_eq!(view.auto_restart_cooldown_expiration, Some(last + Settings::default().auto_restart_cooldown));
    cloud.check_invariants();
}

#[test]
fn other_host_errors_fail_only_the_request() {
    let (mut cloud, id) = cloud();
    let trouble = HypervisorError::Failed("on fire".to_owned());
    cloud.hypervisor.fail_next(Call::ObserveMachine, trouble.clone());
    assert_eq!(refused(cloud.stop_instance(id)), (500, "Internal Server Error".to_owned()));
    assert_eq!(cloud.state(id), InstanceState::Running);
    cloud.hypervisor.fail_next(Call::ObserveMachine, trouble);
    assert_eq!(refused(cloud.reboot_instance(id)).0, 500);
    assert_eq!(cloud.state(id), InstanceState::Running);
}

#[test]
fn lost_machines_are_found_and_unreachable_ones_kept() {
    let (mut cloud, id) = cloud();
    let sled = cloud.hypervisor.sleds().iter().map(|sled| sled.id).collect::<Vec<_>>();
    for sled in &sled {
        cloud.hypervisor.set_reachable(*sled, false);
    }
    cloud.pass_seconds(600);
    assert_eq!(cloud.state(id), InstanceState::Running);
    for sled in &sled {
        cloud.hypervisor.set_reachable(*sled, true);
    }
    lose_without_event(&cloud);
    cloud.pass_seconds(60);
    let view = cloud.view(id);
    assert_eq!(view.run_state, InstanceState::Running, "restarted");
    assert!(view.time_last_auto_restarted.is_some());
}

#[test]
fn restarts_wait_for_the_cooldown_and_follow_the_policy() {
    let (mut cloud, id) = cloud();
    cloud.hypervisor.forget_machine(only_machine(&cloud));
    cloud.pass_seconds(10);
    assert_eq!(cloud.state(id), InstanceState::Running);
    cloud.hypervisor.forget_machine(only_machine(&cloud));
    cloud.pass_seconds(3500);
    assert_eq!(cloud.state(id), InstanceState::Failed, "not restarted within the cooldown");
    cloud.pass_seconds(200);
    assert_eq!(cloud.state(id), InstanceState::Running, "restarted after the cooldown");

    let never =
        cloud.try_instance("web", "never", &json!({"start": true, "auto_restart_policy": "never"})).unwrap();
    cloud.pass_seconds(10);
    for machine in cloud.hypervisor.machines() {
        cloud.hypervisor.forget_machine(machine);
    }
    cloud.pass_seconds(7200);
    assert_eq!(cloud.state(never.id), InstanceState::Failed);
    assert_eq!(cloud.state(id), InstanceState::Running);
    cloud.check_invariants();
}

#[test]
fn policy_change_restarts_a_failed_instance() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let never = json!({"start": true, "auto_restart_policy": "never"});
    let id = cloud.try_instance("web", "db", &never).unwrap().id;
    cloud.pass_seconds(10);
    cloud.hypervisor.forget_machine(only_machine(&cloud));
    cloud.pass_seconds(7200);
    assert_eq!(cloud.state(id), InstanceState::Failed);
    assert!(!cloud.view(id).auto_restart_enabled);
    let admin = cloud.admin.clone();
    let params = serde_json::from_value(json!({"ncpus": 1, "memory": GIB})).unwrap();
    let update = move |cx: &mut croft_control::Cx<'_, '_>, caller: &croft_control::Caller| {
        instance::update(cx, caller, &id.into(), None, &params)
    };
    let view = cloud.act(&admin, &operation::INSTANCE_UPDATE, update).unwrap();
    assert_eq!((view.run_state, view.auto_restart_enabled), (InstanceState::Failed, true));
    cloud.pass_seconds(10);
    let view = cloud.view(id);
    assert_eq!(view.run_state, InstanceState::Running);
    // A start that was requested does not count as an automatic restart.
    let last = view.time_last_auto_restarted;
    cloud.hypervisor.forget_machine(only_machine(&cloud));
    cloud.settle();
    cloud.start_instance(id).unwrap();
    cloud.pass_seconds(10);
    assert_eq!((cloud.state(id), cloud.view(id).time_last_auto_restarted), (InstanceState::Running, last));
    cloud.check_invariants();
}

#[test]
fn a_guest_that_shuts_down_is_not_restarted() {
    let (mut cloud, id) = cloud();
    let line = cloud.hypervisor.serial(only_machine(&cloud)).unwrap();
    line.write(b"root\rpoweroff\r");
    cloud.pass_seconds(1);
    assert_eq!(cloud.state(id), InstanceState::Stopping);
    cloud.pass_seconds(7200);
    assert_eq!(cloud.state(id), InstanceState::Stopped);
    assert!(cloud.hypervisor.machines().is_empty());
    cloud.check_invariants();
}

#[test]
fn unresponsive_guest_is_killed_after_ten_minutes() {
    let (mut cloud, id) = cloud();
    cloud.hypervisor.hang_machine(only_machine(&cloud));
    cloud.stop_instance(id).unwrap();
    cloud.pass_seconds(590);
    assert_eq!(cloud.state(id), InstanceState::Stopping);
    cloud.pass_seconds(60);
    assert_eq!(cloud.state(id), InstanceState::Stopped);
    cloud.check_invariants();
}

#[test]
fn failed_calls_are_retried() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let unreachable = || HypervisorError::Unreachable("cut off".to_owned());
    for call in
        [Call::EnsureMachine, Call::EnsureDisk, Call::StopMachine, Call::DestroyMachine, Call::DeleteDisk]
    {
        for _ in 0..3 {
            cloud.hypervisor.fail_next(call, unreachable());
        }
    }
    let disk = cloud.disk("web", "data");
    let id = cloud.try_instance("web", "db", &json!({"start": true})).unwrap().id;
    cloud.pass_seconds(60);
    assert_eq!(cloud.state(id), InstanceState::Running);
    assert_eq!(cloud.disk_state(disk.id), "detached");
    cloud.stop_instance(id).unwrap();
    cloud.delete_disk(disk.id).unwrap();
    cloud.pass_seconds(120);
    assert_eq!(cloud.state(id), InstanceState::Stopped);
    assert!(cloud.hypervisor.disks().is_empty() && cloud.hypervisor.machines().is_empty());
    cloud.check_invariants();
}

#[test]
fn machine_refused_by_the_host_reverts_the_start() {
    let mut cloud = Cloud::new();
    let project = cloud.project("web");
    cloud.hypervisor.fail_next(Call::EnsureMachine, HypervisorError::Refused("bad hostname".to_owned()));
    let id = cloud.try_instance("web", "db", &json!({"start": true})).unwrap().id;
    cloud.pass_seconds(10);
    assert_eq!(cloud.state(id), InstanceState::Stopped);
    assert_eq!(cloud.used(project.id).cpus, 0);
    cloud.start_instance(id).unwrap();
    cloud.pass_seconds(10);
    assert_eq!(cloud.state(id), InstanceState::Running);
    cloud.check_invariants();
}

#[test]
fn a_disk_that_cannot_be_built_is_faulted_and_its_instance_does_not_start() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    cloud.hypervisor.fail_next(Call::EnsureDisk, HypervisorError::Failed("broken".to_owned()));
    let boot = json!({"type": "create", "name": "boot", "description": "", "size": 1_u64 << 30,
                      "disk_source": {"type": "blank", "block_size": 512}});
    let instance = cloud.try_instance("web", "db", &json!({"start": true, "boot_disk": boot})).unwrap();
    cloud.pass_seconds(60);
    assert_eq!(cloud.state(instance.id), InstanceState::Stopped);
    let disk = instance.boot_disk_id.unwrap();
    assert_eq!(cloud.disk_state(disk), "faulted");
    cloud.delete_disk(disk).unwrap();
    let again = refused(cloud.start_instance(instance.id));
    assert_eq!(again, (409, "boot disk must be attached".to_owned()));
    cloud.check_invariants();
}

#[test]
fn a_machine_waits_for_its_disks() {
    let mut options = croft_sled::simulated::SimulatedOptions { timing: timing(), ..Default::default() };
    options.timing.disk = jiff::SignedDuration::from_secs(100);
    let mut cloud = Cloud::with(options, memory());
    cloud.project("web");
    let boot = json!({"type": "create", "name": "boot", "description": "", "size": 1_u64 << 30,
                      "disk_source": {"type": "blank", "block_size": 512}});
    let id = cloud.try_instance("web", "db", &json!({"start": true, "boot_disk": boot})).unwrap().id;
    cloud.pass_seconds(99);
    assert!(cloud.hypervisor.machines().is_empty());
    assert_eq!(cloud.state(id), InstanceState::Starting);
    cloud.pass_seconds(1);
    assert_eq!(cloud.hypervisor.machines().len(), 1, "started as soon as the disk exists");
    cloud.pass_seconds(4);
    assert_eq!(cloud.state(id), InstanceState::Running);
}

#[test]
fn a_restarted_server_adopts_machines_and_continues() {
    let folder = tempfile::tempdir().unwrap();
    let options = croft_sled::simulated::SimulatedOptions { timing: timing(), ..Default::default() };
    let mut cloud = Cloud::with(options, file(folder.path()));
    cloud.project("web");
    let running = cloud.running("web", "running").id;
    let stopping = cloud.running("web", "stopping").id;
    let rebooting = cloud.running("web", "rebooting").id;
    cloud.stop_instance(stopping).unwrap();
    cloud.reboot_instance(rebooting).unwrap();
    let starting = cloud.try_instance("web", "starting", &json!({"start": true})).unwrap().id;
    let disk = cloud.disk("web", "data");

    cloud.db = memory();
    cloud.db = file(folder.path());
    cloud.restart_server();
    assert_eq!(cloud.state(running), InstanceState::Running);
    cloud.pass_seconds(20);
    assert_eq!(cloud.state(running), InstanceState::Running);
    assert_eq!(cloud.state(stopping), InstanceState::Stopped);
    assert_eq!(cloud.state(rebooting), InstanceState::Running);
    assert_eq!(cloud.state(starting), InstanceState::Running);
    assert_eq!(cloud.disk_state(disk.id), "detached");
    assert_eq!(cloud.view(running).time_last_auto_restarted, None, "the instance never failed");
    cloud.check_invariants();
}

#[test]
fn broken_machine_is_destroyed_and_its_instance_restarted() {
    let (mut cloud, id) = cloud();
    let broken = only_machine(&cloud);
    cloud.hypervisor.break_machine(broken);
    cloud.hypervisor.fail_next(Call::DestroyMachine, HypervisorError::Unreachable("cut off".to_owned()));
    cloud.settle();
    assert_eq!(cloud.state(id), InstanceState::Running, "not released by its host yet");
    cloud.pass_seconds(60);
    assert_eq!(cloud.state(id), InstanceState::Running);
    assert!(cloud.view(id).time_last_auto_restarted.is_some());
    assert_ne!(only_machine(&cloud), broken);
    cloud.check_invariants();
}

/// The serial number of an instance's sled.
fn serial(cloud: &Cloud, id: Uuid) -> String {
    let record =
        cloud.db.read_blocking(move |tx| Ok::<_, Error>(tx.get::<croft_store::records::Instance>(id)?));
    let sled = record.unwrap().unwrap().machine().unwrap().sled_id;
    cloud.hypervisor.sleds().into_iter().find(|inventory| inventory.id == sled).unwrap().baseboard.serial
}

fn expunge(cloud: &mut Cloud, serial: &str) -> croft_api::Result<()> {
    let serial = serial.to_owned();
    cloud.rule(move |cx| sled::expunge(cx, &serial))
}

#[test]
fn expunging_a_sled_fails_its_instances() {
    for alive in [true, false] {
        let mut cloud = Cloud::new();
        cloud.project("web");
        let near = group::<Affinity>(&mut cloud, "near", "fail");
        let [restarted, stopping, never] = ["restarted", "stopping", "never"].map(|name| {
            let policy = if name == "never" { "never" } else { "best_effort" };
            cloud.try_instance("web", name, &json!({"auto_restart_policy": policy})).unwrap().id
        });
        add::<Affinity>(&mut cloud, near, &[restarted, stopping, never]);
        for id in [restarted, stopping, never] {
            cloud.start_instance(id).unwrap();
        }
        cloud.pass_seconds(10);
        cloud.stop_instance(stopping).unwrap();
        let lost = serial(&cloud, restarted);
        let sled =
            cloud.hypervisor.sleds().into_iter().find(|sled| sled.baseboard.serial == lost).unwrap().id;
        cloud.hypervisor.set_reachable(sled, alive);
        expunge(&mut cloud, &lost).unwrap();
        expunge(&mut cloud, &lost).unwrap();
        cloud.pass_seconds(45);
        assert_eq!(cloud.state(never), InstanceState::Failed, "alive: {alive}");
        assert_eq!(cloud.state(stopping), InstanceState::Stopped, "the requested state");
        let view = cloud.view(restarted);
        assert_eq!(view.run_state, InstanceState::Running);
        assert!(view.time_last_auto_restarted.is_some());
        assert_ne!(serial(&cloud, restarted), lost);
        if alive {
            assert_eq!(cloud.hypervisor.machines().len(), 1, "no machine is left on the sled");
        }
        cloud.check_invariants();
    }
}

#[test]
fn a_returning_expunged_sled_stays_expunged() {
    let (mut cloud, id) = cloud();
    let lost = serial(&cloud, id);
    expunge(&mut cloud, &lost).unwrap();
    cloud.restart_server();
    cloud.pass_seconds(60);
    assert_eq!(cloud.state(id), InstanceState::Running);
    assert_ne!(serial(&cloud, id), lost);
    let unknown = refused(expunge(&mut cloud, "SIM9999"));
    assert_eq!(unknown, (404, "not found: sled with serial number \"SIM9999\"".to_owned()));
    cloud.check_invariants();
}

#[test]
fn a_restart_blocked_by_groups_is_retried() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let [one, two, both] = ["one", "two", "both"].map(|name| cloud.instance("web", name).id);
    let far = group::<AntiAffinity>(&mut cloud, "far", "fail");
    add::<AntiAffinity>(&mut cloud, far, &[one, two]);
    for (name, member) in [("near-one", one), ("near-two", two)] {
        let near = group::<Affinity>(&mut cloud, name, "fail");
        add::<Affinity>(&mut cloud, near, &[member, both]);
    }
    cloud.start_instance(both).unwrap();
    cloud.pass_seconds(10);
    cloud.hypervisor.forget_machine(only_machine(&cloud));
    cloud.pass_seconds(10);
    cloud.hypervisor.forget_machine(only_machine(&cloud));
    cloud.pass_seconds(10);
    assert_eq!(cloud.state(both), InstanceState::Failed, "not restarted within the cooldown");
    cloud.start_instance(one).unwrap();
    cloud.start_instance(two).unwrap();
    cloud.pass_seconds(3700);
    assert_eq!(cloud.state(both), InstanceState::Failed, "it would have to run on two sleds");
    assert_eq!(cloud.state(one), InstanceState::Running);
    cloud.stop_instance(two).unwrap();
    cloud.pass_seconds(120);
    assert_eq!(cloud.state(both), InstanceState::Running);
    assert_eq!(serial(&cloud, both), serial(&cloud, one));
    cloud.check_invariants();
}
