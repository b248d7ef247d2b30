//! `croft serve`: from the configuration to a running server, and in good order to its end.

use std::{fs, io::Write as _, net::SocketAddr, path::Path, sync::Arc, time::Duration};

use croft_control::{Environment, SessionSettings, Settings as Rules};
use croft_http::{App, Closing, Parts, Settings};
use croft_store::Database;
use jiff::SignedDuration;
use tokio::{
    net::TcpListener,
    runtime::Runtime,
    signal::unix::{Signal, SignalKind, signal},
    time::timeout,
};

use crate::{
    background::Background,
    config::Config,
    console,
    data_directory::DataDirectory,
    failure::{ExitKind, Failure, Result},
    first_start::{self, Administrator, FIRST_SILO, FIRST_USER},
    hypervisor::{self, Choice},
    listener, logging,
    password::PasswordPool,
    storage,
    surroundings::{Randomness, SystemClock},
};

/// Streams have this long to say goodbye.
const GOODBYE: Duration = Duration::from_secs(3);

/// Runs the server until it is told to end.
pub fn run(config: &Config) -> Result<()> {
    logging::start(config)?;
    listener::raise_file_limit();
    let directory = DataDirectory::open(&config.data_dir)?;
    let lock = directory.lock()?;
    let choice = hypervisor::choose(config)?;
    let runtime = runtime(config)?;
    // Before the first start makes a password that can be shown only once.
    let listener = runtime.block_on(listener::bind(config.listen))?;
    let database = storage::open(&directory, config.database_url.as_deref(), config.database_readers)?;
    let environment = environment(config);
    let administrator = first_start::run(&database, &environment, &*choice.hypervisor)?;
    let served = runtime.block_on(serve(config, listener, database, environment, choice, administrator));
    runtime.shutdown_timeout(GOODBYE);
    // Held until nothing of this server touches the directory any more.
    drop(lock);
    served
}

fn runtime(config: &Config) -> Result<Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(config.workers)
        // Each idle thread costs memory; what blocks is little and short.
        .max_blocking_threads(config.password_workers + 4)
        .enable_all()
        .build()
        .map_err(|error| Failure::new(ExitKind::Failed, format!("cannot start the runtime: {error}")))
}

fn environment(config: &Config) -> Arc<Environment> {
    let minutes = |count: u32| SignedDuration::from_mins(count.into());
    let session = SessionSettings {
        idle: minutes(config.session_idle),
        absolute: minutes(config.session_absolute),
        ..SessionSettings::default()
    };
    let rules = Rules { session, ..Rules::default() };
    Arc::new(Environment::new(rules, |error| croft_http::status(error).as_u16()))
}

async fn serve(
    config: &Config,
    listener: TcpListener,
    database: Database,
    environment: Arc<Environment>,
    choice: Choice,
    administrator: Option<Administrator>,
) -> Result<()> {
    let mut signals = Signals::new()?;
    let address = listener.local_addr().unwrap_or(config.listen);
    let console = console::choose(config.console_dir.clone());
    let app = App::new(parts(config, database.clone(), environment.clone(), &choice));
    announce(address, &choice, administrator.as_ref(), &console);
    let background = Background::start(database, environment, choice.hypervisor, app.closing.clone())?;
    let edge = croft_http::serve(app.clone(), console::router(console));
    if let Some(path) = &config.ready_file {
        write_ready_file(path, address)?;
    }
    let end = goodbye(&mut signals, &app.closing);
    listener::serve(listener, edge, end).await;
    tokio::task::spawn_blocking(|| background.join())
        .await
        .map_err(|error| Failure::new(ExitKind::Failed, format!("the end was not in order: {error}")))?;
    tracing::info!("ended in order");
    Ok(())
}

fn parts(config: &Config, database: Database, environment: Arc<Environment>, choice: &Choice) -> Parts {
    Parts {
        database,
        hypervisor: choice.hypervisor.clone(),
        environment,
        clock: Arc::new(SystemClock::new()),
        random: Arc::new(Randomness),
        passwords: Arc::new(PasswordPool::new(config.password_workers)),
        settings: Settings {
            secure_cookies: config.secure_cookies,
            max_in_flight: config.max_in_flight,
            metrics_token: config.metrics_token.clone(),
        },
    }
}

/// Waits for the signal to end, then has the streams end.
async fn goodbye(signals: &mut Signals, closing: &Closing) {
    let name = signals.next().await;
    tracing::info!(signal = name, "ending: no new connections, requests under way are finished");
    closing.begin();
    if timeout(GOODBYE, closing.drained()).await.is_err() {
        tracing::warn!(streams = closing.streams(), "some streams did not take their goodbye");
    }
}

/// SIGTERM and SIGINT: the first one ends in order, as does the default action of any further one, at once.
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

fn url(address: SocketAddr) -> String {
    // An address that stands for all is not one that a browser can go to.
    match address.ip() {
        ip if ip.is_unspecified() => format!("http://localhost:{}", address.port()),
        _ => format!("http://{address}"),
    }
}

const UNBUILT: &str =
    "The console was not built into this program; the API works. `cargo xtask run` builds both.\n";

/// What a person who starts a server wants to know, on standard output.
fn announce(
    address: SocketAddr,
    choice: &Choice,
    administrator: Option<&Administrator>,
    console: &console::Source,
) {
    let url = url(address);
    let new = administrator.map_or_else(String::new, |Administrator { password }| {
        format!(
            "This is a new cloud. It was given the silo \"{FIRST_SILO}\", an administrator, and an IP pool.\n\n    \
             silo      {FIRST_SILO}\n    user      {FIRST_USER}\n    password  {password}\n\n\
             The password is shown only this once; `croft admin reset-password` makes a new one.\n\n"
        )
    });
    let unbuilt = if console.is_built() { "" } else { UNBUILT };
    let text = format!("{new}{}\n{unbuilt}Croft is at {url}\n", choice.notice);
    // Nobody may be reading; the server runs all the same.
    let _ = std::io::stdout().lock().write_all(text.as_bytes());
    tracing::info!(url, notice = choice.notice, console = console.is_built(), "started");
}

/// Writes the URL beside the place and moves it there, so that a reader never sees half of it.
fn write_ready_file(path: &Path, address: SocketAddr) -> Result<()> {
    let part = path.with_extension("part");
    let written = fs::write(&part, format!("{}\n", url(address))).and_then(|()| fs::rename(&part, path));
    written.map_err(|error| {
        Failure::new(ExitKind::Failed, format!("cannot write the ready file {}: {error}", path.display()))
    })
}
