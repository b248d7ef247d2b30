//! The state of the routes: the database, the hypervisor, and the services of the host program.

use std::{future::Future, ops::Deref, pin::Pin, sync::Arc, time::Duration};

use croft_api::{Result, Timestamp, Uuid, scalar::Password};
use croft_control::{Environment, alert::WebhookSender, support_bundle::Archives, throttle::Throttle};
use croft_sled::Hypervisor;
use croft_store::{Database, telemetry::Telemetry};
use parking_lot::Mutex;

use crate::{
    answer_cache::AnswerCache, closing::Closing, concurrency::ConcurrencyLimit, endpoint::Endpoints,
    imports::Imports, latency, load::Load, passkeys::Passkeys, pending_objects::PendingObjects,
    pictures::Pictures, pools::Pools, proxy::TrustedProxy, repositories::RepositoryStore, sources::Sources,
    transport::TlsPort,
};

/// The clock, as a trait, so that tests and the browser can provide their own.
pub trait Clock: Send + Sync + 'static {
    /// The time of day.
    fn now(&self) -> Timestamp;
    /// Time since a fixed moment, never decreasing; for measuring.
    fn monotonic(&self) -> Duration;
}

/// A source of cryptographically secure random bytes.
pub trait Random: Send + Sync + 'static {
    /// Fills `bytes`.
    fn fill(&self, bytes: &mut [u8]);
}

/// Maximum number of concurrent checks of SAML responses.
const SAML_CHECKS_AT_A_TIME: usize = 2;
/// Maximum number of SAML responses that wait for a check. Each takes up to a megabyte of memory.
const MAX_WAITING_SAML_CHECKS: usize = 32;

/// A future that some implementation makes.
pub type Pending<T> = Pin<Box<dyn Future<Output = T> + Send>>;

/// Runs background tasks: on an async runtime natively, on the event loop in a browser.
pub trait Tasks: Send + Sync + 'static {
    /// Runs a task to its end.
    fn spawn(&self, task: Pending<()>);

    /// Runs a task that must not wait for many others. If there is only one thread, this is the same as
    /// [`spawn`](Self::spawn).
    fn spawn_dedicated(&self, task: Pending<()>) {
        self.spawn(task);
    }

    /// Resolves after this long.
    fn sleep(&self, time: Duration) -> Pending<()>;
}

/// Tasks of the tokio runtime that serves requests.
#[cfg(not(target_family = "wasm"))]
pub struct RuntimeTasks;

#[cfg(not(target_family = "wasm"))]
impl Tasks for RuntimeTasks {
    fn spawn(&self, task: Pending<()>) {
        // After the end of the runtime, nothing runs any more.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(task);
        }
    }

    fn spawn_dedicated(&self, task: Pending<()>) {
        let runtime = tokio::runtime::Handle::current();
        // Not on the pool for blocking work: this thread is in use for as long as there are listeners.
        let thread = std::thread::Builder::new().name("croft-apart".into());
        if let Err(error) = thread.spawn(move || runtime.block_on(task)) {
            tracing::error!(%error, "cannot start a thread for a task; it will be retried");
        }
    }

    fn sleep(&self, time: Duration) -> Pending<()> {
        Box::pin(tokio::time::sleep(time))
    }
}

/// Password hashing, kept off the threads that serve requests.
pub trait Passwords: Send + Sync + 'static {
    /// Whether a password matches a hash. Without a hash the result is false, after the same work.
    ///
    /// # Errors
    /// `Unavailable` if too many passwords wait to be checked.
    fn verify(&self, password: Password, hash: Option<String>) -> Pending<Result<bool>>;

    /// A new hash, in PHC form, of a password for the user with this name.
    ///
    /// # Errors
    /// `Unavailable` if too many passwords wait to be hashed,
    /// [`password::too_common`](croft_control::password::too_common) for one that is easily guessed, if there is a list
    /// of these.
    fn hash(&self, password: Password, user_name: String) -> Pending<Result<String>>;

    /// Resolves after this long; delays sign-ins that guess too often.
    fn pause(&self, time: Duration) -> Pending<()>;
}

/// Fetches the metadata of identity providers from addresses given by administrators.
pub trait MetadataSource: Send + Sync + 'static {
    /// The text at an `http` or `https` URL, or the error as text for the user
    /// (`docs/rules/identity-and-system.md#identity-providers`). URLs may be malicious: an implementation limits time
    /// and size, follows no redirects, and does not contact addresses that are not public.
    fn fetch(&self, url: String) -> Pending<Result<String, String>>;
}

/// The operator's settings for HTTP.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Whether users reach the server over TLS only, so that cookies must be marked as Secure.
    pub secure_cookies: bool,
    /// Maximum number of concurrent requests. Further ones are refused immediately.
    pub max_in_flight: usize,
    /// A token that may read the server's metrics, in addition to viewers of the fleet.
    pub metrics_token: Option<String>,
    /// Proxies whose headers about the client are trusted.
    pub trusted_proxies: Vec<TrustedProxy>,
    /// How long a request waits for a host: a creation until the object is made, and other requests until they can be
    /// done. Zero disables waiting.
    pub wait_for_hosts: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            secure_cookies: false,
            max_in_flight: 256,
            metrics_token: None,
            trusted_proxies: Vec::new(),
            wait_for_hosts: Duration::from_secs(10),
        }
    }
}

