//! Labels: access, selection, and their deletion with the resource.

use std::collections::BTreeSet;

use croft_api::{
    Result,
    label::{
        Labels, LabelsInUse, LabelsInUseSelector, LabelsPath, LabelsSelector, LabelsSortMode, LabelsUpdate,
        MAX_LABELS, ResourceLabel,
    },
    page::PageQuery,
    search::SearchRank,
};
use croft_control::{image, label, operation, search, silo};
use croft_store::{
    Action, Change, ListBy, Sort,
    records::{self, AuditEntry, LabelSet, LabelUse, Resources, Role, RoleIdentity, RoleScope},
};
use jiff::SignedDuration;
use uuid::Uuid;

use crate::kit::{Cloud, User, by_name, refused};

pub fn path(kind: &str, id: Uuid) -> LabelsPath {
    LabelsPath { kind: kind.to_owned(), id }
}

fn labels(pairs: &[(&str, &str)]) -> Vec<ResourceLabel> {
    pairs
        .iter()
        .map(|(key, value)| ResourceLabel { key: (*key).to_owned(), value: (*value).to_owned() })
        .collect()
}

fn view_as(cloud: &Cloud, user: &User, kind: &str, id: Uuid) -> Result<Labels> {
    let path = path(kind, id);
    cloud.see(user, move |cx, caller| label::view(cx, caller, &path))
}

fn set_as(
    cloud: &mut Cloud,
    user: &User,
    (kind, id): (&str, Uuid),
    revision: u64,
    pairs: &[(&str, &str)],
) -> Result<Labels> {
    let (path, params) = (path(kind, id), LabelsUpdate { revision, labels: labels(pairs) });
    cloud.act(user, &operation::LABELS_UPDATE, move |cx, caller| label::update(cx, caller, &path, &params))
}

/// Replaces the labels regardless of the revision.
pub fn set(cloud: &mut Cloud, (kind, id): (&str, Uuid), pairs: &[(&str, &str)]) -> Labels {
    let admin = cloud.admin.clone();
    let revision = view_as(cloud, &admin, kind, id).unwrap().revision;
    set_as(cloud, &admin, (kind, id), revision, pairs).unwrap()
}

fn query(
    kind: &str,
    project: Option<&str>,
    selector: Option<&str>,
) -> PageQuery<LabelsSelector, LabelsSortMode> {
    let selector = LabelsSelector {
        kind: kind.to_owned(),
        project: project.map(by_name),
        silo: None,
        selector: selector.map(str::to_owned),
        ids: None,
    };
    PageQuery { selector, sort: LabelsSortMode::default(), after: None, limit: 1_000 }
}

fn list_as(
    cloud: &Cloud,
    user: &User,
    query: &PageQuery<LabelsSelector, LabelsSortMode>,
) -> Result<Vec<Labels>> {
    let query = query.clone();
    cloud.see(user, move |cx, caller| label::list(cx, caller, &query)).map(|page| page.items)
}

/// The names of the resources that match a selector.
fn names(cloud: &Cloud, kind: &str, project: Option<&str>, selector: &str) -> BTreeSet<String> {
    let found = list_as(cloud, &cloud.admin, &query(kind, project, Some(selector))).unwrap();
    found.into_iter().map(|labels| labels.name.unwrap()).collect()
}

fn in_use(cloud: &Cloud, user: &User, query: &LabelsInUseSelector) -> Result<LabelsInUse> {
    let query = query.clone();
    cloud.see(user, move |cx, caller| label::in_use(cx, caller, &query))
}

fn used(project: Option<&str>, kind: Option<&str>, key: Option<&str>, prefix: &str) -> LabelsInUseSelector {
    LabelsInUseSelector {
        project: project.map(by_name),
        silo: None,
        kind: kind.map(str::to_owned),
        key: key.map(str::to_owned),
        prefix: Some(prefix.to_owned()),
        limit: None,
    }
}

