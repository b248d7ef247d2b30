//! Random operations on the store, compared with a simple model.

use std::collections::BTreeMap;

use croft_store::{Database, ListBy, Marker, Sort, StoreError, Tx};
use proptest::{
    collection::vec,
    prelude::*,
    test_runner::{Config, TestRunner},
};
use uuid::Uuid;

use crate::{
    engines::Engine,
    records::{SCHEMA, Volume, moment, volume},
    tables::{read, write},
};

/// A step. Numbers select from few IDs, names and hosts, so that steps often collide.
#[derive(Clone, Debug)]
enum Step {
    Insert {
        id: u8,
        project: u8,
        name: u8,
        host: Option<u8>,
        serial: Option<u8>,
    },
    Update {
        id: u8,
        project: u8,
        name: u8,
        host: Option<u8>,
        serial: Option<u8>,
        stale: bool,
    },
    Touch {
        id: u8,
    },
    Delete {
        id: u8,
    },
    Remove {
        id: u8,
    },
    /// Steps in a savepoint, which is rolled back at the end or not.
    Part {
        steps: Vec<Step>,
        undo: bool,
    },
}

fn step() -> impl Strategy<Value = Step> {
    let id = || 0..12_u8;
    let fields =
        || (0..3_u8, 0..4_u8, proptest::option::of(0..3_u8), proptest::option::weighted(0.3, 0..4_u8));
    let simple = prop_oneof![
        4 => (id(), fields()).prop_map(|(id, (project, name, host, serial))| {
            Step::Insert { id, project, name, host, serial }
        }),
        3 => (id(), fields(), prop::bool::weighted(0.2)).prop_map(|(id, (project, name, host, serial), stale)| {
            Step::Update { id, project, name, host, serial, stale }
        }),
        1 => id().prop_map(|id| Step::Touch { id }),
        2 => id().prop_map(|id| Step::Delete { id }),
        1 => id().prop_map(|id| Step::Remove { id }),
    ];
    simple.prop_recursive(2, 12, 4, |inner| {
        (vec(inner, 1..4), any::<bool>()).prop_map(|(steps, undo)| Step::Part { steps, undo })
    })
}

/// Operations: lists of steps in one transaction each, which is rolled back at the end or not.
fn operations() -> impl Strategy<Value = Vec<(Vec<Step>, bool)>> {
    vec((vec(step(), 1..6), prop::bool::weighted(0.2)), 1..12)
}

/// The expected content: every row, including deleted ones.
#[derive(Clone, Debug, Default, PartialEq)]
struct Model {
    rows: BTreeMap<Uuid, Volume>,
}

impl Model {
    fn live(&self) -> impl Iterator<Item = &Volume> {
        self.rows.values().filter(|row| row.meta.time_deleted.is_none())
    }

    fn clashes(&self, candidate: &Volume) -> bool {
        self.live().any(|row| {
            row.meta.id != candidate.meta.id
                && ((row.project, &row.name) == (candidate.project, &candidate.name)
                    || (row.serial.is_some() && row.serial == candidate.serial))
        })
    }

    fn insert(&mut self, row: Volume) -> Result<(), StoreError> {
        if self.rows.contains_key(&row.meta.id) || self.clashes(&row) {
            return Err(StoreError::Exists);
        }
        self.rows.insert(row.meta.id, row);
        Ok(())
    }

    fn update(&mut self, mut row: Volume) -> Result<(), StoreError> {
        let current = self.rows.get(&row.meta.id).filter(|current| current.meta.time_deleted.is_none());
        if current.is_none_or(|current| current.meta.generation != row.meta.generation) {
            return Err(StoreError::Conflict);
        }
        if row.meta.time_deleted.is_none() && self.clashes(&row) {
            return Err(StoreError::Exists);
        }
        row.meta.generation += 1;
        self.rows.insert(row.meta.id, row);
        Ok(())
    }
}

fn row_id(id: u8) -> Uuid {
    Uuid::from_u128(u128::from(id) + 1)
}

fn fill(mut row: Volume, project: u8, host: Option<u8>, serial: Option<u8>) -> Volume {
    row.project = crate::records::project(project.into());
    row.host = host.map(|host| Uuid::from_u128(0xc000 + u128::from(host)));
    row.serial = serial.map(|serial| format!("serial-{serial}"));
    row
}

