use croft_api::{
    Result,
    ip_pool::{IpPool, IpPoolSiloLink, SiloIpPool},
    page::{IdSortMode, NameOrIdSortMode, NoSelector, PageQuery},
    scalar::NameOrId,
};
use croft_control::{bootstrap::PoolBootstrap, ip_pool, operation};
use croft_store::records::Resources;
use serde_json::json;
use uuid::Uuid;

use crate::kit::{Cloud, User, by_name, refused};

fn page<Mode>(sort: Mode) -> PageQuery<NoSelector, Mode> {
    PageQuery { selector: NoSelector {}, sort, after: None, limit: 100 }
}

pub fn create(cloud: &mut Cloud, name: &str) -> Result<IpPool> {
    let params = serde_json::from_value(json!({ "name": name, "description": "" })).unwrap();
    let admin = cloud.admin.clone();
    cloud.act(&admin, &operation::IP_POOL_CREATE, move |cx, caller| ip_pool::create(cx, caller, &params))
}

fn delete(cloud: &mut Cloud, name: &str) -> Result<()> {
    let (admin, pool) = (cloud.admin.clone(), by_name(name));
    cloud.act(&admin, &operation::IP_POOL_DELETE, move |cx, caller| ip_pool::delete(cx, caller, &pool))
}

pub fn link(cloud: &mut Cloud, pool: &str, silo: &str, is_default: bool) -> Result<IpPoolSiloLink> {
    let params = serde_json::from_value(json!({ "silo": silo, "is_default": is_default })).unwrap();
    let (admin, pool) = (cloud.admin.clone(), by_name(pool));
    cloud.act(&admin, &operation::IP_POOL_SILO_LINK, move |cx, caller| {
        ip_pool::silo_link(cx, caller, &pool, &params)
    })
}

fn set_default(cloud: &mut Cloud, pool: &str, silo: &str, is_default: bool) -> Result<IpPoolSiloLink> {
    let params = serde_json::from_value(json!({ "is_default": is_default })).unwrap();
    let (admin, pool, silo) = (cloud.admin.clone(), by_name(pool), by_name(silo));
    cloud.act(&admin, &operation::IP_POOL_SILO_UPDATE, move |cx, caller| {
        ip_pool::silo_update(cx, caller, &pool, &silo, &params)
    })
}

fn unlink(cloud: &mut Cloud, pool: &str, silo: &str) -> Result<()> {
    let (admin, pool, silo) = (cloud.admin.clone(), by_name(pool), by_name(silo));
    cloud.act(&admin, &operation::IP_POOL_SILO_UNLINK, move |cx, caller| {
        ip_pool::silo_unlink(cx, caller, &pool, &silo)
    })
}

/// Names of the pools that are linked to a user's silo, with an asterisk after the default one.
fn own(cloud: &Cloud, user: &User) -> Vec<String> {
    let query = page(NameOrIdSortMode::NameAscending);
    names(&cloud.see(user, move |cx, caller| ip_pool::own_list(cx, caller, &query)).unwrap().items)
}

fn of_silo(cloud: &Cloud, silo: &str) -> Vec<String> {
    let (silo, query) = (by_name(silo), page(NameOrIdSortMode::NameAscending));
    let page = cloud.see(&cloud.admin, move |cx, caller| ip_pool::of_silo(cx, caller, &silo, &query));
    names(&page.unwrap().items)
}

fn names(pools: &[SiloIpPool]) -> Vec<String> {
    pools.iter().map(|pool| format!("{}{}", pool.name, if pool.is_default { "*" } else { "" })).collect()
}

fn linked_silos(cloud: &Cloud, pool: &str) -> Vec<Uuid> {
    let (pool, query) = (by_name(pool), page(IdSortMode::IdAscending));
    let page = cloud.see(&cloud.admin, move |cx, caller| ip_pool::silo_list(cx, caller, &pool, &query));
    page.unwrap().items.iter().map(|link| link.silo_id).collect()
}

#[test]
fn pool_lifecycle() {
    let mut cloud = Cloud::new();
    let pool = create(&mut cloud, "public").unwrap();
    let taken = (400, "already exists: ip-pool \"public\"".to_owned());
    assert_eq!(refused(create(&mut cloud, "public")), taken);
    let query = page(NameOrIdSortMode::NameDescending);
    let all = cloud.see(&cloud.admin, move |cx, caller| ip_pool::list(cx, caller, &query)).unwrap().items;
    assert_eq!(all.iter().map(|pool| pool.name.as_str()).collect::<Vec<_>>(), ["public", "default"]);

    cloud.pass_seconds(1);
    let admin = cloud.admin.clone();
    let mut update = |params: serde_json::Value| {
        let params = serde_json::from_value(params).unwrap();
        cloud.act(&admin, &operation::IP_POOL_UPDATE, move |cx, caller| {
            ip_pool::update(cx, caller, &NameOrId::Id(pool.id), &params)
        })
    };
    let changed = update(json!({ "name": "outside", "description": "the world" })).unwrap();
    assert_eq!((changed.name.as_str(), changed.description.as_str()), ("outside", "the world"));
    assert!(changed.time_modified > pool.time_modified);
    assert_eq!(update(json!({})).unwrap().name, changed.name);
    let taken = (400, "already exists: ip-pool \"default\"".to_owned());
    assert_eq!(refused(update(json!({ "name": "default" }))), taken);

    delete(&mut cloud, "outside").unwrap();
    let missing = (404, "not found: ip-pool with name \"outside\"".to_owned());
    assert_eq!(refused(delete(&mut cloud, "outside")), missing);
}

