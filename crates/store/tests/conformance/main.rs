//! Requirements that both engines must meet, tested with a real SQLite file and a real PostgreSQL server.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![allow(
    clippy::redundant_closure_for_method_calls,
    reason = "the types of Tx's methods are not general enough for an operation"
)]

mod activity;
mod cases;
mod changes;
mod concurrency;
mod engines;
mod golden;
mod kinds;
mod labels;
mod listed;
mod maker;
mod migrations;
mod model;
mod pages;
mod plans;
mod postgres_faults;
mod postgres_lease;
mod postgres_server;
mod postgres_tls;
mod records;
mod search;
mod sqlite_faults;
mod stored_types;
mod tables;
mod telemetry;

use std::panic::{AssertUnwindSafe, catch_unwind};

use engines::SqliteEngine;
use postgres_server::PostgresServer;

#[test]
fn postgres() {
    let Some(mut server) = PostgresServer::start() else { return };
    let mut failed = Vec::new();
    for (name, case) in cases::ALL {
        eprintln!("postgres: {name}");
        let engine = server.engine();
        if catch_unwind(AssertUnwindSafe(|| case(&engine))).is_err() {
            failed.push(*name);
        }
    }
    let golden: [(&str, postgres_faults::Case); 2] = [
        ("postgres_dump_of_each_version_opens", golden::postgres_dump_of_each_version_opens),
        ("search_uses_indexes", search::search_uses_indexes),
    ];
    let faults = postgres_faults::ALL.iter().chain(postgres_lease::ALL).chain(postgres_tls::ALL);
    for (name, case) in golden.iter().chain(faults) {
        eprintln!("postgres: {name}");
        if catch_unwind(AssertUnwindSafe(|| case(&mut server))).is_err() {
            failed.push(*name);
        }
    }
    assert!(failed.is_empty(), "failed on PostgreSQL: {failed:?}");
}

fn on_sqlite(case: cases::Case) {
    case(&SqliteEngine::new());
}
