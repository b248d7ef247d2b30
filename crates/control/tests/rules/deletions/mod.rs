//! Dependents of a resource, and its deletion together with them.

mod kinds;

use std::collections::BTreeMap;

use croft_api::{
    Error, Result,
    deletion::{Deletion, DeletionCreate, DeletionEffect, DeletionPart},
    instance::InstanceState,
    scalar::NameOrId,
};
use croft_control::{deletion, operation, vpc};
use croft_store::{
    ListBy, Sort,
    records::{
        AffinityGroup, AffinityPolicy, AuditEntry, FailureDomain, Resources, Role, RoleIdentity, RoleScope,
    },
};
use serde_json::json;
use uuid::Uuid;

use crate::kit::{Cloud, User, by_name, file, refused};

fn view_as(cloud: &Cloud, user: &User, kind: &'static str, id: Uuid) -> Result<Deletion> {
    cloud.see(user, move |cx, caller| deletion::view(cx, caller, kind, id))
}

fn view(cloud: &Cloud, kind: &'static str, id: Uuid) -> Deletion {
    view_as(cloud, &cloud.admin, kind, id).unwrap()
}

fn delete_as(cloud: &mut Cloud, user: &User, shown: &Deletion, also: &[&str]) -> Result<()> {
    let params = DeletionCreate {
        revision: shown.revision.clone(),
        also: also.iter().map(|kind| (*kind).to_owned()).collect(),
    };
    let (kind, id) = (shown.kind.clone(), shown.id);
    cloud.act(user, &operation::DELETION_CREATE, move |cx, caller| {
        deletion::create(cx, caller, &kind, id, &params)
    })
}

fn delete(cloud: &mut Cloud, shown: &Deletion, also: &[&str]) -> Result<()> {
    delete_as(cloud, &cloud.admin.clone(), shown, also)
}

fn part<'d>(shown: &'d Deletion, kind: &str, effect: DeletionEffect) -> &'d DeletionPart {
    let mut fitting = shown.parts.iter().filter(|part| part.kind == kind && part.effect == effect);
    let part = fitting.next().unwrap_or_else(|| panic!("no {kind} is {effect:?}: {shown:#?}"));
    assert!(fitting.next().is_none(), "{kind} is {effect:?} twice");
    part
}

fn names(part: &DeletionPart) -> Vec<&str> {
    part.items.iter().filter_map(|item| item.name.as_deref()).collect()
}

/// Kinds and counts of the parts with this effect.
fn counts(shown: &Deletion, effect: DeletionEffect) -> BTreeMap<&str, u64> {
    shown
        .parts
        .iter()
        .filter(|part| part.effect == effect)
        .map(|part| (part.kind.as_str(), part.count))
        .collect()
}

/// The kinds that can be deleted along.
fn kinds_along(shown: &Deletion) -> Vec<String> {
    shown.parts.iter().filter(|part| part.can_go_along).map(|part| part.kind.clone()).collect()
}

fn delete_with_all(cloud: &mut Cloud, shown: &Deletion) -> Result<()> {
    let also = kinds_along(shown);
    delete(cloud, shown, &also.iter().map(String::as_str).collect::<Vec<_>>())
}

/// The audit log entries of dependents that were deleted along: operation and URI.
fn audited(cloud: &Cloud) -> Vec<(String, String)> {
    let all = cloud.db.read_blocking(|tx| {
        Ok::<Vec<AuditEntry>, Error>(tx.page(ListBy::All, Sort::TimeAsc, None, 100_000)?)
    });
    let of_deletions = all.unwrap().into_iter().filter(|entry| entry.request_uri.contains("#deletion="));
    let mut entries: Vec<_> = of_deletions.map(|entry| (entry.operation_id, entry.request_uri)).collect();
    // All have the same time, so their order is arbitrary.
    entries.sort();
    entries
}

/// Creates the project `web` with an object of most kinds, all of which can be deleted.
fn full_project(cloud: &mut Cloud) -> Uuid {
    let project = cloud.project("web").id;
    cloud.floating_ip("web", "fixed");
    let disks = json!({
        "disks": [{"type": "create", "name": "boot", "description": "", "size": 1_u64 << 30,
            "disk_source": {"type": "blank", "block_size": 512}}],
        "external_ips": [{"type": "floating", "floating_ip": "fixed"}, {"type": "ephemeral"}],
    });
    cloud.try_instance("web", "db", &disks).unwrap();
    cloud.disk("web", "data");
    cloud.pass_seconds(2);
    let snapshot = cloud.snapshot("web", "before", "data").id;
    cloud.pass_seconds(2);
    cloud.try_image(Some("web"), "debian", snapshot).unwrap();
    project
}

