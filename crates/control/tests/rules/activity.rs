//! The activity of instances: what happened and why.

use croft_api::{
    Error, Result,
    activity::{
        ActivityConstraintKind, ActivityKind, InstanceActivity, InstanceActivitySelector, NewestFirstSortMode,
    },
    audit::AuditLogEntryResult,
    instance::InstanceState,
    page::{Marker, PageQuery},
};
use croft_control::{affinity::AntiAffinity, instance, sled};
use croft_sled::{Hypervisor as _, HypervisorError, IncidentKind, MachineIncident, simulated::Call};
use croft_store::{
    ListBy,
    records::{self, MachineRemoval, NetworkInterface, Resources, Role, RoleIdentity, RoleScope, VpcSubnet},
};
use jiff::SignedDuration;
use serde_json::json;
use uuid::Uuid;

use crate::{
    affinity::{add, group},
    kit::{Cloud, GIB, User, refused},
};

fn query(limit: u32) -> PageQuery<InstanceActivitySelector, NewestFirstSortMode> {
    let selector = InstanceActivitySelector::default();
    PageQuery { selector, sort: NewestFirstSortMode::TimeAndIdDescending, after: None, limit }
}

fn try_activity(
    cloud: &Cloud,
    user: &User,
    id: Uuid,
    query: &PageQuery<InstanceActivitySelector, NewestFirstSortMode>,
) -> Result<Vec<InstanceActivity>> {
    let query = query.clone();
    let page = cloud.see(user, move |cx, caller| instance::activity_list(cx, caller, &id.into(), &query))?;
    Ok(page.items)
}

/// All entries of an instance, newest first.
fn activity(cloud: &Cloud, id: Uuid) -> Vec<InstanceActivity> {
    try_activity(cloud, &cloud.admin, id, &query(1000)).unwrap()
}

/// All entries except operations, newest first.
fn events(cloud: &Cloud, id: Uuid) -> Vec<InstanceActivity> {
    let all = activity(cloud, id);
    all.into_iter().filter(|entry| entry.kind != ActivityKind::Operation).collect()
}

fn kinds(cloud: &Cloud, id: Uuid) -> Vec<ActivityKind> {
    events(cloud, id).iter().map(|entry| entry.kind).collect()
}

/// The unresolved problem, if there is one.
fn wrong(cloud: &Cloud, id: Uuid) -> Option<InstanceActivity> {
    let mut query = query(10);
    query.selector.unresolved = Some(true);
    let mut found = try_activity(cloud, &cloud.admin, id, &query).unwrap();
    assert!(found.len() <= 1);
    found.pop()
}

fn machine_of(cloud: &Cloud, id: Uuid) -> (Uuid, Uuid) {
    let record = cloud.db.read_blocking(move |tx| Ok::<_, Error>(tx.get::<records::Instance>(id)?));
    let instance = record.unwrap().unwrap();
    let link = instance.machine().unwrap();
    (link.sled_id, link.id)
}

fn cloud() -> (Cloud, Uuid) {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let id = cloud.running("web", "db").id;
    (cloud, id)
}

#[test]
fn failures_and_restarts_are_recorded_with_cause_and_action() {
    let (mut cloud, id) = cloud();
    let (_, machine) = machine_of(&cloud, id);
    cloud.hypervisor.break_machine(machine);
    cloud.pass_seconds(10);
    assert_eq!(
        kinds(&cloud, id),
        [
            ActivityKind::MachineStarted,
            ActivityKind::Restarted,
            ActivityKind::Failed,
            ActivityKind::MachineStarted
        ]
    );
    let failed = &events(&cloud, id)[2];
    assert_eq!(failed.cause, "The machine failed while it was running.");
    assert!(failed.operator_detail.as_deref().unwrap().contains("was told to fail"), "the host's message");
    let action = failed.action.as_deref().unwrap();
    assert!(action.contains("restarts the instance automatically"), "{action}");
    assert!(failed.advice.is_some() && failed.operator_detail.is_some());
    let tail = failed.serial_tail.as_deref().expect("the simulated guest has written something");
    assert!(!tail.is_empty() && tail.lines().count() <= 20, "{tail}");
    assert_eq!(wrong(&cloud, id), None, "resolved, because the instance runs again");

    let (_, machine) = machine_of(&cloud, id);
    cloud.hypervisor.break_machine(machine);
    cloud.pass_seconds(10);
    let wrong = wrong(&cloud, id).unwrap();
    assert_eq!(wrong.kind, ActivityKind::Failed);
    assert!(
        wrong.action.unwrap().contains("the last automatic restart"),
        "not restarted within the cooldown"
    );
}

