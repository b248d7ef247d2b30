//! Lists with search, filters, sorting and totals.

use std::collections::BTreeSet;

use croft_api::{
    Result,
    disk::Disk,
    list::{FoundPage, ListQuery, ListSelector, ListSortMode, ListTotal},
    page::PageQuery,
    project::{OptionalProjectSelector, ProjectSelector},
};
use croft_control::{disk, image, instance, vpc};
use croft_store::{
    LabelTarget, ListBy, Meta, Scope, Sort,
    records::{self, Resources, Role, RoleIdentity, RoleScope},
};
use serde_json::json;
use uuid::Uuid;

use crate::kit::{Cloud, GIB, User, by_name, refused};

/// Parses the query of a list in a project, as a client sends it.
pub fn parsed(pairs: &[(&str, &str)]) -> ListQuery<ProjectSelector> {
    let pairs: Vec<_> = pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    PageQuery::parse(&pairs).unwrap()
}

pub fn of_project(project: &str) -> ListQuery<ProjectSelector> {
    let of = ProjectSelector { project: by_name(project) };
    let selector = ListSelector { of, q: None, state: None, label: None, total: false };
    PageQuery { selector, sort: ListSortMode::default(), after: None, limit: 100 }
}

fn try_disks(cloud: &Cloud, user: &User, pairs: &[(&str, &str)]) -> Result<FoundPage<Disk>> {
    let query = parsed(pairs);
    cloud.see(user, move |cx, caller| disk::search(cx, caller, &query))
}

fn disks(cloud: &Cloud, pairs: &[(&str, &str)]) -> FoundPage<Disk> {
    try_disks(cloud, &cloud.admin, pairs).unwrap()
}

fn names(page: &FoundPage<Disk>) -> Vec<String> {
    page.items.iter().map(|disk| disk.name.to_string()).collect()
}

/// The names on all pages. `between` is called before each next page.
fn all(cloud: &mut Cloud, pairs: &[(&str, &str)], mut between: impl FnMut(&mut Cloud)) -> Vec<String> {
    let (mut found, mut page) = (Vec::new(), disks(cloud, pairs));
    loop {
        found.extend(names(&page));
        let Some(token) = page.next_page else { return found };
        between(cloud);
        let limit = pairs.iter().find(|(key, _)| *key == "limit").map_or("100", |(_, value)| value);
        page = disks(cloud, &[("page_token", &token), ("limit", limit)]);
    }
}

/// Adds disk records without volumes. They have no size, because they are not counted in the usage.
fn fill(cloud: &mut Cloud, like: &Disk, names: impl Iterator<Item = String>) {
    let (id, mut names) = (like.id, Some(names.collect::<Vec<_>>()));
    cloud
        .rule(move |cx| {
            let like: records::Disk = cx.tx.get(id)?.unwrap();
            for name in names.take().into_iter().flatten() {
                let (meta, name) = (Meta::new(cx.new_id(), like.meta.time_created), name.parse().unwrap());
                let size = 0_u64.try_into().unwrap();
                cx.tx.insert(&records::Disk { meta, name, size, ..like.clone() })?;
            }
            Ok(())
        })
        .unwrap();
}

#[test]
fn names_are_in_natural_order() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    for name in ["disk-10", "disk-2", "data", "disk-1", "disk-002"] {
        cloud.disk("web", name);
        cloud.pass_seconds(1);
    }
    let sorted = |cloud: &Cloud, sort| names(&disks(cloud, &[("project", "web"), ("sort_by", sort)]));
    let ascending = ["data", "disk-1", "disk-2", "disk-002", "disk-10"];
    let created = ["disk-10", "disk-2", "data", "disk-1", "disk-002"];
    assert_eq!(sorted(&cloud, "name_ascending"), ascending);
    assert!(sorted(&cloud, "name_descending").iter().eq(ascending.iter().rev()));
    assert_eq!(sorted(&cloud, "time_ascending"), created);
    assert!(sorted(&cloud, "time_descending").iter().eq(created.iter().rev()));
    for sort in ["name_ascending", "name_descending", "time_ascending", "time_descending"] {
        let whole = sorted(&cloud, sort);
        for limit in ["1", "2", "5"] {
            let pairs = [("project", "web"), ("sort_by", sort), ("limit", limit), ("q", "d")];
            assert_eq!(all(&mut cloud, &pairs, |_| ()), whole, "{sort} {limit}");
        }
    }
}

