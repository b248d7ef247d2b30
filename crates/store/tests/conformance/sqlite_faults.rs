//! Faults of a SQLite file: damage, a full disk, crashes.

use std::{fs, process::Command};

use croft_store::{Database, ListBy, SqliteOptions, StoreError};
use uuid::Uuid;

use crate::{
    engines::{Engine, SqliteEngine},
    records::{Counter, SCHEMA, Volume, counter, moment, project, volume},
    tables::{insert, read, write},
};

fn refusal(engine: &SqliteEngine) -> StoreError {
    Database::sqlite(&engine.options(), &SCHEMA).err().unwrap()
}

#[test]
fn file_that_is_no_database_is_refused_and_not_changed() {
    let engine = SqliteEngine::new();
    let text = b"dear diary, today I wrote a file that is no database\n".repeat(100);
    fs::write(engine.path(), &text).unwrap();
    let error = refusal(&engine);
    assert!(
        matches!(&error, StoreError::Corrupt(detail) if detail.contains("not a SQLite database")),
        "{error}"
    );
    assert_eq!(fs::read(engine.path()).unwrap(), text);
    assert_eq!(fs::read_dir(engine.path().parent().unwrap()).unwrap().count(), 1, "no other file is created");
}

#[test]
fn database_of_another_program_is_refused_and_not_changed() {
    let engine = SqliteEngine::new();
    let other = rusqlite::Connection::open(engine.path()).unwrap();
    other.execute_batch("CREATE TABLE song (title TEXT)").unwrap();
    drop(other);
    let before = fs::read(engine.path()).unwrap();
    let error = refusal(&engine);
    assert!(matches!(&error, StoreError::Corrupt(detail) if detail.contains("another program")), "{error}");
    assert_eq!(fs::read(engine.path()).unwrap(), before);
}

#[test]
fn an_empty_file_becomes_a_database() {
    let engine = SqliteEngine::new();
    fs::write(engine.path(), b"").unwrap();
    let database = engine.open(&SCHEMA).unwrap();
    insert(&database, &counter(1)).unwrap();
}

#[test]
fn a_missing_directory_is_reported() {
    let engine = SqliteEngine::new();
    let options = SqliteOptions::new(engine.path().join("missing").join("croft.db"));
    let error = Database::sqlite(&options, &SCHEMA).err().unwrap();
    assert!(matches!(error, StoreError::Unavailable(_)), "{error}");
}

#[test]
fn damaged_pages_are_reported_and_not_changed() {
    let engine = SqliteEngine::new();
    let database = engine.open(&SCHEMA).unwrap();
    write(&database, |tx| (0..500).try_for_each(|n| tx.insert(&volume(project(1), &format!("v-{n:03}")))))
        .unwrap();
    drop(database);
    let mut bytes = fs::read(engine.path()).unwrap();
    // Everything after the first pages, which contain the schema.
    for byte in &mut bytes[32 * 4096..] {
        *byte = 0xa5;
    }
    fs::write(engine.path(), &bytes).unwrap();

    let database = engine.open(&SCHEMA).unwrap();
    let result = database.read_blocking(|tx| tx.count::<Volume>(ListBy::All));
    assert!(matches!(result, Err(StoreError::Corrupt(_))), "{result:?}");
    let result = insert(&database, &volume(project(1), "more"));
    assert!(matches!(result, Err(StoreError::Corrupt(_))), "{result:?}");
    drop(database);
    assert_eq!(fs::read(engine.path()).unwrap(), bytes);
}

#[test]
fn full_disk_loses_no_acknowledged_write() {
    let engine = SqliteEngine::new();
    let options = SqliteOptions { page_limit: Some(120), ..engine.options() };
    let database = Database::sqlite(&options, &SCHEMA).unwrap();
    insert(&database, &counter(1)).unwrap();
    let mut stored = Vec::new();
    let error = loop {
        let record = Volume { note: "x".repeat(3000), ..volume(project(1), &format!("v-{}", stored.len())) };
        match insert(&database, &record) {
            Ok(()) => stored.push(record.meta.id),
            Err(error) => break error,
        }
    };
    assert!(matches!(error, StoreError::Full(_)), "{error}");
    assert!(stored.len() > 20);
    assert_eq!(database.statistics().failures, 1);

    let count = stored.len() as u64;
    assert_eq!(read(&database, |tx| tx.count::<Volume>(ListBy::All)), count);
    assert_eq!(read(&database, |tx| tx.changes_since(0, 1000)).len() as u64, count);
    // Removing rows frees space.
    let gone = stored.clone();
    write(&database, move |tx| {
        gone[..10].iter().try_for_each(|id| tx.remove::<Volume>(*id, moment(1)).map(drop))
    })
    .unwrap();
    insert(&database, &volume(project(1), "again")).unwrap();
    drop(database);

    let database = engine.open(&SCHEMA).unwrap();
    assert_eq!(read(&database, |tx| tx.count::<Volume>(ListBy::All)), count - 9);
    assert!(
        database.read_blocking::<_, StoreError, _>(|tx| tx.get::<Volume>(Uuid::nil())).unwrap().is_none()
    );
}

/// A file system of 2 MiB, which is unmounted when dropped.
struct SmallDisk {
    directory: tempfile::TempDir,
}

