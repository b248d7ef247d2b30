//! `croft serve`: starts the server from its configuration, and shuts it down in order.

use std::{
    fs,
    io::{IsTerminal as _, Write as _},
    net::SocketAddr,
    num::NonZeroU16,
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use croft_api::Uuid;
use croft_bundle::ArchiveFolder;
use croft_control::{Environment, SecretKey, SessionSettings, Settings as Rules, alert::WebhookSender};
use croft_demo::NoReceivers;
use croft_http::{App, AppParts, Closing, RuntimeTasks, Settings};
use croft_passkeys::WebAuthn;
use croft_store::{Database, Fence, Lease, telemetry::Telemetry};
use jiff::SignedDuration;
use sd_notify::NotifyState;
use tokio::{
    net::TcpListener,
    runtime::Runtime,
    signal::unix::{Signal, SignalKind, signal},
    time::timeout,
};

use crate::{
    allowed_sources, audit_exports,
    background::Background,
    config::Config,
    console,
    data_directory::{BUNDLES_FOLDER, DataDirectory, LOGS_FOLDER},
    database_url,
    demo::Demo,
    failure::{ExitKind, Failure, Result},
    first_start::{self, Administrator, FIRST_SILO, FIRST_USER},
    hypervisor::{self, Choice},
    inbound_icmp::Enforcement,
    initial_password, lease,
    listener::{self, Listener},
    logging::{self, Log},
    measuring::Measuring,
    metadata_fetch::MetadataFetch,
    outbound::{self, AllowedDestinations},
    password::PasswordPool,
    repositories::{self, Repositories},
    secret_key, storage, support_bundles,
    system::{SystemClock, SystemRandom},
    tls::{self, Certificates},
    webhooks::Webhooks,
};

/// Time limit for closing streams at shutdown.
const GOODBYE: Duration = Duration::from_secs(3);

/// Runs the server until it is told to stop.
pub fn run(config: &Config) -> Result<()> {
    let directory = DataDirectory::open(&config.data_dir)?;
    let lock = directory.lock()?;
    let log = logging::start(config, config.data_dir.join(LOGS_FOLDER))?;
    listener::raise_file_limit();
    let choice = hypervisor::choose(config)?;
    let runtime = runtime(config)?;
    // Before the first start creates a password that can be shown only once.
    let listeners = runtime.block_on(Listeners::bind(config))?;
    let postgres = database_url::postgres(config.database_url.as_deref(), config.allow_plain_database)?;
    // Before anything in the database is read or changed.
    let urls = listeners.addresses(config).urls();
    let lease = postgres.as_ref().map(|options| lease::take(options, urls.join(" and "))).transpose()?;
    let database = storage::open(&directory, postgres.as_ref(), config.database_readers, config.workers)?;
    let own = lease::fenced(&database, lease.as_ref());
    let choice = choice.queued(lease.as_ref().map(Lease::fence));
    let telemetry = storage::open_telemetry(&directory, config)?;
    let measured = Measured { telemetry, server_id: directory.server_id()? };
    let secret_key = secret_key::obtain(&directory, &own)?;
    let environment = environment(config, &choice, secret_key);
    // It can be read only on a terminal.
    let shows_password = std::io::stdout().is_terminal();
    let keep = |password: &str| {
        if shows_password { Ok(()) } else { initial_password::keep(&config.data_dir, &urls[0], password) }
    };
    let administrator = first_start::run(&own, &environment, &*choice.hypervisor, keep)?;
    let demo = choice.demo.as_ref();
    let demo = demo.map(|hosts| Demo::open(&own, &measured.telemetry, &environment, hosts)).transpose()?;
    let first = StartupInfo { administrator, shows_password, demo, log: &log };
    let fence = lease.as_ref().map(Lease::fence);
    let databases = Databases { shared: database, own, fence };
    let served = runtime.block_on(serve(config, listeners, databases, measured, environment, choice, first));
    runtime.shutdown_timeout(GOODBYE);
    // Held while anything of this server uses the database and the directory.
    drop(lease);
    drop(lock);
    served
}

fn runtime(config: &Config) -> Result<Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(config.workers)
        .max_blocking_threads(blocking_threads(config))
        .enable_all()
        .build()
        .map_err(|error| Failure::new(ExitKind::Failed, format!("cannot start the runtime: {error}")))
}

