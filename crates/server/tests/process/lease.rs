//! Only one server at a time uses a PostgreSQL database.

use oxide::ClientInstancesExt;
use oxide::types::InstanceState;

use crate::postgres_server::PostgresServer;
use crate::support::{Server, create_instance, create_project, wait_for_state};

const INSTANCES: usize = 6;

/// Starts a PostgreSQL server with an empty database, unless PostgreSQL is not installed. Its client blocks, so it must
/// not run on a thread of the runtime.
async fn with_database() -> Option<(PostgresServer, String)> {
    let start = || {
        let postgres = PostgresServer::start()?;
        let database = postgres.create_database();
        Some((postgres, database))
    };
    tokio::task::spawn_blocking(start).await.expect("a thread")
}

#[tokio::test]
async fn second_server_takes_over_after_the_first_is_killed() {
    let Some((postgres, database)) = with_database().await else { return };
    let mut server = Server::start_on(&postgres.uri(&database));
    create_project(&server.client(), "web").await;
    let names: Vec<String> = (0..INSTANCES).map(|number| format!("i-{number}")).collect();
    for name in &names {
        create_instance(&server.client(), name).await;
    }
    for name in &names {
        wait_for_state(&server.client(), name, InstanceState::Running).await;
    }

    let refused = server.refused_beside();
    let stderr = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(6), "{stderr}");
    assert!(stderr.contains("error: another Croft server uses this database"), "{stderr}");
    assert!(stderr.contains(server.url()) && stderr.contains(", since 20"), "{stderr}");
    assert!(stderr.contains("hint: ") && stderr.contains("stop it first"), "{stderr}");

    let examined = server.examined_beside();
    let said = String::from_utf8_lossy(&examined.stdout);
    assert_eq!(examined.status.code(), Some(1), "{said}");
    assert!(said.contains("another Croft server uses this database: process"), "{said}");
    assert!(!said.contains("postgres://") && !said.contains("postgresql://"), "{said}");

    server.kill();
    let server = server.successor();
    // The new server starts machines, and knows the running ones.
    create_instance(&server.client(), "later").await;
    wait_for_state(&server.client(), "later", InstanceState::Running).await;
    let list = server.client().instance_list().project("web").send().await.expect("instance_list");
    let states: Vec<_> = list.items.iter().map(|instance| instance.run_state).collect();
    assert_eq!(states, [InstanceState::Running; INSTANCES + 1]);
}

#[tokio::test]
async fn server_exits_when_its_lease_is_lost() {
    let Some((postgres, database)) = with_database().await else { return };
    let mut server = Server::start_on(&postgres.uri(&database));
    let holder = "SELECT pg_terminate_backend(backend::int) FROM croft_lease";
    tokio::task::spawn_blocking(move || postgres.client(&database).batch_execute(holder).map(|()| postgres))
        .await
        .expect("a thread")
        .expect("the connection is ended");
    let (code, stderr) = server.ended();
    assert_eq!(code, Some(6), "{stderr}");
    assert!(stderr.contains("error: this server must stop: the connection that held the lease"), "{stderr}");
}
