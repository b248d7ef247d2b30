//! Whole-server benchmarks of Croft.
//!
//! Server and load generator are pinned to a core each. Every figure stands beside a control measured in the same
//! run, because machines are shared and noisy: the ratio is the claim, the absolute figure its illustration.
//! `cargo xtask bench` builds everything and runs this program.

mod compare;
mod control;
mod events;
mod import;
mod ingest;
mod load;
mod machine;
mod pools;
mod process;
mod queries;
mod report;
mod scenario;
mod search;
mod stats;

use std::{path::PathBuf, process::ExitCode};

use clap::{Args, Parser, Subcommand};

/// Any failure of a benchmark ends it: a figure from a half-failed run is worse than none.
type Failure = Box<dyn std::error::Error + Send + Sync>;

#[derive(Parser)]
#[command(about = "Whole-server benchmarks of Croft")]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Measures a server binary and writes the report.
    Run(RunOptions),
    /// Serves the two controls: a constant answer, and one synced SQLite commit per request.
    Control {
        /// File that receives the address once the control listens.
        #[arg(long)]
        ready_file: PathBuf,
    },
}

#[derive(Args)]
struct RunOptions {
    /// The server binary, built for release.
    #[arg(long)]
    server: PathBuf,
    /// Runs of each scenario; the report shows their median, least and greatest.
    #[arg(long, default_value_t = 5)]
    runs: usize,
    /// Seconds of load in each run, after one second of warming up.
    #[arg(long, default_value_t = 3)]
    seconds: u64,
    /// Numbers of instances that the database holds, smallest first.
    #[arg(long, value_delimiter = ',', default_value = "1000,100000")]
    instances: Vec<usize>,
    /// Core that the server and the controls run on.
    #[arg(long, default_value_t = 0)]
    server_core: usize,
    /// Core that the load generator runs on.
    #[arg(long, default_value_t = 1)]
    load_core: usize,
    /// The hypervisor that disks are imported into; everything else is measured with simulated machines.
    #[arg(long, default_value = "simulated")]
    import_hypervisor: String,
    /// An earlier version of the server that the requests are compared with, as COMMIT=PROGRAM; may be repeated.
    #[arg(long)]
    before: Vec<compare::Before>,
    /// What to measure; everything if nothing is named.
    #[arg(long, value_delimiter = ',')]
    only: Vec<Part>,
    /// The commit that was measured, for the report.
    #[arg(long)]
    commit: String,
    /// File that receives the report, in Markdown.
    #[arg(long)]
    out: PathBuf,
}

/// A part of the report.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum Part {
    /// Requests, with few and many instances.
    Requests,
    /// Addresses of a pool of a million.
    Pools,
    /// Charts of a day.
    Charts,
    /// Live events.
    Events,
    /// Samples received.
    Samples,
    /// Imports of disk images.
    Imports,
    /// Searches among a million resources.
    Search,
}

impl RunOptions {
    fn wants(&self, part: Part) -> bool {
        self.only.is_empty() || self.only.contains(&part)
    }
}

fn main() -> ExitCode {
    let outcome = match Cli::parse().command {
        Command::Run(options) => scenario::run(&options),
        Command::Control { ready_file } => control::serve(&ready_file),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("croft-bench: {failure}");
            ExitCode::FAILURE
        }
    }
}
