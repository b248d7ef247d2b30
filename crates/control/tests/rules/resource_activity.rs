//! Activity of resources, for callers who may read them.

use std::{collections::BTreeSet, io, sync::Mutex};

use croft_api::{
    Error, Result,
    activity::{ActivityPath, NewestFirstSortMode, ResourceActivity},
    audit::{AuditLogEntry, AuditLogEntryResult},
    batch::{BatchCreate, BatchItemCreate, BatchOperation},
    deletion::DeletionCreate,
    label::{LabelsPath, LabelsUpdate, ResourceLabel},
    page::{NoSelector, PageQuery},
    scalar::NameOrId,
};
use croft_control::{activity, audit, batch, deletion, disk, label, operation, policy};
use croft_store::{
    ListBy,
    records::{self, AuditEntry, Resources, Role, RoleIdentity, RoleScope},
};
use jiff::SignedDuration;
use uuid::Uuid;

use crate::{
    kit::{Cloud, User, refused},
    pools,
};

type Query = PageQuery<NoSelector, NewestFirstSortMode>;

fn query(limit: u32) -> Query {
    let sort = NewestFirstSortMode::TimeAndIdDescending;
    PageQuery { selector: NoSelector {}, sort, after: None, limit }
}

fn path(kind: &str, id: Uuid) -> ActivityPath {
    ActivityPath { kind: kind.to_owned(), id }
}

fn list_as(cloud: &Cloud, user: &User, kind: &str, id: Uuid) -> Result<Vec<ResourceActivity>> {
    let path = path(kind, id);
    cloud.see(user, move |cx, caller| activity::list(cx, caller, &path, &query(1000))).map(|page| page.items)
}

fn list(cloud: &Cloud, kind: &str, id: Uuid) -> Vec<ResourceActivity> {
    list_as(cloud, &cloud.admin, kind, id).unwrap()
}

/// The operations on a resource, newest first.
fn operations(cloud: &Cloud, kind: &str, id: Uuid) -> Vec<String> {
    list(cloud, kind, id).into_iter().map(|entry| entry.operation.operation_id).collect()
}

/// Kinds and names of the other resources of an entry.
fn others(entry: &ResourceActivity) -> Vec<(&str, &str)> {
    entry
        .resources
        .iter()
        .map(|resource| (resource.kind.as_str(), resource.name.as_deref().unwrap_or_default()))
        .collect()
}

fn error(entry: &ResourceActivity) -> Option<(u16, &str)> {
    match &entry.operation.result {
        AuditLogEntryResult::Error { http_status_code, error_message, .. } => {
            Some((*http_status_code, error_message))
        }
        AuditLogEntryResult::Success { .. } | AuditLogEntryResult::Unknown => None,
    }
}

/// Advances the clock, because entries with the same time have no defined order.
fn tick(cloud: &mut Cloud) {
    cloud.now += SignedDuration::from_secs(1);
}

/// A cloud with the project `web`.
fn cloud() -> (Cloud, Uuid) {
    let mut cloud = Cloud::new();
    let project = cloud.project("web").id;
    tick(&mut cloud);
    (cloud, project)
}

fn viewer(cloud: &mut Cloud, project: Uuid) -> User {
    let viewer = cloud.user(cloud.admin.silo, "viewer");
    cloud.grant(RoleIdentity::User(viewer.id), RoleScope::Project(project), Role::Viewer);
    viewer
}

#[test]
fn an_operation_is_found_by_what_it_was_done_to_and_by_what_it_changed() {
    let (mut cloud, project) = cloud();
    let disk = cloud.disk("web", "data").id;
    tick(&mut cloud);
    let instance = cloud.instance("web", "db").id;
    tick(&mut cloud);
    cloud.attach(instance, NameOrId::Id(disk)).unwrap();
    tick(&mut cloud);
    cloud.detach(instance, NameOrId::Id(disk)).unwrap();

    let of_disk = list(&cloud, "disk", disk);
    let names: Vec<_> = of_disk.iter().map(|entry| entry.operation.operation_id.as_str()).collect();
    assert_eq!(names, ["instance_disk_detach", "instance_disk_attach", "disk_create"]);
    assert_eq!(others(&of_disk[0]), [("instance", "db")]);
    assert_eq!(others(&of_disk[2]), [("project", "web")]);
    assert!(of_disk[2].resources[0].exists);
    let actor = of_disk[0].operation.actor.as_ref().unwrap();
    assert_eq!(actor.id, cloud.admin.id);

    let of_instance = ["instance_disk_detach", "instance_disk_attach", "instance_create"];
    assert_eq!(operations(&cloud, "instance", instance), of_instance);
    assert_eq!(
        operations(&cloud, "project", project),
        ["instance_disk_detach", "instance_disk_attach", "instance_create", "disk_create", "project_create"]
    );
}

