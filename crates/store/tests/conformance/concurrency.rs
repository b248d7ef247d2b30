//! Concurrent callers.

use std::{
    future::Future,
    pin::pin,
    sync::{
        Arc,
        mpsc::{Receiver, Sender, channel},
    },
    task::{Context, Poll, Wake, Waker},
    thread::{self, Thread},
};

use croft_store::{Database, ListBy, StoreError, Tx};
use uuid::Uuid;

use crate::{
    engines::Engine,
    records::{Counter, SCHEMA, Volume, counter, project, volume},
    tables::{insert, read, write},
};

fn increment(tx: &mut Tx<'_>) -> Result<u64, StoreError> {
    let mut counter = tx.get::<Counter>(Uuid::from_u128(1))?.unwrap();
    counter.value += 1;
    tx.update(&mut counter)?;
    Ok(counter.value)
}

fn value(database: &Database) -> u64 {
    read(database, |tx| tx.get::<Counter>(Uuid::from_u128(1))).unwrap().value
}

pub fn counters_lose_no_increment(engine: &dyn Engine) {
    const THREADS: u64 = 8;
    const ROUNDS: u64 = 40;
    let database = engine.open(&SCHEMA).unwrap();
    let second = if engine.shared() { engine.open(&SCHEMA).unwrap() } else { database.clone() };
    insert(&database, &counter(1)).unwrap();
    let threads: Vec<_> = (0..THREADS)
        .map(|number| {
            let database = if number % 2 == 0 { database.clone() } else { second.clone() };
            thread::spawn(move || {
                let mut done = 0;
                while done < ROUNDS {
                    match write(&database, increment) {
                        Ok(_) => done += 1,
                        Err(error) => assert_eq!(error, StoreError::Conflict),
                    }
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    assert_eq!(value(&database), THREADS * ROUNDS);
}

/// Blocks the only writer until the returned sender is used or dropped.
fn occupy(database: &Database) -> (Sender<()>, thread::JoinHandle<()>) {
    let (release, released) = channel::<()>();
    let (started, start) = channel::<()>();
    let database = database.clone();
    let handle = thread::spawn(move || {
        let released = std::sync::Mutex::new(released);
        write(&database, move |_| {
            started.send(()).unwrap();
            let released: &Receiver<()> = &released.lock().unwrap();
            released.recv().unwrap();
            Ok(())
        })
        .unwrap();
    });
    start.recv().unwrap();
    (release, handle)
}

/// Waits until this number of writes is running or queued.
fn wait_for_writes(database: &Database, count: u64) {
    while database.statistics().writes_waiting < count {
        thread::yield_now();
    }
}

pub fn failed_operation_does_not_affect_others(engine: &dyn Engine) {
    let database = engine.open_narrow(&SCHEMA, 100).unwrap();
    let (release, occupant) = occupy(&database);
    let threads: Vec<_> = (0..30)
        .map(|number| {
            let writer = database.clone();
            let thread = thread::spawn(move || {
                write(&writer, move |tx| {
                    tx.insert(&volume(project(1), &format!("volume-{number}")))?;
                    if number % 3 == 0 { Err(StoreError::Internal("refused".into())) } else { Ok(()) }
                })
            });
            // Sequentially, so that the outcome of each is determined.
            wait_for_writes(&database, number + 2);
            thread
        })
        .collect();
    release.send(()).unwrap();
    occupant.join().unwrap();
    for (number, thread) in threads.into_iter().enumerate() {
        assert_eq!(thread.join().unwrap().is_err(), number % 3 == 0);
    }
    assert_eq!(read(&database, |tx| tx.count::<Volume>(ListBy::All)), 20);
    assert_eq!(read(&database, |tx| tx.changes_since(0, 100)).len(), 20);
    let statistics = database.statistics();
    assert!(statistics.committed >= 20, "each operation with a change is counted: {statistics:?}");
    assert!(!statistics.commit_time.is_zero(), "{statistics:?}");
    if !engine.shared() {
        assert_eq!(statistics.committed, 20, "failed operations are not counted");
        assert!(statistics.largest_batch >= 30, "queued operations must share one commit");
    }
}

pub fn rollback_to_savepoint_undoes_part_of_an_operation(engine: &dyn Engine) {
    let database = engine.open(&SCHEMA).unwrap();
    write(&database, |tx| {
        tx.insert(&volume(project(1), "outer"))?;
        let inner: Result<(), StoreError> = tx.savepoint(|tx| {
            tx.insert(&volume(project(1), "inner"))?;
            tx.savepoint::<_, StoreError>(|tx| tx.insert(&volume(project(1), "innermost")))?;
            tx.insert(&volume(project(1), "outer"))
        });
        assert_eq!(inner, Err(StoreError::Exists));
        tx.savepoint::<_, StoreError>(|tx| tx.insert(&volume(project(1), "kept")))
    })
    .unwrap();
    let names: Vec<String> = read(&database, |tx| {
        tx.page::<Volume>(ListBy::Parent(project(1)), croft_store::Sort::NameAsc, None, 10)
    })
    .into_iter()
    .map(|volume| volume.name)
    .collect();
    assert_eq!(names, ["kept", "outer"]);
}

pub fn panic_fails_only_its_operation(engine: &dyn Engine) {
    let database = engine.open_narrow(&SCHEMA, 100).unwrap();
    insert(&database, &counter(1)).unwrap();
    let result: Result<(), StoreError> = write(&database, |tx| {
        increment(tx)?;
        panic!("on purpose");
    });
    assert!(matches!(result, Err(StoreError::Internal(_))));
    let result: Result<(), StoreError> = database.read_blocking(|_| panic!("on purpose"));
    assert!(matches!(result, Err(StoreError::Internal(_))));
    assert_eq!(write(&database, increment), Ok(1));
}

pub fn too_many_operations_are_refused(engine: &dyn Engine) {
    let database = engine.open_narrow(&SCHEMA, 3).unwrap();
    insert(&database, &counter(1)).unwrap();
    let (release, occupant) = occupy(&database);
    let waiting: Vec<_> = (0..3)
        .map(|number| {
            let writer = database.clone();
            let thread = thread::spawn(move || write(&writer, increment));
            wait_for_writes(&database, number + 2);
            thread
        })
        .collect();
    assert_eq!(write(&database, increment), Err(StoreError::Overloaded));
    assert_eq!(database.statistics().overloads, 1);
    release.send(()).unwrap();
    occupant.join().unwrap();
    for thread in waiting {
        thread.join().unwrap().unwrap();
    }
    assert_eq!(write(&database, increment), Ok(4));
}

pub fn reads_see_acknowledged_writes(engine: &dyn Engine) {
    let database = engine.open(&SCHEMA).unwrap();
    let threads: Vec<_> = (0..4)
        .map(|number| {
            let database = database.clone();
            thread::spawn(move || {
                for round in 0..30 {
                    let record = volume(project(number), &format!("volume-{round}"));
                    let id = record.meta.id;
                    insert(&database, &record).unwrap();
                    assert!(read(&database, move |tx| tx.get::<Volume>(id)).is_some());
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
}

pub fn concurrent_inserts_keep_names_unique(engine: &dyn Engine) {
    let database = engine.open(&SCHEMA).unwrap();
    let threads: Vec<_> = (0..6)
        .map(|_| {
            let database = database.clone();
            thread::spawn(move || {
                (0..20)
                    .filter(|round| insert(&database, &volume(project(1), &format!("v-{round}"))).is_ok())
                    .count()
            })
        })
        .collect();
    let created: usize = threads.into_iter().map(|thread| thread.join().unwrap()).sum();
    assert_eq!(created, 20);
    assert_eq!(read(&database, |tx| tx.count::<Volume>(ListBy::Parent(project(1)))), 20);
}

pub fn close_finishes_accepted_operations(engine: &dyn Engine) {
    let database = engine.open_narrow(&SCHEMA, 100).unwrap();
    insert(&database, &counter(1)).unwrap();
    let (release, occupant) = occupy(&database);
    let mut futures: Vec<_> = (0..10)
        .map(|_| {
            let database = database.clone();
            Box::pin(async move { database.write(increment).await })
        })
        .collect();
    let waker = Waker::noop();
    for future in &mut futures {
        // The first poll queues the operation.
        assert!(future.as_mut().poll(&mut Context::from_waker(waker)).is_pending());
    }
    drop(futures);
    release.send(()).unwrap();
    occupant.join().unwrap();
    drop(database);
    let database = engine.open(&SCHEMA).unwrap();
    assert_eq!(value(&database), 10);
}

pub fn asynchronous_operations_complete(engine: &dyn Engine) {
    let database = engine.open(&SCHEMA).unwrap();
    insert(&database, &counter(1)).unwrap();
    assert_eq!(block_on(database.write(increment)), Ok(1));
    let read = block_on(database.read::<_, StoreError, _>(|tx| tx.get::<Counter>(Uuid::from_u128(1))));
    assert_eq!(read.unwrap().unwrap().value, 1);
    assert_eq!(block_on(database.problems()), Ok(Vec::new()));

    let mut signal = database.changes();
    let writer = database.clone();
    let thread = thread::spawn(move || insert(&writer, &volume(project(1), "data")));
    block_on(signal.changed());
    thread.join().unwrap().unwrap();
}

struct Unpark(Thread);

impl Wake for Unpark {
    fn wake(self: Arc<Self>) {
        self.0.unpark();
    }
}

fn block_on<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    let waker = Waker::from(Arc::new(Unpark(thread::current())));
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return output;
        }
        thread::park();
    }
}
