//! Labels of every kind of resource, with every role.

use std::{collections::BTreeSet, fmt::Write as _};

use croft_api::{
    label::{LabelsPath, LabelsSelector, LabelsSortMode, LabelsUpdate, ResourceLabel},
    page::PageQuery,
    scalar::NameOrId,
};
use croft_control::{label, operation};
use croft_store::{Action, Change};
use uuid::Uuid;

use super::{World, outcome, world};

/// One resource of each kind that has labels.
pub fn resources(world: &World) -> Vec<Change> {
    let changes = world.cloud.db.read_blocking(|tx| tx.changes_since(0, 1_000_000)).unwrap();
    let gone: BTreeSet<_> = changes
        .iter()
        .filter(|change| matches!(change.action, Action::Deleted | Action::Removed))
        .map(|change| (change.kind.clone(), change.id))
        .collect();
    let mut seen = BTreeSet::new();
    let mut found: Vec<Change> = changes
        .into_iter()
        .filter(|change| croft_store::labelled(&change.kind).is_some())
        .filter(|change| !gone.contains(&(change.kind.clone(), change.id)))
        // Exclude the stranger's silo.
        .filter(|change| change.kind != "silo" || change.id == world.cloud.admin.silo)
        .filter(|change| seen.insert(change.kind.clone()))
        .collect();
    found.sort_by(|one, other| one.kind.cmp(&other.kind));
    found
}

#[test]
fn labels_with_every_role() {
    let mut world = world();
    let resources = resources(&world);
    assert!(resources.len() > 20, "{}", resources.len());
    let mut text = format!("{:<34}", "");
    for (name, _) in &world.users {
        write!(text, "{name:>11}").unwrap();
    }
    text.push('\n');
    for change in &resources {
        write!(text, "{:<34}", change.kind).unwrap();
        for (_, user) in world.users.clone() {
            let path = LabelsPath { kind: change.kind.clone(), id: change.id };
            let params = LabelsUpdate { revision: 0, labels: Vec::new() };
            let viewed = {
                let path = path.clone();
                world.cloud.see(&user, move |cx, caller| label::view(cx, caller, &path).map(drop))
            };
            let changed = world.cloud.act(&user, &operation::LABELS_UPDATE, move |cx, caller| {
                label::update(cx, caller, &path, &params).map(drop)
            });
            write!(text, "{:>11}", format!("{}/{}", outcome(&viewed), outcome(&changed))).unwrap();
        }
        text.push('\n');
    }
    insta::assert_snapshot!(text);
}

#[test]
fn labelled_resources_are_listed_in_their_scope() {
    let mut world = world();
    let owner = world.users.iter().find(|(name, _)| *name == "no-role").unwrap().1.clone();
    let admin = world.cloud.admin.clone();
    for change in resources(&world) {
        let user = if change.kind == "ssh_key" { &owner } else { &admin };
        let path = LabelsPath { kind: change.kind.clone(), id: change.id };
        let labels = vec![ResourceLabel { key: "env".to_owned(), value: "prod".to_owned() }];
        let params = LabelsUpdate { revision: 0, labels };
        let changed = world.cloud.act(user, &operation::LABELS_UPDATE, move |cx, caller| {
            label::update(cx, caller, &path, &params)
        });
        changed.unwrap_or_else(|error| panic!("{}: {error:?}", change.kind));
        let project = change.project.filter(|_| change.kind != "project").map(NameOrId::Id);
        let selector = LabelsSelector {
            kind: change.kind.clone(),
            project,
            silo: None,
            selector: Some("env=prod".to_owned()),
            ids: None,
        };
        let query = PageQuery { selector, sort: LabelsSortMode::default(), after: None, limit: 10 };
        let listed = world.cloud.see(user, move |cx, caller| label::list(cx, caller, &query));
        let listed = listed.unwrap_or_else(|error| panic!("{}: {error:?}", change.kind));
        let ids: Vec<Uuid> = listed.items.iter().map(|labels| labels.id).collect();
        assert_eq!(ids, [change.id], "{}", change.kind);
    }
}