#[test]
fn what_is_gone_is_told_of_where_it_was() {
    let (mut cloud, project) = cloud();
    let disk = cloud.disk("web", "data").id;
    cloud.pass_seconds(2);
    cloud.delete_disk(disk).unwrap();
    let newest = list(&cloud, "project", project).remove(0);
    assert_eq!(newest.operation.operation_id, "disk_delete");
    assert_eq!(others(&newest), [("disk", "data")]);
    assert!(!newest.resources[0].exists);
    let gone = list_as(&cloud, &cloud.admin, "disk", disk);
    assert_eq!(refused(gone), (404, format!("not found: disk with id \"{disk}\"")));
}

#[test]
fn what_is_refused_is_told_of_only_if_the_caller_saw_the_resource() {
    let (mut cloud, project) = cloud();
    let disk = cloud.disk("web", "data").id;
    let viewer = viewer(&mut cloud, project);
    let other = cloud.silo("other", Resources::default());
    let stranger = cloud.user(other, "stranger");
    for user in [viewer, stranger] {
        tick(&mut cloud);
        let refused = cloud.act(&user, &operation::DISK_DELETE, move |cx, caller| {
            disk::delete(cx, caller, &NameOrId::Id(disk), None)
        });
        refused.unwrap_err();
    }
    let of_disk = list(&cloud, "disk", disk);
    assert_eq!(operations(&cloud, "disk", disk), ["disk_delete", "disk_create"]);
    assert_eq!(error(&of_disk[0]), Some((403, "Forbidden")));
    assert_eq!(of_disk[0].operation.actor.as_ref().unwrap().display_name, "viewer");

    // A failed rule leaves no other resources in the entry.
    tick(&mut cloud);
    cloud.try_disk("web", "data", crate::kit::GIB).unwrap_err();
    let newest = list(&cloud, "project", project).remove(0);
    assert_eq!(error(&newest).unwrap().0, 400);
    assert_eq!(others(&newest), []);
    assert_eq!(operations(&cloud, "disk", disk).len(), 2);
}

#[test]
fn readers_learn_nothing_of_what_they_may_not_read() {
    let (mut cloud, project) = cloud();
    let instance = cloud.instance("web", "db").id;
    let vpc = {
        let found = cloud
            .db
            .read_blocking(move |tx| Ok::<_, Error>(tx.get_by_name::<records::Vpc>(project, "default")?));
        found.unwrap().unwrap().meta.id
    };
    pools::create(&mut cloud, "secret").unwrap();
    let viewer = viewer(&mut cloud, project);
    let nobody = cloud.user(cloud.admin.silo, "nobody");
    for (kind, id) in [("instance", instance), ("vpc", vpc), ("project", project)] {
        assert!(!list_as(&cloud, &viewer, kind, id).unwrap().is_empty(), "{kind}");
        let absent = refused(list_as(&cloud, &nobody, kind, Uuid::nil()));
        let hidden = refused(list_as(&cloud, &nobody, kind, id));
        assert_eq!((hidden.0, hidden.1.replace(&id.to_string(), &Uuid::nil().to_string())), absent);
    }
    let unknown = refused(list_as(&cloud, &viewer, "unicorn", project));
    assert_eq!(unknown.0, 400);
    assert!(unknown.1.contains("nothing of the kind \"unicorn\" has activity"), "{}", unknown.1);

    // An operator of another silo is not named, nor a pool that the caller may not read.
    let other = cloud.silo("other", Resources::default());
    let member = cloud.user(other, "member");
    cloud.grant(RoleIdentity::User(member.id), RoleScope::Silo(other), Role::Viewer);
    tick(&mut cloud);
    pools::link(&mut cloud, "secret", "other", false).unwrap();
    let newest = list_as(&cloud, &member, "silo", other).unwrap().remove(0);
    assert_eq!(
        (newest.operation.operation_id.as_str(), &newest.operation.actor),
        ("ip_pool_silo_link", &None)
    );
    // The caller may read the pool now, because it is linked.
    assert_eq!(others(&newest), [("ip_pool", "secret")]);
    assert!(list(&cloud, "silo", other)[0].operation.actor.is_some());
    let shown = list_as(&cloud, &viewer, "project", project).unwrap();
    let json = serde_json::to_string(&shown).unwrap();
    for secret in ["127.0.0.1", "user_agent", "auth_method"] {
        assert!(!json.contains(secret), "{secret}");
    }
}

