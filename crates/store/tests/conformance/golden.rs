//! Databases of every version, stored in `tests/golden`. The tests open, migrate and read each of them.
//!
//! `cargo xtask golden` writes those of the current version. Those of earlier versions are never written again.

use std::{
    collections::BTreeMap,
    fs,
    io::{Read as _, Write as _},
    path::{Path, PathBuf},
};

use croft_store::{Database, ListBy, Schema, Sort, records::ConsoleSession, schema};
use flate2::{Compression, read::GzDecoder, write::GzEncoder};
use serde_json::Value;

use crate::{
    engines::{Engine, SqliteEngine},
    kinds, migrations,
    postgres_server::PostgresServer,
    tables::{read, write},
};

/// Decompresses a stored file.
pub fn unpacked(name: &str) -> Vec<u8> {
    let packed = fs::read(folder().join(name)).unwrap();
    let mut bytes = Vec::new();
    GzDecoder::new(packed.as_slice()).read_to_end(&mut bytes).unwrap();
    bytes
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden")
}

/// The versions for which a file with this prefix exists.
pub fn versions(prefix: &str, end: &str) -> Vec<u32> {
    let names =
        fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut versions: Vec<u32> =
        names.filter_map(|name| name.strip_prefix(prefix)?.strip_suffix(end)?.parse().ok()).collect();
    versions.sort_unstable();
    versions
}

/// Whether `cargo xtask golden` runs the tests to write the files.
pub fn is_writing() -> bool {
    std::env::var_os("CROFT_WRITE_GOLDEN").is_some()
}

pub fn keep(name: &str, bytes: &[u8]) {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).unwrap();
    fs::create_dir_all(folder()).unwrap();
    fs::write(folder().join(name), encoder.finish().unwrap()).unwrap();
}

fn present() -> u32 {
    schema::CROFT.migrations.last().unwrap().number
}

fn fill(database: &Database) {
    write(database, |tx| kinds::ALL.iter().try_for_each(|kind| (kind.insert)(tx))).unwrap();
}

static INTERRUPTED: Schema =
    Schema::new(schema::TABLES, schema::CROFT.migrations).observed(migrations::interrupt);

/// Migrates a database, optionally interrupted at each statement. Returns its content.
fn migrated(engine: &dyn Engine, interrupted: bool) -> Vec<Vec<Value>> {
    if interrupted {
        migrations::interrupted_at_each_statement(engine, &INTERRUPTED);
    }
    let database = engine.open(&schema::CROFT).unwrap();
    kinds::ALL.iter().map(|kind| read(&database, move |tx| (kind.read)(tx))).collect()
}

/// Opens a database of this version, reads all records through their types, and compares their counts.
fn check(engine: &dyn Engine, version: u32, before: &BTreeMap<String, i64>) {
    let database = engine.open(&schema::CROFT).unwrap();
    for kind in kinds::ALL {
        let table = kind.table.name;
        let found: Vec<Value> = read(&database, move |tx| (kind.read)(tx));
        let expected = before.get(table).copied().unwrap_or_default();
        assert_eq!(i64::try_from(found.len()), Ok(expected), "{table}");
        if version == present() {
            assert_eq!(found, (kind.documents)(), "{table}");
        }
    }
    // Since migration 2, sessions can be looked up by how they were opened.
    let sessions = read(&database, |tx| tx.page::<ConsoleSession>(ListBy::All, Sort::IdAsc, None, 100));
    for session in sessions {
        let opened_by = session.provider_id.unwrap_or(session.silo_id);
        let by = ListBy::lookup(ConsoleSession::OPENED_BY, opened_by);
        let found = read(&database, move |tx| tx.count::<ConsoleSession>(by.clone()));
        assert!(found > 0, "version {version}: session {}", session.meta.id);
    }
}

#[test]
fn sqlite_file_of_each_version_opens() {
    if is_writing() {
        let engine = SqliteEngine::new();
        let database = engine.open(&schema::CROFT).unwrap();
        fill(&database);
        drop(database);
        let file = rusqlite::Connection::open(engine.path()).unwrap();
        file.execute_batch("PRAGMA journal_mode = DELETE; VACUUM").unwrap();
        drop(file);
        keep(&format!("sqlite-{}.db.gz", present()), &fs::read(engine.path()).unwrap());
    }
    let versions = versions("sqlite-", ".db.gz");
    assert_eq!(versions.last(), Some(&present()), "`cargo xtask golden` writes those of the new version");
    for version in versions {
        let (engine, interrupted) = (SqliteEngine::new(), SqliteEngine::new());
        let bytes = unpacked(&format!("sqlite-{version}.db.gz"));
        fs::write(engine.path(), &bytes).unwrap();
        fs::write(interrupted.path(), bytes).unwrap();
        let file = rusqlite::Connection::open(engine.path()).unwrap();
        let count = |table: &str| {
            let sql = format!("SELECT count(*) FROM \"{table}\" WHERE \"time_deleted\" IS NULL");
            // The table was added by a later migration.
            let count = file.query_row(&sql, [], |row| row.get(0)).ok()?;
            Some((table.to_owned(), count))
        };
        let before = kinds::ALL.iter().filter_map(|kind| count(kind.table.name)).collect();
        drop(file);
        check(&engine, version, &before);
        assert!(migrated(&interrupted, true) == migrated(&engine, false), "version {version}");
    }
}

pub fn postgres_dump_of_each_version_opens(server: &mut PostgresServer) {
    if is_writing() {
        let name = server.create_database();
        let database = server.existing(&name).open(&schema::CROFT).unwrap();
        fill(&database);
        drop(database);
        keep(&format!("postgres-{}.sql.gz", present()), server.dump(&name).as_bytes());
    }
    let versions = versions("postgres-", ".sql.gz");
    assert_eq!(versions.last(), Some(&present()), "`cargo xtask golden` writes those of the new version");
    for version in versions {
        let (name, interrupted) = (server.create_database(), server.create_database());
        let dump = String::from_utf8(unpacked(&format!("postgres-{version}.sql.gz"))).unwrap();
        server.client(&interrupted).batch_execute(&dump).unwrap();
        let mut client = server.client(&name);
        client.batch_execute(&dump).unwrap();
        let mut count = |table: &str| {
            let sql = format!("SELECT count(*) FROM \"{table}\" WHERE \"time_deleted\" IS NULL");
            Some((table.to_owned(), client.query_one(&sql, &[]).ok()?.get(0)))
        };
        let before = kinds::ALL.iter().filter_map(|kind| count(kind.table.name)).collect();
        let (engine, interrupted) = (server.existing(&name), server.existing(&interrupted));
        check(&engine, version, &before);
        assert!(migrated(&interrupted, true) == migrated(&engine, false), "version {version}");
    }
}
