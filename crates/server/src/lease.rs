//! Ensures that one server at a time works on a PostgreSQL database. (For SQLite the lock of the data directory does
//! that.)

use croft_store::{Database, Fence, Holder, Lease, LeaseError, LeaseHolder, PostgresOptions};

use crate::failure::{ExitKind, Failure, Result};

/// The hint if the database is in use.
const ONE_AT_A_TIME: &str = "only one server may use a database at a time. Use the API of that server, or \
                             stop it first. If its host has failed, PostgreSQL releases the lease within \
                             half a minute";

/// Takes the lease of a database for the server at an address.
///
/// # Errors
/// Another server holds it, which the failure names, or the database is unavailable.
pub fn take(options: &PostgresOptions, address: String) -> Result<Lease> {
    let name = rustix::system::uname().nodename().to_string_lossy().into_owned();
    let holder = Holder { name, address, process: std::process::id() };
    match Lease::take(options, &holder) {
        Ok(lease) => {
            tracing::info!(term = lease.fence().term(), "this server holds the lease of the database");
            Ok(lease)
        }
        Err(LeaseError::Held(held)) => Err(refused(held.as_ref())),
        Err(LeaseError::Store(error)) => Err(error.into()),
    }
}

/// The failure of a server whose database another one uses.
pub fn refused(held: Option<&LeaseHolder>) -> Failure {
    let Some(LeaseHolder { holder: Holder { name, address, process }, since, backend }) = held else {
        return Failure::new(ExitKind::Lease, "another Croft server has just started with this database")
            .hint(ONE_AT_A_TIME);
    };
    let message = format!(
        "another Croft server uses this database: process {process} on the host {name}, at {address}, since {since:.0}"
    );
    let by_hand = format!(
        "{ONE_AT_A_TIME}. To release it at once, run SELECT pg_terminate_backend({backend}) in that database"
    );
    Failure::new(ExitKind::Lease, message).hint(by_hand)
}

/// The database with writes that require the lease.
pub fn fenced(database: &Database, lease: Option<&Lease>) -> Database {
    lease.map_or_else(|| database.clone(), |lease| database.fenced(lease.fence()))
}

/// Waits until the lease is lost, if there is one.
pub async fn lost(fence: Option<&Fence>) -> Failure {
    let Some(fence) = fence else { return std::future::pending().await };
    let reason = fence.wait_until_lost().await;
    Failure::new(ExitKind::Lease, format!("this server must stop: {reason}")).hint(
        "start it again once the database can be reached; it continues unless another server has taken over",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_holder_is_named() {
        let holder = Holder { name: "alpha".into(), address: "http://10.0.0.1:12220".into(), process: 77 };
        let since = "2026-01-02T03:04:05.678Z".parse().unwrap();
        let text = refused(Some(&LeaseHolder { holder, since, backend: 4711 })).to_string();
        assert!(
            text.contains(
                "process 77 on the host alpha, at http://10.0.0.1:12220, since 2026-01-02T03:04:05Z"
            ),
            "{text}"
        );
        assert!(text.contains("hint: ") && text.contains("pg_terminate_backend(4711)"), "{text}");
        assert_eq!(refused(None).kind, ExitKind::Lease);
    }
}
