//! Synchronizes writes into a disk that is being imported with the end of the import.
//!
//! Writes are sent to the hypervisor outside of any transaction, several at a time. The end of the import waits for
//! writes in progress and blocks new ones until the end is recorded in the database. The locks are in memory, which
//! suffices because one server at a time works on a database.

use std::{
    collections::HashMap,
    sync::{Arc, Weak},
};

use async_lock::{RwLock, RwLockReadGuardArc, RwLockWriteGuardArc, Semaphore, SemaphoreGuardArc};
use croft_api::Uuid;
use parking_lot::Mutex;

/// Maximum number of concurrent writes in all disks, which limits their memory.
const WRITES: usize = 16;
/// Number of locks above which unused ones are removed.
const MAX_LOCKS: usize = 64;

/// The imports in progress.
pub(crate) struct Imports {
    disks: Mutex<HashMap<Uuid, Weak<RwLock<()>>>>,
    writes: Arc<Semaphore>,
}

/// The permit to write into a disk.
pub(crate) struct WritePermit {
    _disk: RwLockReadGuardArc<()>,
    _write: SemaphoreGuardArc,
}

impl Default for Imports {
    fn default() -> Self {
        Self { disks: Mutex::default(), writes: Arc::new(Semaphore::new(WRITES)) }
    }
}

impl Imports {
    /// Waits until the import is not being ended, and for a free slot.
    pub(crate) async fn write_into(&self, disk: Uuid) -> WritePermit {
        let disk = self.lock(disk).read_arc().await;
        WritePermit { _disk: disk, _write: self.writes.acquire_arc().await }
    }

    /// Waits until no write is in progress, and blocks others until the result is dropped.
    pub(crate) async fn close(&self, disk: Uuid) -> RwLockWriteGuardArc<()> {
        self.lock(disk).write_arc().await
    }

    fn lock(&self, disk: Uuid) -> Arc<RwLock<()>> {
        let mut disks = self.disks.lock();
        if let Some(lock) = disks.get(&disk).and_then(Weak::upgrade) {
            return lock;
        }
        if disks.len() >= MAX_LOCKS {
            disks.retain(|_, lock| lock.strong_count() > 0);
        }
        let lock = Arc::<RwLock<()>>::default();
        disks.insert(disk, Arc::downgrade(&lock));
        lock
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    #[test]
    fn finish_and_writes_wait_for_each_other() {
        let (imports, disk) = (Imports::default(), Uuid::from_u128(1));
        let first = imports.write_into(disk).now_or_never().expect("the first write does not wait");
        let second = imports.write_into(disk).now_or_never().expect("the second write does not wait");
        let mut closing = Box::pin(imports.close(disk));
        assert!(closing.as_mut().now_or_never().is_none());
        let mut late = Box::pin(imports.write_into(disk));
        assert!(late.as_mut().now_or_never().is_none(), "a write after the close waits for it");
        drop(first);
        assert!(closing.as_mut().now_or_never().is_none());
        drop(second);
        let closed = closing.as_mut().now_or_never().expect("no write is in progress");
        assert!(late.as_mut().now_or_never().is_none());
        assert!(
            imports.write_into(Uuid::from_u128(2)).now_or_never().is_some(),
            "writes to other disks do not wait"
        );
        drop(closed);
        assert!(late.as_mut().now_or_never().is_some());
    }

    #[test]
    fn unused_locks_are_removed() {
        let imports = Imports::default();
        let held = imports.close(Uuid::nil()).now_or_never();
        for number in 1..1000 {
            drop(imports.close(Uuid::from_u128(number)).now_or_never());
        }
        assert!(imports.disks.lock().len() <= MAX_LOCKS);
        assert!(held.is_some());
        assert!(imports.close(Uuid::nil()).now_or_never().is_none());
    }

    #[test]
    fn concurrent_writes_are_limited() {
        let imports = Imports::default();
        let permits: Vec<_> = (0..WRITES as u128)
            .map(|number| imports.write_into(Uuid::from_u128(number)).now_or_never().expect("room"))
            .collect();
        assert!(imports.write_into(Uuid::nil()).now_or_never().is_none());
        drop(permits);
        assert!(imports.write_into(Uuid::nil()).now_or_never().is_some());
    }
}
