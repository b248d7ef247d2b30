//! Single operations on tables.

use croft_store::{ListBy, Record, StoreError, Tx};
use uuid::Uuid;

use crate::{
    engines::Engine,
    records::{Counter, Group, SCHEMA, Volume, counter, moment, project, volume},
};

/// Runs an operation that returns only errors of the store.
pub fn write<T: Send + 'static>(
    database: &croft_store::Database,
    operation: impl FnMut(&mut Tx<'_>) -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    database.write_blocking(operation)
}

pub fn insert<R: Record + Sync>(database: &croft_store::Database, record: &R) -> Result<(), StoreError> {
    let record = record.clone();
    write(database, move |tx| tx.insert(&record))
}

pub fn read<T: Send + 'static>(
    database: &croft_store::Database,
    operation: impl FnMut(&mut Tx<'_>) -> Result<T, StoreError> + Send + 'static,
) -> T {
    database.read_blocking(operation).unwrap()
}

pub fn stored_record_reads_back_unchanged(engine: &dyn Engine) {
    let database = engine.open(&SCHEMA).unwrap();
    let mut original = volume(project(1), "data");
    original.host = Some(Uuid::from_u128(5));
    original.note = "ünï\u{0001}code \"quoted\" \\ \u{1F600}".into();
    original.due = Some(i64::MAX);
    insert(&database, &original).unwrap();
    assert_eq!(insert(&database, &original), Err(StoreError::Exists));

    let id = original.meta.id;
    let expected = original.clone();
    read(&database, move |tx| {
        assert_eq!(tx.get::<Volume>(id)?, Some(expected.clone()));
        assert_eq!(tx.get_by_name::<Volume>(project(1), "data")?, Some(expected.clone()));
        assert_eq!(tx.get_by_name::<Volume>(project(2), "data")?, None);
        assert_eq!(tx.get_by_name::<Volume>(project(1), "date")?, None);
        assert_eq!(tx.get::<Volume>(Uuid::from_u128(1))?, None);
        Ok(())
    });
}

pub fn names_are_unique_among_live_rows_of_one_parent(engine: &dyn Engine) {
    let database = engine.open(&SCHEMA).unwrap();
    let mut first = volume(project(1), "data");
    insert(&database, &first).unwrap();
    assert_eq!(insert(&database, &volume(project(1), "data")), Err(StoreError::Exists));
    insert(&database, &volume(project(2), "data")).unwrap();
    insert(&database, &volume(project(1), "date")).unwrap();

    write(&database, move |tx| tx.delete(&mut first, moment(5))).unwrap();
    let again = volume(project(1), "data");
    insert(&database, &again).unwrap();
    let found = read(&database, |tx| tx.get_by_name::<Volume>(project(1), "data"));
    assert_eq!(found, Some(again));
}

pub fn unique_lookups_apply_to_live_rows_only(engine: &dyn Engine) {
    let database = engine.open(&SCHEMA).unwrap();
    let with_serial = |name: &str| Volume { serial: Some("SN1".into()), ..volume(project(1), name) };
    let mut first = with_serial("first");
    insert(&database, &first).unwrap();
    assert_eq!(insert(&database, &with_serial("second")), Err(StoreError::Exists));
    insert(&database, &volume(project(1), "third")).unwrap();
    insert(&database, &volume(project(1), "fourth")).unwrap();
    write(&database, move |tx| tx.delete(&mut first, moment(5))).unwrap();
    insert(&database, &with_serial("second")).unwrap();
    let found = read(&database, |tx| tx.find::<Volume>(Volume::SERIAL, "SN1")).unwrap();
    assert_eq!(found.name, "second");
}

pub fn lookups_find_live_rows(engine: &dyn Engine) {
    let database = engine.open(&SCHEMA).unwrap();
    let host = Uuid::from_u128(77);
    for name in ["one", "two", "three"] {
        insert(&database, &Volume { host: Some(host), note: name.into(), ..volume(project(1), name) })
            .unwrap();
    }
    insert(&database, &volume(project(1), "elsewhere")).unwrap();
    read(&database, move |tx| {
        assert_eq!(tx.count::<Volume>(ListBy::lookup(Volume::HOST, host))?, 3);
        assert!(tx.find::<Volume>(Volume::HOST, host)?.is_some());
        assert!(tx.find::<Volume>(Volume::HOST, Uuid::nil())?.is_none());
        assert!(tx.find::<Volume>(Volume::HOST, None::<Uuid>)?.is_none(), "null matches nothing");
        let combined = croft_store::Key::combined([host.into(), "two".into()]);
        assert_eq!(tx.find::<Volume>(Volume::HOST_NOTE, combined)?.unwrap().name, "two");
        Ok(())
    });
}

