//! A server on a database that a newer one has migrated.

use croft_store::{
    Database, Migration, Schema, SqliteOptions,
    schema::{CROFT, TABLES},
};

use crate::support::Server;

#[test]
fn older_server_refuses_a_newer_database_with_advice() {
    let mut server = Server::start();
    server.kill();
    let known = CROFT.migrations.last().expect("there are migrations").number;
    let later = Migration::tables(known + 1, "nothing");
    let migrations: Vec<Migration> = CROFT.migrations.iter().copied().chain([later]).collect();
    let newer: &Schema = Box::leak(Box::new(Schema::new(TABLES, migrations.leak())));
    let file = SqliteOptions::new(server.data().join("croft.db"));
    drop(Database::sqlite(&file, newer).expect("the newer program migrates"));

    let output = server.refused();
    assert_eq!(output.status.code(), Some(4));
    let text = String::from_utf8_lossy(&output.stderr);
    let versions =
        format!("schema version {}, but this program knows only versions up to {known}", known + 1);
    assert!(text.contains(&versions), "{text}");
    assert!(text.contains("run the newer program, or restore a backup made before the upgrade"), "{text}");
    // The older program has not changed it.
    drop(Database::sqlite(&file, newer).expect("the newer program still opens it"));
}