/// Enough threads that no kind of blocking work waits for another: each kind has its own limit. Threads are created on
/// demand, and idle ones end.
fn blocking_threads(config: &Config) -> usize {
    /// Collecting a support bundle, reading a file of the console, exporting old entries of the audit log, and the
    /// shutdown.
    const OTHERS: usize = 4;
    config.password_workers
        + croft_http::BLOCKING_THREADS
        + outbound::THREADS
        + repositories::THREADS
        + OTHERS
}

fn environment(config: &Config, choice: &Choice, secret_key: SecretKey) -> Arc<Environment> {
    let minutes = |count: u32| SignedDuration::from_mins(count.into());
    let session = SessionSettings {
        idle: minutes(config.session_idle),
        absolute: minutes(config.session_absolute),
        ..SessionSettings::default()
    };
    let external_suffixes = config.external_suffixes.clone();
    let days = |count: u32| SignedDuration::from_hours(i64::from(count) * 24);
    let unless_zero = |count: u32| (count > 0).then(|| days(count));
    let deleted_retention = days(config.deleted_retention);
    let storage = choice.storage.clone();
    let metrics_begin_with_value = config.metrics_begin_with_value;
    let network = config.network.clone();
    let support_bundles = config.support_bundles;
    let rules = Rules {
        support_bundles,
        support_bundle_retention: unless_zero(config.support_bundle_retention),
        alert_retention: unless_zero(config.alert_retention),
        session,
        external_suffixes,
        deleted_retention,
        storage,
        network,
        metrics_begin_with_value,
        ..Rules::default()
    };
    Arc::new(Environment::new(rules, secret_key, |error| croft_http::status(error).as_u16()))
}

async fn serve(
    config: &Config,
    listeners: Listeners,
    databases: Databases<'_>,
    measured: Measured,
    environment: Arc<Environment>,
    choice: Choice,
    first: StartupInfo<'_>,
) -> Result<()> {
    let mut signals = Signals::new()?;
    let Databases { shared: database, own, fence } = databases;
    let addresses = listeners.addresses(config);
    let listening = [Some(addresses.plain), addresses.tls].into_iter().flatten();
    let listening = listening.map(|address| address.ip()).collect();
    let icmp = Enforcement::open(config.enforce_icmp, &config.data_dir, listening)?;
    let console = console::choose(config.console_dir.clone());
    let webhooks = webhooks(config, first.demo.is_some());
    let app =
        App::new(parts(config, database.clone(), measured, environment.clone(), &choice, webhooks.clone())?);
    announce(config, &addresses, &choice, &first, &console);
    warn_of_plain_connections(config, addresses.plain);
    let machines = format!("{} {}", choice.kind, choice.notice);
    // Listening starts before the first read, so that no change in between is missed.
    let changes = database.changes();
    allowed_sources::load(&database, &app.sources).await?;
    tokio::spawn(allowed_sources::follow(app.sources.clone(), database.clone(), changes));
    let following = tokio::spawn(icmp.clone().follow(database.clone(), database.changes()));
    let folder = config.data_dir.clone();
    tokio::spawn(initial_password::follow(folder, database.clone(), environment.clone(), database.changes()));
    let listeners = listeners.open(config, &database, &environment, &app).await?;
    let bundles = support_bundles::start(config, &choice, &app)?;
    let exporting = audit_exports::start(config, &own, &app.closing)?;
    let Choice { hypervisor, queues, .. } = choice;
    let background = Background::start(own, environment, hypervisor, webhooks, app.closing.clone())?;
    let measuring = Measuring::start(app.clone())?;
    let mut pages = console::router(console, &machines);
    if let Some(demo) = &first.demo {
        pages = pages.merge(demo.router());
    }
    let edge = croft_http::serve(app.clone(), pages);
    if let Some(path) = &config.ready_file {
        // Whoever waits for the file may look for something in the log.
        first.log.flush();
        write_ready_file(path, &addresses)?;
    }
    tell_service_manager(NotifyState::Ready);
    let mut failure = None;
    let end = async { failure = goodbye(&mut signals, fence, &app.closing).await };
    listener::serve(listeners, edge, end).await;
    for task in [Some(bundles), exporting].into_iter().flatten() {
        task.await.map_err(|error| Failure::new(ExitKind::Failed, format!("shutdown failed: {error}")))?;
    }
    tokio::task::spawn_blocking(move || {
        background.join();
        measuring.join();
        if let Some(queues) = queues {
            queues.end();
        }
    })
    .await
    .map_err(|error| Failure::new(ExitKind::Failed, format!("shutdown failed: {error}")))?;
    following.abort();
    let _ = following.await;
    icmp.end();
    if let Some(failure) = failure {
        return Err(failure);
    }
    tracing::info!("shut down");
    Ok(())
}