#[test]
fn operator_details_are_for_operators_only() {
    let (mut cloud, id) = cloud();
    let project = cloud.view(id).project_id;
    let member = member(&mut cloud, project, Role::Admin);
    let (_, machine) = machine_of(&cloud, id);
    let time = cloud.now;
    let incident = |kind, path: &str| MachineIncident {
        machine_id: machine,
        instance_id: id,
        time,
        kind,
        cause: format!("QEMU said: {path}: no such file."),
        action: format!("{path} was left."),
        serial_tail: String::new(),
    };
    cloud.hypervisor.push_incident(incident(IncidentKind::Unreadable, "/var/lib/croft/machine.json"));
    cloud.hypervisor.push_incident(incident(IncidentKind::RestartedWithTranslation, "/var/lib/croft/disk"));
    cloud.settle();
    cloud.hypervisor.break_machine(machine);
    cloud.hypervisor.push_incident(incident(IncidentKind::NotStarted, "/var/lib/croft/other"));
    cloud.pass_seconds(10);
    let visible = format!("{:?}", try_activity(&cloud, &member, id, &query(100)).unwrap());
    assert!(!visible.contains("/var/lib"), "{visible}");
    assert!(visible.contains("The host could not start the machine."), "{visible}");
    let seen = format!("{:?}", activity(&cloud, id));
    for path in ["machine.json", "/var/lib/croft/disk", "/var/lib/croft/other"] {
        assert!(seen.contains(path), "{seen}");
    }
    let alerts: Vec<records::Alert> =
        cloud.rule(|cx| Ok(cx.tx.page(ListBy::All, croft_store::Sort::IdAsc, None, 10)?)).unwrap();
    assert!(alerts.len() == 1 && !format!("{alerts:?}").contains("/var/lib"), "{alerts:?}");
}

#[test]
fn lost_machines_are_recorded() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let never = json!({"start": true, "auto_restart_policy": "never"});
    let id = cloud.try_instance("web", "db", &never).unwrap().id;
    cloud.pass_seconds(10);
    cloud.hypervisor.forget_machine(machine_of(&cloud, id).1);
    cloud.pass_seconds(10);
    let entry = wrong(&cloud, id).unwrap();
    assert!(entry.cause.starts_with("The host lost the machine"), "{}", entry.cause);
    assert!(entry.action.unwrap().contains("does not restart the instance automatically"));
    cloud.stop_instance(id).unwrap();
    assert_eq!(wrong(&cloud, id), None, "resolved by an operation of the user");
}

#[test]
fn stop_of_a_lost_machine_records_the_cause() {
    let (mut cloud, id) = cloud();
    cloud.hypervisor.forget_machine(machine_of(&cloud, id).1);
    cloud.hypervisor.take_events();
    assert_eq!(refused(cloud.stop_instance(id)).0, 503);
    assert!(wrong(&cloud, id).unwrap().cause.contains("lost the instance's machine"));
}

