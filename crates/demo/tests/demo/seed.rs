use std::{collections::BTreeMap, sync::Arc};

use croft_api::{Error, scalar::NameOrId};
use croft_control::{SeededRandom, network_invariants, reconcile::Reconciler, usage};
use croft_demo::Content;
use croft_sled::simulated::Simulated;
use croft_store::{
    Database, Tx,
    records::{
        Disk, DiskRemoval, FLEET, Image, Instance, IpPoolUsage, Machine, PhysicalDisk, Silo, Sled, Snapshot,
        SnapshotVolume, StoragePools, Usage,
    },
};
use jiff::SignedDuration;
use uuid::Uuid;

use crate::{Cloud, all, now, seeded};

const GIB: u64 = 1 << 30;

fn states(database: &Database) -> BTreeMap<String, &'static str> {
    let instances: Vec<Instance> = all(database);
    instances.iter().map(|one| (one.name.to_string(), one.run_state().label())).collect()
}

#[test]
fn everything_adds_up() {
    let Cloud { database, .. } = seeded(1);
    assert_eq!(database.read_blocking(usage::recount).unwrap(), Vec::<String>::new());
    assert_eq!(database.read_blocking(network_invariants::recount).unwrap(), Vec::<String>::new());
    check_hosts(&database);
}