pub fn due_rows_are_listed_in_order(engine: &dyn Engine) {
    let database = engine.open(&SCHEMA).unwrap();
    for due in [30, 10, 20, 40] {
        insert(&database, &Volume { due: Some(due), ..volume(project(1), &format!("due-{due}")) }).unwrap();
    }
    insert(&database, &volume(project(1), "never")).unwrap();
    let due = |last: i64, limit: usize| {
        read(&database, move |tx| tx.up_to::<Volume>(Volume::DUE, last, limit))
            .into_iter()
            .map(|volume| volume.due.unwrap())
            .collect::<Vec<_>>()
    };
    assert_eq!(due(30, 10), [10, 20, 30]);
    assert_eq!(due(100, 2), [10, 20]);
    assert_eq!(due(9, 10), Vec::<i64>::new());
}

pub fn an_update_needs_the_latest_generation(engine: &dyn Engine) {
    let database = engine.open(&SCHEMA).unwrap();
    let original = volume(project(1), "data");
    insert(&database, &original).unwrap();

    let mut stale = original.clone();
    let mut fresh = original.clone();
    let fresh = write(&database, move |tx| {
        fresh.note = "fresh".into();
        fresh.meta.generation = 1;
        tx.update(&mut fresh)?;
        Ok(fresh.clone())
    })
    .unwrap();
    assert_eq!(fresh.meta.generation, 2);

    let (result, unchanged) = write(&database, move |tx| {
        stale.note = "stale".into();
        Ok((tx.update(&mut stale), stale.clone()))
    })
    .unwrap();
    assert_eq!(result, Err(StoreError::Conflict));
    assert_eq!(unchanged.meta.generation, 1, "a failed update does not change the generation");

    let id = original.meta.id;
    assert_eq!(read(&database, move |tx| tx.get::<Volume>(id)).unwrap().note, "fresh");
    let mut missing = volume(project(1), "missing");
    assert_eq!(write(&database, move |tx| tx.update(&mut missing)), Err(StoreError::Conflict));
}

pub fn update_moves_index_entries(engine: &dyn Engine) {
    let database = engine.open(&SCHEMA).unwrap();
    let mut moved = volume(project(1), "before");
    insert(&database, &moved).unwrap();
    insert(&database, &volume(project(1), "taken")).unwrap();

    let taken = moved.clone();
    let refused = write(&database, move |tx| {
        let mut taken = taken.clone();
        taken.name = "taken".into();
        let refused = tx.update(&mut taken);
        // The transaction can still be used after a refusal.
        assert!(tx.get::<Volume>(taken.meta.id)?.is_some());
        assert_eq!(taken.meta.generation, 1);
        Ok(refused)
    });
    assert_eq!(refused, Ok(Err(StoreError::Exists)));

    write(&database, move |tx| {
        moved.meta.generation = 1;
        moved.name = "after".into();
        moved.project = project(2);
        moved.host = Some(Uuid::from_u128(3));
        tx.update(&mut moved)
    })
    .unwrap();
    read(&database, |tx| {
        assert!(tx.get_by_name::<Volume>(project(1), "before")?.is_none());
        assert!(tx.get_by_name::<Volume>(project(2), "after")?.is_some());
        assert!(tx.find::<Volume>(Volume::HOST, Uuid::from_u128(3))?.is_some());
        Ok(())
    });
}