/// The stored labels: the number of resources that have some, and the uses with their counts.
fn stored(cloud: &Cloud) -> (usize, Vec<String>) {
    cloud
        .db
        .read_blocking(|tx| {
            let sets: Vec<LabelSet> = tx.page(ListBy::All, Sort::IdAsc, None, 10_000)?;
            let singles: Vec<records::Label> = tx.page(ListBy::All, Sort::IdAsc, None, 10_000)?;
            let uses: Vec<LabelUse> = tx.page(ListBy::All, Sort::IdAsc, None, 10_000)?;
            let of_sets: usize = sets.iter().map(|set| set.labels.len()).sum();
            let counted: u64 = uses.iter().map(|in_use| in_use.resources).sum();
            assert_eq!((singles.len(), counted), (of_sets, of_sets as u64));
            let mut texts: Vec<_> =
                uses.iter().map(|in_use| format!("{} {}", in_use.text, in_use.resources)).collect();
            texts.sort();
            Ok::<_, croft_store::StoreError>((sets.len(), texts))
        })
        .unwrap()
}

#[test]
fn concurrent_label_update_is_refused() {
    let mut cloud = Cloud::new();
    let admin = cloud.admin.clone();
    cloud.project("web");
    let disk = ("disk", cloud.disk("web", "orders").id);
    let empty = view_as(&cloud, &admin, disk.0, disk.1).unwrap();
    assert_eq!((empty.revision, empty.labels.len(), empty.name.as_deref()), (0, 0, Some("orders")));

    let first = set_as(&mut cloud, &admin, disk, 0, &[("tier", "db"), ("env", "prod")]).unwrap();
    assert_eq!(first.labels, labels(&[("env", "prod"), ("tier", "db")]));
    // Two changes are based on the same revision: the second one is refused, so the first is not lost.
    let second = set_as(&mut cloud, &admin, disk, first.revision, &[("env", "test")]).unwrap();
    let (status, message) = refused(set_as(&mut cloud, &admin, disk, first.revision, &[("env", "dev")]));
    assert_eq!(status, 409);
    assert_eq!(
        message,
        "the labels have been changed since revision 1; read them again and repeat the change"
    );
    assert_eq!(refused(set_as(&mut cloud, &admin, disk, 0, &[])).0, 409);
    assert_eq!(view_as(&cloud, &admin, disk.0, disk.1).unwrap(), second);

    // The revision keeps counting when the last label is removed, so that an old one never matches again.
    let none = set_as(&mut cloud, &admin, disk, second.revision, &[]).unwrap();
    assert_eq!((none.revision, none.labels.len()), (3, 0));
    assert_eq!(stored(&cloud).1, [""; 0]);
    assert_eq!(set_as(&mut cloud, &admin, disk, 3, &[("env", "a")]).unwrap().revision, 4);
    assert_eq!(refused(set_as(&mut cloud, &admin, disk, 1, &[])).0, 409);
    // Setting the same labels does not change the revision.
    assert_eq!(set_as(&mut cloud, &admin, disk, 4, &[("env", "a")]).unwrap().revision, 4);
    assert_eq!(set_as(&mut cloud, &admin, disk, 4, &[("env", "b")]).unwrap().revision, 5);
    assert_eq!(stored(&cloud), (1, vec!["disk env=b 1".to_owned()]));
}

