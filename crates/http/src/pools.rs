//! Blocking work, off the threads that serve requests. Each kind has its own limit, so that slow work of one kind does
//! not delay another.

use std::{
    collections::HashMap,
    sync::{Arc, Weak},
};

use async_lock::{Semaphore, SemaphoreGuardArc};
use croft_api::Uuid;
use parking_lot::Mutex;

use crate::failure::Result;

/// A kind of blocking work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Work {
    /// Queries of samples. A query of a tenant may take half a minute.
    Queries,
    /// Writes into disks that are being imported.
    Imports,
    /// Queries of hosts and switches.
    Hosts,
    /// Signing and checking keys.
    Signatures,
    /// Reading files for downloads.
    Downloads,
    /// Checking SAML responses, which anybody can post.
    Answers,
    /// Checking passkeys.
    Passkeys,
}

impl Work {
    const ALL: [Self; 7] = [
        Self::Queries,
        Self::Imports,
        Self::Hosts,
        Self::Signatures,
        Self::Downloads,
        Self::Answers,
        Self::Passkeys,
    ];

    /// Maximum concurrency.
    const fn threads(self) -> usize {
        match self {
            Self::Queries | Self::Imports | Self::Hosts => 4,
            Self::Signatures | Self::Downloads | Self::Answers | Self::Passkeys => 2,
        }
    }
}

/// The total of all limits: the runtime must provide this many threads for blocking work alone. Idle threads end by
/// themselves.
pub const BLOCKING_THREADS: usize = {
    let (mut sum, mut index) = (0, 0);
    while index < Work::ALL.len() {
        sum += Work::ALL[index].threads();
        index += 1;
    }
    sum
};

/// Maximum number of concurrent queries of one user, so that there is room for others.
const QUERIES_EACH: usize = 2;
/// Number of users above which entries without queries are removed.
const MAX_SHARES: usize = 64;

#[derive(Debug)]
struct Shared {
    concurrency: [Arc<Semaphore>; Work::ALL.len()],
    shares: Mutex<HashMap<Uuid, Weak<Semaphore>>>,
}

/// Limits for blocking work. Cheap to clone; all clones share the limits.
#[derive(Clone, Debug)]
pub struct Pools(Arc<Shared>);

impl Default for Pools {
    fn default() -> Self {
        let concurrency = Work::ALL.map(|kind| Arc::new(Semaphore::new(kind.threads())));
        Self(Arc::new(Shared { concurrency, shares: Mutex::default() }))
    }
}

impl Pools {
    /// Waits until a user may run another query. The result must be held while the query runs.
    pub(crate) async fn share_of(&self, user: Uuid) -> SemaphoreGuardArc {
        self.share(user).acquire_arc().await
    }

    fn share(&self, user: Uuid) -> Arc<Semaphore> {
        let mut shares = self.0.shares.lock();
        if let Some(share) = shares.get(&user).and_then(Weak::upgrade) {
            return share;
        }
        if shares.len() >= MAX_SHARES {
            shares.retain(|_, share| share.strong_count() > 0);
        }
        let share = Arc::new(Semaphore::new(QUERIES_EACH));
        shares.insert(user, Arc::downgrade(&share));
        share
    }

    /// Runs blocking work once there is room, to completion even if the caller is dropped.
    ///
    /// # Errors
    /// The work panicked.
    pub async fn run<T: Send + 'static>(
        &self,
        kind: Work,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T> {
        let turn = self.0.concurrency[kind as usize].acquire_arc().await;
        let work = move || {
            let done = work();
            drop(turn);
            done
        };
        #[cfg(not(target_family = "wasm"))]
        let done = tokio::task::spawn_blocking(work).await.map_err(croft_api::Error::internal)?;
        #[cfg(target_family = "wasm")]
        let done = work();
        Ok(done)
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    #[test]
    fn queries_of_one_user_leave_turns_for_others() {
        let pools = Pools::default();
        let (greedy, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let turn = |user| pools.share_of(user).now_or_never();
        let held: Vec<_> = (0..QUERIES_EACH).map(|_| turn(greedy).expect("room")).collect();
        assert!(turn(greedy).is_none());
        assert!(turn(other).is_some());
        const { assert!(QUERIES_EACH < Work::Queries.threads()) };
        drop(held);
        assert!(turn(greedy).is_some());
        for number in 0..1000 {
            drop(turn(Uuid::from_u128(number)));
        }
        assert!(pools.0.shares.lock().len() <= MAX_SHARES);
    }
}