/// Sends requests to alert receivers. The receivers of a demo do not exist.
fn webhooks(config: &Config, is_demo: bool) -> Arc<dyn WebhookSender> {
    if is_demo {
        return Arc::new(NoReceivers);
    }
    Arc::new(Webhooks::new(
        AllowedDestinations::Networks(config.webhook_allow.clone()),
        config.webhook_ca.clone(),
    ))
}

/// The database, with and without the lease.
struct Databases<'a> {
    /// For requests.
    shared: Database,
    /// For the reconciler: its writes require the lease.
    own: Database,
    /// The term of the lease, on PostgreSQL.
    fence: Option<&'a Fence>,
}

/// What the server prints after its start.
struct StartupInfo<'a> {
    /// The administrator, if one was created.
    administrator: Option<Administrator>,
    /// Whether the administrator's password is printed; otherwise it is in a file.
    shows_password: bool,
    /// The demo, if it is enabled.
    demo: Option<Demo>,
    /// The log.
    log: &'a Log,
}

/// The store of measurements, and this server's ID in it.
struct Measured {
    telemetry: Telemetry,
    server_id: Uuid,
}

fn parts(
    config: &Config,
    database: Database,
    measured: Measured,
    environment: Arc<Environment>,
    choice: &Choice,
    webhooks: Arc<dyn WebhookSender>,
) -> Result<AppParts> {
    let repositories = Repositories::open(&config.data_dir)?;
    Ok(AppParts {
        database,
        telemetry: measured.telemetry,
        server_id: measured.server_id,
        hypervisor: choice.hypervisor.clone(),
        environment,
        clock: Arc::new(SystemClock::new()),
        random: Arc::new(SystemRandom),
        tasks: Arc::new(RuntimeTasks),
        passwords: Arc::new(PasswordPool::new(config.password_workers)),
        passkeys: Some(Arc::new(WebAuthn)),
        metadata: Arc::new(MetadataFetch::new(config.allow_internal_metadata, config.allow_plain_metadata)),
        webhooks,
        archives: Arc::new(ArchiveFolder::new(config.data_dir.join(BUNDLES_FOLDER))),
        repositories: Arc::new(repositories),
        settings: Settings {
            secure_cookies: config.secure_cookies,
            max_in_flight: config.max_in_flight,
            metrics_token: config.metrics_token.clone(),
            trusted_proxies: config.trusted_proxies.clone(),
            ..Settings::default()
        },
    })
}

/// Waits for a termination signal or the loss of the lease, then closes the streams. Returns why the server must stop,
/// if no signal asked for it.
async fn goodbye(signals: &mut Signals, fence: Option<&Fence>, closing: &Closing) -> Option<Failure> {
    let failure = tokio::select! {
        name = signals.next() => {
            tracing::info!(signal = name, "shutting down: no new connections; finishing requests in progress");
            None
        }
        failure = lease::lost(fence) => {
            tracing::error!(%failure, "shutting down: no new connections; finishing requests in progress");
            Some(failure)
        }
    };
    tell_service_manager(NotifyState::Stopping);
    closing.begin();
    if timeout(GOODBYE, closing.drained()).await.is_err() {
        tracing::warn!(streams = closing.streams(), "some streams did not close in time");
    }
    failure
}