#[test]
fn pools_with_ranges_cannot_be_deleted() {
    let mut cloud = Cloud::new();
    cloud.silo("other", Resources::default());
    let holds = (400, "IP Pool cannot be deleted while it contains IP ranges".to_owned());
    assert_eq!(refused(delete(&mut cloud, "default")), holds);
    let range = PoolBootstrap::default();
    let range = serde_json::from_value(json!({ "first": range.first, "last": range.last })).unwrap();
    let admin = cloud.admin.clone();
    cloud
        .act(&admin, &operation::IP_POOL_RANGE_REMOVE, move |cx, caller| {
            ip_pool::range_remove(cx, caller, &by_name("default"), range)
        })
        .unwrap();
    link(&mut cloud, "default", "other", true).unwrap();
    delete(&mut cloud, "default").unwrap();
    assert!(own(&cloud, &cloud.admin).is_empty());
    create(&mut cloud, "default").unwrap();
    assert!(own(&cloud, &cloud.admin).is_empty(), "a new pool of the same name has no links");
}

#[test]
fn silos_have_unique_links_and_one_default_pool() {
    let mut cloud = Cloud::new();
    let other = cloud.silo("other", Resources::default());
    for name in ["one", "two"] {
        create(&mut cloud, name).unwrap();
    }
    let first = link(&mut cloud, "one", "other", true).unwrap();
    assert_eq!((first.silo_id, first.is_default), (other, true));
    let again = refused(link(&mut cloud, "one", "other", false));
    assert_eq!(again, (400, "already exists: IP pool one is linked to silo other".to_owned()));
    let second = refused(link(&mut cloud, "two", "other", true));
    assert_eq!(second, (400, "already exists: silo other has a default IP pool, one".to_owned()));
    link(&mut cloud, "two", "other", false).unwrap();
    assert_eq!(of_silo(&cloud, "other"), ["one*", "two"]);

    set_default(&mut cloud, "two", "other", true).unwrap();
    assert_eq!(of_silo(&cloud, "other"), ["one", "two*"], "only one pool is the default");
    set_default(&mut cloud, "two", "other", true).unwrap();
    assert_eq!(of_silo(&cloud, "other"), ["one", "two*"]);
    set_default(&mut cloud, "two", "other", false).unwrap();
    assert_eq!(of_silo(&cloud, "other"), ["one", "two"]);
    assert_eq!(own(&cloud, &cloud.admin), ["default*"], "other silos are not affected");

    unlink(&mut cloud, "one", "other").unwrap();
    unlink(&mut cloud, "one", "other").unwrap();
    assert_eq!(of_silo(&cloud, "other"), ["two"]);
    for is_default in [true, false] {
        let text = format!("not found: ip-pool-resource with id \"({}, {other})\"", first.ip_pool_id);
        assert_eq!(refused(set_default(&mut cloud, "one", "other", is_default)), (404, text));
    }
    let missing = (404, "not found: silo with name \"nowhere\"".to_owned());
    assert_eq!(refused(link(&mut cloud, "one", "nowhere", false)), missing);
    assert_eq!(refused(unlink(&mut cloud, "one", "nowhere")), missing);
}

#[test]
fn lists_of_linked_silos_show_discoverable_ones_by_id() {
    let mut cloud = Cloud::new();
    let mut silos: Vec<Uuid> =
        ["a", "b", "c"].into_iter().map(|name| cloud.silo(name, Resources::default())).collect();
    for name in ["c", "a", "b"] {
        link(&mut cloud, "default", name, false).unwrap();
    }
    silos.push(cloud.admin.silo);
    silos.sort();
    assert_eq!(linked_silos(&cloud, "default"), silos, "including the silo of the first start");
}

#[test]
fn silo_lists_only_linked_pools_for_every_caller() {
    let mut cloud = Cloud::new();
    let other = cloud.silo("other", Resources::default());
    let user = cloud.user(other, "eve");
    create(&mut cloud, "public").unwrap();
    link(&mut cloud, "public", "other", true).unwrap();
    assert_eq!(own(&cloud, &user), ["public*"]);
    let view = |user: &User, pool: &'static str| {
        cloud.see(user, move |cx, caller| ip_pool::own_view(cx, caller, &by_name(pool)))
    };
    assert!(view(&user, "public").unwrap().is_default);
    let missing = |name: &str| (404, format!("not found: ip-pool with name \"{name}\""));
    assert_eq!(refused(view(&user, "default")), missing("default"));
    assert_eq!(refused(view(&user, "nothing")), missing("nothing"));
    assert_eq!(
        refused(view(&cloud.admin, "public")),
        missing("public"),
        "even for administrators of the fleet"
    );
}
