//! The search: results, and who gets them.

use croft_api::{
    page::PageQuery,
    search::{SearchRank, SearchResult, SearchSelector, SearchSortMode},
};
use croft_control::{operation, project, search};
use croft_store::records::{Resources, Role, RoleIdentity, RoleScope};
use serde_json::json;

use crate::kit::{Cloud, User, by_name, refused};

pub fn query(text: &str, kind: Option<&str>) -> PageQuery<SearchSelector, SearchSortMode> {
    let selector = SearchSelector { q: text.to_owned(), kind: kind.map(str::to_owned) };
    PageQuery { selector, sort: SearchSortMode::default(), after: None, limit: 1_000 }
}

fn results(cloud: &Cloud, user: &User, text: &str, kind: Option<&str>) -> Vec<SearchResult> {
    let query = query(text, kind);
    cloud.see(user, move |cx, caller| search::list(cx, caller, &query)).unwrap().items
}

/// The results as paths of names, starting at the project.
fn found(cloud: &Cloud, user: &User, text: &str, kind: Option<&str>) -> Vec<String> {
    let path = |item: SearchResult| {
        let within = item.within.iter().filter(|place| place.kind != "silo");
        let names = within.map(|place| place.name.clone()).chain([item.name.clone()]);
        let names: Vec<String> = names.map(Option::unwrap_or_default).collect();
        format!("{} {}", item.kind, names.join("/"))
    };
    results(cloud, user, text, kind).into_iter().map(path).collect()
}

/// Returns the results of all pages.
fn pages(cloud: &Cloud, user: &User, text: &str, limit: &str) -> Vec<SearchResult> {
    let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
    let (mut all, mut start) = (Vec::new(), pair("q", text));
    loop {
        let pairs = [start, pair("limit", limit)];
        let query = PageQuery::<SearchSelector, SearchSortMode>::parse(&pairs).unwrap();
        let page = cloud.see(user, move |cx, caller| search::list(cx, caller, &query)).unwrap();
        assert!(page.items.len() <= limit.parse().unwrap());
        all.extend(page.items);
        match page.next_page {
            Some(token) => start = pair("page_token", &token),
            None => return all,
        }
    }
}

#[test]
fn search_finds_only_readable_objects() {
    let mut cloud = Cloud::new();
    let admin = cloud.admin.clone();
    let web = cloud.project("web").id;
    cloud.project("shop");
    cloud.disk("web", "orders");
    cloud.disk("shop", "orders");
    let viewer = cloud.user(admin.silo, "viewer");
    cloud.grant(RoleIdentity::User(viewer.id), RoleScope::Project(web), Role::Viewer);
    let nobody = cloud.user(admin.silo, "nobody");
    let elsewhere = cloud.silo("elsewhere", Resources::default());
    let stranger = cloud.user(elsewhere, "stranger");
    cloud.grant(RoleIdentity::User(stranger.id), RoleScope::Silo(elsewhere), Role::Admin);
    let operator = cloud.user(elsewhere, "operator");
    cloud.grant(RoleIdentity::User(operator.id), RoleScope::Fleet, Role::Viewer);

    assert_eq!(found(&cloud, &admin, "orders", None), ["disk web/orders", "disk shop/orders"]);
    assert_eq!(found(&cloud, &viewer, "orders", None), ["disk web/orders"]);
    for user in [&nobody, &stranger, &operator] {
        assert_eq!(found(&cloud, user, "orders", None), [""; 0]);
    }
    assert_eq!(found(&cloud, &nobody, "viewer", None), ["silo_user viewer"]);
    assert_eq!(found(&cloud, &stranger, "viewer", None), [""; 0]);
    assert_eq!(found(&cloud, &operator, "viewer", None), ["silo_user viewer"]);
    assert_eq!(found(&cloud, &stranger, "elsew", None), ["silo elsewhere"]);
    assert_eq!(found(&cloud, &nobody, "elsew", None), [""; 0]);
    // Users can find the pools that are linked to their silo. Ranges of pools are for operators.
    assert_eq!(found(&cloud, &nobody, "default", Some("ip_pool")).len(), 1);
    assert_eq!(found(&cloud, &stranger, "default", Some("ip_pool")).len(), 0);
}

#[test]
fn results_have_location_and_match() {
    let mut cloud = Cloud::new();
    let admin = cloud.admin.clone();
    cloud.project("web");
    let db = cloud.running("web", "db-primary");
    let item = results(&cloud, &admin, "prim", Some("instance")).remove(0);
    assert_eq!((item.id, item.name.as_deref()), (db.id, Some("db-primary")));
    assert_eq!(item.state.as_deref(), Some("running"));
    assert_eq!((item.matched.rank, item.matched.field.as_str()), (SearchRank::Word, "name"));
    let within: Vec<_> =
        item.within.iter().map(|place| (place.kind.as_str(), place.name.as_deref())).collect();
    assert_eq!(within, [("silo", Some("croft")), ("project", Some("web"))]);
    assert_eq!(found(&cloud, &admin, "default", Some("vpc_subnet")), ["vpc_subnet web/default/default"]);

    let id = db.id.to_string();
    for text in [&id[..], &id.replace('-', ""), &id[..8], &id[..13], &id.to_uppercase()] {
        assert_eq!(found(&cloud, &admin, text, Some("instance")), ["instance web/db-primary"], "{text}");
    }
    let kinds = found(&cloud, &admin, "db-primary", Some("instance, disk"));
    assert_eq!(kinds, ["instance web/db-primary"]);
    assert_eq!(found(&cloud, &admin, "db-primary", Some("disk")), [""; 0]);
}

