//! A concurrency limit with a bounded queue. Jobs beyond both are refused.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering::Relaxed},
};

use async_lock::{Semaphore, SemaphoreGuardArc};
use croft_api::{Error, Result};

/// The limit for one kind of job.
pub(crate) struct ConcurrencyLimit {
    running: Arc<Semaphore>,
    waiting: AtomicUsize,
    max_waiting: usize,
}

/// The permit for a job; released when dropped.
pub(crate) struct ConcurrencyPermit(
    #[expect(dead_code, reason = "it is there to be dropped")] SemaphoreGuardArc,
);

impl ConcurrencyLimit {
    /// Allows this many concurrent jobs, and this many waiting ones.
    pub(crate) fn new(at_a_time: usize, max_waiting: usize) -> Self {
        Self { running: Arc::new(Semaphore::new(at_a_time)), waiting: AtomicUsize::new(0), max_waiting }
    }

    /// Waits for a permit.
    ///
    /// # Errors
    /// `Unavailable` immediately if the queue is full.
    pub(crate) async fn take(&self) -> Result<ConcurrencyPermit> {
        if let Some(turn) = self.running.try_acquire_arc() {
            return Ok(ConcurrencyPermit(turn));
        }
        let before = self.waiting.fetch_add(1, Relaxed);
        let _position = QueuePosition(&self.waiting);
        if before >= self.max_waiting {
            return Err(Error::unavailable("too many operations of this kind at once"));
        }
        Ok(ConcurrencyPermit(self.running.acquire_arc().await))
    }
}

/// A place in the queue; released when dropped, also when the client disconnects.
struct QueuePosition<'a>(&'a AtomicUsize);

impl Drop for QueuePosition<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use std::{future::Future as _, pin::pin, task::Context};

    use super::*;

    #[test]
    fn excess_requests_wait_or_are_refused() {
        let concurrency = ConcurrencyLimit::new(1, 1);
        let mut context = Context::from_waker(std::task::Waker::noop());
        let first = at_once(&concurrency, &mut context).unwrap().unwrap();
        let mut second = pin!(concurrency.take());
        assert!(second.as_mut().poll(&mut context).is_pending());
        assert!(at_once(&concurrency, &mut context).unwrap().is_err());
        drop(first);
        let second = second.as_mut().poll(&mut context);
        assert!(matches!(second, std::task::Poll::Ready(Ok(_))));
        drop(second);
        assert!(at_once(&concurrency, &mut context).unwrap().is_ok());
        assert_eq!(concurrency.waiting.load(Relaxed), 0);
    }

    /// The immediate result, or `None` if the call has to wait.
    fn at_once(
        concurrency: &ConcurrencyLimit,
        context: &mut Context<'_>,
    ) -> Option<Result<ConcurrencyPermit>> {
        match pin!(concurrency.take()).poll(context) {
            std::task::Poll::Ready(result) => Some(result),
            std::task::Poll::Pending => None,
        }
    }
}
