//! Fencing: prevents a server that has lost the lease of a database from writing.

use std::sync::{Arc, OnceLock};

use event_listener::Event;

use crate::{StoreError, Tx};

/// Reads the term in a transaction that carries it. The row stays locked until the transaction ends, so that no lease
/// is taken between this look and the commit; if one was taken since the transaction began, it collides and runs again.
const READ_TERM: &str = "SELECT \"term\" FROM \"croft_lease\" FOR SHARE";

#[derive(Debug)]
struct Shared {
    term: i64,
    /// Why the lease is gone; empty while it is held.
    lost: OnceLock<String>,
    event: Event,
}

/// The term under which somebody holds the lease of a database. [`Database::fenced`](crate::Database::fenced) makes a
/// handle whose every write carries it. Cheap to clone; all clones speak of the same lease.
#[derive(Clone, Debug)]
pub struct Fence {
    shared: Arc<Shared>,
}

impl Fence {
    #[cfg_attr(not(feature = "postgres"), expect(dead_code, reason = "only PostgreSQL has a lease"))]
    pub(crate) fn new(term: i64) -> Self {
        Self { shared: Arc::new(Shared { term, lost: OnceLock::new(), event: Event::new() }) }
    }

    /// The number of this holder: each new holder of the lease has a higher one, from 1.
    pub fn term(&self) -> i64 {
        self.shared.term
    }

    /// Why the lease is gone, if it is. It never comes back.
    pub fn lost(&self) -> Option<&str> {
        self.shared.lost.get().map(String::as_str)
    }

    /// Waits until the lease is lost and returns why.
    pub async fn wait_until_lost(&self) -> &str {
        loop {
            let listener = self.shared.event.listen();
            if let Some(reason) = self.lost() {
                return reason;
            }
            listener.await;
        }
    }

    /// Records that the lease is gone. The first reason stays.
    pub(crate) fn lose(&self, reason: String) {
        if self.shared.lost.set(reason).is_ok() {
            self.shared.event.notify(usize::MAX);
        }
    }

    /// Refuses if the lease is known to be gone.
    pub(crate) fn check(&self) -> Result<(), StoreError> {
        match self.lost() {
            None => Ok(()),
            Some(reason) => Err(StoreError::Superseded(reason.to_owned())),
        }
    }

    /// Refuses if the database has seen a later holder. Otherwise there is none before the transaction has ended.
    pub(crate) fn verify(&self, tx: &mut Tx<'_>) -> Result<(), StoreError> {
        self.check()?;
        let current = tx.integer(READ_TERM, &[])?;
        if current == self.shared.term {
            return Ok(());
        }
        self.lose(format!(
            "another server has taken over the database: its term is {current}, this server's is {}",
            self.shared.term
        ));
        self.check()
    }
}