/// SIGTERM and SIGINT: the first one starts an orderly shutdown, a further one ends the process immediately.
struct Signals {
    terminate: Signal,
    interrupt: Signal,
}

impl Signals {
    fn new() -> Result<Self> {
        let listen = |kind| {
            signal(kind).map_err(|error| {
                Failure::new(ExitKind::Failed, format!("cannot listen for signals: {error}"))
            })
        };
        Ok(Self { terminate: listen(SignalKind::terminate())?, interrupt: listen(SignalKind::interrupt())? })
    }

    async fn next(&mut self) -> &'static str {
        tokio::select! {
            _ = self.terminate.recv() => "SIGTERM",
            _ = self.interrupt.recv() => "SIGINT",
        }
    }
}

/// The listeners.
struct Listeners {
    plain: TcpListener,
    tls: Option<TcpListener>,
}

/// The addresses in use: the system may have chosen the port.
struct Addresses {
    plain: SocketAddr,
    tls: Option<SocketAddr>,
}

impl Listeners {
    async fn bind(config: &Config) -> Result<Self> {
        let plain = listener::bind(config.listen, "--listen").await?;
        let tls = match config.tls_listen {
            Some(address) => Some(listener::bind(address, "--tls-listen").await?),
            None => None,
        };
        Ok(Self { plain, tls })
    }

    fn addresses(&self, config: &Config) -> Addresses {
        let plain = self.plain.local_addr().unwrap_or(config.listen);
        let tls = self.tls.as_ref().and_then(|tls| tls.local_addr().ok()).or(config.tls_listen);
        Addresses { plain, tls }
    }

    /// Prepares the listeners. From now on the certificates follow the database.
    async fn open(
        self,
        config: &Config,
        database: &Database,
        environment: &Arc<Environment>,
        app: &App,
    ) -> Result<Vec<Listener>> {
        let mut listeners = vec![Listener::plain(self.plain)];
        if let Some(listener) = self.tls {
            // Listening starts before the first read, so that no change in between is missed.
            let changes = database.changes();
            let port = listener.local_addr().ok().and_then(|address| NonZeroU16::new(address.port()));
            let (redirects, tls_port) = (config.redirect_to_tls, app.tls_port.clone());
            // A redirect to TLS without a certificate would not work.
            let ready = move |ready| tls_port.announce(port.filter(|_| redirects && ready));
            let certificates = Certificates::load(database, environment, ready).await?;
            listeners.push(Listener::encrypted(listener, tls::acceptor(certificates.clone())?));
            tokio::spawn(certificates.follow(database.clone(), environment.clone(), changes));
        }
        Ok(listeners)
    }
}

impl Addresses {
    /// The URLs, the unencrypted one first.
    fn urls(&self) -> Vec<String> {
        let plain = url("http", self.plain);
        [Some(plain), self.tls.map(|tls| url("https", tls))].into_iter().flatten().collect()
    }
}

fn url(scheme: &str, address: SocketAddr) -> String {
    // Browsers cannot connect to the unspecified address.
    match address.ip() {
        ip if ip.is_unspecified() => format!("{scheme}://localhost:{}", address.port()),
        _ => format!("{scheme}://{address}"),
    }
}

const UNBUILT: &str =
    "This program was built without the console; the API works. `cargo xtask run` builds both.\n";