#[test]
fn pages_are_complete_while_rows_change() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let first = cloud.disk("web", "disk-0");
    fill(&mut cloud, &first, (1..60).map(|number| format!("disk-{number}")));
    let stable: BTreeSet<String> = (0..60).map(|number| format!("disk-{number}")).collect();
    let lists = [
        &[("project", "web"), ("limit", "7"), ("sort_by", "name_ascending")][..],
        &[("project", "web"), ("limit", "7"), ("sort_by", "name_descending"), ("q", "disk")],
        &[("project", "web"), ("limit", "7"), ("sort_by", "time_descending"), ("state", "detached,creating")],
    ];
    for (number, pairs) in lists.into_iter().enumerate() {
        let mut added = 0;
        let found = all(&mut cloud, pairs, |cloud| {
            added += 1;
            // Before, between and after the other names.
            let suffix = format!("{added}-{number}");
            let sides = ["a-disk", "disk-30-b", "z-disk"].map(|side| format!("{side}{suffix}"));
            fill(cloud, &first, sides.into_iter());
        });
        let once: BTreeSet<String> = found.iter().cloned().collect();
        assert_eq!(once.len(), found.len(), "{pairs:?}");
        assert!(once.is_superset(&stable), "{pairs:?}");
    }
}

#[test]
fn filters_are_combined_and_counted() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    cloud.running("web", "db-1");
    cloud.try_instance("web", "db-2", &json!({})).unwrap();
    cloud.try_instance("web", "app-1", &json!({})).unwrap();
    cloud.settle();
    let find = |pairs: &[(&str, &str)]| {
        let query = parsed(&[&[("project", "web"), ("total", "true")], pairs].concat());
        let page = cloud.see(&cloud.admin, move |cx, caller| instance::search(cx, caller, &query)).unwrap();
        let total = page.total.unwrap();
        assert!(total.is_exact);
        assert_eq!(total.count, page.items.len() as u64);
        page.items.iter().map(|instance| instance.name.to_string()).collect::<Vec<_>>()
    };
    assert_eq!(find(&[]), ["app-1", "db-1", "db-2"]);
    assert_eq!(find(&[("q", "db")]), ["db-1", "db-2"]);
    assert_eq!(find(&[("state", "running")]), ["db-1"]);
    assert_eq!(find(&[("state", "running,stopped"), ("q", "1")]), ["app-1", "db-1"]);
    assert_eq!(find(&[("state", "stopped"), ("q", "db")]), ["db-2"]);
    assert_eq!(find(&[("state", "asleep")]), [""; 0]);
    assert_eq!(find(&[("q", "  ")]).len(), 3);
    let query = parsed(&[("project", "web"), ("state", "running")]);
    let answer = cloud.see(&cloud.admin, move |cx, caller| vpc::search(cx, caller, &query));
    let (status, text) = refused(answer);
    assert_eq!((status, text.contains("nothing in this list has a state")), (400, true), "{text}");
}

#[test]
fn invalid_texts_find_nothing_or_are_refused() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    cloud.disk("web", "orders");
    for text in ["%", "_____", "orders%", "' OR 1=1 --", "\u{202e}", "🚀", "*", "\\", "orders shop"] {
        assert_eq!(names(&disks(&cloud, &[("project", "web"), ("q", text)])), [""; 0], "{text:?}");
    }
    assert_eq!(names(&disks(&cloud, &[("project", "web"), ("q", "\u{0}ORDERS\n")])), ["orders"]);
    let long = "x".repeat(129);
    let states = "x".repeat(257);
    for (key, value) in [("q", &long), ("state", &states)] {
        let refusal = refused(try_disks(&cloud, &cloud.admin, &[("project", "web"), (key, value)]));
        assert_eq!(refusal.0, 400, "{key}");
    }
    // A token of a list in another order.
    cloud.disk("web", "other");
    let token = disks(&cloud, &[("project", "web"), ("limit", "1")]).next_page.unwrap();
    let page = disks(&cloud, &[("page_token", &token), ("q", "ignored")]);
    assert_eq!((names(&page), page.next_page), (vec!["other".to_owned()], None));
}

