//! Collects support bundles in the background, with the information that only the server has.

use std::{fs, io, path::PathBuf, sync::Arc, time::Duration};

use croft_control::support_bundle::{Collector, Member, Sources};
use croft_http::{App, Closing};
use croft_store::Database;
use serde_json::{Value, json};
use tokio::task::JoinHandle;

use crate::{
    config::Config,
    data_directory::LOGS_FOLDER,
    failure::{ExitKind, Failure, Result},
    hypervisor::Choice,
    logging,
    system::{SystemRandom, now},
};

/// Interval at which due work is checked, whether or not something changed.
const PERIOD: Duration = Duration::from_secs(30);
/// Minimum interval between checks: most changes are about something else.
const DEBOUNCE: Duration = Duration::from_millis(250);

/// Starts the task. It ends when the server shuts down.
pub fn start(config: &Config, choice: &Choice, app: &App) -> Result<JoinHandle<()>> {
    let mut run = [0; 16];
    croft_control::Random::fill_bytes(&mut SystemRandom, &mut run);
    let (database, hypervisor) = (app.parts.database.clone(), app.parts.hypervisor.clone());
    let sources = Arc::new(Server::new(config, choice));
    let archives = app.parts.archives.clone();
    let collector =
        Collector::new(croft_api::Uuid::from_bytes(run), database.clone(), hypervisor, archives, sources);
    collector.start(now()).map_err(|error| {
        Failure::new(ExitKind::Database, error.detail().unwrap_or("cannot read support bundles").to_owned())
    })?;
    Ok(tokio::spawn(follow(Arc::new(collector), database, app.closing.clone())))
}

async fn follow(collector: Arc<Collector>, database: Database, closing: Closing) {
    let mut changes = database.changes();
    loop {
        changes.take();
        let step = tokio::task::spawn_blocking({
            let collector = collector.clone();
            move || collector.step(now())
        });
        let pause = match step.await {
            Ok(Ok(true)) => Duration::ZERO,
            Ok(Ok(false)) => PERIOD,
            Ok(Err(error)) => {
                let detail = error.detail();
                tracing::warn!(%error, detail, "support bundles were not collected");
                PERIOD
            }
            Err(error) => {
                tracing::error!(%error, "the collection of a support bundle panicked");
                PERIOD
            }
        };
        let wake = async {
            if pause.is_zero() {
                return;
            }
            tokio::time::sleep(DEBOUNCE).await;
            tokio::select! {
                () = tokio::time::sleep(pause) => {}
                () = changes.changed() => {}
            }
        };
        tokio::select! {
            () = closing.begun() => return,
            () = wake => {}
        }
    }
}

/// The server's own information.
struct Server {
    configuration: Value,
    versions: Value,
    logs: PathBuf,
}

impl Server {
    fn new(config: &Config, choice: &Choice) -> Self {
        Self {
            configuration: configuration(config),
            versions: json!({
                "croft": env!("CARGO_PKG_VERSION"),
                "contract": croft_http::CONTRACT_VERSION,
                "kernel": kernel(),
                "hypervisor": choice.kind,
                "machines": choice.notice,
            }),
            logs: config.data_dir.join(LOGS_FOLDER),
        }
    }
}

impl Sources for Server {
    fn members(&self) -> Vec<Member> {
        let mut members = vec![
            Member::json("server/configuration.json", &self.configuration),
            Member::json("server/versions.json", &self.versions),
        ];
        for name in logging::FILES {
            let log = match fs::read(self.logs.join(name)) {
                Ok(content) => Member { name: format!("server/{name}"), content },
                Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                Err(error) => Member::text(format!("server/{name}.unreadable"), format!("{error}\n")),
            };
            members.push(log);
        }
        members
    }
}

/// Listed one by one, so that a new option is not included before somebody has checked it for secrets.
fn configuration(config: &Config) -> Value {
    let database = if config.database_url.is_some() { "postgresql" } else { "sqlite" };
    json!({
        "data_dir": config.data_dir,
        "database": database,
        "database_readers": config.database_readers,
        "listen": config.listen,
        "tls_listen": config.tls_listen,
        "redirect_to_tls": config.redirect_to_tls,
        "external_suffixes": config.external_suffixes.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "hypervisor": format!("{:?}", config.hypervisor),
        "acceleration": format!("{:?}", config.acceleration),
        "guest_network": format!("{:?}", config.guest_network),
        "external_interface": config.external_interface,
        "dns_upstream": config.dns_upstream,
        "simulated_speed": config.simulated_speed,
        "simulated_rack": format!("{:?}", config.simulated_rack),
        "workers": config.workers,
        "password_workers": config.password_workers,
        "max_in_flight": config.max_in_flight,
        "session_idle": config.session_idle,
        "session_absolute": config.session_absolute,
        "secure_cookies": config.secure_cookies,
        "trusted_proxies": format!("{:?}", config.trusted_proxies),
        "allow_internal_metadata": config.allow_internal_metadata,
        "allow_plain_metadata": config.allow_plain_metadata,
        "deleted_retention": config.deleted_retention,
        "webhook_authorities": config.webhook_ca.len(),
        "alert_retention": config.alert_retention,
        "support_bundles": config.support_bundles,
        "support_bundle_retention": config.support_bundle_retention,
        "has_metrics_token": config.metrics_token.is_some(),
        "log_format": format!("{:?}", config.log_format),
        "log_level": config.log_level,
    })
}

fn kernel() -> Option<String> {
    Some(fs::read_to_string("/proc/sys/kernel/osrelease").ok()?.trim().to_owned())
}