#[test]
fn label_access_follows_access_to_the_resource() {
    let mut cloud = Cloud::new();
    let admin = cloud.admin.clone();
    let web = cloud.project("web").id;
    let disk = ("disk", cloud.disk("web", "orders").id);
    let viewer = cloud.user(admin.silo, "viewer");
    cloud.grant(RoleIdentity::User(viewer.id), RoleScope::Project(web), Role::Viewer);
    let collaborator = cloud.user(admin.silo, "collaborator");
    cloud.grant(RoleIdentity::User(collaborator.id), RoleScope::Project(web), Role::Collaborator);
    let nobody = cloud.user(admin.silo, "nobody");
    let elsewhere = cloud.silo("elsewhere", Resources::default());
    let stranger = cloud.user(elsewhere, "stranger");
    cloud.grant(RoleIdentity::User(stranger.id), RoleScope::Silo(elsewhere), Role::Admin);

    set_as(&mut cloud, &collaborator, disk, 0, &[("env", "prod")]).unwrap();
    assert_eq!(view_as(&cloud, &viewer, disk.0, disk.1).unwrap().labels, labels(&[("env", "prod")]));
    assert_eq!(refused(set_as(&mut cloud, &viewer, disk, 1, &[])).0, 403);
    for user in [&nobody, &stranger] {
        assert_eq!(refused(view_as(&cloud, user, disk.0, disk.1)).0, 404);
        assert_eq!(refused(set_as(&mut cloud, user, disk, 1, &[])).0, 404);
        assert_eq!(refused(list_as(&cloud, user, &query("disk", Some("web"), None))).0, 404);
        assert_eq!(refused(in_use(&cloud, user, &used(Some("web"), None, None, ""))).0, 404);
        // IDs of resources that the caller may not read are ignored.
        let mut ids = query("project", None, None);
        ids.selector.ids = Some(web.to_string());
        set(&mut cloud, ("project", web), &[("team", "shop")]);
        assert_eq!(list_as(&cloud, user, &ids).unwrap(), []);
    }
    assert_eq!(list_as(&cloud, &viewer, &query("project", None, Some("team"))).unwrap().len(), 1);
    // A collaborator can change resources in the project, but not the project itself.
    assert_eq!(refused(set_as(&mut cloud, &collaborator, ("project", web), 1, &[])).0, 403);
    // Resources outside of projects: users can read the pools that are linked to their silo.
    let pool = cloud.db.read_blocking(|tx| tx.get_by_name::<records::IpPool>(Uuid::nil(), "default"));
    let pool = pool.unwrap().unwrap().meta.id;
    set(&mut cloud, ("ip_pool", pool), &[("uplink", "a")]);
    assert_eq!(list_as(&cloud, &nobody, &query("ip_pool", None, Some("uplink=a"))).unwrap().len(), 1);
    assert_eq!(list_as(&cloud, &stranger, &query("ip_pool", None, None)).unwrap(), []);
    assert_eq!(refused(set_as(&mut cloud, &nobody, ("ip_pool", pool), 1, &[])).0, 403);
    assert_eq!(refused(view_as(&cloud, &stranger, "ip_pool", pool)).0, 404);
    // The kind of another resource, and an unknown kind.
    assert_eq!(refused(view_as(&cloud, &admin, "instance", disk.1)).0, 404);
    let (status, message) = refused(view_as(&cloud, &admin, "disks", disk.1));
    assert_eq!(status, 400);
    assert!(message.contains("nothing of the kind \"disks\" has labels; one of address_lot, "), "{message}");
}

#[test]
fn selectors_find_resources_page_by_page() {
    let mut cloud = Cloud::new();
    let admin = cloud.admin.clone();
    cloud.project("web");
    cloud.project("shop");
    let all: [(&str, &[(&str, &str)]); 4] = [
        ("a", &[("env", "prod"), ("tier", "web")]),
        ("b", &[("env", "prod"), ("tier", "db")]),
        ("c", &[("env", "test"), ("tier", "web")]),
        ("d", &[("zone", "")]),
    ];
    for (name, pairs) in all {
        let disk = cloud.disk("web", name).id;
        set(&mut cloud, ("disk", disk), pairs);
    }
    cloud.disk("web", "plain");
    let other = cloud.disk("shop", "a").id;
    set(&mut cloud, ("disk", other), &[("env", "prod")]);

    let found = |selector: &str| names(&cloud, "disk", Some("web"), selector).into_iter().collect::<String>();
    for (selector, expected) in [
        ("env=prod", "ab"),
        ("env=prod,tier=web", "a"),
        ("env", "abc"),
        ("env,tier!=db", "ac"),
        ("env in (test,prod),!zone", "abc"),
        ("zone=", "d"),
        ("tier=web,env!=prod", "c"),
        ("env=dev", ""),
        ("env=prod,tier=cache", ""),
    ] {
        assert_eq!(found(selector), expected, "{selector}");
    }
    assert_eq!(list_as(&cloud, &admin, &query("disk", Some("web"), None)).unwrap().len(), 4);
    assert_eq!(refused(list_as(&cloud, &admin, &query("disk", Some("web"), Some("env!=prod")))).0, 400);
    assert_eq!(refused(list_as(&cloud, &admin, &query("disk", None, Some("env")))).0, 400);

    let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
    let start =
        vec![pair("kind", "disk"), pair("project", "web"), pair("selector", "env"), pair("limit", "1")];
    let (mut seen, mut pairs) = (Vec::new(), start);
    loop {
        let query = PageQuery::parse(&pairs).unwrap();
        let page = cloud.see(&admin, move |cx, caller| label::list(cx, caller, &query)).unwrap();
        assert!(page.items.len() <= 1);
        seen.extend(page.items.into_iter().filter_map(|labels| labels.name));
        let Some(token) = page.next_page else { break };
        pairs = vec![pair("page_token", &token), pair("limit", "1")];
    }
    seen.sort();
    assert_eq!(seen, ["a", "b", "c"]);

    let mut ids = query("disk", Some("web"), None);
    ids.selector.ids = Some(format!("{other}, {}", Uuid::from_u128(1)));
    assert_eq!(list_as(&cloud, &admin, &ids).unwrap(), []);
    ids.selector.project = Some(by_name("shop"));
    assert_eq!(list_as(&cloud, &admin, &ids).unwrap().len(), 1);
    ids.selector.ids = Some("x".to_owned());
    assert!(refused(list_as(&cloud, &admin, &ids)).1.contains("\"x\" is no ID"));
    ids.selector.ids = Some(vec![Uuid::nil().to_string(); 3].join(","));
    assert_eq!(list_as(&cloud, &admin, &ids).unwrap(), []);
    let many: Vec<_> = (0..101).map(|number| Uuid::from_u128(number).to_string()).collect();
    ids.selector.ids = Some(many.join(","));
    assert!(refused(list_as(&cloud, &admin, &ids)).1.contains("more than 100"));
}

