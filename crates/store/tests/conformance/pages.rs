//! Pages of lists.

use std::collections::BTreeSet;

use croft_store::{Database, ListBy, Marker, Sort, StoreError};
use uuid::Uuid;

use crate::{
    engines::Engine,
    records::{Counter, SCHEMA, Volume, moment, project, volume},
    tables::{insert, read, write},
};

const SORTS: [Sort; 5] = [Sort::NameAsc, Sort::NameDesc, Sort::IdAsc, Sort::TimeAsc, Sort::TimeDesc];

/// Whether a list should contain a volume.
type Filter = fn(&Volume) -> bool;

const HOST: Uuid = Uuid::from_u128(0xbeef);

/// Many volumes with repeated names and times, so that ties have to be broken.
fn fill(database: &Database) -> Vec<Volume> {
    let volumes: Vec<Volume> = (0..60_u32)
        .map(|number| {
            let mut volume =
                volume(project(u128::from(number % 3)), &format!("volume-{:02}", number / 3 * 7 % 20));
            volume.meta.time_created = moment(i64::from(number / 5));
            volume.host = (number % 2 == 0).then_some(HOST);
            volume
        })
        .collect();
    let inserted = volumes.clone();
    write(database, move |tx| inserted.iter().try_for_each(|volume| tx.insert(volume))).unwrap();
    volumes
}

fn sorted(mut volumes: Vec<Volume>, sort: Sort) -> Vec<Volume> {
    volumes.sort_by(|a, b| match sort {
        Sort::NameAsc => (&a.name, a.meta.id).cmp(&(&b.name, b.meta.id)),
        Sort::NameDesc => (&b.name, b.meta.id).cmp(&(&a.name, a.meta.id)),
        Sort::IdAsc => a.meta.id.cmp(&b.meta.id),
        Sort::TimeAsc => (a.meta.time_created, a.meta.id).cmp(&(b.meta.time_created, b.meta.id)),
        Sort::TimeDesc => (b.meta.time_created, b.meta.id).cmp(&(a.meta.time_created, a.meta.id)),
    });
    volumes
}

fn page(database: &Database, by: &ListBy, sort: Sort, after: Option<&Volume>, limit: usize) -> Vec<Volume> {
    let by = by.clone();
    let marker = after.map(|volume| Marker::after(volume, sort));
    read(database, move |tx| tx.page::<Volume>(by.clone(), sort, marker.clone(), limit))
}

pub fn every_order_lists_each_row_once(engine: &dyn Engine) {
    let database = engine.open(&SCHEMA).unwrap();
    let volumes = fill(&database);
    let lists: [(ListBy, Filter); 3] = [
        (ListBy::All, |_| true),
        (ListBy::Parent(project(1)), |volume| volume.project == project(1)),
        (ListBy::lookup(Volume::HOST, HOST), |volume| volume.host == Some(HOST)),
    ];
    for (by, belongs) in lists {
        for sort in SORTS {
            let expected = sorted(volumes.iter().filter(|volume| belongs(volume)).cloned().collect(), sort);
            let mut found = Vec::new();
            loop {
                let next = page(&database, &by, sort, found.last(), 7);
                let done = next.len() < 7;
                found.extend(next);
                if done {
                    break;
                }
            }
            assert_eq!(found, expected, "{by:?} {sort:?}");
        }
    }
}

pub fn pages_survive_inserts_and_deletes(engine: &dyn Engine) {
    let database = engine.open(&SCHEMA).unwrap();
    let volumes = fill(&database);
    for (round, sort) in SORTS.into_iter().enumerate() {
        let by = ListBy::Parent(project(2));
        let initial: BTreeSet<Uuid> =
            page(&database, &by, sort, None, 100).iter().map(|v| v.meta.id).collect();
        let mut seen: Vec<Volume> = Vec::new();
        let mut deleted = BTreeSet::new();
        loop {
            let next = page(&database, &by, sort, seen.last(), 4);
            if next.is_empty() {
                break;
            }
            seen.extend(next);
            let number = seen.len();
            // Delete the row that the marker refers to, and insert rows on both sides of it.
            if number.is_multiple_of(8) {
                let mut last = seen.last().unwrap().clone();
                deleted.insert(last.meta.id);
                write(&database, move |tx| tx.delete(&mut last, moment(100))).unwrap();
            }
            if number <= 16 {
                insert(&database, &volume(project(2), &format!("aa-{round}-{number}"))).unwrap();
                insert(&database, &volume(project(2), &format!("zz-{round}-{number}"))).unwrap();
            }
        }
        let ids: Vec<Uuid> = seen.iter().map(|volume| volume.meta.id).collect();
        let unique: BTreeSet<Uuid> = ids.iter().copied().collect();
        assert_eq!(ids.len(), unique.len(), "{sort:?}: no row is repeated");
        assert!(initial.is_subset(&unique), "{sort:?}: no remaining row is omitted");
        assert!(!deleted.is_empty());
    }
    drop(volumes);
}

pub fn undeclared_orders_are_refused(engine: &dyn Engine) {
    let database = engine.open(&SCHEMA).unwrap();
    let by_time = |tx: &mut croft_store::Tx<'_>| tx.page::<Counter>(ListBy::All, Sort::TimeAsc, None, 5);
    assert!(matches!(database.read_blocking(by_time), Err(StoreError::Internal(_))));
    let by_parent = |tx: &mut croft_store::Tx<'_>| tx.exists::<Counter>(ListBy::Parent(Uuid::nil()));
    assert!(matches!(database.read_blocking(by_parent), Err(StoreError::Internal(_))));
    let wrong_marker = |tx: &mut croft_store::Tx<'_>| {
        tx.page::<Volume>(ListBy::All, Sort::TimeAsc, Some(Marker::Id(Uuid::nil())), 5)
    };
    assert!(matches!(database.read_blocking(wrong_marker), Err(StoreError::Internal(_))));
}