#[test]
fn parts_count_for_what_they_are_part_of() {
    let (mut cloud, project) = cloud();
    let admin = cloud.admin.clone();
    let (vpc, router) = cloud
        .db
        .read_blocking(move |tx| {
            let vpc = tx.get_by_name::<records::Vpc>(project, "default")?.unwrap().meta.id;
            let router = tx.get_by_name::<records::VpcRouter>(vpc, "system")?.unwrap().meta.id;
            Ok::<_, Error>((vpc, router))
        })
        .unwrap();
    let params = LabelsUpdate {
        revision: 0,
        labels: vec![ResourceLabel { key: "env".to_owned(), value: "prod".to_owned() }],
    };
    let of_router = LabelsPath { kind: "vpc_router".to_owned(), id: router };
    cloud
        .act(&admin, &operation::LABELS_UPDATE, move |cx, caller| {
            label::update(cx, caller, &of_router, &params)
        })
        .unwrap();
    for (kind, id) in [("vpc_router", router), ("vpc", vpc), ("project", project)] {
        assert_eq!(operations(&cloud, kind, id), ["labels_update", "project_create"], "{kind}");
    }
    // The caller's own silo needs no look-up. Projects are created in it.
    tick(&mut cloud);
    cloud
        .act(&admin, &operation::POLICY_UPDATE, |cx, caller| {
            let policy = policy::own_silo_view(cx, caller)?;
            policy::own_silo_update(cx, caller, &policy)
        })
        .unwrap();
    assert_eq!(operations(&cloud, "silo", admin.silo), ["policy_update", "project_create"]);
}

#[test]
fn each_item_of_a_batch_and_each_part_of_a_cascade_has_its_entry() {
    let (mut cloud, project) = cloud();
    let disks = ["one", "two"].map(|name| cloud.disk("web", name).id);
    cloud.pass_seconds(2);
    let items = disks.iter().map(|id| BatchItemCreate { target_id: *id }).collect();
    let params =
        BatchCreate { idempotency_key: "key".to_owned(), operation: BatchOperation::DiskDelete, items };
    let admin = cloud.admin.clone();
    cloud
        .act(&admin, &operation::BATCH_CREATE, move |cx, caller| batch::create(cx, caller, &params))
        .unwrap();
    cloud.pass_seconds(5);
    let deleted: BTreeSet<String> = list(&cloud, "project", project)
        .iter()
        .filter(|entry| entry.operation.operation_id == "disk_delete")
        .map(|entry| format!("{:?}", others(entry)))
        .collect();
    assert_eq!(deleted, ["one", "two"].map(|name| format!("{:?}", [("disk", name)])).into());

    // A refused deletion, because something has changed since it was shown.
    let params = DeletionCreate { revision: "of something else".to_owned(), also: Vec::new() };
    let refused = cloud.act(&admin, &operation::DELETION_CREATE, move |cx, caller| {
        deletion::create(cx, caller, "project", project, &params)
    });
    refused.unwrap_err();
    let newest = list(&cloud, "project", project).remove(0);
    assert_eq!((newest.operation.operation_id.as_str(), error(&newest).unwrap().0), ("deletion_create", 409));

    let kept = cloud.disk("web", "three").id;
    cloud.pass_seconds(2);
    cloud
        .act(&admin, &operation::DELETION_CREATE, move |cx, caller| {
            let shown = deletion::view(cx, caller, "project", project)?;
            let also = vec!["disk".to_owned(), "vpc".to_owned()];
            let params = DeletionCreate { revision: shown.revision, also };
            deletion::create(cx, caller, "project", project, &params)
        })
        .unwrap();
    let about = |operation: &'static str| {
        cloud
            .db
            .read_blocking(move |tx| {
                let by = ListBy::lookup(AuditEntry::PROJECT, project);
                let entries: Vec<AuditEntry> = tx.page(by, croft_store::Sort::TimeDesc, None, 100)?;
                let entry = entries.into_iter().find(|entry| entry.operation_id == operation);
                let subjects = entry.into_iter().flat_map(|entry| entry.subjects);
                Ok::<_, Error>(subjects.map(|subject| (subject.kind, subject.id)).collect::<Vec<_>>())
            })
            .unwrap()
    };
    assert_eq!(about("disk_delete"), [("disk".to_owned(), kept)]);
    assert_eq!(about("project_delete"), [("project".to_owned(), project)]);
}