#[test]
fn used_labels_are_suggested_once_while_in_use() {
    let mut cloud = Cloud::new();
    let admin = cloud.admin.clone();
    cloud.project("web");
    let (one, two) = (("disk", cloud.disk("web", "one").id), ("disk", cloud.disk("web", "two").id));
    let vm = ("instance", cloud.instance("web", "vm").id);
    set(&mut cloud, one, &[("env", "prod"), ("example.com/team", "shop"), ("env-x", "1")]);
    set(&mut cloud, two, &[("env", "production"), ("env.y", "")]);
    set(&mut cloud, vm, &[("env", "prod"), ("role", "web")]);
    let offered = |cloud: &Cloud, query: &LabelsInUseSelector| in_use(cloud, &admin, query).unwrap().items;
    let web = Some("web");
    let keys = ["env", "env-x", "env.y", "example.com/team", "role"];
    assert_eq!(offered(&cloud, &used(web, None, None, "")), keys);
    assert_eq!(offered(&cloud, &used(web, Some("disk"), None, "")), keys[..4]);
    assert_eq!(offered(&cloud, &used(web, None, None, "env")), keys[..3]);
    assert_eq!(offered(&cloud, &used(web, None, Some("env"), "")), ["prod", "production"]);
    assert_eq!(offered(&cloud, &used(web, None, Some("env"), "prod")), ["prod", "production"]);
    assert_eq!(offered(&cloud, &used(web, None, Some("env"), "produ")), ["production"]);
    assert_eq!(offered(&cloud, &used(web, None, Some("none"), "")), [""; 0]);
    let mut few = used(web, None, None, "");
    few.limit = Some(2);
    let few = in_use(&cloud, &admin, &few).unwrap();
    assert_eq!((few.items.len(), few.is_complete), (2, false));
    set(&mut cloud, two, &[]);
    assert_eq!(offered(&cloud, &used(web, None, Some("env"), "")), ["prod"]);
    assert!(refused(in_use(&cloud, &admin, &used(web, None, Some("a b"), ""))).1.contains("a key must"));
    assert_eq!(refused(in_use(&cloud, &admin, &used(web, None, None, "\0"))).0, 400);
}

