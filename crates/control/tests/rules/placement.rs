use std::{collections::BTreeSet, sync::Arc};

use croft_api::{Error, instance::InstanceState};
use croft_control::{
    Cx, SeededRandom,
    affinity::{Affinity, AntiAffinity},
    execute, instance, operation,
};
use croft_sled::Hypervisor as _;
use proptest::prelude::*;
use serde_json::json;
use uuid::Uuid;

use crate::{
    affinity::{TestKind, add, group},
    kit::{Cloud, refused},
};

/// The sled of an instance's machine.
fn sled(cloud: &Cloud, id: Uuid) -> Option<Uuid> {
    let record =
        cloud.db.read_blocking(move |tx| Ok::<_, Error>(tx.get::<croft_store::records::Instance>(id)?));
    record.unwrap().unwrap().machine().map(|machine| machine.sled_id)
}

/// A cloud with stopped instances with these numbers of vCPUs. There are three sleds with 64 threads each.
fn cloud<const N: usize>(cpus: [u16; N]) -> (Cloud, [Uuid; N]) {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let mut number = 0;
    let ids = cpus.map(|cpus| {
        number += 1;
        cloud.try_instance("web", &format!("i-{number}"), &json!({"ncpus": cpus})).unwrap().id
    });
    (cloud, ids)
}

fn together<K: TestKind>(cloud: &mut Cloud, name: &str, policy: &str, members: &[Uuid]) {
    let group = group::<K>(cloud, name, policy);
    add::<K>(cloud, group, members);
}

#[test]
fn affinity_places_instances_on_one_sled() {
    for policy in ["allow", "fail"] {
        let (mut cloud, ids) = cloud([1; 6]);
        together::<Affinity>(&mut cloud, "near", policy, &ids);
        for id in ids {
            cloud.start_instance(id).unwrap();
        }
        let sleds: BTreeSet<_> = ids.iter().map(|id| sled(&cloud, *id)).collect();
        assert_eq!(sleds.len(), 1);
        cloud.check_invariants();
    }
}

#[test]
fn anti_affinity_spreads_instances_and_follows_the_policy() {
    for policy in ["allow", "fail"] {
        let (mut cloud, ids) = cloud([1; 4]);
        together::<AntiAffinity>(&mut cloud, "far", policy, &ids);
        for id in &ids[..3] {
            cloud.start_instance(*id).unwrap();
        }
        let sleds: BTreeSet<_> = ids[..3].iter().map(|id| sled(&cloud, *id)).collect();
        assert_eq!(sleds.len(), 3);
        let last = cloud.start_instance(ids[3]);
        if policy == "allow" {
            assert_eq!(last.unwrap().run_state, InstanceState::Starting);
            continue;
        }
        let text = "Insufficient capacity: Failed to place instance: Could not find any valid sled on which this \
                    instance can be placed. The anti-affinity group \"far\" with the policy \"fail\" keeps it off every \
                    sled with room, because each of them runs another member of the group.";
        assert_eq!(refused(last), (507, text.to_owned()));
        assert_eq!(cloud.state(ids[3]), InstanceState::Stopped);
        cloud.stop_instance(ids[0]).unwrap();
        assert_eq!(refused(cloud.start_instance(ids[3])).0, 507, "its machine still runs");
        cloud.pass_seconds(10);
        cloud.start_instance(ids[3]).unwrap();
        cloud.check_invariants();
    }
}

#[test]
fn contradictory_disk_locations_are_refused() {
    let (mut cloud, [one, two, both]) = cloud([1; 3]);
    together::<AntiAffinity>(&mut cloud, "far", "fail", &[one, two]);
    together::<Affinity>(&mut cloud, "near-one", "fail", &[one, both]);
    together::<Affinity>(&mut cloud, "near-two", "fail", &[two, both]);
    cloud.start_instance(one).unwrap();
    cloud.start_instance(two).unwrap();
    let text = "Failed to place instance: This instance belongs to an affinity group that requires it be placed on \
                more than one sled. Instances can only placed on a single sled, so this is impossible to satisfy. \
                Consider stopping other instances in the affinity group. The affinity groups are \"near-one\" and \
                \"near-two\".";
    assert_eq!(refused(cloud.start_instance(both)), (400, text.to_owned()));
    cloud.stop_instance(two).unwrap();
    cloud.pass_seconds(10);
    cloud.start_instance(both).unwrap();
    assert_eq!(sled(&cloud, both), sled(&cloud, one));
}