#[test]
fn pages_follow_each_other() {
    let (mut cloud, project) = cloud();
    let disk = cloud.disk("web", "data").id;
    let instance = cloud.instance("web", "db").id;
    for _ in 0..3 {
        tick(&mut cloud);
        cloud.attach(instance, NameOrId::Id(disk)).unwrap();
        tick(&mut cloud);
        cloud.detach(instance, NameOrId::Id(disk)).unwrap();
    }
    for (kind, id, count) in [("disk", disk, 7), ("instance", instance, 7), ("project", project, 9)] {
        let (mut ids, mut token) = (Vec::new(), None);
        loop {
            let mut pairs = vec![("limit".to_owned(), "2".to_owned())];
            pairs.extend(token.take().map(|token| ("page_token".to_owned(), token)));
            let (path, query) = (path(kind, id), Query::parse(&pairs).unwrap());
            let page = cloud.see(&cloud.admin, move |cx, caller| activity::list(cx, caller, &path, &query));
            let page = page.unwrap();
            ids.extend(page.items.iter().map(|entry| entry.id));
            token = page.next_page;
            if token.is_none() {
                break;
            }
        }
        let whole: Vec<_> = list(&cloud, kind, id).iter().map(|entry| entry.id).collect();
        assert_eq!((ids.len(), ids), (count, whole), "{kind}");
    }
}

/// An archive that discards the entries.
struct Forgotten(Mutex<Vec<Uuid>>);

impl audit::Exports for Forgotten {
    fn pending(&self) -> io::Result<Option<Vec<Uuid>>> {
        Ok(None)
    }

    fn keep(&self, entries: &[AuditLogEntry]) -> io::Result<()> {
        self.0.lock().unwrap().extend(entries.iter().map(|entry| entry.id));
        Ok(())
    }

    fn done(&self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn the_retention_of_the_audit_log_takes_what_finds_its_entries_along() {
    let (mut cloud, project) = cloud();
    let disk = cloud.disk("web", "data").id;
    cloud.now += SignedDuration::from_hours(2);
    let instance = cloud.instance("web", "db").id;
    cloud.attach(instance, NameOrId::Id(disk)).unwrap();
    let exports = Forgotten(Mutex::default());
    let (now, retention) = (cloud.now, SignedDuration::from_hours(1));
    while audit::export_old(&cloud.db, &exports, retention, now).unwrap() > 0 {}
    assert!(!exports.0.lock().unwrap().is_empty());
    assert_eq!(operations(&cloud, "disk", disk), ["instance_disk_attach"]);
    let in_project: BTreeSet<_> = operations(&cloud, "project", project).into_iter().collect();
    assert_eq!(in_project, ["instance_create", "instance_disk_attach"].map(str::to_owned).into());
    let (rows, entries) = cloud
        .db
        .read_blocking(|tx| {
            let rows: Vec<records::ResourceActivity> =
                tx.page(ListBy::All, croft_store::Sort::IdAsc, None, 1000)?;
            let mut entries = BTreeSet::new();
            for row in &rows {
                entries.extend(tx.get::<AuditEntry>(row.entry_id)?.map(|entry| entry.meta.id));
            }
            Ok::<_, Error>((rows, entries))
        })
        .unwrap();
    assert!(rows.iter().all(|row| entries.contains(&row.entry_id)));
}
