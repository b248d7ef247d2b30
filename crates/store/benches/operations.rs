//! How many operations a second the SQLite engine does: `cargo bench -p croft-store`.
//!
//! A create is what an instance's or disk's creation costs: three gets, three updates and two inserts in one durable
//! operation, asked for by 64 callers at once.

use std::{
    sync::atomic::{AtomicU64, Ordering},
    thread,
    time::{Duration, Instant},
};

use croft_store::{
    Database, KeyKind, ListBy, Lookup, Meta, Migration, Record as _, Schema, Scope, Sort, SqliteOptions,
    StoreError, Table, Tx, record,
};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

#[derive(Clone, Serialize, Deserialize)]
struct Volume {
    meta: Meta,
    silo: Uuid,
    project: Uuid,
    name: String,
    description: String,
    host: Option<Uuid>,
    size: u64,
}

record! {
    Volume as volume {
        table: Table::named("volume");
        parent: volume.project;
        name: Some(volume.name.as_str());
        scope: Scope::project(volume.silo, volume.project);
        lookups: {
            HOST: Lookup::new("host_id", KeyKind::Id) = volume.host;
        }
    }
}

#[derive(Clone, Serialize, Deserialize)]
struct Usage {
    meta: Meta,
    volumes: u64,
    bytes: u64,
}

record! {
    Usage as usage {
        table: Table::new("usage").unlogged();
    }
}

static SCHEMA: Schema = Schema::new(&[Volume::TABLE, Usage::TABLE], &[Migration::tables(1, "bench")]);

const CALLERS: u64 = 64;
const DURATION: Duration = Duration::from_secs(3);
const USAGES: [Uuid; 3] = [Uuid::from_u128(1), Uuid::from_u128(2), Uuid::from_u128(3)];

fn volume(name: String) -> Volume {
    Volume {
        meta: Meta::new(Uuid::new_v4(), Timestamp::UNIX_EPOCH),
        silo: Uuid::from_u128(9),
        project: Uuid::from_u128(u128::from(name.len() as u64)),
        name,
        description: "a description of the usual length, about one sentence".into(),
        host: Some(Uuid::from_u128(4)),
        size: 10 << 30,
    }
}

fn create(tx: &mut Tx<'_>, pair: &[Volume; 2]) -> Result<(), StoreError> {
    for id in USAGES {
        let mut usage = tx.get::<Usage>(id)?.ok_or(StoreError::Conflict)?;
        usage.volumes += 1;
        usage.bytes += pair[0].size;
        tx.update(&mut usage)?;
    }
    tx.insert(&pair[0])?;
    tx.insert(&pair[1])
}

/// Runs `operation` from many threads for a while and prints the rate.
fn measure(label: &str, operation: impl Fn(u64) + Sync) {
    let done = AtomicU64::new(0);
    let start = Instant::now();
    thread::scope(|scope| {
        for caller in 0..CALLERS {
            let (operation, done) = (&operation, &done);
            scope.spawn(move || {
                let mut number = caller;
                while start.elapsed() < DURATION {
                    operation(number);
                    number += CALLERS;
                    done.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    });
    let rate = done.load(Ordering::Relaxed) * 1000 / u64::try_from(start.elapsed().as_millis()).unwrap_or(1);
    println!("{label}: {rate}/s");
}

fn main() {
    let directory = tempfile::TempDir::new().expect("a temporary folder");
    let start = Instant::now();
    let options = SqliteOptions::new(directory.path().join("croft.db"));
    let database = Database::sqlite(&options, &SCHEMA).expect("a database");
    println!("cold start: {:?}", start.elapsed());
    database
        .write_blocking::<_, StoreError, _>(|tx| {
            for id in USAGES {
                tx.insert(&Usage { meta: Meta::new(id, Timestamp::UNIX_EPOCH), volumes: 0, bytes: 0 })?;
            }
            Ok(())
        })
        .expect("usages");
    let listed: Vec<Volume> = (0..1000).map(|number| volume(format!("listed-{number:04}"))).collect();
    let (ids, project) = (listed.iter().map(|v| v.meta.id).collect::<Vec<_>>(), listed[0].project);
    database
        .write_blocking::<_, StoreError, _>(move |tx| listed.iter().try_for_each(|volume| tx.insert(volume)))
        .expect("volumes");

    measure("point reads", |number| {
        let id = ids[usize::try_from(number).unwrap_or(0) % ids.len()];
        let found = database.read_blocking::<_, StoreError, _>(move |tx| tx.get::<Volume>(id));
        assert!(found.expect("a read").is_some());
    });
    measure("lists of 50", |_| {
        let by = move || ListBy::Parent(project);
        let found = database
            .read_blocking::<_, StoreError, _>(move |tx| tx.page::<Volume>(by(), Sort::NameAsc, None, 50));
        assert_eq!(found.expect("a list").len(), 50);
    });
    measure("durable creates", |number| {
        let pair = [volume(format!("volume-{number}")), volume(format!("second-{number}"))];
        database.write_blocking::<_, StoreError, _>(move |tx| create(tx, &pair)).expect("a create");
    });
    println!("{:?}", database.statistics());
    let start = Instant::now();
    drop(database);
    println!("close: {:?}", start.elapsed());
    let start = Instant::now();
    let database = Database::sqlite(&options, &SCHEMA).expect("a database");
    println!("start with data: {:?}", start.elapsed());
    drop(database);
}