/// Sets labels on the disks of a project whose names are chosen.
fn label(cloud: &mut Cloud, project: Uuid, chosen: fn(&str) -> bool, pairs: &[(&str, &str)]) {
    let pairs: Vec<_> = pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    cloud
        .rule(move |cx| {
            let disks: Vec<records::Disk> =
                cx.tx.page(ListBy::Parent(project), Sort::NameAsc, None, 10_000).unwrap();
            for disk in disks.into_iter().filter(|disk| chosen(disk.name.as_str())) {
                let scope = Scope::project(disk.silo_id, project);
                let (kind, id) = ("disk".to_owned(), disk.meta.id);
                let target = LabelTarget { kind, id, scope, place: project };
                let mut ids: Vec<Uuid> = (0..2 * pairs.len()).map(|_| cx.new_id()).collect();
                let labels = pairs.iter().cloned().collect();
                cx.tx.set_labels(&target, labels, 0, cx.now, || ids.pop().unwrap())?;
            }
            Ok(())
        })
        .unwrap();
}

#[test]
fn labels_filter_lists() {
    let mut cloud = Cloud::new();
    let web = cloud.project("web").id;
    let shop = cloud.project("shop").id;
    for name in ["db-10", "db-2", "cache", "plain"] {
        cloud.disk("web", name);
    }
    cloud.disk("shop", "db-1");
    label(&mut cloud, web, |name| name.starts_with("db"), &[("env", "prod"), ("tier", "data")]);
    label(&mut cloud, web, |name| name == "cache", &[("env", "test")]);
    label(&mut cloud, shop, |_| true, &[("env", "prod")]);
    let find = |pairs: &[(&str, &str)]| {
        let page = disks(&cloud, &[&[("project", "web"), ("total", "true")], pairs].concat());
        assert_eq!(page.total, Some(ListTotal { count: page.items.len() as u64, is_exact: true }));
        names(&page)
    };
    for (selector, expected) in [
        ("env=prod", &["db-2", "db-10"][..]),
        ("env", &["cache", "db-2", "db-10"]),
        ("env,tier!=data", &["cache"]),
        ("env in (test,dev)", &["cache"]),
        ("!env", &["plain"]),
        ("env!=prod", &["cache", "plain"]),
        ("env=dev", &[]),
        ("zone,env=prod", &[]),
    ] {
        assert_eq!(find(&[("label", selector)]), expected, "{selector}");
    }
    assert_eq!(find(&[("label", "env"), ("q", "10")]), ["db-10"]);
    assert_eq!(find(&[("label", "!tier"), ("q", "c")]), ["cache"]);
    assert_eq!(find(&[("label", "env"), ("state", "detached,creating")]).len(), 3);
    assert_eq!(find(&[("label", "env"), ("state", "attached")]), [""; 0]);
    assert_eq!(find(&[("label", "env"), ("sort_by", "name_descending")]), ["db-10", "db-2", "cache"]);
    for selector in ["env", "env!=dev", "env=prod,tier"] {
        let pairs = [("project", "web"), ("label", selector)];
        let whole = names(&disks(&cloud, &pairs));
        let pages = all(&mut cloud, &[&pairs[..], &[("limit", "1")]].concat(), |_| ());
        assert_eq!(pages, whole, "{selector}");
    }
    let (many, long) = ("a,".repeat(33), "a".repeat(3_000));
    for selector in ["", "a b", "env=a/b", "env in (a", "\u{0}", &many, &long] {
        let (status, text) =
            refused(try_disks(&cloud, &cloud.admin, &[("project", "web"), ("label", selector)]));
        assert_eq!((status, text.contains("label")), (400, true), "{selector:?} {text}");
    }
}

#[test]
fn very_common_labels_can_be_filtered_and_found() {
    let mut cloud = Cloud::new();
    let web = cloud.project("web").id;
    let first = cloud.disk("web", "disk-0");
    fill(&mut cloud, &first, (1..2_300).map(|number| format!("disk-{number}")));
    label(&mut cloud, web, |name| !name.ends_with('7'), &[("env", "prod")]);
    let wanted: Vec<String> =
        (0..2_300).map(|number| format!("disk-{number}")).filter(|name| !name.ends_with('7')).collect();
    for filter in [("label", "env=prod"), ("label", "env,!tier"), ("q", "env=prod"), ("q", "prod")] {
        let pairs = [("project", "web"), ("limit", "1000"), ("total", "true"), filter];
        let total = disks(&cloud, &pairs).total;
        assert_eq!(total, Some(ListTotal { count: wanted.len() as u64, is_exact: true }), "{filter:?}");
        assert_eq!(all(&mut cloud, &pairs, |_| ()), wanted, "{filter:?}");
    }
}

