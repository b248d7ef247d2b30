//! Faults of a PostgreSQL connection and its server.

use croft_store::{Database, PostgresOptions, StoreError, Tx};
use uuid::Uuid;

use crate::{
    engines::Engine,
    postgres_server::PostgresServer,
    records::{Counter, SCHEMA, counter, project, volume},
    tables::{insert, read, write},
};

pub type Case = fn(&mut PostgresServer);

pub static ALL: &[(&str, Case)] = &[
    ("lost_connections_are_replaced", lost_connections_are_replaced),
    ("stopped_server_is_reported_and_reconnected", stopped_server_is_reported_and_reconnected),
    ("operation_with_a_lost_connection_is_retried", operation_with_a_lost_connection_is_retried),
    ("conflicting_transaction_is_retried_and_recorded", conflicting_transaction_is_retried_and_recorded),
    ("unreachable_server_is_reported", unreachable_server_is_reported),
    ("database_with_foreign_tables_is_refused", database_with_foreign_tables_is_refused),
    (
        "change_log_continues_after_a_move_to_another_server",
        change_log_continues_after_a_move_to_another_server,
    ),
];

fn lost_connections_are_replaced(server: &mut PostgresServer) {
    let database = server.engine().open(&SCHEMA).unwrap();
    insert(&database, &counter(1)).unwrap();
    for round in 0..5 {
        server.disconnect_all();
        insert(&database, &volume(project(1), &format!("volume-{round}"))).unwrap();
        assert!(read(&database, |tx| tx.get::<Counter>(Uuid::from_u128(1))).is_some());
    }
}

fn stopped_server_is_reported_and_reconnected(server: &mut PostgresServer) {
    let database = server.engine().open(&SCHEMA).unwrap();
    insert(&database, &counter(1)).unwrap();
    server.stop();
    let result = insert(&database, &volume(project(1), "data"));
    assert!(matches!(result, Err(StoreError::Unavailable(_))), "{result:?}");
    server.start_again();
    insert(&database, &volume(project(1), "data")).unwrap();
    assert!(read(&database, |tx| tx.get::<Counter>(Uuid::from_u128(1))).is_some());
}

fn operation_with_a_lost_connection_is_retried(server: &mut PostgresServer) {
    let engine = server.engine();
    let database = engine.open(&SCHEMA).unwrap();
    insert(&database, &counter(1)).unwrap();
    let url = engine.url.replace("application_name=croft ", "");
    let mut first = true;
    write(&database, move |tx| {
        let mut counter = tx.get::<Counter>(Uuid::from_u128(1))?.unwrap();
        counter.value += 1;
        tx.update(&mut counter)?;
        if std::mem::take(&mut first) {
            let url = url.clone();
            // On another thread, because this one runs the connection's runtime.
            std::thread::spawn(move || {
                let mut other = postgres::Client::connect(&url, postgres::NoTls).unwrap();
                let sql = "SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity \
                           WHERE application_name = 'croft'";
                other.batch_execute(sql).unwrap();
            })
            .join()
            .unwrap();
        }
        tx.get::<Counter>(Uuid::from_u128(1)).map(drop)
    })
    .unwrap();
    assert_eq!(read(&database, |tx| tx.get::<Counter>(Uuid::from_u128(1))).unwrap().value, 1);
}

fn increment(tx: &mut Tx<'_>) -> Result<(), StoreError> {
    let mut counter = tx.get::<Counter>(Uuid::from_u128(1))?.unwrap();
    counter.value += 1;
    tx.update(&mut counter)
}

fn conflicting_transaction_is_retried_and_recorded(server: &mut PostgresServer) {
    let engine = server.engine();
    let (database, other) = (engine.open(&SCHEMA).unwrap(), engine.open(&SCHEMA).unwrap());
    insert(&database, &counter(1)).unwrap();
    assert_eq!(database.take_retries(), []);
    let (mut first, second) = (true, other.clone());
    write(&database, move |tx| {
        // Take the snapshot before another transaction changes the same row.
        tx.get::<Counter>(Uuid::from_u128(1))?;
        if std::mem::take(&mut first) {
            let second = second.clone();
            std::thread::spawn(move || write(&second, increment)).join().unwrap()?;
        }
        increment(tx)
    })
    .unwrap();
    assert_eq!(read(&database, |tx| tx.get::<Counter>(Uuid::from_u128(1))).unwrap().value, 2);
    let retries = database.take_retries();
    let recorded: Vec<_> = retries.iter().map(|retry| (retry.access, retry.attempt)).collect();
    assert_eq!(recorded, [("write", 1)]);
    assert!(retries[0].lost > std::time::Duration::ZERO);
    assert_eq!((database.take_retries(), other.take_retries()), (Vec::new(), Vec::new()));
    assert_eq!(database.statistics().retries, 1);
}

fn unreachable_server_is_reported(_: &mut PostgresServer) {
    let options = PostgresOptions::new("host=/nonexistent user=croft dbname=croft");
    let error = Database::postgres(&options, &SCHEMA).err().unwrap();
    assert!(matches!(error, StoreError::Unavailable(_)), "{error}");
    let options = PostgresOptions::new("mongodb://elsewhere");
    let error = Database::postgres(&options, &SCHEMA).err().unwrap();
    assert!(matches!(error, StoreError::Unavailable(_)), "{error}");
}

fn database_with_foreign_tables_is_refused(server: &mut PostgresServer) {
    let engine = server.engine();
    let mut client = postgres::Client::connect(&engine.url, postgres::NoTls).unwrap();
    client.batch_execute("CREATE TABLE volume (loudness integer)").unwrap();
    let error = engine.open(&SCHEMA).err().unwrap();
    assert!(matches!(error, StoreError::Corrupt(_)), "{error}");
    let tables: i64 =
        client.query_one("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'", &[]).unwrap().get(0);
    assert_eq!(tables, 1, "nothing was created");
}

fn change_log_continues_after_a_move_to_another_server(server: &mut PostgresServer) {
    let engine = server.engine();
    let database = engine.open(&SCHEMA).unwrap();
    insert(&database, &volume(project(1), "before")).unwrap();
    drop(database);
    // As after restoring a dump on a server that has executed fewer transactions.
    let mut client = postgres::Client::connect(&engine.url, postgres::NoTls).unwrap();
    client.batch_execute("UPDATE change_log SET seq = seq + (1::bigint << 50)").unwrap();

    let database = engine.open(&SCHEMA).unwrap();
    let last = read(&database, |tx| tx.last_change());
    assert!(last > 1 << 50);
    insert(&database, &volume(project(1), "after")).unwrap();
    assert_eq!(read(&database, move |tx| tx.changes_since(last, 10)).len(), 1);
}
