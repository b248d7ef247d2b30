//! Labels are stored with their look-ups, and follow changes of their resource.

use std::collections::BTreeMap;

use croft_store::{
    Database, LabelTarget, ListBy, Meta, Scope, Sort, StoreError,
    records::{Disk, Image, Label, LabelSet, LabelUse},
    schema::CROFT,
    search::Audience,
};
use uuid::Uuid;

use crate::{
    engines::Engine,
    maker,
    records::moment,
    search,
    tables::{read, write},
};

const SILO: Uuid = Uuid::from_u128(0xa0);
const PROJECT: Uuid = Uuid::from_u128(0xb0);

fn disk(number: u128) -> Disk {
    let name = format!("disk-{number}").parse().unwrap();
    let meta = Meta::new(Uuid::from_u128(number), moment(0));
    Disk { meta, silo_id: SILO, project_id: PROJECT, name, ..maker::examples::<Disk>(0).remove(0) }
}

fn target(kind: &str, id: Uuid) -> LabelTarget {
    LabelTarget { kind: kind.to_owned(), id, scope: Scope::project(SILO, PROJECT), place: PROJECT }
}

fn pairs(pairs: &[(&str, &str)]) -> BTreeMap<String, String> {
    pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

fn set(
    database: &Database,
    target: &LabelTarget,
    revision: u64,
    labels: &[(&str, &str)],
) -> Result<LabelSet, StoreError> {
    let (target, labels) = (target.clone(), pairs(labels));
    write(database, move |tx| {
        // IDs that no other call uses.
        let mut next = (target.id.as_u128() << 32) | (u128::from(revision) << 16);
        let new_id = || {
            next += 1;
            Uuid::from_u128(next)
        };
        tx.set_labels(&target, labels.clone(), revision, moment(1), new_id)
    })
}

/// The IDs of the disks with a label.
fn labelled(
    database: &Database,
    place: Uuid,
    kind: &'static str,
    key: &'static str,
    value: &'static str,
) -> Vec<u128> {
    read(database, move |tx| {
        let by = ListBy::lookup(Label::PAIR, Label::pair(place, kind, key, value));
        let found: Vec<Label> = tx.page(by, Sort::IdAsc, None, 100)?;
        let by = ListBy::lookup(Label::KEY, Label::label_key(place, kind, key));
        let with_key: Vec<Label> = tx.page(by, Sort::IdAsc, None, 100)?;
        assert!(with_key.len() >= found.len());
        Ok(found.into_iter().map(|label| label.resource_id.as_u128()).collect())
    })
}

fn in_use(database: &Database, place: Uuid) -> Vec<(String, u64)> {
    read(database, move |tx| {
        let uses: Vec<LabelUse> = tx.page(ListBy::Parent(place), Sort::NameAsc, None, 100)?;
        Ok(uses.into_iter().map(|in_use| (in_use.text, in_use.resources)).collect())
    })
}

fn found(database: &Database, text: &'static str, audience: Audience) -> usize {
    read(database, move |tx| Ok(search::all(tx, text, &[audience], 100)?.len()))
}

pub fn labels_are_written_with_their_lookups(engine: &dyn Engine) {
    let database = engine.open(&CROFT).unwrap();
    write(&database, |tx| (1..=3).try_for_each(|number| tx.insert(&disk(number)))).unwrap();
    let targets = [1, 2, 3].map(|number| target("disk", Uuid::from_u128(number)));
    set(&database, &targets[0], 0, &[("env", "prod"), ("tier", "web")]).unwrap();
    set(&database, &targets[1], 0, &[("env", "prod")]).unwrap();
    set(&database, &targets[2], 0, &[("env", "Prod"), ("env-x", "")]).unwrap();
    assert_eq!(labelled(&database, PROJECT, "disk", "env", "prod"), [1, 2]);
    assert_eq!(labelled(&database, PROJECT, "disk", "env", "Prod"), [3]);
    assert_eq!(labelled(&database, PROJECT, "image", "env", "prod"), [0; 0]);
    let uses = [("disk env-x=", 1), ("disk env=Prod", 1), ("disk env=prod", 2), ("disk tier=web", 1)];
    assert_eq!(in_use(&database, PROJECT), uses.map(|(text, count)| (text.to_owned(), count)));

    // A stale generation is refused and changes nothing.
    for stale in [0, 2] {
        let refused = set(&database, &targets[0], stale, &[("env", "dev")]);
        assert!(matches!(refused, Err(StoreError::Conflict)), "{refused:?}");
    }
    let changed = set(&database, &targets[0], 1, &[("env", "dev"), ("tier", "web")]).unwrap();
    assert_eq!((changed.meta.generation, labelled(&database, PROJECT, "disk", "env", "prod")), (2, vec![2]));

    // The search index includes labels, and changes of the resource keep them there.
    let audience = Audience::Project(PROJECT);
    assert_eq!([found(&database, "env=dev", audience), found(&database, "dev", audience)], [1, 1]);
    write(&database, |tx| {
        let mut disk = tx.get::<Disk>(Uuid::from_u128(1))?.unwrap();
        disk.description = "changed".into();
        tx.update(&mut disk)
    })
    .unwrap();
    assert_eq!(found(&database, "env=dev", audience), 1);

    // The same after reopening the database.
    drop(database);
    let database = engine.open(&CROFT).unwrap();
    assert_eq!(found(&database, "tier=web", audience), 1);

    write(&database, |tx| {
        tx.remove::<Disk>(Uuid::from_u128(1), moment(2))?;
        let mut disk = tx.get::<Disk>(Uuid::from_u128(2))?.unwrap();
        tx.delete(&mut disk, moment(2))
    })
    .unwrap();
    assert_eq!(found(&database, "tier=web", audience), 0);
    let left =
        read(&database, |tx| Ok((tx.count::<LabelSet>(ListBy::All)?, tx.count::<Label>(ListBy::All)?)));
    assert_eq!(left, (1, 2));
    assert_eq!(in_use(&database, PROJECT).len(), 2);
}

pub fn labels_move_with_their_resource(engine: &dyn Engine) {
    let database = engine.open(&CROFT).unwrap();
    let image = |number: u128| Image {
        meta: Meta::new(Uuid::from_u128(number), moment(0)),
        silo_id: SILO,
        project_id: Some(PROJECT),
        name: format!("image-{number}").parse().unwrap(),
        ..maker::examples::<Image>(0).remove(0)
    };
    let images = [image(1), image(2)];
    write(&database, move |tx| images.iter().try_for_each(|image| tx.insert(image))).unwrap();
    for number in [1, 2] {
        set(&database, &target("image", Uuid::from_u128(number)), 0, &[("env", "prod")]).unwrap();
    }
    let put = |number: u128, project: Option<Uuid>| {
        write(&database, move |tx| {
            let mut image = tx.get::<Image>(Uuid::from_u128(number))?.unwrap();
            image.project_id = project;
            tx.update(&mut image)
        })
        .unwrap();
    };
    let counts = || {
        [SILO, PROJECT].map(|place| {
            let by_label = labelled(&database, place, "image", "env", "prod").len() as u64;
            let counted: u64 = in_use(&database, place).into_iter().map(|(_, count)| count).sum();
            assert_eq!(by_label, counted);
            counted
        })
    };
    assert_eq!(counts(), [0, 2]);
    put(1, None);
    assert_eq!(counts(), [1, 1]);
    put(2, None);
    assert_eq!(counts(), [2, 0]);
    put(1, Some(PROJECT));
    put(1, None);
    put(2, Some(PROJECT));
    assert_eq!(counts(), [1, 1]);
    assert_eq!(found(&database, "env=prod", Audience::Project(PROJECT)), 1);
    put(1, Some(PROJECT));
    assert_eq!(counts(), [0, 2]);
}

#[test]
fn every_resource_with_a_name_can_have_labels() {
    // These have no names of their own. The table's name column sorts addresses and numbers.
    let without = ["free_run", "ip_pool_range", "shared_address", "label_use"];
    let named = croft_store::records::TABLES.iter().filter(|table| table.named);
    let unlabelled: Vec<_> = named
        .map(|table| table.name)
        .filter(|name| croft_store::labelled(name).is_none() && !without.contains(name))
        .collect();
    assert_eq!(unlabelled, [""; 0]);
}