#[test]
fn lists_contain_only_their_scope() {
    let mut cloud = Cloud::new();
    let admin = cloud.admin.clone();
    let web = cloud.project("web").id;
    cloud.project("shop");
    cloud.disk("web", "orders");
    cloud.disk("shop", "orders-of-shop");
    let viewer = cloud.user(admin.silo, "viewer");
    cloud.grant(RoleIdentity::User(viewer.id), RoleScope::Project(web), Role::Viewer);
    let elsewhere = cloud.silo("elsewhere", Resources::default());
    let stranger = cloud.user(elsewhere, "stranger");
    cloud.grant(RoleIdentity::User(stranger.id), RoleScope::Silo(elsewhere), Role::Admin);

    let find = |user: &User, project: &str, q: &str| {
        try_disks(&cloud, user, &[("project", project), ("q", q)]).map(|page| names(&page))
    };
    let id = web.to_string();
    for text in ["orders", "o", "order"] {
        for project in ["web", &id] {
            assert_eq!(find(&admin, project, text).unwrap(), ["orders"]);
            assert_eq!(find(&viewer, project, text).unwrap(), ["orders"]);
            assert_eq!(refused(find(&stranger, project, text)).0, 404);
        }
        assert_eq!(find(&admin, "shop", text).unwrap(), ["orders-of-shop"]);
        assert_eq!(refused(find(&viewer, "shop", text)).0, 404);
        assert_eq!(refused(find(&admin, "nowhere", text)).0, 404);
    }
    // A page token grants no access.
    cloud.disk("web", "orders-2");
    let token = disks(&cloud, &[("project", "web"), ("limit", "1")]).next_page.unwrap();
    assert_eq!(refused(try_disks(&cloud, &stranger, &[("page_token", &token)])).0, 404);
    // Listing images of the silo requires a role on the silo.
    let images = |user: &User| {
        let selector = ListSelector::<OptionalProjectSelector> {
            of: OptionalProjectSelector { project: None },
            q: Some("a".into()),
            state: None,
            label: None,
            total: true,
        };
        let query = PageQuery { selector, sort: ListSortMode::default(), after: None, limit: 10 };
        cloud.see(user, move |cx, caller| image::search(cx, caller, &query))
    };
    assert_eq!(images(&admin).unwrap().total, Some(ListTotal { count: 0, is_exact: true }));
    assert_eq!(refused(images(&viewer)).0, 403);
}

#[test]
fn long_lists_are_estimated_and_searched() {
    const COUNT: u64 = 10_400;
    let mut cloud = Cloud::new();
    cloud.project("web");
    let first = cloud.try_disk("web", "n-0", GIB).unwrap();
    fill(&mut cloud, &first, (1..9_999).map(|number| format!("n-{number}")));
    let total = |cloud: &Cloud, q: &str| {
        let page = disks(cloud, &[("project", "web"), ("total", "true"), ("limit", "3"), ("q", q)]);
        (page.total.unwrap(), names(&page))
    };
    assert_eq!(total(&cloud, "").0, ListTotal { count: 9_999, is_exact: true });
    // More than the index alone returns.
    assert_eq!(
        total(&cloud, "n"),
        (ListTotal { count: 9_999, is_exact: true }, ["n-0", "n-1", "n-2"].map(String::from).into())
    );
    fill(&mut cloud, &first, (9_999..COUNT).map(|number| format!("n-{number}")));
    let (about, _) = total(&cloud, "");
    assert!(!about.is_exact && (9_900..=11_000).contains(&about.count), "{about:?}");
    let (about, _) = total(&cloud, "n");
    assert!(!about.is_exact && (9_900..=11_000).contains(&about.count), "{about:?}");
    let (found, rows) = total(&cloud, "n-1037");
    assert_eq!(found, ListTotal { count: 11, is_exact: true });
    assert_eq!(rows, ["n-1037", "n-10370", "n-10371"]);
    let pairs = [("project", "web"), ("q", "n 10399"), ("limit", "50")];
    assert_eq!(all(&mut cloud, &pairs, |_| ()), ["n-10399"]);
    // No match on any page. Each page ends after its maximum number of examined rows.
    let pairs = [("project", "web"), ("state", "faulted"), ("limit", "10000")];
    assert_eq!(all(&mut cloud, &pairs, |_| ()), [""; 0]);
    let pairs = [("project", "web"), ("limit", "10000")];
    assert_eq!(all(&mut cloud, &pairs, |_| ()).len() as u64, COUNT);
}
