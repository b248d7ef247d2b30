//! Racks, sleds, physical disks, switches.

use std::collections::BTreeSet;

use croft_api::{
    Result,
    hardware::{
        PhysicalDisk, PhysicalDiskPolicy, PhysicalDiskState, Sled, SledId, SledInstance, SledPolicy,
        SledProvisionPolicy, SledProvisionPolicyParams, SledProvisionPolicyResponse, SledState,
        UninitializedSledId,
    },
    instance::InstanceState,
    page::{IdSortMode, NoSelector, PageQuery},
};
use croft_control::{inventory, operation, physical_disk, rack, sled, switch};
use croft_sled::{
    Hypervisor as _,
    simulated::{SimulatedOptions, SimulatedSled},
};
use croft_store::{
    ListBy, Sort,
    records::{self, FLEET, StoragePools},
};
use serde_json::json;
use uuid::Uuid;

use crate::kit::{Cloud, GIB, memory, refused, timing};

fn page_after(after: Option<Uuid>, limit: u32) -> PageQuery<NoSelector, IdSortMode> {
    let after = after.map(croft_api::page::Marker::Id);
    PageQuery { selector: NoSelector {}, sort: IdSortMode::IdAscending, after, limit }
}

fn page() -> PageQuery<NoSelector, IdSortMode> {
    page_after(None, 100)
}

fn sleds(cloud: &Cloud) -> Vec<Sled> {
    cloud.see(&cloud.admin, |cx, caller| sled::list(cx, caller, &page())).unwrap().items
}

fn view(cloud: &Cloud, id: Uuid) -> Result<Sled> {
    cloud.see(&cloud.admin, move |cx, caller| sled::view(cx, caller, id))
}

fn instances(cloud: &Cloud, id: Uuid) -> Vec<SledInstance> {
    cloud.see(&cloud.admin, move |cx, caller| sled::instance_list(cx, caller, id, &page())).unwrap().items
}

fn disks_of(cloud: &Cloud, id: Uuid) -> Vec<PhysicalDisk> {
    let disks = cloud.see(&cloud.admin, move |cx, caller| sled::physical_disk_list(cx, caller, id, &page()));
    disks.unwrap().items
}

fn disks(cloud: &Cloud) -> Vec<PhysicalDisk> {
    cloud.see(&cloud.admin, |cx, caller| physical_disk::list(cx, caller, &page())).unwrap().items
}

fn uninitialized(cloud: &Cloud) -> Vec<String> {
    let list = cloud.see(&cloud.admin, |cx, caller| sled::list_uninitialized(cx, caller, &page())).unwrap();
    assert_eq!(list.next_page, None);
    list.items.into_iter().map(|sled| sled.baseboard.serial).collect()
}

fn add(cloud: &mut Cloud, serial: &str) -> Result<SledId> {
    let params = UninitializedSledId { serial: serial.to_owned(), part: "simulated-sled".to_owned() };
    let admin = cloud.admin.clone();
    cloud.act(&admin, &operation::SLED_ADD, move |cx, caller| sled::add(cx, caller, &params))
}

fn set_policy(
    cloud: &mut Cloud,
    id: Uuid,
    state: SledProvisionPolicy,
) -> Result<SledProvisionPolicyResponse> {
    let (admin, params) = (cloud.admin.clone(), SledProvisionPolicyParams { state });
    cloud.act(&admin, &operation::SLED_SET_PROVISION_POLICY, move |cx, caller| {
        sled::set_provision_policy(cx, caller, id, params)
    })
}

fn expunge(cloud: &mut Cloud, serial: String) {
    cloud.rule(move |cx| sled::expunge(cx, &serial)).unwrap();
}

const IN_SERVICE: SledPolicy = SledPolicy::InService { provision_policy: SledProvisionPolicy::Provisionable };

/// A cloud with sleds that are part of the fleet, and one uninitialized sled.
fn with_spare() -> Cloud {
    let sled = |number| SimulatedSled::numbered(number, 8, 8 * GIB, 3, 260 * GIB);
    let sleds = vec![sled(1), sled(2), sled(3).spare()];
    Cloud::with(SimulatedOptions { sleds, timing: timing(), ..SimulatedOptions::default() }, memory())
}