/// Applies a step to both and compares the results. An update starts from the row in the store.
fn apply(tx: &mut Tx<'_>, model: &mut Model, step: &Step) -> Result<(), StoreError> {
    match step {
        Step::Insert { id, project, name, host, serial } => {
            let mut row = volume(Uuid::nil(), &format!("name-{name}"));
            row.meta.id = row_id(*id);
            row.meta.time_created = moment(i64::from(id % 4));
            let row = fill(row, *project, *host, *serial);
            assert_eq!(tx.insert(&row), model.insert(row), "{step:?}");
        }
        Step::Update { id, project, name, host, serial, stale } => {
            let Some(mut row) = tx.get_any::<Volume>(row_id(*id))? else { return Ok(()) };
            row.name = format!("name-{name}");
            row.meta.generation -= u64::from(*stale);
            let mut row = fill(row, *project, *host, *serial);
            if row.meta.time_deleted.is_some() {
                return Ok(());
            }
            let expected = model.update(row.clone());
            assert_eq!(tx.update(&mut row), expected, "{step:?}");
        }
        Step::Touch { id } => {
            let Some(mut row) = tx.get::<Volume>(row_id(*id))? else { return Ok(()) };
            row.note.push('x');
            let expected = model.update(row.clone());
            assert_eq!(tx.update(&mut row), expected, "{step:?}");
        }
        Step::Delete { id } => {
            let Some(mut row) = tx.get::<Volume>(row_id(*id))? else { return Ok(()) };
            let mut gone = row.clone();
            gone.meta.time_modified = moment(50);
            gone.meta.time_deleted = Some(moment(50));
            let expected = model.update(gone);
            assert_eq!(tx.delete(&mut row, moment(50)), expected, "{step:?}");
        }
        Step::Remove { id } => {
            let expected = model.rows.remove(&row_id(*id)).is_some();
            assert_eq!(tx.remove::<Volume>(row_id(*id), moment(60))?, expected, "{step:?}");
        }
        Step::Part { steps, undo } => {
            let before = model.clone();
            let result = tx.savepoint(|tx| {
                for step in steps {
                    apply(tx, model, step)?;
                }
                if *undo { Err(StoreError::Conflict) } else { Ok(()) }
            });
            if *undo {
                assert_eq!(result, Err(StoreError::Conflict));
                *model = before;
            } else {
                result?;
            }
        }
    }
    Ok(())
}

fn check(database: &Database, model: &Model) {
    let expected = model.clone();
    read(database, move |tx| {
        for id in 0..12 {
            let row = expected.rows.get(&row_id(id));
            assert_eq!(tx.get_any::<Volume>(row_id(id))?.as_ref(), row);
        }
        for (by, sort) in [
            (ListBy::All, Sort::TimeDesc),
            (ListBy::Parent(crate::records::project(1)), Sort::NameAsc),
            (ListBy::lookup(Volume::HOST, Uuid::from_u128(0xc001)), Sort::NameDesc),
        ] {
            assert_eq!(listed(tx, &by, sort)?, expected_list(&expected, &by, sort), "{by:?} {sort:?}");
        }
        Ok(())
    });
}

fn listed(tx: &mut Tx<'_>, by: &ListBy, sort: Sort) -> Result<Vec<Volume>, StoreError> {
    let mut all: Vec<Volume> = Vec::new();
    loop {
        let after = all.last().map(|last| Marker::after(last, sort));
        let next = tx.page::<Volume>(by.clone(), sort, after, 2)?;
        if next.is_empty() {
            assert_eq!(tx.count::<Volume>(by.clone())?, all.len() as u64);
            return Ok(all);
        }
        all.extend(next);
    }
}

fn expected_list(model: &Model, by: &ListBy, sort: Sort) -> Vec<Volume> {
    let mut rows: Vec<Volume> = model
        .live()
        .filter(|row| match by {
            ListBy::All => true,
            ListBy::Parent(parent) => row.project == *parent,
            ListBy::Lookup(_, key) => croft_store::Key::from(row.host) == *key,
        })
        .cloned()
        .collect();
    rows.sort_by(|a, b| match sort {
        Sort::NameAsc => (&a.name, a.meta.id).cmp(&(&b.name, b.meta.id)),
        Sort::NameDesc => (&b.name, b.meta.id).cmp(&(&a.name, a.meta.id)),
        Sort::IdAsc => a.meta.id.cmp(&b.meta.id),
        Sort::TimeAsc => (a.meta.time_created, a.meta.id).cmp(&(b.meta.time_created, b.meta.id)),
        Sort::TimeDesc => (b.meta.time_created, b.meta.id).cmp(&(a.meta.time_created, a.meta.id)),
    });
    rows
}

pub fn random_operations_agree_with_model(engine: &dyn Engine) {
    let database = engine.open(&SCHEMA).unwrap();
    let config = Config { cases: 40, failure_persistence: None, ..Config::default() };
    TestRunner::new(config)
        .run(&operations(), |operations| {
            write(&database, |tx| {
                (0..12).try_for_each(|id| tx.remove::<Volume>(row_id(id), moment(0)).map(drop))
            })
            .unwrap();
            let mut model = Model::default();
            for (steps, undo) in operations {
                let before = model.clone();
                let outcome = write(&database, move |tx| {
                    let mut model = before.clone();
                    for step in &steps {
                        apply(tx, &mut model, step)?;
                    }
                    if undo { Err(StoreError::Conflict) } else { Ok(model) }
                });
                match outcome {
                    Ok(after) => model = after,
                    Err(error) => prop_assert_eq!((error, undo), (StoreError::Conflict, true)),
                }
                check(&database, &model);
            }
            Ok(())
        })
        .unwrap();
}