#[test]
fn a_start_over_quota_is_recorded() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    cloud.set_quota(Resources { cpus: 1, memory: 100 * GIB, storage: 100 * GIB });
    // The instance is created but not started. The response cannot contain the reason.
    let created = cloud.try_instance("web", "db", &json!({"ncpus": 2, "start": true})).unwrap();
    assert_eq!(created.run_state, InstanceState::Stopped);
    let entry = wrong(&cloud, created.id).expect("recorded immediately");
    assert_eq!(entry.kind, ActivityKind::StartRefused);
    assert!(entry.cause.contains("vCPU Limit Exceeded"), "{}", entry.cause);
    let constraint = entry.constraint.unwrap();
    assert_eq!((constraint.kind, constraint.id), (ActivityConstraintKind::Quota, cloud.admin.silo));
    assert_eq!(constraint.name.as_deref(), Some("croft"));
    assert_eq!(refused(cloud.start_instance(created.id)).0, 507);
    let entry = wrong(&cloud, created.id).unwrap();
    assert_eq!(entry.count, 2, "a repetition increases the count");
    cloud.set_quota(Resources { cpus: 2, memory: 100 * GIB, storage: 100 * GIB });
    cloud.start_instance(created.id).unwrap();
    cloud.pass_seconds(10);
    assert_eq!(wrong(&cloud, created.id), None);
    cloud.stop_instance(created.id).unwrap();
    cloud.pass_seconds(10);
    assert_eq!(wrong(&cloud, created.id), None, "resolved, because the instance has run since");
    cloud.check_invariants();
}

#[test]
fn group_that_prevents_placement_is_named() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let ids = ["one", "two", "three", "four"].map(|name| cloud.instance("web", name).id);
    let far = group::<AntiAffinity>(&mut cloud, "far", "fail");
    add::<AntiAffinity>(&mut cloud, far, &ids);
    for id in &ids[..3] {
        cloud.start_instance(*id).unwrap();
    }
    let (status, text) = refused(cloud.start_instance(ids[3]));
    assert_eq!(status, 507);
    let prescribed = "Insufficient capacity: Failed to place instance: Could not find any valid sled on which this \
                      instance can be placed";
    assert!(text.starts_with(prescribed) && text.contains("anti-affinity group \"far\""), "{text}");
    let constraint = wrong(&cloud, ids[3]).unwrap().constraint.unwrap();
    assert_eq!(constraint.kind, ActivityConstraintKind::AntiAffinityGroup);
    assert_eq!((constraint.id, constraint.name.as_deref()), (far, Some("far")));
}

/// Adds a user to the administrator's silo with a role on the project.
fn member(cloud: &mut Cloud, project: Uuid, role: Role) -> User {
    let user = cloud.user(cloud.admin.silo, "member");
    cloud.grant(RoleIdentity::User(user.id), RoleScope::Project(project), role);
    user
}

#[test]
fn free_capacity_is_for_operators_only() {
    let mut cloud = Cloud::new();
    let project = cloud.project("web").id;
    let member = member(&mut cloud, project, Role::Viewer);
    let id = cloud.try_instance("web", "db", &json!({"ncpus": 64, "memory": 1536 * GIB})).unwrap().id;
    cloud.set_quota(Resources { cpus: 1000, memory: 1 << 50, storage: 1 << 50 });
    let (status, text) = refused(cloud.start_instance(id));
    assert_eq!(status, 507);
    assert!(text.ends_with("The cloud has no room for 64 vCPUs and 1536 GiB of memory."), "{text}");
    let detail = wrong(&cloud, id).unwrap().operator_detail.unwrap();
    assert!(detail.contains("the sled with the most room"), "{detail}");
    let seen = try_activity(&cloud, &member, id, &query(100)).unwrap();
    assert!(seen.iter().all(|entry| entry.operator_detail.is_none()), "{seen:?}");

    for sled in cloud.hypervisor.sleds() {
        cloud
            .rule(move |cx| {
                let mut sled = cx.tx.get::<records::Sled>(sled.id)?.unwrap();
                sled.provisionable = false;
                Ok(cx.tx.update(&mut sled)?)
            })
            .unwrap();
    }
    let (_, text) = refused(cloud.start_instance(id));
    assert!(text.ends_with("No sled of this cloud accepts new instances at the moment."), "{text}");
}