#[test]
fn search_finds_objects_by_address() {
    let mut cloud = Cloud::new();
    let admin = cloud.admin.clone();
    cloud.project("web");
    let nic = json!({"type": "default"});
    cloud.try_instance("web", "db", &json!({"network_interfaces": nic})).unwrap();
    let interface = results(&cloud, &admin, "172.30.0.0/22", Some("network_interface")).remove(0);
    let ip = interface.matched.text.clone();
    assert_eq!(interface.matched.rank, SearchRank::Within);
    assert_eq!(interface.within.last().unwrap().name.as_deref(), Some("db"));
    assert_eq!(
        found(&cloud, &admin, &ip, Some("network_interface,vpc_subnet")),
        [
            format!("network_interface web/db/{}", interface.name.unwrap()),
            "vpc_subnet web/default/default".to_owned(),
        ]
    );
    assert_eq!(found(&cloud, &admin, "a8:40:25", Some("network_interface")).len(), 1);

    let floating = cloud.floating_ip("web", "fixed");
    let text = floating.ip.to_string();
    let answer = found(&cloud, &admin, &text, None);
    assert_eq!(answer[0], "floating_ip web/fixed");
    assert!(answer.iter().any(|item| item.starts_with("ip_pool_range ")), "{answer:?}");
}

#[test]
fn search_follows_renames_and_deletions() {
    let mut cloud = Cloud::new();
    let admin = cloud.admin.clone();
    cloud.project("before");
    let params = serde_json::from_value(json!({"name": "after", "description": "invoices"})).unwrap();
    cloud
        .act(&admin, &operation::PROJECT_UPDATE, move |cx, caller| {
            project::update(cx, caller, &by_name("before"), &params)
        })
        .unwrap();
    assert_eq!(found(&cloud, &admin, "before", None), [""; 0]);
    assert_eq!(found(&cloud, &admin, "after", None), ["project after"]);
    assert_eq!(found(&cloud, &admin, "invoices", None), ["project after"]);
    let disk = cloud.disk("after", "orders").id;
    assert_eq!(found(&cloud, &admin, "orders", None), ["disk after/orders"]);
    cloud.pass_seconds(2);
    cloud.delete_disk(disk).unwrap();
    assert_eq!(found(&cloud, &admin, "orders", None), [""; 0]);
    cloud.remove_project("after");
    assert_eq!(found(&cloud, &admin, "after", None), [""; 0]);
}

#[test]
fn pages_are_complete_without_repetition() {
    let mut cloud = Cloud::new();
    let admin = cloud.admin.clone();
    let mut projects = Vec::new();
    for name in ["web", "shop", "blog"] {
        projects.push(cloud.project(name).id);
        for disk in ["web", "web-1", "old-web", "cobweb", "webweb"] {
            cloud.disk(name, disk);
        }
    }
    let member = cloud.user(admin.silo, "member");
    for project in &projects[..2] {
        cloud.grant(RoleIdentity::User(member.id), RoleScope::Project(*project), Role::Viewer);
    }
    for user in [&admin, &member] {
        for text in ["web", "w", "0.0.0.0/0", "::/0", "default"] {
            let whole = results(&cloud, user, text, None);
            assert!(!whole.is_empty(), "{text}");
            for limit in ["1", "2", "7"] {
                assert_eq!(pages(&cloud, user, text, limit), whole, "{text} in pages of {limit}");
            }
        }
    }
    assert_eq!(found(&cloud, &admin, "web", Some("disk")).len(), 15);
    assert_eq!(found(&cloud, &member, "web", Some("disk")).len(), 10);
}

#[test]
fn invalid_searches_find_nothing_or_are_refused() {
    let mut cloud = Cloud::new();
    let admin = cloud.admin.clone();
    cloud.project("web");
    for text in
        ["%", "w_b", "w%", "web\u{0}x", "\u{202e}bew", "🚀", "'; DROP TABLE disk; --", "\u{10ffff}", "::::"]
    {
        assert_eq!(found(&cloud, &admin, text, None), [""; 0], "{text:?}");
    }
    let refusal = |text: &str, kind: Option<&str>| {
        let query = query(text, kind);
        refused(cloud.see(&admin, move |cx, caller| search::list(cx, caller, &query)))
    };
    let (status, long) = refusal(&"x".repeat(129), None);
    assert_eq!(status, 400);
    assert!(long.contains("no longer than 128 characters"), "{long}");
    assert_eq!(refusal(" \t\u{0}", None).0, 400);
    let (status, unknown) = refusal("web", Some("disk,secret"));
    assert_eq!(status, 400);
    assert!(unknown.contains("\"secret\"") && unknown.contains("vpc_subnet"), "{unknown}");
    let most = results(&cloud, &admin, &"🚀".repeat(128), None);
    assert!(most.is_empty());
}
