//! Migrations between versions.

use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
};

use croft_store::{
    Dialect, Documents, Edit, Key, KeyKind, ListBy, Lookup, Meta, Migration, NewRow, Order, Schema, Sort,
    StoreError, Table, record,
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use uuid::Uuid;

use crate::{
    engines::Engine,
    records::{SCHEMA, Volume, counter, moment, project, volume},
    tables::{insert, read, write},
};

mod first {
    use super::{Deserialize, Meta, Order, Serialize, Table, record};

    #[derive(Clone, Debug, Serialize, Deserialize)]
    pub struct Host {
        pub meta: Meta,
        pub rack: String,
    }

    record! {
        Host as host {
            table: Table::new("host").by_all(&[Order::Time]);
        }
    }
}

/// The second version: a lookup by rack, and a table of racks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Host {
    meta: Meta,
    rack: String,
}

record! {
    Host as host {
        table: Table::new("host").by_all(&[Order::Time]);
        lookups: {
            RACK: Lookup::new("rack", KeyKind::Text).since(2) = host.rack.as_str();
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Rack {
    meta: Meta,
    name: String,
}

record! {
    Rack as rack {
        table: Table::named("rack").since(2);
        name: Some(rack.name.as_str());
    }
}

static FIRST: Schema =
    Schema::new(&[<first::Host as croft_store::Record>::TABLE], &[Migration::tables(1, "hosts")]);

const SECOND_TABLES: &[&Table] =
    &[<Host as croft_store::Record>::TABLE, <Rack as croft_store::Record>::TABLE];

static SECOND: Schema = Schema::new(
    SECOND_TABLES,
    &[Migration::tables(1, "hosts"), Migration::with_data(2, "racks", fill_racks)],
);

static BROKEN: Schema =
    Schema::new(SECOND_TABLES, &[Migration::tables(1, "hosts"), Migration::with_data(2, "racks", fail)]);

/// The second version with declarations that were changed without a migration.
static DRIFTED: Schema = Schema::new(
    &[<Host as croft_store::Record>::TABLE],
    &[Migration::tables(1, "hosts"), Migration::with_data(2, "racks", fill_racks)],
);

/// The version after that.
static DRIFTED_LATER: Schema = Schema::new(
    &[<Host as croft_store::Record>::TABLE],
    &[
        Migration::tables(1, "hosts"),
        Migration::with_data(2, "racks", fill_racks),
        Migration::tables(3, "nothing"),
    ],
);

/// The third version: hosts are renamed to servers, racks become a field instead of a table, and lists are sorted
/// differently.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Server {
    meta: Meta,
    place: String,
    rack_id: Option<Uuid>,
}

record! {
    Server as server {
        table: Table::new("server").by_parent(&[Order::Id]).history(&[
            (3, Edit::Renamed { from: "host" }),
            (3, Edit::LookupRenamed { lookup: "place", from: "rack" }),
            (3, Edit::LookupOrderAdded { lookup: "place", order: Order::Time }),
            (3, Edit::ParentOrderAdded(Order::Id)),
            (3, Edit::AllOrderDropped(Order::Time)),
        ]);
        lookups: {
            PLACE: Lookup::new("place", KeyKind::Text).orders(&[Order::Id, Order::Time]).since(2) = server.place.as_str();
            RACK_ID: Lookup::new("rack_id", KeyKind::Id).since(3) = server.rack_id;
        }
    }
}

const DROPPED: &[(u32, &Table)] = &[(3, <Rack as croft_store::Record>::TABLE)];

static THIRD: Schema = Schema::new(
    &[<Server as croft_store::Record>::TABLE],
    &[
        Migration::tables(1, "hosts"),
        Migration::with_data(2, "racks", fill_racks),
        Migration::with_data(3, "servers", find_racks),
    ],
)
.dropped(DROPPED);

/// The fourth version: servers can no longer be looked up by their place.
mod fourth {
    use super::{Deserialize, Edit, KeyKind, Lookup, Meta, Order, Serialize, Table, Uuid, record};

    #[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
    pub struct Server {
        pub meta: Meta,
        pub rack_id: Option<Uuid>,
    }

    static PLACE: Lookup = Lookup::new("place", KeyKind::Text).orders(&[Order::Id, Order::Time]).since(2);

    record! {
        Server as server {
            table: Table::new("server").by_all(&[Order::Time]).history(&[
                (3, Edit::Renamed { from: "host" }),
                (3, Edit::LookupRenamed { lookup: "place", from: "rack" }),
                (3, Edit::LookupOrderAdded { lookup: "place", order: Order::Time }),
                (3, Edit::ParentOrderAdded(Order::Id)),
                (3, Edit::AllOrderDropped(Order::Time)),
                (4, Edit::LookupDropped(&PLACE)),
                (4, Edit::ParentOrderDropped(Order::Id)),
                (4, Edit::AllOrderAdded(Order::Time)),
            ]);
            lookups: {
                RACK_ID: Lookup::new("rack_id", KeyKind::Id).since(3) = server.rack_id;
            }
        }
    }
}

static FOURTH: Schema = Schema::new(
    &[<fourth::Server as croft_store::Record>::TABLE],
    &[
        Migration::tables(1, "hosts"),
        Migration::with_data(2, "racks", fill_racks),
        Migration::with_data(3, "servers", find_racks),
        Migration::with_data(4, "places are no more", forget_places),
    ],
)
.dropped(DROPPED);

fn fill_racks(documents: &mut Documents<'_, '_>) -> Result<(), StoreError> {
    documents.rewrite("host", |_, host| {
        let rack = host.document["rack"].as_str().unwrap().to_owned();
        host.set("rack", rack);
        Ok(())
    })?;
    let id = Uuid::from_u128(1);
    let document = json!({"meta": [id, 0, 0, null, 1], "name": "r1"});
    let row = NewRow { parent: Uuid::nil(), name: Some("r1"), columns: &[], document };
    documents.insert("rack", &row)
}

fn fail(documents: &mut Documents<'_, '_>) -> Result<(), StoreError> {
    fill_racks(documents)?;
    Err(StoreError::Internal("on purpose".into()))
}

/// Reads the table that this migration drops.
fn find_racks(documents: &mut Documents<'_, '_>) -> Result<(), StoreError> {
    let mut racks = BTreeMap::new();
    documents.rewrite("rack", |_, rack| {
        racks.insert(rack.document["name"].as_str().unwrap().to_owned(), rack.id);
        Ok(())
    })?;
    documents.rewrite("server", |_, server| {
        let place = server.document.as_object_mut().unwrap().remove("rack").unwrap();
        let rack_id = racks.get(place.as_str().unwrap()).copied();
        server.document["place"] = place;
        server.document["rack_id"] = json!(rack_id);
        server.set("rack_id", rack_id);
        Ok(())
    })
}

/// Reads the column that this migration drops.
fn forget_places(documents: &mut Documents<'_, '_>) -> Result<(), StoreError> {
    documents.rewrite("server", |documents, server| {
        let place = server.document.as_object_mut().unwrap().remove("place").unwrap();
        assert!(!server.is_live || documents.find("server", "place", place.as_str().unwrap())?.is_some());
        Ok(())
    })
}

fn host(rack: &str) -> first::Host {
    first::Host { meta: Meta::new(Uuid::new_v4(), moment(0)), rack: rack.into() }
}

pub fn reopened_database_keeps_its_content(engine: &dyn Engine) {
    let database = engine.open(&SCHEMA).unwrap();
    let record = volume(project(1), "data");
    insert(&database, &record).unwrap();
    insert(&database, &counter(1)).unwrap();
    let changes = read(&database, |tx| tx.changes_since(0, 10));
    drop(database);

    let database = engine.open(&SCHEMA).unwrap();
    let id = record.meta.id;
    assert_eq!(read(&database, move |tx| tx.get::<Volume>(id)), Some(record));
    assert_eq!(read(&database, |tx| tx.changes_since(0, 10)), changes);
    insert(&database, &volume(project(1), "more")).unwrap();
    let later = read(&database, |tx| tx.changes_since(0, 10));
    assert!(later[1].seq > later[0].seq);
}

pub fn later_migrations_add_tables_and_lookups(engine: &dyn Engine) {
    let database = engine.open(&FIRST).unwrap();
    // More rows than the migration rewrites at once.
    let hosts: Vec<_> = (0..1200).map(|number| host(&format!("r{}", number % 3))).collect();
    write(&database, move |tx| hosts.iter().try_for_each(|host| tx.insert(host))).unwrap();
    drop(database);

    let database = engine.open(&SECOND).unwrap();
    let by_rack = |tx: &mut croft_store::Tx<'_>| tx.count::<Host>(ListBy::lookup(Host::RACK, "r1"));
    assert_eq!(read(&database, by_rack), 400);
    assert!(read(&database, |tx| tx.get_by_name::<Rack>(Uuid::nil(), "r1")).is_some());
    write(&database, |tx| {
        let mut host = tx.find::<Host>(Host::RACK, "r2")?.unwrap();
        host.rack = "r9".into();
        tx.update(&mut host)
    })
    .unwrap();
    assert!(read(&database, |tx| tx.find::<Host>(Host::RACK, Key::from("r9"))).is_some());
    drop(database);
    engine.open(&SECOND).unwrap();
}

pub fn newer_databases_are_refused(engine: &dyn Engine) {
    drop(engine.open(&SECOND).unwrap());
    let refused = engine.open(&FIRST).err().unwrap();
    assert_eq!(refused, StoreError::TooNew { found: 2, known: 1 });
    assert!(refused.to_string().contains("schema version 2"), "{refused}");
    engine.open(&SECOND).unwrap();
}

pub fn failed_migration_changes_nothing(engine: &dyn Engine) {
    let database = engine.open(&FIRST).unwrap();
    insert(&database, &host("r1")).unwrap();
    drop(database);
    assert_eq!(engine.open(&BROKEN).err(), Some(StoreError::Internal("on purpose".into())));
    let database = engine.open(&FIRST).unwrap();
    assert_eq!(read(&database, |tx| tx.count::<first::Host>(ListBy::All)), 1);
    drop(database);
    let database = engine.open(&SECOND).unwrap();
    assert_eq!(read(&database, |tx| tx.count::<Rack>(ListBy::All)), 1);
}

pub fn tables_and_columns_are_renamed_and_dropped(engine: &dyn Engine) {
    let database = engine.open(&FIRST).unwrap();
    let hosts: Vec<_> = (0..900).map(|number| host(&format!("r{}", number % 3))).collect();
    let deleted = hosts[1].meta.id;
    write(&database, move |tx| hosts.iter().try_for_each(|host| tx.insert(host))).unwrap();
    write(&database, move |tx| {
        let mut host = tx.get::<first::Host>(deleted)?.unwrap();
        tx.delete(&mut host, moment(1))
    })
    .unwrap();
    drop(database);

    // Through the second version, and directly.
    drop(engine.open(&SECOND).unwrap());
    let database = engine.open(&THIRD).unwrap();
    let rack = Uuid::from_u128(1);
    let count = |by: ListBy| read(&database, move |tx| tx.count::<Server>(by.clone()));
    assert_eq!(count(ListBy::lookup(Server::RACK_ID, rack)), 299);
    assert_eq!(count(ListBy::lookup(Server::PLACE, "r2")), 300);
    let page = |tx: &mut croft_store::Tx<'_>| {
        tx.page::<Server>(ListBy::lookup(Server::PLACE, "r2"), Sort::TimeAsc, None, 5)
    };
    assert_eq!(read(&database, page).len(), 5);
    let gone = read(&database, move |tx| tx.get_any::<Server>(deleted)).unwrap();
    assert_eq!((gone.place.as_str(), gone.rack_id, gone.meta.generation), ("r1", Some(rack), 2));
    // The change log contains the current name of the table.
    let changes = read(&database, |tx| tx.changes_since(0, 10_000));
    assert!(changes.iter().all(|change| change.kind == "server"), "{:?}", changes.first());
    assert_eq!(changes.len(), 901);
    drop(database);

    let database = engine.open(&FOURTH).unwrap();
    let found = read(&database, |tx| tx.page::<fourth::Server>(ListBy::All, Sort::TimeAsc, None, 1000));
    assert_eq!(found.len(), 899);
    assert_eq!(found.iter().filter(|server| server.rack_id == Some(rack)).count(), 299);
}

pub fn a_new_database_takes_all_migrations(engine: &dyn Engine) {
    let database = engine.open(&FOURTH).unwrap();
    insert(&database, &fourth::Server { meta: Meta::new(Uuid::from_u128(7), moment(0)), rack_id: None })
        .unwrap();
    drop(database);
    engine.open(&FOURTH).unwrap();
    let refused = engine.open(&THIRD).err();
    assert_eq!(refused, Some(StoreError::TooNew { found: 4, known: 3 }));
}

pub fn other_tables_at_the_same_version_are_refused(engine: &dyn Engine) {
    drop(engine.open(&SECOND).unwrap());
    let refused = engine.open(&DRIFTED).err().unwrap();
    assert_eq!(refused, StoreError::SchemaDiffers { version: 2 });
    assert!(refused.to_string().contains("add a migration"), "{refused}");
    drop(engine.open(&SECOND).unwrap());
    // A migration does not start on tables of an unexpected form.
    assert_eq!(engine.open(&DRIFTED_LATER).err(), Some(StoreError::SchemaDiffers { version: 2 }));
}

/// The effect of each migration on tables and indexes, for review.
#[test]
fn migration_statements_in_both_dialects_match_snapshots() {
    for (name, dialect) in [("edits_sqlite", Dialect::Sqlite), ("edits_postgres", Dialect::Postgres)] {
        insta::assert_snapshot!(name, FOURTH.statements(dialect).join(";\n"));
    }
}

#[test]
fn numbers_beyond_the_range_of_json_values_are_refused() {
    #[derive(Clone, Debug, Serialize, Deserialize)]
    struct Wide {
        meta: Meta,
        number: u128,
    }
    record! {
        Wide as wide {
            table: Table::new("wide");
        }
    }
    static WIDE: Schema =
        Schema::new(&[<Wide as croft_store::Record>::TABLE], &[Migration::tables(1, "numbers")]);
    let database = croft_store::Database::in_memory(&WIDE).unwrap();
    insert(&database, &Wide { meta: Meta::new(Uuid::from_u128(1), moment(0)), number: u128::MAX }).unwrap();
    let step = Migration::with_data(2, "numbers", |documents| documents.rewrite("wide", |_, _| Ok(())));
    let refused = write(&database, move |tx| step.change_data(tx)).unwrap_err();
    assert!(refused.to_string().contains("cannot keep exactly"), "{refused}");
}

/// The number of statements that a migration may still execute.
static LEFT: AtomicUsize = AtomicUsize::new(usize::MAX);

pub fn interrupt(_: &str) {
    let let_through = LEFT.fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| left.checked_sub(1));
    assert!(let_through.is_ok(), "interrupted");
}