#[test]
fn rack_hardware_is_listed() {
    let cloud = Cloud::new();
    let racks = cloud.see(&cloud.admin, |cx, caller| rack::list(cx, caller, &page())).unwrap().items;
    let [rack] = &racks[..] else { panic!("{racks:?}") };
    let sleds = sleds(&cloud);
    assert_eq!(sleds.len(), 3);
    for (sled, serial) in sleds.iter().zip(["SIM0001", "SIM0002", "SIM0003"]) {
        assert_eq!((&*sled.baseboard.serial, sled.rack_id, sled.policy), (serial, rack.id, IN_SERVICE));
        assert_eq!((sled.state, sled.usable_hardware_threads), (SledState::Active, 64));
        assert_eq!(
            sled.usable_physical_ram.bytes(),
            320 * GIB,
            "including memory that is reserved for the host"
        );
        assert_eq!(&view(&cloud, sled.id).unwrap(), sled);
        assert_eq!(disks_of(&cloud, sled.id).len(), 4);
    }
    let (disks, nowhere) = (disks(&cloud), Uuid::from_u128(7));
    assert_eq!(disks.len(), 12);
    let one = disks[5].clone();
    let seen = cloud.see(&cloud.admin, move |cx, caller| physical_disk::view(cx, caller, one.id)).unwrap();
    assert_eq!(seen, disks[5]);
    assert_eq!((seen.policy, seen.state), (PhysicalDiskPolicy::InService, PhysicalDiskState::Active));
    let switches = cloud.see(&cloud.admin, |cx, caller| switch::list(cx, caller, &page())).unwrap().items;
    assert_eq!(switches.len(), 2);
    assert!(switches.iter().all(|switch| switch.rack_id == rack.id));
    assert!(disks_of(&cloud, nowhere).is_empty());
    let missing = refused(view(&cloud, nowhere));
    assert_eq!(missing, (404, format!("not found: sled with id \"{nowhere}\"")));
    let missing =
        cloud.see(&cloud.admin, move |cx, caller| sled::instance_list(cx, caller, nowhere, &page()));
    assert_eq!(refused(missing).0, 404);
}

#[test]
fn lists_are_paginated() {
    let cloud = Cloud::new();
    let mut ids: Vec<Uuid> = Vec::new();
    loop {
        let query = page_after(ids.last().copied(), 5);
        let page =
            cloud.see(&cloud.admin, move |cx, caller| physical_disk::list(cx, caller, &query)).unwrap();
        ids.extend(page.items.iter().map(|disk| disk.id));
        if page.items.len() < 5 {
            break;
        }
    }
    let all: Vec<Uuid> = disks(&cloud).iter().map(|disk| disk.id).collect();
    assert!(ids == all && ids.is_sorted(), "{ids:?}");
}

#[test]
fn unchanged_hardware_causes_no_writes() {
    let mut cloud = Cloud::new();
    let state = |cloud: &Cloud| {
        cloud
            .db
            .read_blocking(|tx| {
                let sleds: Vec<records::Sled> = tx.page(ListBy::All, Sort::IdAsc, None, 100)?;
                let disks: Vec<records::PhysicalDisk> = tx.page(ListBy::All, Sort::IdAsc, None, 100)?;
                let pools: StoragePools = tx.get(FLEET)?.unwrap();
                Ok::<_, croft_api::Error>((sleds, disks, pools, tx.last_change()?))
            })
            .unwrap()
    };
    let before = state(&cloud);
    cloud.restart_server();
    cloud.pass_seconds(120);
    let seen = cloud.hypervisor.inventory();
    cloud.rule(move |cx| inventory::sync(cx, &seen)).unwrap();
    assert_eq!(state(&cloud), before);
}

#[test]
fn removed_disk_disappears_and_new_disk_appears() {
    let mut cloud = Cloud::new();
    let mut seen = cloud.hypervisor.inventory();
    let sled = seen.sleds[0].id;
    let out = seen.sleds[0].disks.remove(1);
    let mut new = out.clone();
    new.id = Uuid::from_u128(77);
    new.serial = "new".to_owned();
    seen.sleds[0].disks.push(new);
    seen.switches.clear();
    // A sled that does not report says nothing about its disks.
    let away = seen.sleds.remove(2).id;
    cloud.rule(move |cx| inventory::sync(cx, &seen)).unwrap();
    let ids: BTreeSet<Uuid> = disks_of(&cloud, sled).iter().map(|disk| disk.id).collect();
    assert!(!ids.contains(&out.id) && ids.contains(&Uuid::from_u128(77)) && ids.len() == 4, "{ids:?}");
    assert_eq!(disks_of(&cloud, away).len(), 4);
    assert_eq!(view(&cloud, away).unwrap().policy, IN_SERVICE, "the operator's policy is kept");
    let switches = cloud.see(&cloud.admin, |cx, caller| switch::list(cx, caller, &page())).unwrap().items;
    assert!(switches.is_empty());
}