#[test]
fn operations_are_listed_with_their_callers() {
    let (mut cloud, id) = cloud();
    let project = cloud.view(id).project_id;
    let member = member(&mut cloud, project, Role::Viewer);
    cloud.stop_instance(id).unwrap();
    cloud.pass_seconds(10);
    let other = member.clone();
    let denied = cloud.act(&other, &croft_control::operation::INSTANCE_START, move |cx, caller| {
        instance::start(cx, caller, &id.into(), None)
    });
    assert_eq!(refused(denied).0, 403);
    let all = try_activity(&cloud, &member, id, &query(100)).unwrap();
    let operations: Vec<_> = all.iter().filter_map(|entry| entry.operation.as_ref()).collect();
    let ids: Vec<&str> = operations.iter().map(|one| one.operation_id.as_str()).collect();
    assert_eq!(ids, ["instance_start", "instance_stop", "instance_create"]);
    let names: Vec<_> =
        operations.iter().map(|one| one.actor.as_ref().unwrap().display_name.as_str()).collect();
    assert_eq!(names, ["member", "admin", "admin"]);
    assert!(matches!(operations[0].result, AuditLogEntryResult::Error { http_status_code: 403, .. }));
    assert!(all.is_sorted_by_key(|entry| std::cmp::Reverse(entry.time_created)));

    // Pages of one entry, whose boundaries lie between the two kinds of entries, omit and repeat nothing.
    let mut paged = Vec::new();
    let mut next = query(1);
    loop {
        let page = try_activity(&cloud, &member, id, &next).unwrap();
        let Some(last) = page.last() else { break };
        next.after = Some(Marker::Time(last.time_created, last.id));
        paged.extend(page);
    }
    assert_eq!(paged, all);

    // A user without a role on the project does not learn that the instance exists.
    let stranger = cloud.user(cloud.admin.silo, "stranger");
    assert_eq!(refused(try_activity(&cloud, &stranger, id, &query(10))).0, 404);
    // The name of an operator of another silo is not shown.
    let silo = cloud.silo("away", Resources::default());
    let operator = cloud.user(silo, "operator");
    cloud.grant(RoleIdentity::User(operator.id), RoleScope::Fleet, Role::Admin);
    assert_eq!(
        refused(try_activity(&cloud, &operator, id, &query(10))).0,
        404,
        "the operator has no access either"
    );
}

#[test]
fn repeated_events_are_counted_and_200_entries_are_kept() {
    let (mut cloud, id) = cloud();
    let (sled, _) = machine_of(&cloud, id);
    cloud.stop_instance(id).unwrap();
    cloud.hypervisor.set_reachable(sled, false);
    cloud.pass_seconds(60);
    let entry = wrong(&cloud, id).unwrap();
    assert_eq!((entry.kind, entry.cause.as_str()), (ActivityKind::Waiting, "The host cannot be reached."));
    assert!(entry.count > 5 && entry.time_last > entry.time_created, "{entry:?}");
    assert_eq!(entry.constraint.unwrap().kind, ActivityConstraintKind::Sled);
    cloud.hypervisor.set_reachable(sled, true);
    cloud.pass_seconds(60);
    assert_eq!((cloud.state(id), wrong(&cloud, id)), (InstanceState::Stopped, None));

    for number in 0..220 {
        // Alternate between too few vCPUs and too little memory.
        cloud.set_quota(Resources { cpus: 10 * (number % 2), memory: 0, storage: 0 });
        assert_eq!(refused(cloud.start_instance(id)).0, 507);
    }
    assert_eq!(events(&cloud, id).len(), 200, "the newest of the alternating entries");
    cloud.delete_instance(id).unwrap();
    let left = cloud
        .db
        .read_blocking(move |tx| Ok::<_, Error>(tx.count::<records::InstanceActivity>(ListBy::Parent(id))?));
    assert_eq!(left.unwrap(), 0);
}

#[test]
fn forced_stops_and_host_refusals_are_recorded() {
    let (mut cloud, id) = cloud();
    cloud.hypervisor.hang_machine(machine_of(&cloud, id).1);
    cloud.stop_instance(id).unwrap();
    cloud.pass_seconds(700);
    assert_eq!(cloud.state(id), InstanceState::Stopped);
    assert_eq!(kinds(&cloud, id)[0], ActivityKind::StopForced);
    cloud.hypervisor.fail_next(Call::EnsureMachine, HypervisorError::Refused("bad hostname".to_owned()));
    cloud.start_instance(id).unwrap();
    cloud.pass_seconds(10);
    let entry = wrong(&cloud, id).unwrap();
    assert_eq!(entry.cause, "The host could not create the machine.");
    assert!(entry.operator_detail.unwrap().contains("bad hostname"));
}

