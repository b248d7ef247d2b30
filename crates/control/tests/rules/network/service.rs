use croft_api::{
    Result,
    ip_pool::{IpPool, IpPoolRange},
    page::{IdSortMode, NameOrIdSortMode, NameSortMode, NoSelector, PageQuery},
    scalar::NameOrId,
};
use croft_control::{ip_pool, operation};
use serde_json::json;

use super::{add_range, bad, range, try_pool};
use crate::kit::{Cloud, by_name, refused};

const NAME: &str = "croft-service-pool";

fn page<Mode>(sort: Mode) -> PageQuery<NoSelector, Mode> {
    PageQuery { selector: NoSelector {}, sort, after: None, limit: 100 }
}

fn service_pool(cloud: &Cloud) -> IpPool {
    cloud.see(&cloud.admin, ip_pool::service_view).unwrap()
}

fn add(cloud: &mut Cloud, first: &str, last: &str) -> Result<IpPoolRange> {
    let (admin, range) = (cloud.admin.clone(), range(first, last));
    cloud.act(&admin, &operation::IP_POOL_SERVICE_RANGE_ADD, move |cx, caller| {
        ip_pool::service_range_add(cx, caller, range)
    })
}

fn remove(cloud: &mut Cloud, first: &str, last: &str) -> Result<()> {
    let (admin, range) = (cloud.admin.clone(), range(first, last));
    cloud.act(&admin, &operation::IP_POOL_SERVICE_RANGE_REMOVE, move |cx, caller| {
        ip_pool::service_range_remove(cx, caller, range)
    })
}

fn firsts(cloud: &Cloud) -> Vec<String> {
    let query = page(NameSortMode::NameAscending);
    let page = cloud.see(&cloud.admin, move |cx, caller| ip_pool::service_range_list(cx, caller, &query));
    page.unwrap().items.iter().map(|item| item.range.ends().0.to_string()).collect()
}

#[test]
fn service_pool_exists_from_the_first_start() {
    let mut cloud = Cloud::new();
    let pool = service_pool(&cloud);
    assert_eq!(pool.name.as_str(), NAME);
    let query = page(NameOrIdSortMode::NameAscending);
    let listed = cloud.see(&cloud.admin, move |cx, caller| ip_pool::list(cx, caller, &query)).unwrap().items;
    assert_eq!(listed.iter().map(|pool| pool.name.as_str()).collect::<Vec<_>>(), ["default"], "hidden");
    let taken = format!("already exists: ip-pool \"{NAME}\"");
    assert_eq!(refused(try_pool(&mut cloud, NAME)), bad(&taken));
    let of_internal = page(NameOrIdSortMode::NameAscending);
    let of_internal = cloud.see(&cloud.admin, move |cx, caller| {
        ip_pool::of_silo(cx, caller, &by_name("croft-internal"), &of_internal)
    });
    let of_internal = of_internal.unwrap().items;
    assert_eq!(of_internal.len(), 1);
    assert!(of_internal[0].id == pool.id && of_internal[0].is_default);
}

#[test]
fn service_pool_addresses_are_exclusive() {
    let mut cloud = Cloud::new();
    add(&mut cloud, "192.0.2.20", "192.0.2.29").unwrap();
    add(&mut cloud, "192.0.2.1", "192.0.2.9").unwrap();
    assert_eq!(firsts(&cloud), ["192.0.2.1", "192.0.2.20"], "ascending");
    let overlap = bad("The provided IP range 192.0.2.9-192.0.2.10 overlaps with an existing range");
    assert_eq!(refused(add_range(&mut cloud, "default", "192.0.2.9", "192.0.2.10")), overlap);
    assert_eq!(refused(add(&mut cloud, "192.0.2.9", "192.0.2.10")), overlap);
    let overlap = bad("The provided IP range 10.128.0.0-10.128.0.10 overlaps with an existing range");
    assert_eq!(refused(add(&mut cloud, "10.128.0.0", "10.128.0.10")), overlap);
    let absent = bad("The provided range 192.0.2.1-192.0.2.8 does not exist");
    assert_eq!(refused(remove(&mut cloud, "192.0.2.1", "192.0.2.8")), absent);
    let absent = bad("The provided range 10.128.0.10-10.128.255.250 does not exist");
    assert_eq!(
        refused(remove(&mut cloud, "10.128.0.10", "10.128.255.250")),
        absent,
        "a range of another pool"
    );
    cloud.check_invariants();
    remove(&mut cloud, "192.0.2.1", "192.0.2.9").unwrap();
    assert_eq!(firsts(&cloud), ["192.0.2.20"]);
    cloud.check_invariants();
}

