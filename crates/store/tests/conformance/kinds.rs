//! Examples of every kind of record that Croft stores.

use std::{collections::BTreeSet, fs, path::Path};

use croft_store::{ListBy, Marker, Meta, Record, Sort, StoreError, Table, Tx, for_each_record, records};
use jiff::Timestamp;
use serde_json::Value;
use uuid::Uuid;

use crate::maker;

/// A kind of record, independent of its type.
pub struct Kind {
    pub table: &'static Table,
    /// Examples in stored form: one for each variant of each enumeration in the record.
    pub documents: fn() -> Vec<Value>,
    /// Inserts the examples.
    pub insert: fn(&mut Tx<'_>) -> Result<(), StoreError>,
    /// Reads all live records through their type, in the order of their IDs. Returns them in stored form.
    pub read: fn(&mut Tx<'_>) -> Result<Vec<Value>, StoreError>,
}

macro_rules! kinds {
    ($($record:ident)*) => {
        &[$(Kind {
            table: <records::$record as Record>::TABLE,
            documents: documents::<records::$record>,
            insert: insert::<records::$record>,
            read: read::<records::$record>,
        }),*]
    };
}

pub static ALL: &[Kind] = for_each_record!(kinds);

/// Examples that can be stored together. They are the same in each call.
fn examples<R: Record>() -> Vec<R> {
    let time = Timestamp::from_second(1_790_000_000).unwrap();
    let numbered = (1_u128..).zip(maker::examples::<R>(0));
    let with_meta = numbered.map(|(number, mut record)| {
        *record.meta_mut() = Meta::new(Uuid::from_u128((number << 64) | 0x4000_8000_0000_0000), time);
        record
    });
    with_meta.collect()
}

fn documents<R: Record>() -> Vec<Value> {
    examples::<R>().iter().map(document).collect()
}

fn document<R: Record>(record: &R) -> Value {
    serde_json::from_str(&serde_json::to_string(record).unwrap()).unwrap()
}

fn insert<R: Record>(tx: &mut Tx<'_>) -> Result<(), StoreError> {
    examples::<R>().iter().try_for_each(|record| tx.insert(record))
}

fn read<R: Record>(tx: &mut Tx<'_>) -> Result<Vec<Value>, StoreError> {
    const PAGE: usize = 100;
    let (mut documents, mut after) = (Vec::new(), None);
    loop {
        let page: Vec<R> = tx.page(ListBy::All, Sort::IdAsc, after, PAGE)?;
        documents.extend(page.iter().map(document));
        match page.last() {
            Some(last) if page.len() == PAGE => after = Some(Marker::after(last, Sort::IdAsc)),
            _ => return Ok(documents),
        }
    }
}

macro_rules! names {
    ($($record:ident)*) => { [$(stringify!($record)),*] };
}

/// A record that is left out of the list has no table, and no other test notices that.
#[test]
fn every_record_type_is_listed() {
    let listed = BTreeSet::from(for_each_record!(names));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/records");
    let mut declared = 0;
    for file in fs::read_dir(folder).unwrap() {
        let source = fs::read_to_string(file.unwrap().path()).unwrap();
        for declaration in source.split("record! {").skip(1) {
            let record = declaration.split_whitespace().next().unwrap();
            assert!(
                listed.contains(record),
                "add {record} to `for_each_record!` in crates/store/src/records.rs"
            );
            declared += 1;
        }
    }
    assert!(declared > 50, "only {declared} declarations were found");
}

/// Databases contain documents of this form. If the snapshot differs, the stored form has changed, and existing
/// databases have the old form. Optional fields need `#[serde(default)]`. New variants and fields only add lines here.
/// Other changes need a migration (CONTRIBUTING.md, "Add a migration"). Then accept the new snapshot.
#[test]
fn documents_are_stored_as_released() {
    for kind in ALL {
        let lines: Vec<String> = (kind.documents)().iter().map(|document| format!("{document:#}")).collect();
        insta::with_settings!({
            snapshot_path => "snapshots/documents",
            prepend_module_to_snapshot => false,
            description => "If this differs, databases hold another form: see documents_are_stored_as_released",
        }, {
            insta::assert_snapshot!(kind.table.name, lines.join("\n"));
        });
    }
}