#[test]
fn groups_that_contradict_each_other_are_named() {
    let (mut cloud, [one, two]) = cloud([1; 2]);
    together::<AntiAffinity>(&mut cloud, "far", "fail", &[one, two]);
    together::<Affinity>(&mut cloud, "near", "fail", &[one, two]);
    cloud.start_instance(one).unwrap();
    let text = "Failed to place instance: This instance belongs to an affinity group that requires it to be placed \
                on a sled, but also belongs to an anti-affinity group that prevents it from being placed on that \
                sled. These constraints are contradictory. Consider stopping instances in those \
                affinity/anti-affinity groups, or changing group membership. The groups are the affinity group \"near\" and \
                the anti-affinity group \"far\".";
    assert_eq!(refused(cloud.start_instance(two)), (400, text.to_owned()));
}

#[test]
fn full_required_sled_is_reported_as_insufficient_capacity() {
    let (mut cloud, [one, two]) = cloud([40; 2]);
    together::<Affinity>(&mut cloud, "near", "fail", &[one, two]);
    cloud.start_instance(one).unwrap();
    let text = "Insufficient capacity: Failed to place instance: This instance must be placed on a specific sled to \
                co-locate it with another instance in its affinity group, but that sled cannot current accept this \
                instance. Consider stopping other instances in this instance's affinity groups, or changing its \
                affinity group membership. The affinity group is \"near\".";
    assert_eq!(refused(cloud.start_instance(two)), (507, text.to_owned()));
}

#[test]
fn preference_yields_to_capacity() {
    let (mut cloud, [one, two]) = cloud([40; 2]);
    together::<Affinity>(&mut cloud, "near", "allow", &[one, two]);
    cloud.start_instance(one).unwrap();
    cloud.start_instance(two).unwrap();
    assert_ne!(sled(&cloud, one), sled(&cloud, two));
}

#[test]
fn contradictory_preferences_cancel_out() {
    let (mut cloud, [one, two, three]) = cloud([1; 3]);
    together::<Affinity>(&mut cloud, "near", "allow", &[one, two]);
    together::<AntiAffinity>(&mut cloud, "far", "allow", &[one, two, three]);
    cloud.start_instance(one).unwrap();
    cloud.start_instance(three).unwrap();
    cloud.start_instance(two).unwrap();
    let sleds = [one, two, three].map(|id| sled(&cloud, id));
    assert_ne!(sleds[1], sleds[2], "avoided");
    assert_ne!(sleds[1], sleds[0], "more used than the third sled");
}

#[test]
fn simultaneous_starts_respect_anti_affinity() {
    let (mut cloud, ids) = cloud([1; 9]);
    together::<AntiAffinity>(&mut cloud, "far", "fail", &ids);
    let (now, credentials) = (cloud.now, &cloud.admin.credentials);
    let outcomes: Vec<bool> = std::thread::scope(|scope| {
        let starts = ids.map(|id| {
            let (db, environment) = (cloud.db.clone(), Arc::clone(&cloud.environment));
            let credentials = credentials.clone();
            scope.spawn(move || {
                let started = db.write_blocking(move |tx| {
                    let (mut random, request) = (SeededRandom::new(seed(id)), Cloud::request());
                    let mut cx = Cx::new(tx, now, &mut random, &environment, &request);
                    execute::write(&mut cx, &credentials, &operation::INSTANCE_START, |cx, caller| {
                        instance::start(cx, caller, &id.into(), None)
                    })
                });
                started.unwrap().is_ok()
            })
        });
        starts.into_iter().map(|start| start.join().unwrap()).collect()
    });
    assert_eq!(outcomes.iter().filter(|started| **started).count(), 3);
    let sleds: BTreeSet<_> = ids.iter().filter_map(|id| sled(&cloud, *id)).collect();
    assert_eq!(sleds.len(), 3);
    cloud.check_invariants();
}

fn seed(id: Uuid) -> [u8; 32] {
    let mut seed = [0; 32];
    seed[..16].copy_from_slice(id.as_bytes());
    seed
}

/// A group of the property test: kind, policy and members.
#[derive(Clone, Debug)]
struct RandomGroup {
    near: bool,
    is_required: bool,
    members: [bool; INSTANCES],
}

const INSTANCES: usize = 6;

fn random_group() -> impl Strategy<Value = RandomGroup> {
    (any::<bool>(), any::<bool>(), any::<[bool; INSTANCES]>())
        .prop_map(|(near, is_required, members)| RandomGroup { near, is_required, members })
}