#[test]
fn a_sled_that_is_not_provisionable_gets_no_new_machines() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let ids: Vec<Uuid> = sleds(&cloud).iter().map(|sled| sled.id).collect();
    let first = cloud.running("web", "first").id;
    let sled = ids.iter().copied().find(|id| !instances(&cloud, *id).is_empty()).unwrap();
    let answer = set_policy(&mut cloud, sled, SledProvisionPolicy::NonProvisionable).unwrap();
    let (yes, no) = (SledProvisionPolicy::Provisionable, SledProvisionPolicy::NonProvisionable);
    assert_eq!(answer, SledProvisionPolicyResponse { old_state: yes, new_state: no });
    let again = set_policy(&mut cloud, sled, no).unwrap();
    assert_eq!(
        again,
        SledProvisionPolicyResponse { old_state: no, new_state: no },
        "setting the same policy again is allowed"
    );
    assert_eq!(view(&cloud, sled).unwrap().policy, SledPolicy::InService { provision_policy: no });
    for name in ["a", "b", "c", "d", "e", "f"] {
        cloud.running("web", name);
    }
    cloud.restart_server();
    cloud.pass_seconds(60);
    let there: Vec<Uuid> = instances(&cloud, sled).iter().map(|instance| instance.id).collect();
    assert_eq!(there, [first], "also after a restart of the server");
    assert_eq!(cloud.state(first), InstanceState::Running);
    let others = ids.iter().filter(|id| **id != sled);
    assert_eq!(others.map(|id| instances(&cloud, *id).len()).sum::<usize>(), 6);
    let pools = cloud.db.read_blocking(|tx| Ok::<_, croft_api::Error>(tx.get::<StoragePools>(FLEET)?));
    let pools = pools.unwrap().unwrap().pools;
    assert!(pools.iter().all(|pool| pool.provisionable == (pool.sled_id != sled)));
    for other in ids.iter().filter(|id| **id != sled) {
        set_policy(&mut cloud, *other, no).unwrap();
    }
    let late = cloud.instance("web", "late").id;
    let full = refused(cloud.start_instance(late));
    assert_eq!(full.0, 507, "{full:?}");
    set_policy(&mut cloud, sled, yes).unwrap();
    cloud.running("web", "later");
    assert_eq!(instances(&cloud, sled).len(), 2);
    cloud.check_invariants();
}

#[test]
fn the_instances_of_a_sled_are_those_with_a_machine_on_it() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let id = cloud.running("web", "db").id;
    cloud.instance("web", "resting");
    let on: Vec<SledInstance> = sleds(&cloud).iter().flat_map(|sled| instances(&cloud, sled.id)).collect();
    let [instance] = &on[..] else { panic!("{on:?}") };
    assert_eq!((instance.id, instance.name.as_str(), instance.state), (id, "db", InstanceState::Running));
    assert_eq!((instance.silo_name.as_str(), instance.project_name.as_str()), ("croft", "web"));
    let view = cloud.view(id);
    assert_eq!(instance.ncpus, i64::from(view.ncpus.0));
    assert_eq!(u64::try_from(instance.memory).unwrap(), view.memory.bytes());
    let sled = instance.active_sled_id;
    cloud.stop_instance(id).unwrap();
    assert_eq!(instances(&cloud, sled)[0].state, InstanceState::Stopping);
    cloud.pass_seconds(10);
    assert!(instances(&cloud, sled).is_empty());
}

#[test]
fn an_expunged_sled_is_seen_by_id_alone() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    cloud.running("web", "db");
    let lost = sleds(&cloud).into_iter().find(|sled| !instances(&cloud, sled.id).is_empty()).unwrap();
    expunge(&mut cloud, lost.baseboard.serial.clone());
    assert!(sleds(&cloud).iter().all(|sled| sled.id != lost.id));
    let view_of = |cloud: &Cloud| view(cloud, lost.id).map(|sled| (sled.policy, sled.state)).unwrap();
    assert_eq!(view_of(&cloud), (SledPolicy::Expunged, SledState::Active), "a machine still runs on it");
    let text = |state: &str, wanted: &str| {
        let id = lost.id;
        let text = format!(
            "sled id {id} has current policy \"expunged\" and state \"{state}\" and the transition to policy \
             \"{wanted}\" is not permitted"
        );
        (409, text)
    };
    let refusal = refused(set_policy(&mut cloud, lost.id, SledProvisionPolicy::Provisionable));
    assert_eq!(refusal, text("active", "in service"));
    cloud.pass_seconds(60);
    assert_eq!(view_of(&cloud), (SledPolicy::Expunged, SledState::Decommissioned));
    let refusal = refused(set_policy(&mut cloud, lost.id, SledProvisionPolicy::NonProvisionable));
    assert_eq!(refusal, text("decommissioned", "not provisionable"));
    let gone = disks_of(&cloud, lost.id);
    assert_eq!(gone.len(), 4);
    for disk in gone {
        assert_eq!(disk.policy, PhysicalDiskPolicy::Expunged);
        assert!(disks(&cloud).iter().all(|other| other.id != disk.id));
        let seen = cloud.see(&cloud.admin, move |cx, caller| physical_disk::view(cx, caller, disk.id));
        assert_eq!(seen.unwrap().state, PhysicalDiskState::Decommissioned);
    }
    let part_of = refused(add(&mut cloud, &lost.baseboard.serial));
    assert_eq!(part_of.0, 400, "an expunged sled cannot be added again: {part_of:?}");
    cloud.restart_server();
    assert_eq!(view_of(&cloud), (SledPolicy::Expunged, SledState::Decommissioned));
    assert!(uninitialized(&cloud).is_empty());
}

