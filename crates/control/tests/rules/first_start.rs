use croft_control::{
    bootstrap::{self, Bootstrap, Outcome, PoolBootstrap},
    inventory, login,
};
use croft_sled::Hypervisor as _;
use croft_store::{
    ListBy, Sort,
    records::{FLEET, IpPool, IpPoolRange, IpPoolSiloLink, Quota, Silo, SiloUser, Sled, StoragePools, Usage},
};
use uuid::Uuid;

use crate::kit::Cloud;

#[test]
fn a_new_database_gets_silos_an_administrator_and_a_pool() {
    let cloud = Cloud::new();
    let silo = cloud.admin.silo;
    let (silos, pool, ranges, link, usage) = cloud
        .db
        .read_blocking(move |tx| {
            let silos: Vec<Silo> = tx.page(ListBy::Parent(Uuid::nil()), Sort::NameAsc, None, 10)?;
            let pool: IpPool = tx.get_by_name(Uuid::nil(), "default")?.unwrap();
            let ranges: Vec<IpPoolRange> =
                tx.page(ListBy::lookup(IpPoolRange::POOL, pool.meta.id), Sort::IdAsc, None, 10)?;
            let link: Option<IpPoolSiloLink> = tx.find(IpPoolSiloLink::DEFAULT, silo)?;
            let usage: Option<Usage> = tx.get(silo)?;
            Ok::<_, croft_api::Error>((silos, pool, ranges, link, usage))
        })
        .unwrap();
    let names: Vec<&str> = silos.iter().map(|silo| silo.name.as_str()).collect();
    assert_eq!(names, ["croft", "croft-internal", "default-silo"]);
    assert_eq!(silos[0].description.as_str(), "built-in recovery Silo");
    assert_eq!(ranges.len(), 1);
    assert_eq!(link.unwrap().ip_pool_id, pool.meta.id);
    let capacity = inventory::capacity(&cloud.environment.settings, &cloud.hypervisor.sleds());
    assert_eq!(usage.unwrap().quota, Some(capacity));
    assert!(capacity.cpus > 0 && capacity.memory > 0 && capacity.storage > 0);
    cloud.check_invariants();
}

#[test]
fn a_second_start_changes_nothing() {
    let mut cloud = Cloud::new();
    let outcome = cloud
        .rule(|cx| {
            assert!(!bootstrap::is_needed(cx)?);
            let bootstrap = Bootstrap {
                silo_name: "another".parse().unwrap(),
                admin_name: "somebody".parse().unwrap(),
                password_hash: String::new(),
                must_change_password: true,
                quota: Quota::default(),
                pool: PoolBootstrap::default(),
            };
            bootstrap::run(cx, &bootstrap)
        })
        .unwrap();
    assert_eq!(outcome, Outcome::Present);
    let count = cloud
        .db
        .read_blocking(|tx| Ok::<_, croft_api::Error>(tx.count::<Silo>(ListBy::Parent(Uuid::nil()))?));
    assert_eq!(count.unwrap(), 3);
}

#[test]
fn missing_hosts_keep_machines_and_get_no_new_ones() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let instance = cloud.running("web", "db");
    let mut seen = cloud.hypervisor.inventory();
    let gone = seen.sleds.remove(0);
    seen.sleds[0].threads += 2;
    let expected = seen.sleds[0].clone();
    cloud.rule(move |cx| inventory::sync(cx, &seen)).unwrap();
    let (gone_sled, changed, pools) = cloud
        .db
        .read_blocking(move |tx| {
            let pools: StoragePools = tx.get(FLEET)?.unwrap();
            Ok::<_, croft_api::Error>((
                tx.get::<Sled>(gone.id)?.unwrap(),
                tx.get::<Sled>(expected.id)?.unwrap(),
                pools.pools,
            ))
        })
        .unwrap();
    assert!(!gone_sled.takes_new() && changed.takes_new());
    assert_eq!(changed.threads, 66);
    assert!(pools.iter().all(|pool| pool.provisionable == (pool.sled_id != gone_sled.meta.id)));
    cloud.stop_instance(instance.id).unwrap();
    cloud.pass_seconds(10);
    cloud.check_invariants();
}

#[test]
fn initial_password_is_kept_until_it_is_changed() {
    let mut cloud = Cloud::new();
    let (silo, id) = (cloud.admin.silo, cloud.admin.id);
    let has_served = |cloud: &mut Cloud| {
        cloud
            .rule(move |cx| {
                let silo: Silo = cx.tx.get(silo)?.unwrap();
                let user: SiloUser = cx.tx.get_any(id)?.unwrap();
                let name = user.external_id.parse().unwrap();
                bootstrap::first_password_has_served(cx, &silo.name, &name)
            })
            .unwrap()
    };
    let store = |cloud: &mut Cloud, must_change: bool| {
        cloud.pass_seconds(1);
        cloud
            .rule(move |cx| {
                let mut user: SiloUser = cx.tx.get(id)?.unwrap();
                user.must_change_password = must_change;
                if !must_change {
                    user.meta.time_modified = cx.now;
                }
                Ok(cx.tx.update(&mut user)?)
            })
            .unwrap();
    };
    store(&mut cloud, true);
    assert!(!has_served(&mut cloud));
    // A session whose user has not chosen a password yet.
    cloud.rule(move |cx| login::without_proof(cx, id).map(drop)).unwrap();
    assert!(!has_served(&mut cloud));
    store(&mut cloud, false);
    assert!(has_served(&mut cloud));
}