#[test]
fn bad_record_affects_only_its_instance() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let bad = cloud.instance("web", "bad").id;
    // An interface without its subnet, which no operation leaves behind.
    cloud
        .rule(move |cx| {
            let interfaces: Vec<NetworkInterface> =
                cx.tx.page(ListBy::Parent(bad), croft_store::Sort::IdAsc, None, 10)?;
            let mut interface = interfaces.into_iter().next();
            if let Some(interface) = &mut interface {
                interface.subnet_id = Uuid::from_u128(7);
                cx.tx.update(interface)?;
            }
            assert!(interface.is_some(), "an instance has an interface");
            Ok(())
        })
        .unwrap();
    cloud.start_instance(bad).unwrap();
    let good =
        ["a", "b", "c"].map(|name| cloud.try_instance("web", name, &json!({"start": true})).unwrap().id);
    cloud.pass_seconds(120);
    for id in good {
        assert_eq!(cloud.state(id), InstanceState::Running, "other instances start");
    }
    let entry = wrong(&cloud, bad).unwrap();
    assert_eq!(entry.kind, ActivityKind::Waiting);
    assert!((2..10).contains(&entry.count), "retried with increasing delays: {}", entry.count);
    assert!(entry.operator_detail.unwrap().contains("is in no subnet"));
    cloud
        .rule(move |cx| {
            let subnets: Vec<VpcSubnet> = cx.tx.page(ListBy::All, croft_store::Sort::IdAsc, None, 1)?;
            let interfaces: Vec<NetworkInterface> =
                cx.tx.page(ListBy::Parent(bad), croft_store::Sort::IdAsc, None, 10)?;
            for mut interface in interfaces {
                interface.subnet_id = subnets[0].meta.id;
                cx.tx.update(&mut interface)?;
            }
            Ok(())
        })
        .unwrap();
    cloud.pass_seconds(700);
    assert_eq!((cloud.state(bad), wrong(&cloud, bad)), (InstanceState::Running, None), "mended");
}

#[test]
fn failed_release_of_resources_does_not_block_other_stops() {
    let (mut cloud, bad) = cloud();
    let good = cloud.running("web", "good").id;
    let (sled, _) = machine_of(&cloud, bad);
    assert_ne!(machine_of(&cloud, good).0, sled);
    set_reserved_threads(&mut cloud, sled, 0);
    cloud.stop_instance(bad).unwrap();
    cloud.stop_instance(good).unwrap();
    cloud.pass_seconds(30);
    assert_eq!(cloud.state(good), InstanceState::Stopped);
    assert_eq!(cloud.state(bad), InstanceState::Stopping);
    let entry = wrong(&cloud, bad).unwrap();
    assert!(entry.operator_detail.unwrap().contains("was freed of more than it had"));
    set_reserved_threads(&mut cloud, sled, 1);
    cloud.pass_seconds(700);
    assert_eq!((cloud.state(bad), wrong(&cloud, bad)), (InstanceState::Stopped, None));
    cloud.check_invariants();
}

fn set_reserved_threads(cloud: &mut Cloud, sled: Uuid, threads: u64) {
    cloud
        .rule(move |cx| {
            let mut sled = cx.tx.get::<records::Sled>(sled)?.unwrap();
            sled.reserved_threads = threads;
            Ok(cx.tx.update(&mut sled)?)
        })
        .unwrap();
}