#[test]
fn a_project_is_shown_and_deleted_with_everything_in_it() {
    let mut cloud = Cloud::new();
    let project = full_project(&mut cloud);
    let shown = view(&cloud, "project", project);
    assert_eq!(shown.name.as_deref(), Some("web"));
    assert_eq!(shown.refusal.as_deref(), Some("project to be deleted contains an instance: db"));
    let prevents =
        [("instance", 1), ("disk", 2), ("floating_ip", 1), ("image", 1), ("snapshot", 1), ("vpc", 1)];
    assert_eq!(counts(&shown, DeletionEffect::Prevents), BTreeMap::from(prevents));
    assert_eq!(names(part(&shown, "disk", DeletionEffect::Prevents)), ["boot", "data"]);
    let with_vpc: BTreeMap<&str, u64> = shown
        .parts
        .iter()
        .filter(|part| part.along_with.as_deref() == Some("vpc"))
        .map(|part| (part.kind.as_str(), part.count))
        .collect();
    assert_eq!(with_vpc["vpc_subnet"], 1);
    assert_eq!(with_vpc["vpc_router"], 1);
    assert_eq!(with_vpc["vpc_firewall_rule"], 3);
    // Dependents that are deleted along are not described as changed or kept.
    assert_eq!(counts(&shown, DeletionEffect::Changed), BTreeMap::new());
    assert_eq!(counts(&shown, DeletionEffect::Kept), BTreeMap::new());

    let before = cloud.db.read_blocking(|tx| Ok::<_, Error>(tx.last_change()?)).unwrap();
    delete_with_all(&mut cloud, &shown).unwrap();
    let gone = view_as(&cloud, &cloud.admin, "project", project);
    assert_eq!(refused(gone), (404, format!("not found: project with id \"{project}\"")));
    let operations: Vec<String> = audited(&cloud).into_iter().map(|(operation, _)| operation).collect();
    assert_eq!(
        operations,
        [
            "disk_delete",
            "disk_delete",
            "floating_ip_delete",
            "image_delete",
            "instance_delete",
            "project_delete",
            "snapshot_delete",
            "vpc_delete",
            "vpc_subnet_delete"
        ]
    );
    let uri = format!("/v1/projects/{project}#deletion={}", Cloud::request().id);
    assert!(
        audited(&cloud).iter().any(|(_, own)| *own == uri),
        "the URI names the request that it belongs to"
    );
    // Each deletion is in the change log, from which live events are made.
    let changes = cloud.db.read_blocking(move |tx| tx.changes_since(before, 1000)).unwrap();
    for kind in ["instance", "disk", "floating_ip", "image", "snapshot", "vpc_subnet", "vpc", "project"] {
        assert!(changes.iter().any(|change| change.kind == kind), "no event for the {kind}");
    }
    cloud.pass_seconds(5);
    cloud.check_invariants();
}

#[test]
fn object_added_after_the_preview_prevents_the_deletion() {
    let mut cloud = Cloud::new();
    let project = full_project(&mut cloud);
    let shown = view(&cloud, "project", project);
    cloud.disk("web", "late");
    let text = "what hangs on the resource has changed since it was shown; look at it again, then delete it";
    assert_eq!(refused(delete_with_all(&mut cloud, &shown)), (409, text.to_owned()));
    cloud.pass_seconds(2);
    let again = view(&cloud, "project", project);
    assert_eq!(part(&again, "disk", DeletionEffect::Prevents).count, 3);
    delete_with_all(&mut cloud, &again).unwrap();
}

#[test]
fn refused_object_prevents_the_whole_deletion() {
    let folder = tempfile::tempdir().unwrap();
    let mut cloud = Cloud::with(crate::kit::simulated(), file(folder.path()));
    let project = full_project(&mut cloud);
    let running = cloud.running("web", "app");
    let shown = view(&cloud, "project", project);
    let instances = part(&shown, "instance", DeletionEffect::Prevents);
    assert_eq!((instances.count, instances.refused, instances.can_go_along), (2, 1, false));
    let text = "cannot delete instance: instance is running or has not yet fully stopped";
    assert_eq!(instances.refusal.as_deref(), Some(format!("instance \"app\": {text}").as_str()));
    let first = &instances.items[0];
    assert_eq!((first.name.as_deref(), first.refusal.as_deref()), (Some("app"), Some(text)));
    assert_eq!(instances.items[1].refusal, None);
    let everything = ["instance", "disk", "floating_ip", "image", "snapshot", "vpc"];
    let refusal = refused(delete(&mut cloud, &shown, &everything));
    assert_eq!(refusal, (400, format!("instance \"app\": {text}")));
    assert_eq!(audited(&cloud), []);
    assert_eq!(view(&cloud, "project", project).revision, shown.revision);

    cloud.stop_instance(running.id).unwrap();
    cloud.pass_seconds(10);
    assert_eq!(cloud.state(running.id), InstanceState::Stopped);
    delete(&mut cloud, &shown, &everything).unwrap();
    cloud.pass_seconds(5);
    cloud.check_invariants();
}