#[test]
fn labels_are_deleted_and_moved_with_their_resource() {
    let mut cloud = Cloud::new();
    let admin = cloud.admin.clone();
    cloud.project("web");
    cloud.project("shop");
    let disk = cloud.disk("web", "orders").id;
    cloud.pass_seconds(2);
    let snapshot = cloud.snapshot("web", "snap", "orders").id;
    cloud.pass_seconds(2);
    let image = cloud.try_image(Some("web"), "golden", snapshot).unwrap().id;
    set(&mut cloud, ("disk", disk), &[("env", "prod")]);
    set(&mut cloud, ("image", image), &[("os", "linux"), ("env", "prod")]);
    assert_eq!(names(&cloud, "image", Some("web"), "os=linux").len(), 1);

    let silo_image = move |cx: &mut croft_control::Cx<'_, '_>, caller: &croft_control::Caller| {
        image::promote(cx, caller, &image.into(), None)
    };
    cloud.act(&admin, &operation::IMAGE_PROMOTE, silo_image).unwrap();
    assert_eq!(names(&cloud, "image", Some("web"), "os=linux").len(), 0);
    assert_eq!(names(&cloud, "image", None, "os=linux,env=prod").len(), 1);
    assert_eq!(in_use(&cloud, &admin, &used(None, Some("image"), None, "")).unwrap().items, ["env", "os"]);
    cloud
        .act(&admin, &operation::IMAGE_DEMOTE, move |cx, caller| {
            image::demote(cx, caller, &image.into(), &by_name("shop"))
        })
        .unwrap();
    assert_eq!(names(&cloud, "image", Some("shop"), "os=linux").len(), 1);
    assert_eq!(view_as(&cloud, &admin, "image", image).unwrap().labels.len(), 2);
    assert_eq!(stored(&cloud).0, 2);

    cloud
        .act(&admin, &operation::IMAGE_DELETE, move |cx, caller| {
            image::delete(cx, caller, &image.into(), None).map(drop)
        })
        .unwrap();
    cloud.delete_disk(disk).unwrap();
    cloud.pass_seconds(5);
    assert_eq!(stored(&cloud), (0, vec![]));
    assert_eq!(refused(view_as(&cloud, &admin, "disk", disk)).0, 404);
    // A new resource with the same name has no labels.
    let disk = cloud.disk("web", "orders").id;
    assert_eq!(view_as(&cloud, &admin, "disk", disk).unwrap().revision, 0);
}

#[test]
fn labels_are_deleted_with_default_vpc_and_silo() {
    let mut cloud = Cloud::new();
    let admin = cloud.admin.clone();
    let web = cloud.project("web").id;
    let vpc = cloud
        .db
        .read_blocking(move |tx| tx.get_by_name::<records::Vpc>(web, "default"))
        .unwrap()
        .unwrap()
        .meta
        .id;
    let subnet = cloud
        .db
        .read_blocking(move |tx| tx.get_by_name::<records::VpcSubnet>(vpc, "default"))
        .unwrap()
        .unwrap()
        .meta
        .id;
    for resource in [("project", web), ("vpc", vpc), ("vpc_subnet", subnet)] {
        set(&mut cloud, resource, &[("env", "prod")]);
    }
    assert_eq!(stored(&cloud).1, ["project env=prod 1", "vpc env=prod 1", "vpc_subnet env=prod 1"]);
    cloud.remove_project("web");
    assert_eq!(stored(&cloud), (0, vec![]));

    let acme = cloud.silo("acme", Resources::default());
    let user = cloud.user(acme, "ada");
    set(&mut cloud, ("silo", acme), &[("customer", "yes")]);
    set(&mut cloud, ("silo_user", user.id), &[("team", "a")]);
    assert_eq!(names(&cloud, "silo", None, "customer=yes").len(), 1);
    let acme: croft_api::scalar::NameOrId = acme.into();
    cloud.act(&admin, &operation::SILO_DELETE, move |cx, caller| silo::delete(cx, caller, &acme)).unwrap();
    assert_eq!(stored(&cloud), (0, vec![]));
}

fn all_changes(cloud: &Cloud) -> Vec<Change> {
    cloud.db.read_blocking(|tx| tx.changes_since(0, 1_000_000)).unwrap()
}