/// Prints what the operator needs to know to standard output.
fn announce(
    config: &Config,
    addresses: &Addresses,
    choice: &Choice,
    first: &StartupInfo<'_>,
    console: &console::Source,
) {
    let url = addresses.urls().join(" and ");
    let new = first.administrator.as_ref().map_or_else(String::new, |Administrator { password }| {
        let (password, link, then) = if first.shows_password {
            let link = initial_password::link(&addresses.urls()[0], password);
            (password.clone(), link, "The password is shown only once")
        } else {
            let is_in = |file: PathBuf| format!("is in {}", file.display());
            let files = (initial_password::path(&config.data_dir), initial_password::link_path(&config.data_dir));
            (is_in(files.0), is_in(files.1), "The files are removed once you have chosen another password")
        };
        format!(
            "This is a new cloud with the silo \"{FIRST_SILO}\", an administrator and an IP pool.\n\n    \
             silo      {FIRST_SILO}\n    user      {FIRST_USER}\n    password  {password}\n    \
             link      {link}\n\n\
             The link opens the sign-in with the password filled in. {then}. You must change the password at the \
             first sign-in.\n\
             `croft admin reset-password` sets a new one.\n\n"
        )
    });
    let demo = first.demo.as_ref().map_or_else(String::new, |_| Demo::notice());
    let unbuilt = if console.is_built() { "" } else { UNBUILT };
    let text = format!("{new}{demo}{}\n{unbuilt}Croft is at {url}\n", choice.notice);
    // Nobody may be reading; the server runs nevertheless.
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
    tracing::info!(url, notice = choice.notice, console = console.is_built(), "started");
}

/// Whether secrets can be read by others on the way to an address. With trusted proxies or secure cookies, TLS ends
/// before this server.
fn is_exposed(config: &Config, plain: SocketAddr) -> bool {
    let behind_a_proxy = config.secure_cookies || !config.trusted_proxies.is_empty();
    let redirects = config.tls_listen.is_some() && config.redirect_to_tls;
    !plain.ip().is_loopback() && !behind_a_proxy && !redirects
}

fn warn_of_plain_connections(config: &Config, plain: SocketAddr) {
    if is_exposed(config, plain) {
        tracing::warn!(
            address = %plain,
            "passwords, cookies and tokens sent to this address are not encrypted: serve TLS \
             (--tls-listen), put a TLS proxy in front of this server (--trusted-proxy), or listen on a \
             loopback address (--listen)"
        );
    }
}

/// Notifies the service manager about the state of this server, if `NOTIFY_SOCKET` is set, as systemd does for services
/// of `Type=notify`.
fn tell_service_manager(state: NotifyState<'_>) {
    if let Err(error) = sd_notify::notify(&[state]) {
        tracing::warn!(%error, "cannot notify the service manager");
    }
}

/// Writes the URLs to a temporary file and renames it, so that a reader never sees a part.
fn write_ready_file(path: &Path, addresses: &Addresses) -> Result<()> {
    let part = path.with_extension("part");
    let written =
        fs::write(&part, format!("{}\n", addresses.urls().join("\n"))).and_then(|()| fs::rename(&part, path));
    written.map_err(|error| {
        Failure::new(ExitKind::Failed, format!("cannot write the ready file {}: {error}", path.display()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Options;

    #[test]
    fn unencrypted_listening_beyond_this_host_is_warned_about() {
        let exposed = |address: &str, options: Options| {
            is_exposed(&options.resolve().unwrap(), address.parse().unwrap())
        };
        let with = |set: fn(&mut Options)| {
            let mut options = Options::default();
            set(&mut options);
            options
        };
        let tls = |options: &mut Options| options.tls_listen = "0.0.0.0:443".parse().ok();
        assert!(!exposed("127.0.0.1:80", Options::default()) && !exposed("[::1]:80", Options::default()));
        assert!(exposed("0.0.0.0:80", Options::default()) && exposed("192.0.2.1:80", Options::default()));
        assert!(!exposed(
            "0.0.0.0:80",
            with(|options| options.trusted_proxy = Some(vec!["10.0.0.7".into()]))
        ));
        assert!(!exposed("0.0.0.0:80", with(|options| options.secure_cookies = Some(true))));
        assert!(!exposed("0.0.0.0:80", with(tls)));
        let mut both = with(tls);
        both.redirect_to_tls = Some(false);
        assert!(exposed("0.0.0.0:80", both));
    }

    #[test]
    fn thread_count_suffices_for_all_kinds_of_work() {
        let options = Options { password_workers: Some(3), ..Default::default() };
        let config = options.resolve().unwrap();
        // Passwords, queries, imports, hosts, signatures, downloads, responses, passkeys, look-ups and authorities,
        // uploads, others.
        assert_eq!(blocking_threads(&config), 3 + 4 + 4 + 4 + 2 + 2 + 2 + 2 + 6 + 3 + 4);
    }
}