impl SmallDisk {
    /// Returns `None` if this process is not allowed to mount.
    fn mount() -> Option<Self> {
        let directory = tempfile::TempDir::new().unwrap();
        let mounted = Command::new("mount")
            .args(["-t", "tmpfs", "-o", "size=2m", "tmpfs"])
            .arg(directory.path())
            .output()
            .is_ok_and(|output| output.status.success());
        mounted.then_some(Self { directory })
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let status = Command::new("umount").arg("--lazy").arg(self.directory.path()).status();
        assert!(status.is_ok_and(|status| status.success()), "the small disk was not unmounted");
    }
}

#[test]
fn full_file_system_loses_no_acknowledged_write() {
    let Some(disk) = SmallDisk::mount() else {
        eprintln!("mounting needs root: the test with a really full disk WAS NOT RUN");
        return;
    };
    let options = SqliteOptions::new(disk.directory.path().join("croft.db"));
    let database = Database::sqlite(&options, &SCHEMA).unwrap();
    let mut stored = 0;
    let error = loop {
        let record = Volume { note: "x".repeat(3000), ..volume(project(1), &format!("v-{stored}")) };
        match insert(&database, &record) {
            Ok(()) => stored += 1,
            Err(error) => break error,
        }
    };
    assert!(matches!(error, StoreError::Full(_)), "{error}");
    assert_eq!(read(&database, |tx| tx.count::<Volume>(ListBy::All)), stored);
    drop(database);

    let moved = SqliteEngine::new();
    for extension in ["db", "db-wal"] {
        let file = options.path.with_extension(extension);
        if file.exists() {
            fs::copy(file, moved.path().with_extension(extension)).unwrap();
        }
    }
    let database = moved.open(&SCHEMA).unwrap();
    assert_eq!(read(&database, |tx| tx.count::<Volume>(ListBy::All)), stored);
    insert(&database, &volume(project(1), "roomy")).unwrap();
}

/// Copies the files while a writer is active, as a power failure would leave them, and opens the copy.
#[test]
fn crash_image_contains_every_acknowledged_write() {
    let engine = SqliteEngine::new();
    let database = engine.open(&SCHEMA).unwrap();
    insert(&database, &counter(1)).unwrap();
    let (sender, receiver) = std::sync::mpsc::channel();
    let writer = {
        let database = database.clone();
        std::thread::spawn(move || {
            for number in 1..=150_u64 {
                write(&database, move |tx| {
                    let mut counter = tx.get::<Counter>(Uuid::from_u128(1))?.unwrap();
                    counter.value += 1;
                    tx.update(&mut counter)?;
                    tx.insert(&volume(project(1), &format!("v-{number}")))
                })
                .unwrap();
                sender.send(number).unwrap();
            }
        })
    };
    let mut acknowledged = 0;
    while let Ok(number) = receiver.recv() {
        acknowledged = number;
        if number % 30 != 0 {
            continue;
        }
        acknowledged = receiver.try_iter().last().unwrap_or(acknowledged);
        let copy = SqliteEngine::new();
        // The log only grows here, so any prefix of it is what a crash at that time leaves.
        fs::copy(engine.path(), copy.path()).unwrap();
        let log = |engine: &SqliteEngine| engine.path().with_extension("db-wal");
        fs::copy(log(&engine), log(&copy)).unwrap();
        check_image(&copy, acknowledged);
    }
    writer.join().unwrap();
    assert_eq!(acknowledged, 150);
    assert_eq!(database.statistics().checkpoints, 0);
}

fn check_image(image: &SqliteEngine, acknowledged: u64) {
    let database = image.open(&SCHEMA).unwrap();
    let (counted, stored) = read(&database, |tx| {
        let counter = tx.get::<Counter>(Uuid::from_u128(1))?.unwrap();
        Ok((counter.value, tx.count::<Volume>(ListBy::All)?))
    });
    assert_eq!(counted, stored, "an operation is stored completely or not at all");
    assert!(counted >= acknowledged, "{counted} < {acknowledged}");
    insert(&database, &volume(project(2), "after")).unwrap();
}

/// Checkpoints copy the log to the database file, so its size stays limited.
#[test]
fn write_ahead_log_is_checkpointed() {
    let engine = SqliteEngine::new();
    let database = engine.open(&SCHEMA).unwrap();
    for number in 0..40 {
        let batch: Vec<Volume> = (0..60)
            .map(|index| Volume { note: "x".repeat(8000), ..volume(project(number), &format!("v-{index}")) })
            .collect();
        write(&database, move |tx| batch.iter().try_for_each(|record| tx.insert(record))).unwrap();
    }
    let statistics = database.statistics();
    assert!(statistics.checkpoints >= 2, "{statistics:?}");
    let log = fs::metadata(engine.path().with_extension("db-wal")).unwrap().len();
    assert!(log < 12 * 1024 * 1024, "{log}");
    drop(database);
    assert!(!engine.path().with_extension("db-wal").exists(), "closing leaves a single file");
    let database = engine.open(&SCHEMA).unwrap();
    assert_eq!(read(&database, |tx| tx.count::<Volume>(ListBy::All)), 2400);
}
