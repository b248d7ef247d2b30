//! The change log and its notifications.

use std::{
    collections::BTreeMap,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use croft_store::{Action, Change, StoreError};
use uuid::Uuid;

use crate::{
    engines::Engine,
    records::{SCHEMA, Volume, counter, moment, project, volume},
    tables::{insert, read, write},
};

const TIMEOUT: Duration = Duration::from_mins(1);

pub fn change_log_lists_all_changes_in_order(engine: &dyn Engine) {
    let database = engine.open(&SCHEMA).unwrap();
    assert_eq!(read(&database, |tx| tx.changes_since(0, 10)), []);
    assert_eq!(read(&database, |tx| tx.last_change()), 0);
    let record = volume(project(1), "data");
    let id = record.meta.id;
    insert(&database, &record).unwrap();
    write(&database, move |tx| {
        let mut record = tx.get::<Volume>(id)?.unwrap();
        record.meta.time_modified = moment(1);
        record.project = project(2);
        tx.update(&mut record)?;
        tx.insert(&counter(1))?;
        tx.delete(&mut record, moment(2))
    })
    .unwrap();
    write(&database, move |tx| tx.remove::<Volume>(id, moment(3))).unwrap();

    let changes = read(&database, |tx| tx.changes_since(0, 10));
    let seen: Vec<_> = changes.iter().map(|change| (change.action, change.time, change.parent)).collect();
    assert_eq!(
        seen,
        [
            (Action::Created, moment(0), project(1)),
            (Action::Updated, moment(1), project(2)),
            (Action::Deleted, moment(2), project(2)),
            (Action::Removed, moment(3), project(2)),
        ]
    );
    for change in &changes {
        assert_eq!((change.kind.as_str(), change.id, change.silo), ("volume", id, Some(Uuid::from_u128(7))));
        assert_eq!(change.project, Some(change.parent));
    }
    let generations: Vec<_> = changes.iter().map(|change| change.generation).collect();
    assert_eq!(generations, [1, 2, 3, 3]);
    assert!(changes.is_sorted_by_key(|change| change.seq));
    let second = changes[1].seq;
    assert_eq!(read(&database, move |tx| tx.changes_since(second, 1)), changes[2..3]);
    assert_eq!(read(&database, |tx| tx.last_change()), changes[3].seq);
}

pub fn change_log_omits_changes_that_were_rolled_back(engine: &dyn Engine) {
    let database = engine.open(&SCHEMA).unwrap();
    let undone: Result<(), StoreError> = write(&database, |tx| {
        tx.insert(&volume(project(1), "undone"))?;
        Err(StoreError::Conflict)
    });
    assert_eq!(undone, Err(StoreError::Conflict));
    let kept = volume(project(1), "kept");
    let id = kept.meta.id;
    write(&database, move |tx| {
        tx.insert(&kept)?;
        let part: Result<(), StoreError> = tx.savepoint(|tx| {
            tx.insert(&volume(project(1), "part"))?;
            Err(StoreError::Conflict)
        });
        assert_eq!(part, Err(StoreError::Conflict));
        Ok(())
    })
    .unwrap();
    let ids: Vec<Uuid> =
        read(&database, |tx| tx.changes_since(0, 10)).iter().map(|change| change.id).collect();
    assert_eq!(ids, [id]);
}

pub fn change_log_is_pruned(engine: &dyn Engine) {
    let database = engine.open(&SCHEMA).unwrap();
    for number in 0..10 {
        insert(&database, &volume(project(1), &format!("volume-{number}"))).unwrap();
    }
    let changes = read(&database, |tx| tx.changes_since(0, 100));
    let middle = changes[5].seq;
    assert_eq!(read(&database, |tx| tx.change_before(4)), middle);
    assert_eq!(
        (read(&database, |tx| tx.change_before(10)), read(&database, |tx| tx.oldest_change())),
        (0, changes[0].seq)
    );
    let prune = |seq| write(&database, move |tx| tx.prune_changes(seq, 4)).unwrap();
    assert_eq!((prune(middle), prune(middle), prune(middle)), (4, 2, 0));
    assert_eq!(read(&database, |tx| tx.changes_since(0, 100)), changes[6..]);
    assert_eq!(read(&database, |tx| tx.oldest_change()), changes[6].seq);
    assert_eq!(prune(i64::MAX), 3);
    assert_eq!(read(&database, |tx| tx.changes_since(0, 100)), changes[9..], "the latest entry is kept");

    insert(&database, &volume(project(1), "after")).unwrap();
    let last = changes[9].seq;
    assert_eq!(read(&database, move |tx| tx.changes_since(last, 100)).len(), 1);
}

pub fn signal_wakes_readers_after_commits(engine: &dyn Engine) {
    let database = engine.open(&SCHEMA).unwrap();
    let mut signal = database.changes();
    let writer = database.clone();
    let thread = thread::spawn(move || insert(&writer, &volume(project(1), "data")));
    assert!(signal.wait(TIMEOUT));
    thread.join().unwrap().unwrap();
    assert_eq!(read(&database, |tx| tx.changes_since(0, 10)).len(), 1);

    if engine.shared() {
        // A commit of another server wakes readers of this one.
        let other = engine.open(&SCHEMA).unwrap();
        let last = read(&database, |tx| tx.last_change());
        insert(&other, &volume(project(1), "other")).unwrap();
        while read(&database, move |tx| tx.changes_since(last, 10)).is_empty() {
            assert!(signal.wait(TIMEOUT));
        }
        let mut seen = read(&database, |tx| tx.last_change());
        insert(&other, &volume(project(1), "another")).unwrap();
        loop {
            assert!(signal.wait(TIMEOUT));
            let last = read(&database, |tx| tx.last_change());
            if std::mem::replace(&mut seen, last) != last {
                break;
            }
        }
    }
}

/// A reader that follows the log during concurrent writes misses nothing and sees the changes of each record in order.
pub fn change_log_is_complete_under_concurrent_writers(engine: &dyn Engine) {
    const WRITERS: u64 = 6;
    const ROUNDS: u64 = 25;
    let database = engine.open(&SCHEMA).unwrap();
    let done = Arc::new(AtomicBool::new(false));
    let reader = {
        let (database, done) = (database.clone(), Arc::clone(&done));
        thread::spawn(move || {
            let mut all: Vec<Change> = Vec::new();
            let mut signal = database.changes();
            loop {
                let finished = done.load(Ordering::Acquire);
                let last = all.last().map_or(0, |change| change.seq);
                let next = read(&database, move |tx| tx.changes_since(last, 40));
                let idle = next.is_empty();
                all.extend(next);
                if idle && finished && all.len() as u64 == WRITERS * (ROUNDS + 1) {
                    return all;
                }
                if idle {
                    signal.wait(Duration::from_secs(1));
                }
            }
        })
    };
    let writers: Vec<_> = (0..WRITERS)
        .map(|number| {
            let database = database.clone();
            thread::spawn(move || {
                let record = volume(project(1), &format!("volume-{number}"));
                let id = record.meta.id;
                insert(&database, &record).unwrap();
                for round in 1..=ROUNDS {
                    write(&database, move |tx| {
                        let mut record = tx.get::<Volume>(id)?.unwrap();
                        record.meta.time_modified = moment(i64::try_from(round).unwrap());
                        tx.update(&mut record)
                    })
                    .unwrap();
                }
            })
        })
        .collect();
    for writer in writers {
        writer.join().unwrap();
    }
    done.store(true, Ordering::Release);
    let changes = reader.join().unwrap();

    assert!(changes.is_sorted_by(|a, b| a.seq < b.seq));
    let mut by_record: BTreeMap<Uuid, Vec<&Change>> = BTreeMap::new();
    for change in &changes {
        by_record.entry(change.id).or_default().push(change);
    }
    assert_eq!(by_record.len() as u64, WRITERS);
    for changes in by_record.values() {
        assert!(changes.is_sorted_by(|a, b| a.time < b.time));
        assert_eq!(changes[0].action, Action::Created);
    }
}
