//! The lease of a PostgreSQL database: only one server at a time.

use std::sync::mpsc;

use croft_store::{Database, Holder, Inspection, Lease, LeaseError, LeaseHolder, StoreError};

use crate::{
    engines::{Engine, PostgresEngine},
    postgres_faults::Case,
    postgres_server::PostgresServer,
    records::{Counter, SCHEMA, counter, project, volume},
    tables::{insert, read, write},
};

pub static ALL: &[(&str, Case)] = &[
    ("second_holder_is_refused_with_name_of_the_first", second_holder_is_refused_with_name_of_the_first),
    ("holder_is_seen_without_asking_for_the_lease", holder_is_seen_without_asking_for_the_lease),
    ("each_holder_has_a_higher_term", each_holder_has_a_higher_term),
    ("holder_stops_when_its_connection_is_lost", holder_stops_when_its_connection_is_lost),
    ("writes_with_a_lower_term_are_refused", writes_with_a_lower_term_are_refused),
    ("lease_waits_for_writes_of_the_previous_term", lease_waits_for_writes_of_the_previous_term),
];

fn holder(name: &str) -> Holder {
    Holder { name: name.into(), address: format!("http://{name}:12220"), process: 42 }
}

fn take(engine: &PostgresEngine, name: &str) -> Lease {
    Lease::take(&engine.options(), &holder(name)).unwrap()
}

/// Increments the term as taking the lease does, although the lock is held.
fn overtake(engine: &PostgresEngine) {
    let mut client = postgres::Client::connect(&engine.url, postgres::NoTls).unwrap();
    client.batch_execute("UPDATE croft_lease SET term = term + 1").unwrap();
}

fn second_holder_is_refused_with_name_of_the_first(server: &mut PostgresServer) {
    let engine = server.engine();
    let first = take(&engine, "first");
    let Err(LeaseError::Held(Some(LeaseHolder { holder: found, since, backend }))) =
        Lease::take(&engine.options(), &holder("second"))
    else {
        panic!("two servers hold the lease")
    };
    assert_eq!(found, holder("first"));
    assert!(since.as_second() > 0 && backend > 0);
    assert_eq!(first.fence().lost(), None);
    // Other connections can use the database, and leases of other databases are independent.
    insert(&engine.open(&SCHEMA).unwrap(), &counter(1)).unwrap();
    take(&server.engine(), "elsewhere");
}

fn holder_is_seen_without_asking_for_the_lease(server: &mut PostgresServer) {
    let engine = server.engine();
    let look = || Inspection::of_postgres(&engine.options(), &SCHEMA, |tx| tx.last_change().is_ok()).unwrap();
    let empty = look();
    assert_eq!((empty.version, empty.content, empty.holder), (0, None, None), "nothing is created");
    let _open = engine.open(&SCHEMA).unwrap();
    let lease = take(&engine, "first");
    let found = look();
    assert_eq!((found.version, found.content), (found.known, Some(true)));
    assert_eq!(found.holder.map(|found| found.holder), Some(holder("first")));
    assert_eq!(lease.fence().lost(), None);
}

fn each_holder_has_a_higher_term(server: &mut PostgresServer) {
    let engine = server.engine();
    let terms: Vec<i64> = (0..3).map(|_| take(&engine, "again").fence().term()).collect();
    assert_eq!(terms, [1, 2, 3]);
}

fn holder_stops_when_its_connection_is_lost(server: &mut PostgresServer) {
    let engine = server.engine();
    let lease = take(&engine, "first");
    let database = engine.open(&SCHEMA).unwrap();
    let fenced = database.fenced(lease.fence());
    insert(&fenced, &counter(1)).unwrap();
    server.disconnect_all();
    let reason = futures_executor::block_on(lease.fence().wait_until_lost()).to_owned();
    assert!(reason.contains("connection that held the lease"), "{reason}");
    let refused = insert(&fenced, &volume(project(1), "late"));
    assert_eq!(refused, Err(StoreError::Superseded(reason)));
    let refused = fenced.read_blocking(|tx| tx.get::<Counter>(uuid::Uuid::from_u128(1)));
    assert!(matches!(refused, Err(StoreError::Superseded(_))), "{refused:?}");
    // The lock is released.
    assert_eq!(take(&engine, "second").fence().term(), 2);
}

fn writes_with_a_lower_term_are_refused(server: &mut PostgresServer) {
    let engine = server.engine();
    let lease = take(&engine, "first");
    let database = engine.open(&SCHEMA).unwrap();
    let fenced = database.fenced(lease.fence());
    insert(&fenced, &counter(1)).unwrap();
    overtake(&engine);
    // Refused even if the heartbeat has not noticed yet.
    let refused = insert(&fenced, &volume(project(1), "late"));
    assert!(matches!(refused, Err(StoreError::Superseded(_))), "{refused:?}");
    assert!(lease.fence().lost().is_some());
    // Writes of requests have no term.
    insert(&database, &volume(project(1), "request")).unwrap();
}

/// A transaction of the old term that is about to commit completes before the new term begins, or fails.
fn lease_waits_for_writes_of_the_previous_term(server: &mut PostgresServer) {
    let engine = server.engine();
    let lease = take(&engine, "first");
    let database = engine.open(&SCHEMA).unwrap();
    insert(&database, &counter(1)).unwrap();
    let fenced = database.fenced(lease.fence());
    let (running, began) = mpsc::channel();
    let (go_on, wait) = mpsc::channel();
    let writer = std::thread::spawn(move || increment_slowly(&fenced, running, wait));
    began.recv().unwrap();
    // The database reports that it is blocked by the writer.
    let url = engine.url.clone();
    let overtaking = std::thread::spawn(move || {
        let mut client = postgres::Client::connect(&url, postgres::NoTls).unwrap();
        client.batch_execute("UPDATE croft_lease SET term = term + 1").unwrap();
    });
    let mut observer = server.client("postgres");
    let waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'";
    while observer.query_one(waiting, &[]).unwrap().get::<_, i64>(0) == 0 {
        std::thread::yield_now();
    }
    go_on.send(()).unwrap();
    writer.join().unwrap().unwrap();
    overtaking.join().unwrap();
    assert_eq!(read(&database, |tx| tx.get::<Counter>(uuid::Uuid::from_u128(1))).unwrap().value, 1);
}

fn increment_slowly(
    database: &Database,
    running: mpsc::Sender<()>,
    wait: mpsc::Receiver<()>,
) -> Result<(), StoreError> {
    write(database, move |tx| {
        let mut counter = tx.get::<Counter>(uuid::Uuid::from_u128(1))?.unwrap();
        counter.value += 1;
        tx.update(&mut counter)?;
        running.send(()).unwrap();
        wait.recv().unwrap();
        Ok(())
    })
}