#[test]
fn label_changes_cause_events_and_audit_entries() {
    let mut cloud = Cloud::new();
    cloud.project("web");
    let vm = cloud.instance("web", "vm").id;
    let before = all_changes(&cloud).len();
    set(&mut cloud, ("instance", vm), &[("env", "prod")]);
    let changes = &all_changes(&cloud)[before..];
    let summaries: Vec<_> =
        changes.iter().map(|change| (change.kind.as_str(), change.id, change.action)).collect();
    assert!(summaries.contains(&("instance", vm, Action::Updated)), "{summaries:?}");
    let entries: Vec<AuditEntry> =
        cloud.db.read_blocking(|tx| tx.page(ListBy::All, Sort::TimeDesc, None, 10)).unwrap();
    let entry = entries.iter().find(|entry| entry.operation_id == "labels_update").unwrap();
    assert_eq!(entry.instance_id, Some(vm));
    // Setting the same labels causes no event.
    let before = all_changes(&cloud).len();
    set(&mut cloud, ("instance", vm), &[("env", "prod")]);
    let changes = &all_changes(&cloud)[before..];
    assert!(changes.iter().all(|change| change.kind != "instance"), "{changes:?}");
}

#[test]
fn the_search_finds_resources_by_their_labels() {
    let mut cloud = Cloud::new();
    let admin = cloud.admin.clone();
    cloud.project("web");
    let disk = cloud.disk("web", "orders").id;
    set(&mut cloud, ("disk", disk), &[("env", "prod"), ("example.com/team", "Shop")]);
    let found = |cloud: &Cloud, user: &User, text: &str| {
        let query = crate::search::query(text, Some("disk"));
        let found = cloud.see(user, move |cx, caller| search::list(cx, caller, &query)).unwrap();
        let result = found.items.into_iter().next();
        result.map(|item| (item.id, item.matched.rank, item.matched.field, item.matched.text))
    };
    for (text, rank, label) in [
        ("env", SearchRank::Prefix, "env=prod"),
        ("env=prod", SearchRank::Exact, "env=prod"),
        ("prod", SearchRank::Word, "env=prod"),
        ("team=shop", SearchRank::Word, "example.com/team=Shop"),
        ("shop", SearchRank::Word, "example.com/team=Shop"),
    ] {
        let expected = Some((disk, rank, "label".to_owned(), label.to_owned()));
        assert_eq!(found(&cloud, &admin, text), expected, "{text}");
    }
    let nobody = cloud.user(admin.silo, "nobody");
    assert_eq!(found(&cloud, &nobody, "env=prod"), None);
    // Labels stay searchable when the resource changes, and changed labels can be found immediately.
    cloud.modify_disk_record(disk, |disk| disk.description = "new".to_owned().into());
    assert!(found(&cloud, &admin, "env=prod").is_some());
    set(&mut cloud, ("disk", disk), &[("env", "test")]);
    assert_eq!(found(&cloud, &admin, "prod"), None);
    assert!(found(&cloud, &admin, "env=test").is_some());
    cloud.pass(SignedDuration::from_secs(2));
    cloud.delete_disk(disk).unwrap();
    assert_eq!(found(&cloud, &admin, "env=test"), None);
}

#[test]
fn number_of_labels_is_bounded_and_errors_name_the_label() {
    let mut cloud = Cloud::new();
    let admin = cloud.admin.clone();
    let web = ("project", cloud.project("web").id);
    let keys: Vec<String> = (0..10_000).map(|number| format!("key-{number}")).collect();
    let pairs: Vec<(&str, &str)> = keys.iter().map(|key| (key.as_str(), "v")).collect();
    assert_eq!(set_as(&mut cloud, &admin, web, 0, &pairs[..MAX_LABELS]).unwrap().labels.len(), MAX_LABELS);
    let (status, message) = refused(set_as(&mut cloud, &admin, web, 1, &pairs));
    assert_eq!(status, 400);
    assert!(message.contains("a resource has at most 64 labels; these are 10000"), "{message}");
    for (key, value) in
        [("a b", ""), ("\u{202e}", ""), ("", "x"), ("a", "'; DROP TABLE label; --"), ("a\0", "")]
    {
        let (status, message) = refused(set_as(&mut cloud, &admin, web, 1, &[("ok", "1"), (key, value)]));
        assert_eq!(status, 400, "{key:?}");
        assert!(message.contains("label 1 ("), "{message}");
    }
    assert_eq!(stored(&cloud).1.len(), MAX_LABELS);
}