#[test]
fn removals_on_a_lost_sled_are_retried() {
    let (mut cloud, id) = cloud();
    let (sled, machine) = machine_of(&cloud, id);
    let serial = cloud.hypervisor.sleds().into_iter().find(|one| one.id == sled).unwrap().baseboard.serial;
    cloud.hypervisor.set_reachable(sled, false);
    cloud.rule(move |cx| sled::expunge(cx, &serial)).unwrap();
    cloud.pass_seconds(60);
    assert_eq!(
        cloud.state(id),
        InstanceState::Running,
        "restarted on another sled, because the operator declared the loss"
    );
    assert_ne!(machine_of(&cloud, id).0, sled);
    assert!(cloud.hypervisor.machines().contains(&machine), "the machine still runs on the lost sled");
    let entries = events(&cloud, id);
    let lost = entries.iter().find(|entry| entry.kind == ActivityKind::HostLost).unwrap();
    assert!(lost.action.as_deref().unwrap().contains("as soon as the sled answers again"), "{lost:?}");
    assert_eq!(lost.constraint.as_ref().unwrap().id, sled);
    cloud.hypervisor.set_reachable(sled, true);
    cloud.pass_seconds(600);
    assert!(
        !cloud.hypervisor.machines().contains(&machine),
        "the machine is ended once the sled is reachable"
    );
    let left = cloud.db.read_blocking(|tx| Ok::<_, Error>(tx.count::<MachineRemoval>(ListBy::All)?));
    assert_eq!(left.unwrap(), 0);
    cloud.check_invariants();
}

#[test]
fn a_clock_set_back_does_not_stop_the_reconciler() {
    let (mut cloud, id) = cloud();
    let waiting = cloud.instance("web", "waiting").id;
    cloud.hypervisor.fail_next(Call::EnsureMachine, HypervisorError::Unreachable("cut off".to_owned()));
    cloud.start_instance(waiting).unwrap();
    cloud.settle();
    cloud.hypervisor.forget_machine(machine_of(&cloud, id).1);
    cloud.hypervisor.take_events();
    cloud.now -= SignedDuration::from_hours(24);
    cloud.pass_seconds(60);
    let (_, machine) = machine_of(&cloud, waiting);
    assert!(cloud.hypervisor.machines().contains(&machine), "the call to the host was repeated");
    assert!(kinds(&cloud, id).contains(&ActivityKind::Failed), "the periodic check has run");
}

#[test]
fn a_machine_runs_where_its_only_copies_are() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let disk = cloud.disk("web", "data").id;
    let id = cloud.instance("web", "db").id;
    cloud.pass_seconds(5);
    cloud.attach(id, disk.into()).unwrap();
    // Give the disk a single copy.
    let (only, sled) = cloud
        .db
        .read_blocking(move |tx| {
            let disk: records::Disk = tx.get(disk)?.unwrap();
            let pools: records::StoragePools = tx.get(records::FLEET)?.unwrap();
            let only = disk.pools[0];
            let sled = pools.pools.iter().find(|pool| pool.id == only).unwrap().sled_id;
            Ok::<_, Error>((only, sled))
        })
        .unwrap();
    let all = cloud
        .db
        .read_blocking(move |tx| Ok::<_, Error>(tx.get::<records::Disk>(disk)?.unwrap().pools))
        .unwrap();
    cloud.modify_disk_record(disk, move |disk| disk.pools = vec![only]);
    for _ in 0..3 {
        cloud.start_instance(id).unwrap();
        assert_eq!(machine_of(&cloud, id).0, sled, "the sled of the disk");
        cloud.pass_seconds(10);
        cloud.stop_instance(id).unwrap();
        cloud.pass_seconds(10);
        // Make another sled the least used one.
        let filler = cloud
            .try_instance("web", &format!("filler-{}", cloud.now.as_second()), &json!({"memory": 8 * GIB}))
            .unwrap()
            .id;
        cloud.start_instance(filler).unwrap();
        cloud.pass_seconds(10);
    }
    cloud
        .rule(move |cx| {
            let mut record = cx.tx.get::<records::Sled>(sled)?.unwrap();
            record.provisionable = false;
            Ok(cx.tx.update(&mut record)?)
        })
        .unwrap();
    let (status, text) = refused(cloud.start_instance(id));
    assert_eq!(status, 507);
    assert!(
        text.contains("The only sled that can open the disk has no room. The disk is \"data\"."),
        "{text}"
    );
    assert_eq!(wrong(&cloud, id).unwrap().constraint.unwrap().id, disk);
    cloud.modify_disk_record(disk, move |disk| disk.pools.clone_from(&all));
    cloud.start_instance(id).unwrap();
    cloud.check_invariants();
}