#[test]
fn the_service_pool_cannot_be_linked() {
    let mut cloud = Cloud::new();
    let id = service_pool(&cloud).id;
    let missing_by_name = (404, format!("not found: ip-pool with name \"{NAME}\""));
    let missing_by_id = (404, format!("not found: ip-pool with id \"{id}\""));
    for (selector, missing) in [(by_name(NAME), missing_by_name), (NameOrId::Id(id), missing_by_id)] {
        let admin = cloud.admin.clone();
        let pool = selector.clone();
        // The description is too long, but whether the pool exists is checked first.
        let params = serde_json::from_value(json!({"description": "x".repeat(600)})).unwrap();
        let update = cloud.act(&admin, &operation::IP_POOL_UPDATE, move |cx, caller| {
            ip_pool::update(cx, caller, &pool, &params)
        });
        assert_eq!(refused(update), missing);
        let pool = selector.clone();
        let delete = cloud
            .act(&admin, &operation::IP_POOL_DELETE, move |cx, caller| ip_pool::delete(cx, caller, &pool));
        assert_eq!(refused(delete), missing);
        let (pool, query) = (selector.clone(), page(NameSortMode::NameAscending));
        let ranges = cloud.see(&admin, move |cx, caller| ip_pool::range_list(cx, caller, &pool, &query));
        assert_eq!(refused(ranges), missing);
        let (pool, wanted) = (selector.clone(), range("fd00::1", "fd00::2"));
        let add = cloud.act(&admin, &operation::IP_POOL_RANGE_ADD, move |cx, caller| {
            ip_pool::range_add(cx, caller, &pool, wanted)
        });
        assert_eq!(refused(add), missing);
        let pool = selector.clone();
        let remove = cloud.act(&admin, &operation::IP_POOL_RANGE_REMOVE, move |cx, caller| {
            ip_pool::range_remove(cx, caller, &pool, wanted)
        });
        assert_eq!(refused(remove), missing);
        let pool = selector.clone();
        let params = serde_json::from_value(json!({"silo": "nowhere", "is_default": true})).unwrap();
        let link = cloud.act(&admin, &operation::IP_POOL_SILO_LINK, move |cx, caller| {
            ip_pool::silo_link(cx, caller, &pool, &params)
        });
        assert_eq!(refused(link), missing);
        let pool = selector.clone();
        let params = serde_json::from_value(json!({"is_default": false})).unwrap();
        let update = cloud.act(&admin, &operation::IP_POOL_SILO_UPDATE, move |cx, caller| {
            ip_pool::silo_update(cx, caller, &pool, &by_name("croft-internal"), &params)
        });
        assert_eq!(refused(update), missing);
        let pool = selector.clone();
        let unlink = cloud.act(&admin, &operation::IP_POOL_SILO_UNLINK, move |cx, caller| {
            ip_pool::silo_unlink(cx, caller, &pool, &by_name("croft-internal"))
        });
        assert_eq!(refused(unlink), missing);
    }
}

#[test]
fn service_pool_has_utilization_and_no_silos() {
    let mut cloud = Cloud::new();
    add(&mut cloud, "192.0.2.1", "192.0.2.9").unwrap();
    let id = service_pool(&cloud).id;
    for selector in [by_name(NAME), NameOrId::Id(id)] {
        let pool = selector.clone();
        let seen = cloud.see(&cloud.admin, move |cx, caller| ip_pool::view(cx, caller, &pool)).unwrap();
        assert_eq!(seen.id, id);
        let pool = selector.clone();
        let used = cloud.see(&cloud.admin, move |cx, caller| ip_pool::utilization_view(cx, caller, &pool));
        assert_eq!(used.unwrap().ipv4.capacity, 9);
        let (pool, query) = (selector.clone(), page(IdSortMode::IdAscending));
        let silos = cloud.see(&cloud.admin, move |cx, caller| ip_pool::silo_list(cx, caller, &pool, &query));
        assert!(silos.unwrap().items.is_empty(), "the pool's silo is not discoverable");
    }
}

#[test]
fn silos_cannot_use_the_service_pool() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    add(&mut cloud, "192.0.2.1", "192.0.2.9").unwrap();
    let drawn = cloud.try_floating_ip("web", json!({"name": "fixed", "description": "", "pool": NAME}));
    assert_eq!(refused(drawn), (404, format!("not found: ip-pool with name \"{NAME}\"")));
    cloud.check_invariants();
}
