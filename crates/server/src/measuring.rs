//! Collects samples on a separate thread, because hosts may respond slowly.

use std::{
    panic::{AssertUnwindSafe, catch_unwind},
    thread,
    time::Duration,
};

use croft_api::{Error, Timestamp};
use croft_control::telemetry::Collector;
use croft_http::App;
use futures_util::future::{Either, select};
use jiff::SignedDuration;
use tokio::runtime::Handle;

use crate::{
    failure::{ExitKind, Failure, Result},
    system::now,
};

/// Interval at which latencies of requests are recorded.
const LATENCIES: SignedDuration = SignedDuration::from_secs(10);
/// Delay after a failed step.
const AFTER_FAILURE: Duration = Duration::from_secs(1);
/// Maximum sleep, whatever the next due time: clocks may be set.
const LONGEST: Duration = Duration::from_secs(10);

/// The thread.
pub struct Measuring {
    thread: thread::JoinHandle<()>,
}

impl Measuring {
    /// Starts collecting.
    pub fn start(app: App) -> Result<Self> {
        let runtime = Handle::current();
        let thread = thread::Builder::new()
            .name("croft-measuring".into())
            .spawn(move || run(&app, &runtime))
            .map_err(|error| {
                Failure::new(
                    ExitKind::Failed,
                    format!("cannot start the collection of measurements: {error}"),
                )
            })?;
        Ok(Self { thread })
    }

    /// Waits until the thread has ended after the shutdown. Then all samples are durable.
    pub fn join(self) {
        if self.thread.join().is_err() {
            tracing::error!("the collection of measurements panicked");
        }
    }
}

fn run(app: &App, runtime: &Handle) {
    let mut collector = Collector::new(app.parts.telemetry.clone(), app.parts.server_id);
    let mut started = false;
    let mut next_latencies = Timestamp::UNIX_EPOCH;
    loop {
        let pause = match catch_unwind(AssertUnwindSafe(|| {
            if !started {
                collector.start(&app.parts.database)?;
                started = true;
            }
            if next_latencies <= now() {
                app.record_latencies();
                next_latencies = now().saturating_add(LATENCIES).unwrap_or(Timestamp::MAX);
            }
            collector.step(&app.parts.database, now(), &*app.parts.hypervisor)
        })) {
            Ok(Ok(next)) => Duration::try_from(next.duration_since(now())).unwrap_or_default().min(LONGEST),
            Ok(Err(error)) => interrupted(&error),
            // A panic counts as one failed step, and the next one continues.
            Err(_) => interrupted(&Error::internal("a step panicked")),
        };
        let ended = runtime.block_on(async {
            let end = std::pin::pin!(app.closing.begun());
            let wake = std::pin::pin!(tokio::time::sleep(pause));
            matches!(select(end, wake).await, Either::Left(_))
        });
        if ended {
            break;
        }
    }
    app.record_latencies();
    if let Err(error) = collector.finish(&app.parts.database) {
        tracing::warn!(%error, "the last measurements were not stored");
    }
}

fn interrupted(error: &Error) -> Duration {
    let detail = error.detail();
    tracing::warn!(%error, detail, "the collection of measurements panicked");
    AFTER_FAILURE
}