#[test]
fn an_uninitialized_sled_is_added_once() {
    let mut cloud = with_spare();
    assert_eq!(uninitialized(&cloud), ["SIM0003"]);
    assert_eq!((sleds(&cloud).len(), disks(&cloud).len()), (2, 8));
    let unknown = refused(add(&mut cloud, "SIM0009"));
    let text = "not found: sled with serial number \"SIM0009\" and part number \"simulated-sled\"";
    assert_eq!(unknown, (404, text.to_owned()));
    let known = refused(add(&mut cloud, "SIM0001"));
    let first = sleds(&cloud)[0].id;
    assert_eq!(known, (400, format!("already exists: sled \"SIM0001 (simulated-sled): {first}\"")));
    let SledId { id } = add(&mut cloud, "SIM0003").unwrap();
    assert_eq!(add(&mut cloud, "SIM0003").unwrap().id, id, "the sled has not reported yet");
    assert_eq!(uninitialized(&cloud), ["SIM0003"]);
    cloud.settle();
    let refusal = refused(add(&mut cloud, "SIM0003"));
    assert_eq!(refusal, (400, format!("already exists: sled \"SIM0003 (simulated-sled): {id}\"")));
    assert!(uninitialized(&cloud).is_empty());
    assert_eq!((view(&cloud, id).unwrap().policy, disks_of(&cloud, id).len()), (IN_SERVICE, 4));
    cloud.restart_server();
    assert_eq!((sleds(&cloud).len(), uninitialized(&cloud).len()), (3, 0));
    cloud.check_invariants();
}

#[test]
fn an_added_sled_provides_capacity() {
    let mut cloud = with_spare();
    let silo = cloud.admin.silo;
    cloud
        .rule(move |cx| {
            let mut usage: records::Usage = cx.tx.get(silo)?.unwrap();
            usage.quota = Some(records::Resources { cpus: 100, memory: 100 * GIB, storage: 1 << 50 });
            Ok(cx.tx.update(&mut usage)?)
        })
        .unwrap();
    cloud.project("web");
    for name in ["one", "two"] {
        cloud.try_instance("web", name, &json!({"start": true, "ncpus": 8})).unwrap();
    }
    cloud.pass_seconds(10);
    let third = cloud.try_instance("web", "three", &json!({"ncpus": 8})).unwrap().id;
    assert_eq!(refused(cloud.start_instance(third)).0, 507);
    let id = add(&mut cloud, "SIM0003").unwrap().id;
    cloud.settle();
    cloud.start_instance(third).unwrap();
    cloud.pass_seconds(10);
    assert_eq!(cloud.state(third), InstanceState::Running);
    assert_eq!(instances(&cloud, id).len(), 1);
    cloud.disk("web", "data");
    cloud.pass_seconds(10);
    let pools = cloud.db.read_blocking(|tx| Ok::<_, croft_api::Error>(tx.get::<StoragePools>(FLEET)?));
    let pools = pools.unwrap().unwrap().pools;
    assert!(pools.iter().any(|pool| pool.sled_id == id && pool.used > 0), "disks are placed on it");
    cloud.check_invariants();
}

#[test]
fn sled_changes_by_operators_cause_events_and_placement_does_not() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let changed_sleds = |cloud: &mut Cloud, since: i64| {
        cloud
            .rule(move |cx| {
                let changes = cx.tx.changes_since(since, 1000)?;
                let of_sleds = changes.into_iter().filter(|change| change.kind == "sled");
                Ok(of_sleds.map(|change| change.id).collect::<Vec<_>>())
            })
            .unwrap()
    };
    let since = cloud.rule(|cx| Ok(cx.tx.last_change()?)).unwrap();
    cloud.running("web", "db");
    assert!(changed_sleds(&mut cloud, since).is_empty());
    let first = sleds(&cloud)[0].id;
    let no = SledProvisionPolicy::NonProvisionable;
    set_policy(&mut cloud, first, no).unwrap();
    assert_eq!(changed_sleds(&mut cloud, since), [first]);
    set_policy(&mut cloud, first, no).unwrap();
    assert_eq!(changed_sleds(&mut cloud, since), [first], "setting the same policy is not a change");
    let serial = sleds(&cloud)[0].baseboard.serial.clone();
    cloud.rule(move |cx| sled::expunge(cx, &serial)).unwrap();
    assert_eq!(changed_sleds(&mut cloud, since), [first, first]);
}