#[test]
fn instance_disks_are_kept_unless_included() {
    let mut cloud = Cloud::new();
    full_project(&mut cloud);
    let rules = json!({ "rules": [{
        "name": "to-db", "description": "", "status": "enabled", "direction": "inbound", "action": "allow",
        "priority": 1, "targets": [{"type": "instance", "value": "db"}], "filters": {},
    }]});
    let admin = cloud.admin.clone();
    let params = serde_json::from_value(rules).unwrap();
    let within = croft_api::vpc::VpcSelector { vpc: by_name("default"), project: Some(by_name("web")) };
    cloud
        .act(&admin, &operation::VPC_FIREWALL_RULES_UPDATE, move |cx, caller| {
            croft_control::firewall::rules_update(cx, caller, &within, &params)
        })
        .unwrap();
    let db = cloud
        .see(&admin, |cx, caller| {
            croft_control::instance::view(cx, caller, &by_name("db"), Some(&by_name("web")))
        })
        .unwrap();
    let shown = view(&cloud, "instance", db.id);
    assert_eq!(shown.refusal, None);
    assert_eq!(counts(&shown, DeletionEffect::Changed), BTreeMap::from([("disk", 1), ("floating_ip", 1)]));
    assert_eq!(
        counts(&shown, DeletionEffect::Deleted),
        BTreeMap::from([("network_interface", 1), ("instance_address", 2)])
    );
    let kept = part(&shown, "vpc_firewall_rule", DeletionEffect::Kept);
    assert_eq!(names(kept), ["to-db"]);
    let within: Vec<_> = kept.items[0].within.iter().map(|place| place.kind.as_str()).collect();
    assert_eq!(within, ["silo", "project", "vpc"]);
    assert_eq!(kinds_along(&shown), ["disk", "floating_ip"]);

    let stray = refused(delete(&mut cloud, &shown, &["vpc"]));
    assert_eq!(
        stray,
        (
            400,
            "unsupported value for \"also\": nothing of the kind \"vpc\" can be deleted along with it"
                .to_owned()
        )
    );
    delete(&mut cloud, &shown, &["disk"]).unwrap();
    let operations: Vec<String> = audited(&cloud).into_iter().map(|(operation, _)| operation).collect();
    assert_eq!(operations, ["disk_delete", "instance_delete"]);
    let floating = cloud
        .see(&admin, |cx, caller| {
            croft_control::floating_ip::view(cx, caller, &by_name("fixed"), Some(&by_name("web")))
        })
        .unwrap();
    assert_eq!(floating.instance_id, None, "detached and kept");
}

#[test]
fn deletion_names_only_readable_objects() {
    let mut cloud = Cloud::new();
    let plenty = Resources { cpus: 9, memory: 1 << 40, storage: 1 << 40 };
    let other = cloud.silo("other", plenty);
    let owner = cloud.user(other, "owner");
    cloud.grant(RoleIdentity::User(owner.id), RoleScope::Silo(other), Role::Admin);
    cloud.try_project(&owner, "secret").unwrap();
    let shown = view(&cloud, "silo", other);
    assert_eq!(shown.refusal.as_deref(), Some("silo to be deleted contains a project"));
    let projects = part(&shown, "project", DeletionEffect::Prevents);
    assert_eq!((projects.count, projects.items.len(), projects.can_go_along), (1, 0, false));
    assert_eq!(projects.refusal.as_deref(), Some("you may not delete all of these"));
    let text = serde_json::to_string(&shown).unwrap();
    assert!(!text.contains("secret"), "{text}");
    assert_eq!(part(&shown, "silo_user", DeletionEffect::Deleted).count, 1);
    assert_eq!(refused(delete(&mut cloud, &shown, &["project"])), (403, "Forbidden".to_owned()));
}

