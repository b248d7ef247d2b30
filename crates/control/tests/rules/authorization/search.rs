//! The search returns exactly the objects that the caller may read.

use std::collections::{BTreeMap, BTreeSet};

use croft_control::{
    event::{self, AccessCache},
    search,
};
use croft_store::{
    Action, Change, Record as _,
    records::{IpPool, SshKey},
};
use uuid::Uuid;

use super::world;
use crate::search::query;

/// All searchable objects, with their names if they have one.
fn searched(changes: Vec<Change>) -> BTreeMap<(String, Uuid), Change> {
    let kinds: BTreeSet<&str> = croft_store::search::kinds().collect();
    let mut all = BTreeMap::new();
    for change in changes.into_iter().filter(|change| kinds.contains(change.kind.as_str())) {
        let key = (change.kind.clone(), change.id);
        match change.action {
            Action::Created | Action::Updated => drop(all.insert(key, change)),
            Action::Deleted | Action::Removed => drop(all.remove(&key)),
        }
    }
    all
}

#[test]
fn search_finds_exactly_the_readable_objects() {
    let world = world();
    let changes = world.cloud.db.read_blocking(|tx| tx.changes_since(0, 1_000_000)).unwrap();
    let all = searched(changes);
    assert!(all.len() > 50, "{}", all.len());
    let mut names: BTreeSet<String> = BTreeSet::new();
    let mut name_of = BTreeMap::new();
    for (kind, id) in all.keys() {
        let id = *id;
        let entry = world.cloud.db.read_blocking(move |tx| tx.searched(id)).unwrap();
        let name = entry.filter(|entry| entry.kind == *kind);
        if let Some(name) = name.and_then(|entry| entry.field("name").map(str::to_owned)) {
            names.insert(name.clone());
            name_of.insert((kind.clone(), id), name);
        }
    }
    for (who, user) in world.users.iter().filter(|(who, _)| *who != "anonymous") {
        let (all, names, user_id, silo) = (all.clone(), names.clone(), user.id, user.silo);
        let (readable, by_id, by_name) = world
            .cloud
            .see(user, move |cx, caller| {
                let mut access = AccessCache::new(user_id, silo);
                let (mut readable, mut by_id, mut by_name) =
                    (BTreeSet::new(), BTreeSet::new(), BTreeSet::new());
                for (key, change) in &all {
                    // These two are viewed with other rights than those for their events.
                    let sees = match change.kind.as_str() {
                        kind if kind == SshKey::TABLE.name => change.parent == user_id,
                        kind if kind == IpPool::TABLE.name => {
                            let selector = croft_api::scalar::NameOrId::Id(change.id);
                            croft_control::ip_pool::view(cx, caller, &selector).is_ok()
                                || croft_control::ip_pool::own_view(cx, caller, &selector).is_ok()
                        }
                        _ => access.can_read(cx, event::needs(change).unwrap())?,
                    };
                    if sees {
                        readable.insert(key.clone());
                    }
                    let found = search::list(cx, caller, &query(&key.1.to_string(), None))?;
                    by_id.extend(found.items.into_iter().map(|item| (item.kind, item.id)));
                }
                for name in &names {
                    let found = search::list(cx, caller, &query(name, None))?;
                    by_name.extend(found.items.into_iter().map(|item| (item.kind, item.id)));
                }
                Ok((readable, by_id, by_name))
            })
            .unwrap();
        assert_eq!(by_id, readable, "{who} by IDs");
        assert!(by_name.is_subset(&readable), "{who} by names");
        let expected: BTreeSet<_> = readable.into_iter().filter(|key| name_of.contains_key(key)).collect();
        let missing: Vec<_> = expected.difference(&by_name).collect();
        assert!(missing.is_empty(), "{who} does not find {missing:?}");
    }
}

#[test]
fn searchable_kinds_have_events() {
    let unknown: Vec<_> = croft_store::search::kinds().filter(|kind| event::kind(kind).is_none()).collect();
    assert!(unknown.is_empty(), "{unknown:?} have no events");
}