/// The parts of an [`App`].
#[derive(Clone)]
pub struct AppParts {
    /// The database.
    pub database: Database,
    /// The store of samples.
    pub telemetry: Telemetry,
    /// The server's identity in samples.
    pub server_id: Uuid,
    /// The hypervisor.
    pub hypervisor: Arc<dyn Hypervisor>,
    /// The state shared by rules.
    pub environment: Arc<Environment>,
    /// The clock.
    pub clock: Arc<dyn Clock>,
    /// The random source.
    pub random: Arc<dyn Random>,
    /// The runner of background tasks.
    pub tasks: Arc<dyn Tasks>,
    /// Password hashing.
    pub passwords: Arc<dyn Passwords>,
    /// The implementation of passkeys; `None` if they are not supported.
    pub passkeys: Option<Arc<dyn Passkeys>>,
    /// Fetches metadata of identity providers.
    pub metadata: Arc<dyn MetadataSource>,
    /// Sends probes to receivers of alerts.
    pub webhooks: Arc<dyn WebhookSender>,
    /// The storage for support bundles.
    pub archives: Arc<dyn Archives>,
    /// The storage for update archives.
    pub repositories: Arc<dyn RepositoryStore>,
    /// Settings.
    pub settings: Settings,
}

/// The state that all routes share. Cheap to clone.
#[derive(Clone)]
pub struct App(Arc<Inner>);

/// The content of an [`App`].
pub struct Inner {
    /// Its parts.
    pub parts: AppParts,
    /// Requests in progress.
    pub load: Load,
    /// Whether the server is shutting down, for streams.
    pub closing: Closing,
    /// The allow-list: initially any address.
    pub sources: Sources,
    /// Where unencrypted requests are redirected: initially nowhere.
    pub tls_port: TlsPort,
    /// The live event streams.
    pub(crate) events: crate::events::Events,
    /// Imports in progress.
    pub(crate) imports: Imports,
    /// Requests that wait for what hosts are making.
    pub(crate) pending_objects: PendingObjects,
    /// Pictures of screens, of the last seconds.
    pub(crate) pictures: Pictures,
    /// The endpoints by path.
    pub(crate) endpoints: Endpoints,
    /// A cache of responses that are reused while the database has not changed.
    pub(crate) answer_cache: AnswerCache,
    /// Limits concurrent checks of SAML responses.
    pub(crate) saml_checks: ConcurrencyLimit,
    /// Limits blocking work.
    pub pools: Pools,
    /// Rate limit for password guesses.
    pub(crate) throttle: Mutex<Throttle>,
    /// Rate limit for device authorization requests.
    pub(crate) device_throttle: Mutex<Throttle>,
    /// Rate limit for logging refused SAML responses.
    pub(crate) saml_throttle: Mutex<Throttle>,
}

impl App {
    /// Creates the state from its parts.
    pub fn new(parts: AppParts) -> Self {
        let endpoints = Endpoints::new(crate::operations::described());
        let load = Load::new(parts.settings.max_in_flight);
        let (throttle, device_throttle, saml_throttle) = Default::default();
        Self(Arc::new(Inner {
            parts,
            load,
            closing: Closing::default(),
            sources: Sources::default(),
            tls_port: TlsPort::default(),
            events: crate::events::Events::default(),
            imports: Imports::default(),
            pending_objects: PendingObjects::default(),
            saml_checks: ConcurrencyLimit::new(SAML_CHECKS_AT_A_TIME, MAX_WAITING_SAML_CHECKS),
            pools: Pools::default(),
            pictures: Pictures::default(),
            endpoints,
            answer_cache: AnswerCache::default(),
            throttle,
            device_throttle,
            saml_throttle,
        }))
    }

    /// Records the latencies of requests until now.
    pub fn record_latencies(&self) {
        let AppParts { telemetry, server_id, clock, .. } = &self.parts;
        latency::record(telemetry, *server_id, &self.endpoints.all(), clock.now());
    }

    /// A fresh random (version 4) id.
    pub(crate) fn new_id(&self) -> Uuid {
        let mut bytes = [0; 16];
        self.parts.random.fill(&mut bytes);
        uuid::Builder::from_random_bytes(bytes).into_uuid()
    }
}

impl Deref for App {
    type Target = Inner;

    fn deref(&self) -> &Inner {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    /// How long to wait for a task that never runs.
    const TIMEOUT: Duration = Duration::from_secs(30);

    #[tokio::test(flavor = "current_thread")]
    async fn dedicated_task_runs_while_the_runtime_is_blocked() {
        let (done, waited) = mpsc::channel();
        RuntimeTasks.spawn_dedicated(Box::pin(async move {
            tokio::task::yield_now().await;
            done.send(()).expect("the receiver exists");
        }));
        // Blocks the only thread of the runtime, so that no spawned task runs.
        waited.recv_timeout(TIMEOUT).expect("the task runs on its own thread");
    }
}