fn check_hosts(database: &Database) {
    let machines: Vec<Machine> = all(database);
    for sled in all::<Sled>(database) {
        let on_it = machines.iter().filter(|machine| machine.sled_id == sled.meta.id);
        let held = on_it.fold((0, 0), |sum, machine| (sum.0 + machine.cpus, sum.1 + machine.memory));
        assert_eq!((sled.reserved_threads, sled.reserved_memory), held, "{}", sled.baseboard.serial);
    }
    let disks: Vec<Disk> = all(database);
    let volumes: Vec<SnapshotVolume> = all(database);
    assert_eq!(all::<DiskRemoval>(database), []);
    let copies = disks.iter().map(|disk| (&disk.pools, disk.size.bytes()));
    let copies: Vec<_> = copies.chain(volumes.iter().map(|volume| (&volume.pools, volume.size))).collect();
    let pools =
        database.read_blocking(|tx: &mut Tx<'_>| tx.get::<StoragePools>(FLEET)).unwrap().unwrap().pools;
    for pool in pools {
        let used = copies.iter().filter(|(pools, _)| pools.contains(&pool.id));
        assert_eq!(pool.used, used.map(|(_, size)| size / 4 * 5).sum::<u64>(), "pool {}", pool.id);
    }
}

#[test]
fn there_is_something_of_every_kind() {
    let Cloud { database, demo, .. } = seeded(1);
    let people: Vec<&str> = demo.users.iter().map(|user| user.display_name.as_str()).collect();
    assert_eq!(people, ["Hannah Arendt", "Hans Jonas", "Jacob Klein", "Simone de Beauvoir"]);
    let silos: Vec<Silo> = all(&database);
    let usage = |name: &str| {
        let id = silos.iter().find(|silo| silo.name.as_str() == name).unwrap().meta.id;
        let usage = database.read_blocking(move |tx: &mut Tx<'_>| tx.get::<Usage>(id)).unwrap().unwrap();
        let (used, quota) = (usage.used, usage.quota.unwrap());
        [
            (used.cpus, quota.cpus),
            (used.memory / GIB, quota.memory / GIB),
            (used.storage / GIB, quota.storage / GIB),
        ]
    };
    // Includes 28 GiB of images whose snapshots are deleted.
    assert_eq!(usage("maze-war"), [(30, 50), (234, 300), (4403 + 28, 7 << 10)]);
    assert_eq!(usage("myriad"), [(8, 34), (150, 500), (2 << 10, 9 << 10)]);
    assert_eq!(usage("croft"), [(0, 0); 3]);

    let expected = [
        ("colossal-cave", "running"),
        ("db1", "running"),
        ("db2", "running"),
        ("failed-cooled-restart-never", "failed"),
        ("failed-restart-never", "failed"),
        ("failed-restarting-soon", "failed"),
        ("not-there-yet", "starting"),
        ("warehouse", "running"),
        ("you-fail", "failed"),
    ];
    let expected: BTreeMap<_, _> = expected.map(|(name, state)| (name.to_owned(), state)).into();
    assert_eq!(states(&database), expected);

    let disks: Vec<Disk> = all(&database);
    assert_eq!(disks.len(), 12 + 3 + 3 + 1010);
    assert!(disks.iter().all(|disk| disk.built));
    let snapshots: Vec<Snapshot> = all(&database);
    assert_eq!(snapshots.len(), 167);
    assert!(snapshots.iter().all(|snapshot| snapshot.state() == croft_api::snapshot::SnapshotState::Ready));
    let images: Vec<Image> = all(&database);
    let sizes: BTreeMap<_, _> =
        images.iter().map(|image| (image.size.bytes() / GIB, image.project_id.is_some())).collect();
    assert_eq!(sizes, (1..=7).map(|size| (size, size > 3)).collect());
    let gone = all::<PhysicalDisk>(&database).iter().filter(|disk| disk.expunged).count();
    assert_eq!(gone, 2);
    let taken: Vec<u64> =
        all::<IpPoolUsage>(&database).iter().map(|pool| pool.ipv4).filter(|used| *used > 0).collect();
    assert!(taken.contains(&7), "{taken:?}");
}

#[test]
fn failed_instances_wait_for_the_cooldown() {
    let Cloud { database, environment, .. } = seeded(1);
    let cooldown = environment.settings.auto_restart_cooldown;
    let ends: BTreeMap<String, i64> = all::<Instance>(&database)
        .iter()
        .filter_map(|one| {
            let end = one.time_last_auto_restarted? + cooldown;
            Some((one.name.to_string(), end.duration_since(now()).as_secs()))
        })
        .collect();
    let expected = [
        ("failed-cooled-restart-never", -300),
        ("failed-restart-never", 300),
        ("failed-restarting-soon", -30),
        ("you-fail", 300),
    ];
    assert_eq!(ends, expected.map(|(name, seconds)| (name.to_owned(), seconds)).into());
}

#[test]
fn ids_are_always_the_same_and_secrets_never() {
    let ids = |cloud: &Cloud| -> Vec<Uuid> {
        let disks = all::<Disk>(&cloud.database);
        let machines = all::<Machine>(&cloud.database);
        disks.iter().map(|disk| disk.meta.id).chain(machines.iter().map(|machine| machine.meta.id)).collect()
    };
    let secrets = |cloud: &Cloud| -> Vec<Vec<u8>> {
        let tokens: Vec<croft_store::records::AccessToken> = all(&cloud.database);
        tokens.into_iter().map(|token| token.token_hash).collect()
    };
    let (one, other) = (seeded(1), seeded(2));
    assert_eq!(one.demo, other.demo);
    assert_eq!(ids(&one), ids(&other));
    assert_eq!(secrets(&one).len(), 3);
    assert!(secrets(&one).iter().all(|secret| !secrets(&other).contains(secret)));
}

#[test]
fn a_database_is_filled_once() {
    let cloud = seeded(1);
    assert_eq!(cloud.database.read_blocking(croft_demo::content).unwrap(), Content::Demo);
    let mut random = SeededRandom::new([3; 32]);
    let Cloud { database, samples, environment, hypervisor, .. } = &cloud;
    let again = croft_demo::seed(database, samples, environment, hypervisor, now(), &mut random);
    assert!(matches!(again, Err(Error::InvalidRequest(_))), "{again:?}");
    assert_eq!(cloud.database.read_blocking(croft_demo::users).unwrap(), cloud.demo.users);
}

#[test]
fn the_reconciler_continues_after_the_demo() {
    let cloud = seeded(1);
    let before = states(&cloud.database);
    // A server that starts with this database, while the hosts have lost their state.
    let hypervisor = Simulated::new(croft_demo::hypervisor_options());
    let mut reconciler = Reconciler::new(Arc::clone(&cloud.environment));
    let mut random = SeededRandom::new([4; 32]);
    let mut time = now() + SignedDuration::from_secs(1);
    reconciler.start(&cloud.database, time, &mut random, &hypervisor).unwrap();
    for _ in 0..20 {
        reconciler.step(&cloud.database, time, &mut random, &hypervisor).unwrap();
        time += SignedDuration::from_secs(10);
    }
    assert_eq!(states(&cloud.database), before);
    assert_eq!(all::<PhysicalDisk>(&cloud.database).iter().filter(|disk| disk.expunged).count(), 2);
    // Instances are restarted after their cooldown, except one whose restart the demo suspends.
    for _ in 0..20 {
        reconciler.step(&cloud.database, time, &mut random, &hypervisor).unwrap();
        time += SignedDuration::from_secs(10);
    }
    let after = states(&cloud.database);
    assert_eq!((after["you-fail"], after["failed-restarting-soon"]), ("running", "failed"));
}

#[test]
fn names_are_as_they_are_looked_up() {
    let cloud = seeded(1);
    let hannah = &cloud.demo.users[0];
    let caller = croft_control::Caller::assumed(hannah.id, hannah.silo_id);
    let project: NameOrId = serde_json::from_str("\"mock-project\"").unwrap();
    let environment = Arc::clone(&cloud.environment);
    let found = cloud.database.read_blocking(move |tx| {
        let (mut random, request) = (SeededRandom::new([1; 32]), croft_control::Request::default());
        let mut cx = croft_control::Cx::new(tx, now(), &mut random, &environment, &request);
        croft_control::instance::view(
            &mut cx,
            &caller,
            &serde_json::from_str("\"db1\"").unwrap(),
            Some(&project),
        )
    });
    assert_eq!(found.unwrap().name.as_str(), "db1");
}