/// The sleds that `docs/rules/compute-and-storage.md#placement` allows for a start, given the reservations.
#[derive(Debug, PartialEq, Eq)]
enum Allowed {
    On(BTreeSet<Uuid>),
    Refused(u16, &'static str),
}

struct Fleet {
    cloud: Cloud,
    ids: [Uuid; INSTANCES],
    cpus: [u16; INSTANCES],
    groups: Vec<RandomGroup>,
}

impl Fleet {
    fn new(groups: Vec<RandomGroup>, cpus: [u16; INSTANCES]) -> Self {
        let (mut cloud, ids) = cloud(cpus);
        for (number, group) in groups.iter().enumerate() {
            let members = ids.iter().zip(group.members).filter(|(_, is_in)| *is_in).map(|(id, _)| *id);
            let members: Vec<Uuid> = members.collect();
            let (name, policy) = (format!("g-{number}"), if group.is_required { "fail" } else { "allow" });
            if group.near {
                together::<Affinity>(&mut cloud, &name, policy, &members);
            } else {
                together::<AntiAffinity>(&mut cloud, &name, policy, &members);
            }
        }
        Self { cloud, ids, cpus, groups }
    }

    fn sleds(&self) -> [Option<Uuid>; INSTANCES] {
        self.ids.map(|id| sled(&self.cloud, id))
    }

    /// The sleds of the other members of an instance's groups of one kind.
    fn peers(&self, who: usize, near: bool, is_required: bool) -> BTreeSet<Uuid> {
        let sleds = self.sleds();
        let own = self.groups.iter().filter(|group| (group.near, group.is_required) == (near, is_required));
        let members = own
            .filter(|group| group.members[who])
            .flat_map(|group| (0..INSTANCES).filter(move |other| *other != who && group.members[*other]));
        members.filter_map(|other| sleds[other]).collect()
    }

    fn allowed(&self, who: usize) -> Allowed {
        let free: BTreeSet<Uuid> = self.cloud.hypervisor.sleds().iter().map(|sled| sled.id).collect();
        let sleds = self.sleds();
        let has_room = |sled: &Uuid| {
            let on_it = (0..INSTANCES).filter(|other| sleds[*other] == Some(*sled));
            on_it.map(|other| u64::from(self.cpus[other])).sum::<u64>() + u64::from(self.cpus[who]) <= 64
        };
        let candidates: BTreeSet<Uuid> = free.into_iter().filter(has_room).collect();
        let (required, banned) = (self.peers(who, true, true), self.peers(who, false, true));
        if required.len() > 1 {
            return Allowed::Refused(400, "placed on more than one sled");
        }
        if let Some(sled) = required.first() {
            return match (banned.contains(sled), candidates.contains(sled)) {
                (true, _) => Allowed::Refused(400, "constraints are contradictory"),
                (false, false) => Allowed::Refused(507, "cannot current accept this instance"),
                (false, true) => Allowed::On(required),
            };
        }
        let candidates = &candidates - &banned;
        let wished = &self.peers(who, true, false) & &candidates;
        let avoided = &self.peers(who, false, false) & &candidates;
        let preferred = &wished - &avoided;
        let unpreferred = &avoided - &wished;
        let rest = &candidates - &unpreferred;
        let choice = [preferred, rest, unpreferred].into_iter().find(|sleds| !sleds.is_empty());
        choice.map_or(Allowed::Refused(507, "Could not find any valid sled"), Allowed::On)
    }

    fn toggle(&mut self, who: usize) {
        let id = self.ids[who];
        if self.sleds()[who].is_some() {
            self.cloud.stop_instance(id).unwrap();
            self.cloud.pass_seconds(10);
            return;
        }
        let allowed = self.allowed(who);
        let started = self.cloud.start_instance(id);
        match (&allowed, started) {
            (Allowed::On(sleds), Ok(_)) => {
                assert!(sleds.contains(&sled(&self.cloud, id).unwrap()), "{allowed:?}");
            }
            (Allowed::Refused(status, text), Err(error)) => {
                let (got, message) = refused::<()>(Err(error));
                assert!(got == *status && message.contains(text), "expected {allowed:?}, got {message}");
            }
            (_, started) => panic!("expected {allowed:?}, got {started:?}"),
        }
        self.cloud.pass_seconds(10);
        self.check();
    }

    /// Policies of kind `fail` are never violated.
    fn check(&self) {
        let sleds = self.sleds();
        for group in self.groups.iter().filter(|group| group.is_required) {
            let placed: Vec<Uuid> =
                (0..INSTANCES).filter(|who| group.members[*who]).filter_map(|who| sleds[who]).collect();
            let different: BTreeSet<_> = placed.iter().collect();
            let expected = if group.near { placed.len().min(1) } else { placed.len() };
            assert_eq!(different.len(), expected, "{group:?} on {placed:?}");
        }
        self.cloud.check_invariants();
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn placement_agrees_with_groups_and_capacity(
        groups in prop::collection::vec(random_group(), 1..6),
        cpus in prop::array::uniform6(prop::sample::select(vec![1_u16, 24, 40])),
        steps in prop::collection::vec(0..INSTANCES, 1..24),
    ) {
        let mut fleet = Fleet::new(groups, cpus);
        for who in steps {
            fleet.toggle(who);
        }
    }
}