/// Opens a database repeatedly, each time interrupted one statement later, until the migration completes. Returns the
/// number of statements.
pub fn interrupted_at_each_statement(engine: &dyn Engine, schema: &'static Schema) -> usize {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    for statements in 0..5000 {
        LEFT.store(statements, Ordering::SeqCst);
        // A panic has the effect of a crash: nothing after it runs, including the rollback.
        if let Ok(Ok(database)) = catch_unwind(AssertUnwindSafe(|| engine.open(schema))) {
            drop(database);
            return statements;
        }
    }
    panic!("the migration does not complete")
}

static FIRST_INTERRUPTED: Schema = Schema::new(FIRST.tables, FIRST.migrations).observed(interrupt);
static FOURTH_INTERRUPTED: Schema =
    Schema::new(FOURTH.tables, FOURTH.migrations).dropped(DROPPED).observed(interrupt);

pub fn migration_resumes_after_a_crash_at_any_statement(engine: &dyn Engine) {
    assert!(interrupted_at_each_statement(engine, &FIRST_INTERRUPTED) > 5);
    let database = engine.open(&FIRST).unwrap();
    let hosts: Vec<_> = (0..3).map(|number| host(&format!("r{number}"))).collect();
    let mut expected: Vec<(Uuid, Option<Uuid>)> =
        hosts.iter().map(|host| (host.meta.id, (host.rack == "r1").then_some(Uuid::from_u128(1)))).collect();
    expected.sort_unstable();
    write(&database, move |tx| hosts.iter().try_for_each(|host| tx.insert(host))).unwrap();
    drop(database);

    assert!(interrupted_at_each_statement(engine, &FOURTH_INTERRUPTED) > 30);
    let database = engine.open(&FOURTH).unwrap();
    let found = read(&database, |tx| tx.page::<fourth::Server>(ListBy::All, Sort::IdAsc, None, 10));
    let found: Vec<_> = found.into_iter().map(|server| (server.meta.id, server.rack_id)).collect();
    assert_eq!(found, expected);
    assert_eq!(read(&database, |tx| tx.changes_since(0, 10)).len(), 3);
}
