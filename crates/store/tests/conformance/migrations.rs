//! From version to version.

use croft_store::{Key, KeyKind, ListBy, Lookup, Meta, Migration, Order, Schema, StoreError, Table, record};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{
    homes::Home,
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

static FIRST: Schema = Schema {
    tables: &[<first::Host as croft_store::Record>::TABLE],
    migrations: &[Migration::tables(1, "hosts")],
};

static SECOND: Schema = Schema {
    tables: &[<Host as croft_store::Record>::TABLE, <Rack as croft_store::Record>::TABLE],
    migrations: &[Migration::tables(1, "hosts"), Migration::with_data(2, "racks", fill_racks)],
};

static BROKEN: Schema = Schema {
    tables: SECOND.tables,
    migrations: &[Migration::tables(1, "hosts"), Migration::with_data(2, "racks", fail)],
};

fn fill_racks(tx: &mut croft_store::Tx<'_>) -> Result<(), StoreError> {
    tx.refresh_lookups::<Host>()?;
    tx.insert(&Rack { meta: Meta::new(Uuid::from_u128(1), moment(0)), name: "r1".into() })
}

fn fail(tx: &mut croft_store::Tx<'_>) -> Result<(), StoreError> {
    fill_racks(tx)?;
    Err(StoreError::Internal("on purpose".into()))
}

fn host(rack: &str) -> first::Host {
    first::Host { meta: Meta::new(Uuid::new_v4(), moment(0)), rack: rack.into() }
}

pub fn reopening_keeps_everything(home: &dyn Home) {
    let database = home.open(&SCHEMA).unwrap();
    let record = volume(project(1), "data");
    insert(&database, &record).unwrap();
    insert(&database, &counter(1)).unwrap();
    let changes = read(&database, |tx| tx.changes_since(0, 10));
    drop(database);

    let database = home.open(&SCHEMA).unwrap();
    let id = record.meta.id;
    assert_eq!(read(&database, move |tx| tx.get::<Volume>(id)), Some(record));
    assert_eq!(read(&database, |tx| tx.changes_since(0, 10)), changes);
    insert(&database, &volume(project(1), "more")).unwrap();
    let later = read(&database, |tx| tx.changes_since(0, 10));
    assert!(later[1].seq > later[0].seq);
}

pub fn later_migrations_add_tables_and_lookups(home: &dyn Home) {
    let database = home.open(&FIRST).unwrap();
    // More than the migration rewrites at a time.
    let hosts: Vec<_> = (0..1200).map(|number| host(&format!("r{}", number % 3))).collect();
    write(&database, move |tx| hosts.iter().try_for_each(|host| tx.insert(host))).unwrap();
    drop(database);

    let database = home.open(&SECOND).unwrap();
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
    home.open(&SECOND).unwrap();
}

pub fn newer_databases_are_refused(home: &dyn Home) {
    drop(home.open(&SECOND).unwrap());
    let refused = home.open(&FIRST).err().unwrap();
    assert_eq!(refused, StoreError::TooNew { found: 2, known: 1 });
    assert!(refused.to_string().contains("schema version 2"), "{refused}");
    home.open(&SECOND).unwrap();
}

pub fn a_failed_migration_leaves_no_trace(home: &dyn Home) {
    let database = home.open(&FIRST).unwrap();
    insert(&database, &host("r1")).unwrap();
    drop(database);
    assert_eq!(home.open(&BROKEN).err(), Some(StoreError::Internal("on purpose".into())));
    let database = home.open(&FIRST).unwrap();
    assert_eq!(read(&database, |tx| tx.count::<first::Host>(ListBy::All)), 1);
    drop(database);
    let database = home.open(&SECOND).unwrap();
    assert_eq!(read(&database, |tx| tx.count::<Rack>(ListBy::All)), 1);
}
