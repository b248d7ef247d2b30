//! `croft doctor`: what this host can do for a server, what is missing, and what mends it. Nothing is created or changed.

mod address;
mod clock;
mod data;
mod database;
mod machines;
mod report;
#[cfg(test)]
mod tests;

use std::{
    io::{IsTerminal as _, Write as _},
    process::ExitCode,
};

use croft_sled::qemu::examine;
use jiff::Timestamp;
use rustix::process::geteuid;
use serde::Serialize;

use crate::{
    cli::DoctorArguments,
    config::{Config, Options},
    failure::Failure,
    hypervisor::{self, Plan},
    logging,
    system::now,
};
use report::Report;

/// What a finding means for the server.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Level {
    /// Nothing is missing.
    Ok,
    /// The server starts, but cannot do something.
    Warning,
    /// The server does not start.
    Problem,
}

impl Level {
    const fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warning => "warning",
            Self::Problem => "problem",
        }
    }
}

/// The result of one check.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Finding {
    /// The name of the check, which programs may rely on.
    check: &'static str,
    level: Level,
    /// What was found.
    text: String,
    /// What to do about it.
    #[serde(skip_serializing_if = "Option::is_none")]
    mend: Option<String>,
}

impl Finding {
    fn ok(check: &'static str, text: impl Into<String>) -> Self {
        Self { check, level: Level::Ok, text: text.into(), mend: None }
    }

    fn warning(check: &'static str, text: impl Into<String>, mend: impl Into<String>) -> Self {
        Self { check, level: Level::Warning, text: text.into(), mend: Some(mend.into()) }
    }

    /// What would end the server at its start.
    fn problem(check: &'static str, failure: &Failure) -> Self {
        let mend = failure.advice().map(str::to_owned);
        Self { check, level: Level::Problem, text: failure.message().to_owned(), mend }
    }
}

/// Checks everything and prints the report.
pub fn run(arguments: DoctorArguments) -> ExitCode {
    let report = Report::new(check(arguments.options));
    let mut output = std::io::stdout().lock();
    let text = if arguments.json { report.json() } else { report.text(output.is_terminal()) };
    // Nobody may be reading; the exit code says the same.
    let _ = output.write_all(text.as_bytes());
    if report.can_start() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// All checks, in the order of the report.
fn check(options: Options) -> Vec<Finding> {
    let config = match options.resolve().and_then(|config| logging::filter(&config.log_level).map(|_| config))
    {
        Ok(config) => config,
        Err(failure) => return vec![Finding::problem("options", &failure)],
    };
    let plan = hypervisor::plan(&config);
    let mut findings = vec![user(geteuid().is_root(), plan.as_ref().ok())];
    match plan {
        Err(failure) => findings.push(Finding::problem("machines", &failure)),
        Ok(Plan::Simulated(why)) => findings.push(Finding::ok(
            "machines",
            format!("are simulated ({why}): no real guests run, so neither QEMU nor networks are checked"),
        )),
        Ok(Plan::Qemu { required }) => {
            let examination = examine(&hypervisor::qemu_options(&config));
            findings.extend(machines::check(&config, required, &examination));
        }
    }
    findings.extend(machines::inbound_icmp(&config, geteuid().is_root()));
    findings.extend(of_data(&config, now()));
    findings.push(clock::check(now(), clock::synchronised()));
    findings
}

/// The checks of what the server keeps and where it listens.
fn of_data(config: &Config, now: Timestamp) -> Vec<Finding> {
    let (server, user) = data::server(&config.data_dir);
    let mut findings = vec![data::directory(&config.data_dir), server, data::space(&config.data_dir)];
    findings.extend(database::check(config, user.is_some(), now));
    findings.push(address::check("address", config.listen, "--listen", user.is_some()));
    if let Some(address) = config.tls_listen {
        findings.push(address::check("tls-address", address, "--tls-listen", user.is_some()));
    }
    findings
}

/// Who the server would run as.
fn user(is_root: bool, plan: Option<&Plan>) -> Finding {
    match plan {
        _ if is_root => Finding::ok("user", "root"),
        Some(Plan::Qemu { .. }) => Finding::warning(
            "user",
            "not root: all machines would run as this user, and guests could not be in VPCs",
            "start the server as root, as the service of the package does",
        ),
        _ => Finding::ok("user", "not root, which simulated machines do not need"),
    }
}
