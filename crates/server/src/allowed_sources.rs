//! Keeps the allow-list in sync with the database.

use std::time::Duration;

use croft_control::allow_list;
use croft_http::Sources;
use croft_store::{ChangeSignal, Database};
use tokio::time::{sleep, timeout};

use crate::failure::{ExitKind, Failure, Result};

/// Minimum interval between reads of the database: commits come in bursts, and few of them change the list.
const DEBOUNCE: Duration = Duration::from_millis(200);
/// Maximum interval: other programs that write to the database, such as `croft admin`, do not wake this one.
const LONGEST: Duration = Duration::from_secs(5);

/// Reads the list for the first time.
///
/// # Errors
/// The database cannot be read.
pub async fn load(database: &Database, sources: &Sources) -> Result<()> {
    let allowed = database.read(allow_list::current).await.map_err(|error| {
        let why = error.detail().map_or_else(|| error.message(), str::to_owned);
        Failure::new(ExitKind::Database, format!("cannot read the allow-list: {why}"))
    })?;
    sources.replace(allowed);
    Ok(())
}

/// Follows changes of the database for as long as it is polled.
pub async fn follow(sources: Sources, database: Database, mut changes: ChangeSignal) {
    loop {
        // It checks after a timeout as well.
        let _ = timeout(LONGEST, changes.changed()).await;
        match database.read(allow_list::current).await {
            Ok(allowed) => {
                if sources.replace(allowed) {
                    tracing::info!("the allow-list has changed");
                }
            }
            Err(error) => {
                let detail = error.detail();
                tracing::warn!(%error, detail, "cannot read the allow-list; the last known one stays in force");
            }
        }
        sleep(DEBOUNCE).await;
    }
}
