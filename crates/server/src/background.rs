//! Drives the reconciler on a thread of its own: after each commit, when the hypervisor or a receiver of alerts has news,
//! and on time.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use croft_api::{Error, Result as RuleResult};
use croft_control::{Environment, alert::WebhookSender, reconcile::Reconciler};
use croft_http::Closing;
use croft_sled::Hypervisor;
use croft_store::Database;
use futures_util::future::{Either, select};
use tokio::runtime::Handle;

use crate::{
    failure::{ExitKind, Failure, Result},
    system::{SystemRandom, now},
};

/// Delay after a failed step: the database is full or unreachable, and an immediate retry would fail too.
const AFTER_FAILURE: Duration = Duration::from_secs(1);
/// The pause between steps is as long as the last step took, but at least this and at most [`LONGEST_DEBOUNCE`]:
/// commits come in bursts, and one step handles all of them. Short steps follow each other quickly, because requests
/// wait for hosts.
const SHORTEST_DEBOUNCE: Duration = Duration::from_micros(200);
/// See [`SHORTEST_DEBOUNCE`].
const LONGEST_DEBOUNCE: Duration = Duration::from_millis(5);
/// Maximum sleep, whatever the next due time: clocks may be set.
const LONGEST: Duration = Duration::from_mins(1);

/// The thread.
pub struct Background {
    thread: thread::JoinHandle<()>,
}

impl Background {
    /// Adopts running machines, then starts.
    pub fn start(
        database: Database,
        environment: Arc<Environment>,
        hypervisor: Arc<dyn Hypervisor>,
        webhooks: Arc<dyn WebhookSender>,
        closing: Closing,
    ) -> Result<Self> {
        let mut reconciler = Reconciler::new(environment).sending_by(webhooks);
        reconciler.start(&database, now(), &mut SystemRandom, &*hypervisor)?;
        let runtime = Handle::current();
        let thread = thread::Builder::new()
            .name("croft-reconciler".into())
            .spawn(move || run(reconciler, &database, &*hypervisor, &closing, &runtime))
            .map_err(|error| {
                Failure::new(ExitKind::Failed, format!("cannot start the reconciler: {error}"))
            })?;
        Ok(Self { thread })
    }

    /// Waits until the thread has ended, which it does once `closing` has begun.
    pub fn join(self) {
        if self.thread.join().is_err() {
            tracing::error!("the reconciler panicked");
        }
    }
}

fn run(
    mut reconciler: Reconciler,
    database: &Database,
    hypervisor: &dyn Hypervisor,
    closing: &Closing,
    runtime: &Handle,
) {
    let mut changes = database.changes();
    loop {
        // Listening starts before the step, so that no event during the step is missed.
        let news = select(hypervisor.listen(), reconciler.listen());
        changes.take();
        let begun = Instant::now();
        let pause = match surviving(|| reconciler.step(database, now(), &mut SystemRandom, hypervisor)) {
            Ok(next) => Duration::try_from(next.duration_since(now())).unwrap_or_default().min(LONGEST),
            Err(error) => {
                let detail = error.detail();
                tracing::warn!(%error, detail, "background work panicked");
                AFTER_FAILURE
            }
        };
        let debounce = begun.elapsed().clamp(SHORTEST_DEBOUNCE, LONGEST_DEBOUNCE);
        // The runtime's timers have a resolution of milliseconds.
        thread::sleep(debounce);
        let ended = runtime.block_on(async {
            let end = std::pin::pin!(closing.begun());
            let wake = std::pin::pin!(async {
                tokio::select! {
                    () = tokio::time::sleep(pause.saturating_sub(debounce)) => {}
                    _ = news => {}
                    () = changes.changed() => {}
                }
            });
            matches!(select(end, wake).await, Either::Left(_))
        });
        if ended {
            break;
        }
    }
    if let Err(error) = reconciler.finish(database, now(), &mut SystemRandom, hypervisor) {
        tracing::warn!(%error, "the last updates were not stored");
    }
}

/// Runs one step. A panic counts as one failed step, and the next one continues: without this thread, machines would no
/// longer be managed although the server seems to run.
fn surviving<T>(step: impl FnOnce() -> RuleResult<T>) -> RuleResult<T> {
    catch_unwind(AssertUnwindSafe(step)).unwrap_or_else(|_| Err(Error::internal("a step panicked")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panicking_step_fails() {
        assert_eq!(surviving(|| Ok(1)).unwrap(), 1);
        let failed = surviving(|| -> RuleResult<()> { panic!("a defect") }).unwrap_err();
        assert!(matches!(failed, Error::Internal { .. }), "{failed:?}");
    }
}
