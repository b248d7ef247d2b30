//! The controls: the least that any server on this HTTP stack must do.

use std::{
    path::Path,
    sync::{Arc, Mutex},
};

use argon2::{Algorithm, Argon2, Params, Version, password_hash::PasswordHasher as _};
use axum::{
    Router,
    extract::State,
    http::{StatusCode, header},
    response::IntoResponse,
    routing::{get, post},
};

use crate::Failure;

/// The size of an instance view, so that the control moves as many bytes.
const BODY_LENGTH: usize = 620;

/// Memory of one hash, in KiB, and passes over it, as the server hashes passwords (`crates/server/src/password.rs`).
const HASH_MEMORY: u32 = 64 * 1024;
const HASH_PASSES: u32 = 4;

/// Serves the controls on a free loopback port until it is killed.
pub fn serve(ready_file: &Path) -> Result<(), Failure> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
    runtime.block_on(async {
        let folder = tempfile::tempdir()?;
        let app = Router::new()
            .route("/constant", get(constant))
            .route("/commit", post(commit))
            .route("/hash", post(hash))
            .with_state(Arc::new(Mutex::new(open(&folder.path().join("control.db"))?)));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await?;
        std::fs::write(ready_file, format!("http://{}", listener.local_addr()?))?;
        axum::serve(listener, app).await?;
        Ok(())
    })
}

fn open(file: &Path) -> Result<rusqlite::Connection, Failure> {
    let connection = rusqlite::Connection::open(file)?;
    connection.execute_batch(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;
         CREATE TABLE disk (id INTEGER PRIMARY KEY, document TEXT NOT NULL);",
    )?;
    Ok(connection)
}

async fn constant() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], "x".repeat(BODY_LENGTH))
}

async fn commit(State(connection): State<Arc<Mutex<rusqlite::Connection>>>, body: String) -> StatusCode {
    let stored = tokio::task::spawn_blocking(move || {
        let connection = connection.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        connection.execute("INSERT INTO disk (document) VALUES (?1)", [body])
    });
    match stored.await {
        Ok(Ok(_)) => StatusCode::CREATED,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

/// Hashes what is sent as a password.
async fn hash(password: String) -> StatusCode {
    let hashed = tokio::task::spawn_blocking(move || {
        let params = Params::new(HASH_MEMORY, HASH_PASSES, 1, None).ok()?;
        let hasher = Argon2::new(Algorithm::Argon2id, Version::V0x13, params);
        hasher.hash_password(password.as_bytes()).ok()
    });
    match hashed.await {
        Ok(Some(_)) => StatusCode::CREATED,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    }
}