pub fn deleted_rows_are_invisible(engine: &dyn Engine) {
    let database = engine.open(&SCHEMA).unwrap();
    let mut gone = Volume { host: Some(Uuid::from_u128(9)), ..volume(project(1), "gone") };
    insert(&database, &gone).unwrap();
    let id = gone.meta.id;
    let gone = write(&database, move |tx| {
        gone.meta.generation = 1;
        gone.meta.time_deleted = None;
        tx.delete(&mut gone, moment(9))?;
        Ok(gone.clone())
    })
    .unwrap();
    assert_eq!((gone.meta.generation, gone.meta.time_deleted), (2, Some(moment(9))));
    let mut again = gone.clone();
    assert_eq!(write(&database, move |tx| tx.delete(&mut again, moment(10))), Err(StoreError::Conflict));
    read(&database, move |tx| {
        assert!(tx.get::<Volume>(id)?.is_none());
        assert!(tx.get_by_name::<Volume>(project(1), "gone")?.is_none());
        assert!(tx.find::<Volume>(Volume::HOST, Uuid::from_u128(9))?.is_none());
        assert!(!tx.exists::<Volume>(ListBy::Parent(project(1)))?);
        assert_eq!(tx.get_any::<Volume>(id)?, Some(gone.clone()));
        Ok(())
    });
}

pub fn removed_rows_are_gone(engine: &dyn Engine) {
    let database = engine.open(&SCHEMA).unwrap();
    let record = volume(project(1), "data");
    let id = record.meta.id;
    insert(&database, &record).unwrap();
    insert(&database, &counter(1)).unwrap();
    write(&database, move |tx| {
        assert!(tx.remove::<Volume>(id, moment(1))?);
        assert!(!tx.remove::<Volume>(id, moment(1))?);
        assert!(tx.remove::<Counter>(Uuid::from_u128(1), moment(1))?);
        assert!(tx.get_any::<Volume>(id)?.is_none());
        Ok(())
    })
    .unwrap();
}

pub fn purge_removes_old_deleted_rows(engine: &dyn Engine) {
    let database = engine.open(&SCHEMA).unwrap();
    for number in 0..6 {
        let record = volume(project(1), &format!("volume-{number}"));
        insert(&database, &record).unwrap();
        if number > 0 {
            let mut record = record.clone();
            write(&database, move |tx| tx.delete(&mut record, moment(number))).unwrap();
        }
    }
    let purge = |limit| write(&database, move |tx| tx.purge(Volume::TABLE, moment(4), limit)).unwrap();
    assert_eq!(purge(2), 2);
    assert_eq!(purge(10), 1);
    assert_eq!(purge(10), 0);
    assert_eq!(read(&database, |tx| tx.count::<Volume>(ListBy::All)), 1);
}

pub fn rows_are_counted_and_tested_for_existence(engine: &dyn Engine) {
    let database = engine.open(&SCHEMA).unwrap();
    assert!(!read(&database, |tx| tx.exists::<Volume>(ListBy::All)));
    for number in 0..5 {
        insert(&database, &volume(project(number % 2), &format!("volume-{number}"))).unwrap();
    }
    read(&database, |tx| {
        assert!(tx.exists::<Volume>(ListBy::All)?);
        assert!(tx.exists::<Volume>(ListBy::Parent(project(1)))?);
        assert!(!tx.exists::<Volume>(ListBy::Parent(project(5)))?);
        assert_eq!(tx.count::<Volume>(ListBy::All)?, 5);
        assert_eq!(tx.count::<Volume>(ListBy::Parent(project(0)))?, 3);
        Ok(())
    });
}

pub fn readers_cannot_write(engine: &dyn Engine) {
    let database = engine.open(&SCHEMA).unwrap();
    let record = volume(project(1), "data");
    let refused = database.read_blocking(move |tx| tx.insert(&record));
    assert!(matches!(refused, Err(StoreError::Internal(_))), "{refused:?}");
}

pub fn misuse_is_reported(engine: &dyn Engine) {
    let database = engine.open(&SCHEMA).unwrap();
    let internal = |result: Result<(), StoreError>| {
        assert!(matches!(result, Err(StoreError::Internal(_))), "{result:?}");
    };
    internal(database.read_blocking(|tx| tx.find::<Volume>(Volume::HOST, "text").map(|_| ())));
    internal(database.read_blocking(|tx| tx.find::<Volume>(Group::ORDER, 1_i64).map(|_| ())));
    internal(database.read_blocking(|tx| tx.get_by_name::<Counter>(Uuid::nil(), "x").map(|_| ())));
}

pub fn reserved_words_are_valid_names(engine: &dyn Engine) {
    let database = engine.open(&SCHEMA).unwrap();
    let group = Group { meta: croft_store::Meta::new(Uuid::from_u128(4), moment(0)), order: 12 };
    insert(&database, &group).unwrap();
    assert_eq!(read(&database, |tx| tx.find::<Group>(Group::ORDER, 12_i64)), Some(group));
}