#[test]
fn viewer_cannot_delete() {
    let mut cloud = Cloud::new();
    let project = full_project(&mut cloud);
    let silo = cloud.admin.silo;
    let viewer = cloud.user(silo, "viewer");
    cloud.grant(RoleIdentity::User(viewer.id), RoleScope::Project(project), Role::Viewer);
    let shown = view_as(&cloud, &viewer, "project", project).unwrap();
    assert_eq!(shown.refusal.as_deref(), Some("Forbidden"));
    assert_eq!(kinds_along(&shown), Vec::<String>::new());
    let instances = part(&shown, "instance", DeletionEffect::Prevents);
    assert_eq!(names(instances), ["db"]);
    assert_eq!(instances.items[0].refusal.as_deref(), Some("you may not delete this"));
    assert_eq!(refused(delete_as(&mut cloud, &viewer, &shown, &["instance"])), (403, "Forbidden".to_owned()));
    // A collaborator may delete everything in the project, but not the project itself.
    let collaborator = cloud.user(silo, "collaborator");
    cloud.grant(RoleIdentity::User(collaborator.id), RoleScope::Project(project), Role::Collaborator);
    let shown = view_as(&cloud, &collaborator, "project", project).unwrap();
    assert_eq!(shown.refusal.as_deref(), Some("Forbidden"));
    assert_eq!(part(&shown, "instance", DeletionEffect::Prevents).refusal, None);
    let nobody = cloud.user(silo, "nobody");
    let hidden = refused(view_as(&cloud, &nobody, "project", project));
    assert_eq!(hidden, (404, format!("not found: project with id \"{project}\"")));
    assert_eq!(refused(delete_as(&mut cloud, &nobody, &shown, &[])), hidden);
}

#[test]
fn more_than_a_thousand_objects_are_counted_and_not_included() {
    let mut cloud = Cloud::new();
    let project = cloud.project("web").id;
    let silo_id = cloud.admin.silo;
    let total = deletion::MAX_DELETED + 1;
    cloud
        .rule(move |cx| {
            (0..total).try_for_each(|number| {
                let meta = cx.new_meta();
                Ok(cx.tx.insert(&AffinityGroup {
                    meta,
                    silo_id,
                    project_id: project,
                    name: format!("group-{number}").parse()?,
                    description: "".into(),
                    policy: AffinityPolicy::Allow,
                    failure_domain: FailureDomain::Sled,
                    kind: std::marker::PhantomData,
                })?)
            })
        })
        .unwrap();
    let shown = view(&cloud, "project", project);
    let groups = part(&shown, "affinity_group", DeletionEffect::Prevents);
    assert_eq!((groups.count, groups.items.len(), groups.can_go_along), (1001, 20, false));
    let text = "more than 1000 resources would be deleted at once; delete some of them first";
    assert_eq!(groups.refusal.as_deref(), Some(text));
    let refusal = refused(delete(&mut cloud, &shown, &["affinity_group", "vpc"]));
    assert_eq!(refusal, (400, format!("unsupported value for \"also\": {text}")));
}

#[test]
fn undescribed_kinds_are_refused() {
    let cloud = Cloud::new();
    let (status, text) = refused(view_as(&cloud, &cloud.admin, "ssh_key", cloud.admin.id));
    let start = "unsupported value for \"kind\": the deletion of \"ssh_key\" is not described; one of silo, ";
    assert!(status == 400 && text.starts_with(start), "{text}");
}

#[test]
fn vpc_deletion_includes_interfaces_of_stopped_instances() {
    let mut cloud = Cloud::new();
    full_project(&mut cloud);
    let vpc = cloud
        .see(&cloud.admin, |cx, caller| vpc::view(cx, caller, &by_name("default"), Some(&by_name("web"))))
        .unwrap();
    let shown = view(&cloud, "vpc", vpc.id);
    assert_eq!(shown.refusal.as_deref(), Some("VPC cannot be deleted while VPC Subnets exist"));
    let interfaces = part(&shown, "network_interface", DeletionEffect::Deleted);
    assert_eq!((interfaces.count, interfaces.along_with.as_deref()), (1, Some("vpc_subnet")));
    delete(&mut cloud, &shown, &["vpc_subnet"]).unwrap();
    let selector = NameOrId::Id(vpc.id);
    let gone = cloud.see(&cloud.admin, move |cx, caller| vpc::view(cx, caller, &selector, None));
    assert_eq!(refused(gone).0, 404);
    cloud.check_invariants();
}
